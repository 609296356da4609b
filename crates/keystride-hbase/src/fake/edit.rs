//! Changed answers.

use bytes::{Bytes, BytesMut};
use prost::Message;

use super::cells::block;
use super::{Answer, Fault, Stored};
use crate::proto;

/// Cuts the answer's cells inside one of them.
pub(crate) fn cells_end_early() -> Fault {
    Fault::edit(|answer| answer.cells.truncate(answer.cells.len().saturating_sub(1)))
}

/// Replaces the answer's message.
pub(crate) fn message(bytes: &'static [u8]) -> Fault {
    Fault::edit(move |answer| answer.message = Bytes::from_static(bytes))
}

/// An outcome in a Multi's answer, with its cells.
pub(crate) type Outcome = (proto::ResultOrException, Vec<Stored>);

/// Changes the outcomes of each region in a Multi's answer.
pub(crate) fn outcomes(edit: impl Fn(&mut Vec<Outcome>) + Send + Sync + 'static) -> Fault {
    Fault::edit(move |answer| {
        let mut multi = proto::MultiResponse::decode(answer.message.clone()).unwrap();
        let mut cells = BytesMut::new();
        for region in &mut multi.region_action_result {
            let taken = std::mem::take(&mut region.result_or_exception);
            let mut outcomes: Vec<Outcome> =
                taken.into_iter().map(|outcome| with_cells(outcome, &mut answer.cells)).collect();
            edit(&mut outcomes);
            for (outcome, own) in outcomes {
                cells.extend_from_slice(&block(&own));
                region.result_or_exception.push(outcome);
            }
        }
        *answer = Answer::with_cells(&multi, cells);
    })
}

fn with_cells(outcome: proto::ResultOrException, cells: &mut Bytes) -> Outcome {
    let count = outcome.result.as_ref().map_or(0, proto::Result::associated_cell_count);
    let cells = (0..count).map(|_| Stored::take(cells).unwrap()).collect();
    (outcome, cells)
}

/// Changes the region results of a Multi's answer, but not its cells.
pub(crate) fn regions(edit: impl Fn(&mut Vec<proto::RegionActionResult>) + Send + Sync + 'static) -> Fault {
    Fault::edit(move |answer| {
        let mut multi = proto::MultiResponse::decode(answer.message.clone()).unwrap();
        edit(&mut multi.region_action_result);
        answer.message = multi.encode_to_vec().into();
    })
}
