//! Reading rows.

use std::collections::HashMap;

use bytes::BytesMut;

use super::cells::block;
use super::{Answer, Exception, State, Stored};
use crate::proto;

pub(crate) fn get(
    state: &mut State,
    server: usize,
    request: &proto::GetRequest,
) -> Result<Answer, Exception> {
    let table = state.region_of_row(server, &request.region, &request.get.row)?;
    let cells = state.tables[&table].rows.get(&request.get.row).cloned().unwrap_or_default();
    Ok(get_answer(&request.get, &cells))
}

/// The answer to a get of a row with these cells.
pub(crate) fn get_answer(get: &proto::Get, cells: &[Stored]) -> Answer {
    let (result, cells) = result(get, cells);
    Answer::with_cells(&proto::GetResponse { result: Some(result) }, cells)
}

pub(crate) fn result(get: &proto::Get, cells: &[Stored]) -> (proto::Result, BytesMut) {
    let chosen = choose(&get.column, get.max_versions(), get.time_range.as_ref(), cells);
    if get.existence_only() {
        return (proto::Result { exists: Some(!chosen.is_empty()), ..Default::default() }, BytesMut::new());
    }
    result_of(&chosen)
}

/// A result whose cells are in the block.
pub(crate) fn result_of(cells: &[Stored]) -> (proto::Result, BytesMut) {
    let count = Some(i32::try_from(cells.len()).unwrap());
    (proto::Result { associated_cell_count: count, ..Default::default() }, block(cells))
}

/// The cells selected by columns, versions and time range.
pub(crate) fn choose(
    columns: &[proto::Column],
    max_versions: u32,
    times: Option<&proto::TimeRange>,
    cells: &[Stored],
) -> Vec<Stored> {
    let mut versions: HashMap<_, u32> = HashMap::new();
    let mut chosen = Vec::new();
    for cell in cells.iter().filter(|cell| is_asked_for(columns, cell) && is_in(times, cell.ts)) {
        let seen = versions.entry((&cell.family, &cell.qualifier)).or_default();
        *seen += 1;
        if *seen <= max_versions {
            chosen.push(cell.clone());
        }
    }
    chosen
}

fn is_asked_for(columns: &[proto::Column], cell: &Stored) -> bool {
    let mut of_family = columns.iter().filter(|column| column.family == cell.family);
    columns.is_empty()
        || of_family.any(|column| column.qualifier.is_empty() || column.qualifier.contains(&cell.qualifier))
}

fn is_in(times: Option<&proto::TimeRange>, ts: i64) -> bool {
    let Some(times) = times else { return true };
    let ts = ts.cast_unsigned();
    times.from() <= ts && times.to.is_none_or(|to| ts < to)
}
