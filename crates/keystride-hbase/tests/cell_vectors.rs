//! Cells and cell blocks as HBase's own classes write them, and what becomes of damaged ones.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bytes::Bytes;
use data_encoding::HEXLOWER;
use keystride_hbase::{BadCell, Cell, CellBlock, CellKind, CellWriter};
use serde_json::Value;

/// Made with HBase's `KeyValue` and its codecs.
const VECTORS: &str = include_str!("../../keystride/tests/vectors/data/cells.json");

fn vectors(case: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(VECTORS).unwrap();
    let vectors: Vec<Value> =
        file["vectors"].as_array().unwrap().iter().filter(|vector| vector["case"] == case).cloned().collect();
    assert!(!vectors.is_empty());
    vectors
}

fn bytes(vector: &Value, field: &str) -> Vec<u8> {
    HEXLOWER.decode(vector[field].as_str().unwrap().as_bytes()).unwrap()
}

/// `None` for the two type codes that only stand for the ends of a column, and never travel.
fn kind(vector: &Value) -> Option<CellKind> {
    CellKind::from_code(u8::try_from(vector["type"].as_u64().unwrap()).unwrap())
}

/// A cell as a block holds it: its length, then what `KeyValue` is.
fn block_of(vector: &Value) -> Vec<u8> {
    let cell = bytes(vector, "kv");
    [&u32::try_from(cell.len()).unwrap().to_be_bytes()[..], &cell].concat()
}

fn written(cells: &[u8], with_tags: bool) -> Bytes {
    let mut out = CellWriter::default();
    if with_tags {
        out = out.with_tags();
    }
    CellBlock::cells(cells).for_each(|cell| out.push(&cell).unwrap());
    out.into_bytes()
}

#[test]
fn every_cell_is_read_and_written_to_the_same_bytes() {
    for vector in vectors("cell") {
        let (block, kind) = (Bytes::from(block_of(&vector)), kind(&vector));
        let read = CellBlock::new(block.clone()).take_all();
        let Some(kind) = kind else {
            assert!(matches!(read, Err(BadCell::Kind { .. })), "{vector}");
            continue;
        };
        let read = read.unwrap();
        let cell = CellBlock::cells(&read).next().unwrap();
        let [row, family, qualifier, value] =
            ["row", "family", "qualifier", "value"].map(|field| bytes(&vector, field));
        let ts = vector["ts"].as_str().unwrap().parse().unwrap();
        let expected = Cell {
            row: &row,
            family: &family,
            qualifier: &qualifier,
            ts,
            kind,
            value: &value,
            tags: cell.tags,
        };
        assert_eq!(cell, expected, "{vector}");
        assert_eq!(cell.tags.is_empty(), vector.get("tags").is_none(), "{vector}");
        assert_eq!(written(&read, true), block, "{vector}");
    }
}

#[test]
fn every_block_is_read_and_written_to_the_same_bytes() {
    let cells = vectors("cell");
    for vector in vectors("block") {
        let block = Bytes::from(bytes(&vector, "block"));
        let of_block = |id: &Value| cells.iter().find(|cell| cell["id"] == *id).unwrap();
        let kinds: Option<Vec<CellKind>> =
            vector["ids"].as_array().unwrap().iter().map(|id| kind(of_block(id))).collect();
        let read = CellBlock::new(block.clone()).take_all();
        let Some(kinds) = kinds else {
            assert!(matches!(read, Err(BadCell::Kind { .. })), "{vector}");
            continue;
        };
        let read = read.unwrap();
        assert!(CellBlock::cells(&read).map(|cell| cell.kind).eq(kinds), "{vector}");
        assert_eq!(written(&read, vector["codec"] == "KeyValueCodecWithTags"), block, "{vector}");
    }
}

#[test]
fn what_hbase_refuses_is_refused_behind_as_many_cells() {
    for vector in vectors("decode") {
        let mut block = CellBlock::new(bytes(&vector, "block").into());
        let mut count = 0;
        let refusal = loop {
            match block.take(1) {
                Ok(_) => count += 1,
                Err(refusal) => break refusal,
            }
        };
        if matches!(refusal, BadCell::Kind { code: 0 | u8::MAX }) {
            // The ends of a column, which never travel: Java reads them, and goes on.
            assert!(count <= vector["cells"].as_u64().unwrap(), "{vector}");
            continue;
        }
        assert_eq!(count, vector["cells"].as_u64().unwrap(), "{vector}");
        assert_eq!(block.is_empty(), vector.get("error").is_none(), "{vector}");
    }
}

/// Blocks that `KeyValueCodec` of HBase 2.6.1 reads, or refuses, for their tags alone.
#[test]
fn tags_are_taken_and_refused_as_java_does() {
    let is_read = |hex: &str| {
        let block = HEXLOWER.decode(hex.as_bytes()).unwrap();
        CellBlock::new(block.into()).take_all().is_ok()
    };
    let empty_tag = "00000024000000130000000500047ffe01ff026266807ffffffffffffffe04748148d38e00020000";
    assert!(!is_read(empty_tag));
    let past_the_tags = "0000002500000016000000000006962c487a5ced007f007fff7ffffffffffffffe0e0004000302ad2a";
    assert!(is_read(past_the_tags));
    let past_the_cell = past_the_tags.replace("0004000302ad2a", "0005000402ad2a");
    assert!(!is_read(&past_the_cell));
}

/// Reads what may be damaged; what is taken must be cells.
fn is_taken(block: &[u8]) -> bool {
    let read = CellBlock::new(Bytes::copy_from_slice(block)).take_all();
    read.is_ok_and(|read| CellBlock::cells(&written(&read, true)).eq(CellBlock::cells(&read)))
}

#[test]
fn a_cell_cut_anywhere_is_refused() {
    for vector in vectors("cell") {
        let block = block_of(&vector);
        assert!((1..block.len()).all(|len| !is_taken(&block[..len])), "{vector}");
    }
}

#[test]
fn a_byte_changed_to_any_other_makes_an_error_or_another_cell() {
    let mut taken = 0;
    for vector in vectors("cell").iter().step_by(9) {
        let mut block = block_of(vector);
        for at in 0..block.len() {
            let was = block[at];
            for byte in (0..=u8::MAX).filter(|&byte| byte != was) {
                block[at] = byte;
                taken += usize::from(is_taken(&block));
            }
            block[at] = was;
        }
    }
    assert!(taken > 1_000, "{taken}");
}

#[test]
fn a_block_with_a_bit_turned_or_cut_anywhere_is_cells_or_an_error() {
    for vector in vectors("block") {
        let mut block = bytes(&vector, "block");
        for at in 0..block.len() {
            for bit in 0..8 {
                block[at] ^= 1 << bit;
                is_taken(&block);
                block[at] ^= 1 << bit;
            }
            is_taken(&block[..at]);
        }
    }
}
