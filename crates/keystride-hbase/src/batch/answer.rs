//! Decoding the answer to a Multi.

use std::sync::Arc;

use bytes::Bytes;
use prost::encoding::decode_varint;
use prost::{DecodeError, Message};

use super::completed::CompletedActions;
use super::region_answer::{Outcomes, RegionAnswer};
use super::region_part::RegionPart;
use super::request::MultiBody;
use crate::cell::CellBlock;
use crate::error::RemoteError;
use crate::region::Located;
use crate::wire::Reply;
use crate::{Error, HostPort, Row, proto};

/// The outcomes of a request's actions.
#[derive(Debug, Default)]
pub(super) struct RequestOutcome {
    /// By region.
    pub(super) completed: Vec<CompletedActions>,
    pub(super) failed: Vec<FailedActions>,
}

/// Actions that failed with the same error.
#[derive(Debug)]
pub(super) struct FailedActions {
    pub(super) located: Arc<Located>,
    pub(super) places: Vec<u32>,
    pub(super) error: Error,
}

/// The message `MultiResponse`.
#[derive(Clone, PartialEq, Message)]
struct MultiAnswer {
    /// Messages [`RegionAnswer`].
    #[prost(bytes = "bytes", repeated, tag = "1")]
    regions: Vec<Bytes>,
    /// Whether atomic groups without an exception were processed. Before HBase 1.4 nothing else is reported about them.
    #[prost(bool, optional, tag = "2")]
    processed: Option<bool>,
}

const METHOD: &str = "Multi";

impl RequestOutcome {
    /// All actions of a request failed with one error.
    pub(super) fn all_failed(body: MultiBody, error: &Error) -> Self {
        let failed = |part: RegionPart| FailedActions::of_part(&part, error.clone());
        Self { completed: Vec::new(), failed: body.parts.into_iter().map(failed).collect() }
    }

    /// Decodes an answer.
    pub(super) fn read(body: MultiBody, server: &HostPort, reply: Reply) -> Self {
        let answer = match MultiAnswer::decode(reply.message) {
            Ok(answer) => answer,
            Err(error) => return Self::all_failed(body, &Error::bad_answer(server, METHOD, error)),
        };
        let mut outcome = Self::default();
        let mut block = CellBlock::new(reply.cells);
        let groups_are_done = answer.processed.unwrap_or_default();
        // Before HBase 1.4 an overloaded server may report its load in an extra answer before that of a group.
        let mut surplus = answer.regions.len().saturating_sub(body.parts.len());
        let mut regions = answer.regions.into_iter();
        for part in body.parts {
            let mut region = regions.next();
            if surplus > 0 && part.is_atomic && region.as_ref().is_some_and(tells_only_load) {
                (region, surplus) = (regions.next(), surplus - 1);
            }
            let read = match region {
                Some(region) => outcome.read_part(&part, region, groups_are_done, &mut block, server),
                None => Err(Error::bad_answer(server, METHOD, "it has no result for some regions")),
            };
            if let Err(error) = read {
                // Keeps the outcomes decoded so far.
                let missing = outcome.missing(&part);
                outcome.failed.push(FailedActions { located: part.located, places: missing, error });
            }
        }
        outcome
    }

    fn read_part(
        &mut self,
        part: &RegionPart,
        answer: Bytes,
        groups_are_done: bool,
        block: &mut CellBlock,
        server: &HostPort,
    ) -> Result<(), Error> {
        let answer =
            RegionAnswer::decode(answer).map_err(|error| Error::bad_answer(server, METHOD, error))?;
        if let Some(exception) = answer.exception() {
            self.failed.push(FailedActions::of_part(part, remote(exception, part, server)));
            return Ok(());
        }
        let mut open = vec![true; part.places.len()];
        self.completed.push(CompletedActions::new(&part.located, part.places.len()));
        let read = self.read_outcomes(part, answer.outcomes(), &mut open, block, server);
        if part.is_atomic && (groups_are_done || !answer.is_silent()) {
            // If only some outcomes can be decoded, one stands for the group.
            if read.is_ok() || self.missing(part).is_empty() {
                self.complete_group(part);
            }
            return read;
        }
        read?;
        let mut unanswered: Vec<u32> =
            part.places.iter().zip(open).filter(|&(_, open)| open).map(|(&place, _)| place).collect();
        unanswered.dedup();
        if !unanswered.is_empty() {
            let error = Error::bad_answer(server, METHOD, "it has no result for some actions");
            self.failed.push(FailedActions { located: Arc::clone(&part.located), places: unanswered, error });
        }
        Ok(())
    }

