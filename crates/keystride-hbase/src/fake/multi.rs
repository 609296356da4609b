//! The method `Multi`.

use bytes::{Bytes, BytesMut};

use super::mutate::{apply, holds, take_cells};
use super::rows::{result, result_of};
use super::{Answer, Exception, Incoming, State, Stored};
use crate::proto;

pub(crate) fn multi(state: &mut State, server: usize, request: &Incoming) -> Result<Answer, Exception> {
    let message: proto::MultiRequest = request.read()?;
    let size = request.message.len() + request.cells.len();
    if size > state.settings.largest_multi {
        return Err(Exception::final_one("exceptions.RequestTooBigException", format!("{size} bytes")));
    }
    let mut block = request.cells.clone();
    let mut answer = proto::MultiResponse::default();
    let mut cells = BytesMut::new();
    for action in &message.region_action {
        let mut action = action.clone();
        if state.settings.is_1_2 {
            action.condition.clone_from(&message.condition);
        }
        let (mut result, more) = region_action(state, server, &action, message.nonce_group, &mut block);
        if state.settings.is_1_2 && action.atomic() && result.exception.is_none() {
            answer.processed = result.processed;
            result = proto::RegionActionResult::default();
        }
        answer.region_action_result.push(result);
        cells.extend_from_slice(&more);
    }
    if !block.is_empty() {
        state.complain(format!("{} bytes of cells belong to no action", block.len()));
    }
    Ok(Answer::with_cells(&answer, cells))
}

/// Skips the cells of a region that is not on this server.
fn region_action(
    state: &mut State,
    server: usize,
    action: &proto::RegionAction,
    nonce_group: Option<u64>,
    block: &mut Bytes,
) -> (proto::RegionActionResult, BytesMut) {
    let mut todo = Vec::new();
    for action in &action.action {
        let cells = action.mutation.as_ref().map(|mutation| take_cells(state, mutation, block));
        todo.push((action, cells.unwrap_or_default()));
    }
    let table = match state.region(server, &action.region) {
        Ok((table, _)) => table,
        Err(exception) => return (failed(&exception), BytesMut::new()),
    };
    if !holds(state, &table, action.condition.as_ref()) {
        return (proto::RegionActionResult { processed: Some(false), ..Default::default() }, BytesMut::new());
    }
    let processed = action.atomic().then_some(true);
    let mut answer = proto::RegionActionResult { processed, ..Default::default() };
    let mut block = BytesMut::new();
    for (number, (one, cells)) in todo.into_iter().enumerate() {
        // Servers number the actions of an atomic group themselves.
        let index = if action.atomic() { u32::try_from(number).ok() } else { one.index };
        let (entry, more) = match act(state, server, &action.region, one, cells, nonce_group) {
            Ok((result, more)) => {
                (proto::ResultOrException { index, result: Some(result), ..Default::default() }, more)
            }
            Err(exception) => {
                let exception = Some(exception.to_pair());
                (proto::ResultOrException { index, exception, ..Default::default() }, BytesMut::new())
            }
        };
        answer.result_or_exception.push(entry);
        block.extend_from_slice(&more);
    }
    (answer, block)
}

fn failed(exception: &Exception) -> proto::RegionActionResult {
    proto::RegionActionResult { exception: Some(exception.to_pair()), ..Default::default() }
}

fn act(
    state: &mut State,
    server: usize,
    region: &proto::RegionSpecifier,
    action: &proto::Action,
    cells: Vec<Stored>,
    nonce_group: Option<u64>,
) -> Result<(proto::Result, BytesMut), Exception> {
    if let Some(get) = &action.get {
        let table = state.region_of_row(server, region, &get.row)?;
        let stored = state.tables[&table].rows.get(&get.row).cloned().unwrap_or_default();
        return Ok(result(get, &stored));
    }
    let Some(mutation) = &action.mutation else {
        state.complain("an action that is neither a get nor a mutation");
        return Ok(result_of(&[]));
    };
    let table = state.region_of_row(server, region, mutation.row())?;
    Ok(result_of(&apply(state, &table, mutation, cells, nonce_group)?))
}
