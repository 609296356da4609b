//! Rows that arrive in parts.

use bytes::{Bytes, BytesMut};

use crate::Row;
use crate::cell::{BadCell, CellBlock};
use crate::proto;

/// A result: some cells of one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) row: Row,
    /// Whether more cells of the row may follow. If they don't, another row follows.
    pub(super) may_go_on: bool,
}

pub(super) fn take_parts(answer: &proto::ScanResponse, cells: Bytes) -> Result<Vec<Part>, BadCell> {
    let mut block = CellBlock::new(cells);
    let flags = &answer.partial_flag_per_result;
    let mut parts = Vec::with_capacity(answer.cells_per_result.len() + answer.results.len());
    for (at, &count) in answer.cells_per_result.iter().enumerate() {
        let row = Row::of_checked(block.take(count as usize)?);
        parts.push(Part { row, may_go_on: flags.get(at).copied().unwrap_or_default() });
    }
    for result in &answer.results {
        let row = crate::result::take(result, &mut block)?;
        parts.push(Part { row, may_go_on: result.partial() });
    }
    parts.retain(|part| !part.row.is_empty());
    Ok(parts)
}

/// The cells of `part` that come after all cells of `given`, a part of the same row.
pub(super) fn cells_after(part: &Row, given: &Row) -> Option<Row> {
    let last = given.cells().last()?;
    let mut block = CellBlock::new(part.as_cell_block().clone());
    loop {
        let mut rest = block.clone();
        // The cells were checked, so the only possible error is that there are no more.
        let cell = block.take(1).ok()?;
        if CellBlock::cells(&cell).any(|cell| cell.cmp_in_row(&last).is_gt()) {
            return rest.take_all().ok().map(Row::of_checked);
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Assembly {
    /// The parts of an incomplete row.
    waiting: Vec<Row>,
}

impl Assembly {
    /// Adds the parts of an answer and returns the complete rows. `ended` means that no part can follow.
    pub(super) fn take(&mut self, parts: Vec<Part>, ended: bool) -> Vec<Row> {
        let mut whole = Vec::with_capacity(parts.len() + 1);
        for part in parts {
            if self.waiting.last().is_some_and(|waiting| waiting.key() != part.row.key()) {
                whole.push(self.finish());
            }
            if self.waiting.is_empty() && !part.may_go_on {
                whole.push(part.row);
                continue;
            }
            self.waiting.push(part.row);
            if !part.may_go_on {
                whole.push(self.finish());
            }
        }
        if ended && !self.waiting.is_empty() {
            whole.push(self.finish());
        }
        whole
    }

    /// Drops an incomplete row: it will be read again.
    pub(super) fn forget(&mut self) {
        self.waiting.clear();
    }

    fn finish(&mut self) -> Row {
        if let [_] = self.waiting[..] {
            return self.waiting.pop().expect("there is one");
        }
        let len = self.waiting.iter().map(|row| row.as_cell_block().len()).sum();
        let mut cells = BytesMut::with_capacity(len);
        for row in self.waiting.drain(..) {
            cells.extend_from_slice(row.as_cell_block());
        }
        Row::of_checked(cells.freeze())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::CellWriter;

    fn part(key: &str, qualifier: &str, may_go_on: bool) -> Part {
        let mut cells = CellWriter::default();
        cells.put(key.as_bytes(), b"f", qualifier.as_bytes(), 1, b"").unwrap();
        Part { row: Row::of_checked(cells.into_bytes()), may_go_on }
    }

    fn shown(rows: &[Row]) -> Vec<String> {
        let cells = |row: &Row| {
            row.cells().map(|cell| String::from_utf8_lossy(cell.qualifier).into()).collect::<Vec<String>>()
        };
        rows.iter()
            .map(|row| format!("{}={}", String::from_utf8_lossy(row.key()), cells(row).join("")))
            .collect()
    }

    #[test]
    fn a_row_in_parts_comes_out_whole() {
        let mut assembly = Assembly::default();
        assert!(assembly.take(vec![part("a", "x", true)], false).is_empty());
        let rows = assembly.take(vec![part("a", "y", false), part("b", "x", false)], false);
        assert_eq!(shown(&rows), ["a=xy", "b=x"]);
    }

    #[test]
    fn a_part_that_could_go_on_is_whole_when_another_row_follows() {
        let mut assembly = Assembly::default();
        assembly.take(vec![part("a", "x", true)], false);
        assert_eq!(shown(&assembly.take(vec![part("b", "x", true)], false)), ["a=x"]);
        assert_eq!(shown(&assembly.take(vec![], true)), ["b=x"]);
    }

    #[test]
    fn a_row_of_long_qualifiers_continues_after_the_last_cell_returned() {
        let qualifiers = [1, 40_000, 70_000].map(|len| "q".repeat(len));
        let row = |qualifiers: &[String]| {
            let mut cells = CellWriter::default();
            for name in qualifiers {
                cells.put(b"a", b"f", name.as_bytes(), 1, b"").unwrap();
            }
            Row::of_checked(cells.into_bytes())
        };
        let whole = row(&qualifiers);
        assert_eq!(cells_after(&whole, &row(&qualifiers[..1])), Some(row(&qualifiers[1..])));
        assert_eq!(cells_after(&whole, &row(&qualifiers[..2])), Some(row(&qualifiers[2..])));
        assert_eq!(cells_after(&whole, &whole), None);
    }

    #[test]
    fn a_forgotten_part_is_not_given_twice() {
        let mut assembly = Assembly::default();
        assembly.take(vec![part("a", "x", true)], false);
        assembly.forget();
        assert_eq!(shown(&assembly.take(vec![part("a", "x", false)], true)), ["a=x"]);
    }
}
