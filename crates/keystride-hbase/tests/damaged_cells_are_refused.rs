//! Damaged cells, made from cells written by HBase's own classes.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bytes::Bytes;
use data_encoding::HEXLOWER;
use keystride_hbase::{CellBlock, CellWriter};
use serde_json::Value;

/// Made with HBase's `KeyValue` and its codecs.
const VECTORS: &str = include_str!("vectors/data/cells.json");

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

/// A cell in the format of a block: its length, then the bytes of `KeyValue`.
fn block_of(vector: &Value) -> Vec<u8> {
    let cell = bytes(vector, "kv");
    [&u32::try_from(cell.len()).unwrap().to_be_bytes()[..], &cell].concat()
}

fn written(cells: &[u8]) -> Bytes {
    let mut out = CellWriter::default().with_tags();
    CellBlock::cells(cells).for_each(|cell| out.push(&cell).unwrap());
    out.into_bytes()
}

/// Blocks that `KeyValueCodec` of HBase 2.6.1 accepts or refuses because of their tags.
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

/// Whether a possibly damaged block is accepted; its cells must then be valid.
fn is_taken(block: &[u8]) -> bool {
    let read = CellBlock::new(Bytes::copy_from_slice(block)).take_all();
    read.is_ok_and(|read| CellBlock::cells(&written(&read)).eq(CellBlock::cells(&read)))
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
