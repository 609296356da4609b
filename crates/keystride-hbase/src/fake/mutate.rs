//! Changing rows.

use bytes::Bytes;

use super::cells::{DELETE, DELETE_COLUMN, DELETE_FAMILY, DELETE_FAMILY_VERSION, PUT};
use super::rows::result_of;
use super::{Answer, Exception, Incoming, State, Stored};
use crate::cell::LATEST;
use crate::proto;
use crate::proto::mutation_proto::MutationType;

pub(crate) fn mutate(state: &mut State, server: usize, request: &Incoming) -> Result<Answer, Exception> {
    let message: proto::MutateRequest = request.read()?;
    let mut block = request.cells.clone();
    let cells = take_cells(state, &message.mutation, &mut block);
    if !block.is_empty() {
        state.complain(format!("{} bytes of cells belong to no mutation", block.len()));
    }
    let table = state.region_of_row(server, &message.region, message.mutation.row())?;
    if !holds(state, &table, message.condition.as_ref()) {
        return Ok(Answer::of(&proto::MutateResponse { processed: Some(false), result: None }));
    }
    let changed = apply(state, &table, &message.mutation, cells, message.nonce_group)?;
    let (result, block) = result_of(&changed);
    let result = (message.mutation.mutate_type() < MutationType::Put).then_some(result);
    Ok(Answer::with_cells(&proto::MutateResponse { processed: Some(true), result }, block))
}

/// Takes a mutation's cells from the start of the request's cells.
pub(crate) fn take_cells(
    state: &mut State,
    mutation: &proto::MutationProto,
    block: &mut Bytes,
) -> Vec<Stored> {
    let mut cells = Vec::new();
    for _ in 0..mutation.associated_cell_count() {
        match Stored::take(block) {
            Some(cell) if cell.row == mutation.row() => cells.push(cell),
            Some(cell) => {
                state.complain(format!("a cell of row {:?} for row {:?}", cell.row, mutation.row()));
            }
            None => state.complain(format!("a cell of row {:?} is missing or broken", mutation.row())),
        }
    }
    cells
}

/// Applies a mutation, and returns the new cells of an increment or append.
pub(crate) fn apply(
    state: &mut State,
    table: &str,
    mutation: &proto::MutationProto,
    cells: Vec<Stored>,
    nonce_group: Option<u64>,
) -> Result<Vec<Stored>, Exception> {
    let kind = mutation.mutate_type();
    let nonce = mutation.nonce.filter(|_| kind < MutationType::Put);
    if nonce.is_some_and(|nonce| !state.nonces.insert((nonce_group.unwrap_or_default(), nonce))) {
        return Ok(current(state, table, mutation.row(), &cells));
    }
    let now = state.next_number().cast_signed();
    let rows = &mut state.tables.get_mut(table).unwrap().rows;
    let row = rows.entry(mutation.row.clone().unwrap_or_default()).or_default();
    let timed = |cell: Stored| if cell.ts == LATEST { Stored { ts: now, ..cell } } else { cell };
    let mut changed = Vec::new();
    match kind {
        MutationType::Put => cells.into_iter().for_each(|cell| put(row, timed(cell))),
        MutationType::Delete if cells.is_empty() => {
            row.retain(|cell| mutation.timestamp.is_some_and(|until| cell.ts.cast_unsigned() > until));
        }
        MutationType::Delete => cells.iter().for_each(|marker| hide(row, marker)),
        MutationType::Increment | MutationType::Append => {
            for cell in cells.into_iter().map(timed) {
                changed.push(add(row, kind, cell)?);
            }
        }
    }
    Ok(changed)
}

fn current(state: &State, table: &str, row: &[u8], wanted: &[Stored]) -> Vec<Stored> {
    let cells = state.tables[table].rows.get(row).map_or(&[][..], |cells| cells);
    wanted.iter().filter_map(|wanted| newest(cells, wanted).cloned()).collect()
}

fn newest<'a>(cells: &'a [Stored], like: &Stored) -> Option<&'a Stored> {
    cells.iter().find(|cell| cell.family == like.family && cell.qualifier == like.qualifier)
}

/// Cells are sorted by family, qualifier and descending timestamp.
fn put(row: &mut Vec<Stored>, cell: Stored) {
    let place = |cell: &Stored| (cell.family.clone(), cell.qualifier.clone(), std::cmp::Reverse(cell.ts));
    match row.binary_search_by_key(&place(&cell), place) {
        Ok(at) => row[at] = cell,
        Err(at) => row.insert(at, cell),
    }
}

fn hide(row: &mut Vec<Stored>, marker: &Stored) {
    let newest = newest(row, marker).map(|cell| cell.ts);
    row.retain(|cell| {
        let of_column = cell.family == marker.family && cell.qualifier == marker.qualifier;
        let hidden = match marker.kind {
            DELETE if marker.ts == LATEST => of_column && Some(cell.ts) == newest,
            DELETE => of_column && cell.ts == marker.ts,
            DELETE_COLUMN => of_column && cell.ts <= marker.ts,
            DELETE_FAMILY => cell.family == marker.family && cell.ts <= marker.ts,
            DELETE_FAMILY_VERSION => cell.family == marker.family && cell.ts == marker.ts,
            _ => false,
        };
        !hidden
    });
}

fn add(row: &mut Vec<Stored>, kind: MutationType, cell: Stored) -> Result<Stored, Exception> {
    let old = newest(row, &cell).map(|old| old.value.clone()).unwrap_or_default();
    let value = if kind == MutationType::Append {
        [old, cell.value.clone()].concat()
    } else {
        sum(&old, &cell.value)?
    };
    let new = Stored { value: value.into(), kind: PUT, ..cell };
    put(row, new.clone());
    Ok(new)
}

fn sum(old: &[u8], amount: &[u8]) -> Result<Vec<u8>, Exception> {
    let number = |bytes: &[u8]| match bytes {
        [] => Ok(0),
        bytes => bytes.try_into().map(i64::from_be_bytes).map_err(|_| {
            Exception::final_one("DoNotRetryIOException", "Field is not a long, it's not 8 bytes wide")
        }),
    };
    Ok(number(old)?.wrapping_add(number(amount)?).to_be_bytes().to_vec())
}

/// Whether a condition holds. Only presence and absence of a column are supported.
pub(crate) fn holds(state: &mut State, table: &str, condition: Option<&proto::Condition>) -> bool {
    let Some(condition) = condition else { return true };
    let cells = state.tables[table].rows.get(&condition.row).cloned().unwrap_or_default();
    let mut of_column = cells
        .iter()
        .filter(|cell| cell.family == condition.family() && cell.qualifier == condition.qualifier());
    let stored = of_column.next().map(|cell| cell.value.clone()).unwrap_or_default();
    match (condition.compare_type, expected(condition)) {
        (Some(kind), Some(expected)) if kind == i32::from(proto::CompareType::Equal) => stored == expected,
        (Some(kind), Some(expected)) if kind == i32::from(proto::CompareType::NotEqual) => stored != expected,
        _ => {
            state.complain(format!("a condition that is not understood: {condition:?}"));
            false
        }
    }
}

fn expected(condition: &proto::Condition) -> Option<Bytes> {
    use prost::Message;
    let comparator = condition.comparator.as_ref()?;
    let binary = comparator
        .name
        .ends_with("BinaryComparator")
        .then_some(())
        .and_then(|()| proto::BinaryComparator::decode(comparator.serialized_comparator.clone()?).ok())?;
    Some(binary.comparable.value.unwrap_or_default())
}