    fn read_outcomes(
        &mut self,
        part: &RegionPart,
        outcomes: Outcomes<'_>,
        open: &mut [bool],
        block: &mut CellBlock,
        server: &HostPort,
    ) -> Result<(), Error> {
        for outcome in outcomes {
            if let Some(index) = index_of_done(outcome) {
                if let Some(place) = place_of(index, part, open) {
                    self.completed_here().add(place);
                }
                continue;
            }
            let read = read_outcome(outcome, block, server).inspect_err(|_| {
                // The remaining cells can't be assigned any more.
                *block = CellBlock::default();
            });
            let Some((index, row)) = read? else { continue };
            let row = row.map_err(|exception| remote(&exception, part, server));
            let Some(place) = index.and_then(|index| place_of(index, part, open)) else { continue };
            match row {
                Ok(row) => self.completed_here().add_row(place, row),
                Err(error) => self.failed.push(FailedActions::of_one(part, place, error)),
            }
        }
        Ok(())
    }

    /// Merges the outcomes of a group, which has one place: it is completed unless a part failed.
    fn complete_group(&mut self, part: &RegionPart) {
        let Some(&place) = part.places.first() else { return };
        let mut is_done = true;
        // The parts of a group fail together.
        self.failed.retain(|failed| failed.places != [place] || std::mem::take(&mut is_done));
        self.completed_here().set(if is_done { vec![place] } else { Vec::new() });
    }

    /// The completed actions of the region being decoded.
    fn completed_here(&mut self) -> &mut CompletedActions {
        self.completed.last_mut().expect("a region is being read")
    }

    fn missing(&self, part: &RegionPart) -> Vec<u32> {
        let known = |place: &u32| {
            self.completed.iter().flat_map(CompletedActions::places).any(|done| done == *place)
                || self.failed.iter().any(|failed| failed.places.contains(place))
        };
        let mut missing: Vec<u32> = part.places.iter().copied().filter(|place| !known(place)).collect();
        // A group repeats its place for each of its actions.
        missing.dedup();
        missing
    }
}

/// Whether an answer only reports the load of a region.
fn tells_only_load(answer: &Bytes) -> bool {
    let Ok(answer) = proto::RegionActionResult::decode(answer.clone()) else { return false };
    let is_load = |outcome: &proto::ResultOrException| {
        outcome.index.is_none() && outcome.result.is_none() && outcome.exception.is_none()
    };
    let outcomes = &answer.result_or_exception;
    answer.exception.is_none() && !outcomes.is_empty() && outcomes.iter().all(is_load)
}

fn remote(exception: &proto::NameBytesPair, part: &RegionPart, server: &HostPort) -> Error {
    Error::Remote(Box::new(RemoteError::from_pair(exception).at(server))).about(&part.located)
}

/// The index of an action, and its row or exception.
type IndexedResult = (Option<u32>, Result<Row, proto::NameBytesPair>);

/// Decodes an outcome with its cells from the block. `None` if it is empty.
fn read_outcome(
    bytes: &[u8],
    block: &mut CellBlock,
    server: &HostPort,
) -> Result<Option<IndexedResult>, Error> {
    let bad = |error: DecodeError| Error::bad_answer(server, METHOD, error);
    let outcome = proto::ResultOrException::decode(bytes).map_err(bad)?;
    let row = outcome.result.map(|result| crate::result::take(&result, block)).transpose();
    match (row, outcome.exception) {
        (_, Some(exception)) => Ok(Some((outcome.index, Err(exception)))),
        (Ok(row), None) => Ok(row.map(|row| (outcome.index, Ok(row)))),
        (Err(error), None) => Err(Error::bad_cells(server, METHOD, &error)),
    }
}

/// The index in the outcome of a completed change: its result is empty.
#[inline]
fn index_of_done(outcome: &[u8]) -> Option<u32> {
    let mut left = outcome.strip_prefix(&[INDEX])?;
    let index = decode_varint(&mut left).ok()?;
    if left == [RESULT, 0] { u32::try_from(index).ok() } else { None }
}

/// Keys of two fields of `ResultOrException`: 1, a number, and 2, a message.
const INDEX: u8 = 1 << 3;
const RESULT: u8 = 2 << 3 | 2;

/// The place of an action, if this is its first outcome. Outcomes come in any order; the index identifies them.
#[inline]
fn place_of(index: u32, part: &RegionPart, open: &mut [bool]) -> Option<u32> {
    let slot = open.get_mut(index as usize)?;
    std::mem::replace(slot, false).then(|| part.places[index as usize])
}

impl FailedActions {
    fn of_part(part: &RegionPart, error: Error) -> Self {
        let mut places = part.places.clone();
        places.dedup();
        Self { located: Arc::clone(&part.located), places, error }
    }

    fn of_one(part: &RegionPart, place: u32, error: Error) -> Self {
        Self { located: Arc::clone(&part.located), places: vec![place], error }
    }
}
