//! Malformed cell blocks.

use bytes::Bytes;

use super::{Cell, CellBlock, CellKind, CellWriter};
use crate::fuzz::Fuzz;

const LONG: &[u8] = &[b'q'; 40_000];

fn cell<'a>(row: &'a [u8], qualifier: &'a [u8], kind: CellKind, value: &'a [u8], tags: &'a [u8]) -> Cell<'a> {
    Cell { row, family: b"cf", qualifier, ts: 1_700_000_000_000, kind, value, tags }
}

/// Blocks with tags. A block without any is the same in both codecs.
fn blocks() -> Vec<Bytes> {
    let tag = b"\x00\x09\x08\0\0\0\0\0\0\0\x07".as_slice();
    let cells = [
        cell(b"row1", b"a", CellKind::Put, b"value", b""),
        cell(b"row1", b"", CellKind::DeleteFamily, b"", b""),
        cell(b"row2", b"b", CellKind::Put, b"", tag),
        cell(b"row2", b"b", CellKind::Delete, b"", tag),
        cell(b"row3", LONG, CellKind::DeleteColumn, b"", b""),
    ];
    let block = |cells: &[Cell<'_>]| {
        let mut out = CellWriter::default().with_tags();
        for cell in cells {
            out.push(cell).unwrap();
        }
        out.into_bytes()
    };
    vec![block(&cells[..1]), block(&cells[..2]), block(&cells[2..4]), block(&cells[..4]), block(&cells[4..])]
}

#[test]
fn accepted_cells_are_encoded_unchanged() {
    Fuzz::of("cells").and(blocks()).memory(1 << 20, 64).run(|input| {
        let mut one_by_one = CellBlock::new(Bytes::copy_from_slice(input));
        let Ok(checked) = one_by_one.clone().take_all() else {
            return while one_by_one.take(1).is_ok() {};
        };
        let mut rewritten = CellWriter::default().with_tags();
        for cell in CellBlock::cells(&checked) {
            rewritten.push(&cell).unwrap();
            assert_eq!(CellBlock::cells(&one_by_one.take(1).unwrap()).next(), Some(cell));
        }
        assert!(one_by_one.is_empty() && one_by_one.take(1).is_err());
        // Writing drops an empty tags length, and corrects one that the last tag exceeds.
        let rewritten = rewritten.into_bytes();
        let has_tags = CellBlock::cells(&checked).any(|cell| !cell.tags.is_empty());
        assert!(
            rewritten == checked
                || rewritten.len() < checked.len()
                || has_tags && rewritten.len() == checked.len()
        );
        assert!(CellBlock::cells(&rewritten).eq(CellBlock::cells(&checked)));
        assert_eq!(
            CellBlock::new(rewritten.clone()).take_all(),
            Ok(rewritten),
            "what was encoded is accepted"
        );
    });
}

#[test]
fn a_count_of_cells_that_are_not_there_is_an_error() {
    Fuzz::of("cells").and(blocks()).run(|input| {
        let mut block = CellBlock::new(Bytes::copy_from_slice(input));
        let all = block.clone().take_all().ok();
        assert!(block.take(usize::MAX).is_err());
        assert_eq!(block.take_all().ok(), all);
    });
}
