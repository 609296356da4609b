//! Rows in answers.

use crate::cell::{BadCell, Cell, CellBlock, CellKind, CellWriter};
use crate::{Row, proto};

/// The row of a result. Its cells are in the cell block, or in the message.
pub(crate) fn take(result: &proto::Result, block: &mut CellBlock) -> Result<Row, BadCell> {
    let count = usize::try_from(result.associated_cell_count()).unwrap_or_default();
    let cells = block.take(count)?;
    if result.cell.is_empty() {
        return Ok(Row::of_checked(cells));
    }
    let mut out = CellWriter::with_capacity(cells.len()).with_tags();
    for cell in CellBlock::cells(&cells) {
        push(&mut out, &cell)?;
    }
    for cell in &result.cell {
        let code = u8::try_from(cell.cell_type.unwrap_or_default()).unwrap_or_default();
        let kind = CellKind::from_code(code).ok_or(BadCell::Kind { code })?;
        let ts = cell.timestamp().cast_signed();
        if ts < 0 {
            return Err(BadCell::Time { ts });
        }
        let cell = Cell {
            row: cell.row(),
            family: cell.family(),
            qualifier: cell.qualifier(),
            ts,
            kind,
            value: cell.value(),
            tags: cell.tags(),
        };
        push(&mut out, &cell)?;
    }
    Ok(Row::of_checked(out.into_bytes()))
}

fn push(out: &mut CellWriter, cell: &Cell<'_>) -> Result<(), BadCell> {
    out.push(cell).map_err(|error| BadCell::Lengths {
        whole: u32::try_from(error.len).unwrap_or(u32::MAX),
        key: 0,
        value: 0,
    })
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    #[test]
    fn tags_of_a_message_are_kept() {
        let cell = proto::Cell {
            row: Some("r".into()),
            family: Some("f".into()),
            cell_type: Some(4),
            tags: Some(Bytes::from_static(b"no tags")),
            ..Default::default()
        };
        let row = take(&proto::Result { cell: vec![cell], ..Default::default() }, &mut CellBlock::default());
        assert_eq!(row.unwrap().cells().next().unwrap().tags, b"no tags");
    }
}
