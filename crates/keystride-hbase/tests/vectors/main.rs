//! Cells and cell blocks written by HBase's own Java classes, checked in both directions. Like for the vectors of the
//! crate `keystride`, one line reports how many were read, passed, and do not apply, with the reason.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "the other vectors need more of it")]
#[path = "../../../keystride/tests/vectors/tally.rs"]
mod tally;

use std::cmp::Ordering;

use bytes::Bytes;
use keystride_hbase::{BadCell, Cell, CellBlock, CellKind, CellWriter};
use serde_json::Value;

use tally::{Outcome, check_file, hex, read, same};

const FILE: &str = "cells.json";

/// The type codes 0 and 255.
const ENDS: Outcome =
    Outcome::NotApplicable("the two kinds that stand for the ends of a column never travel");

#[test]
fn cells_are_those_of_hbase() {
    let vectors = read(FILE);
    let cells: Vec<&Value> = vectors.iter().filter(|vector| vector["case"] == "cell").collect();
    let cell_of = |id: &Value| *cells.iter().find(|cell| cell["id"] == *id).expect("a cell of the file");
    check_file(FILE, |vector| match vector["case"].as_str().expect("case") {
        "cell" => cell(vector),
        "order" => order(&list(vector, "ids").map(cell_of).collect::<Vec<_>>()),
        "compare" => compare(cell_of(&vector["a"]), cell_of(&vector["b"]), vector),
        "block" => block(vector, &list(vector, "ids").map(cell_of).collect::<Vec<_>>()),
        "decode" => decode(vector),
        "meta" => Outcome::NotApplicable("rows of hbase:meta are sorted by its server alone"),
        _ => Outcome::Failed("no check for this case".to_owned()),
    });
}

/// One cell, decoded and encoded again.
fn cell(vector: &Value) -> Outcome {
    let kv = hex(vector, "kv");
    let block = Bytes::from([&u32::try_from(kv.len()).unwrap().to_be_bytes()[..], &kv].concat());
    let taken = CellBlock::new(block.clone()).take_all();
    let Some(fields) = Fields::of(vector) else { return if_refused_for_kind(&taken) };
    let Ok(taken) = taken else { return Outcome::Failed(format!("{taken:?}")) };
    let cell = CellBlock::cells(&taken).next().expect("a cell was taken");
    let has_tags = vector.get("tags").is_some();
    same(
        &(cell, !cell.tags.is_empty(), written(&taken, true)),
        &(Cell { tags: cell.tags, ..fields.cell() }, has_tags, block),
    )
}

/// Cells in the order of `CellComparatorImpl`.
fn order(sorted: &[&Value]) -> Outcome {
    let known: Vec<Fields> = sorted.iter().filter_map(|cell| Fields::of(cell)).collect();
    let falls = known.windows(2).position(|pair| pair[0].compare(&pair[1]) == Ordering::Greater);
    match falls {
        None => Outcome::Passed,
        Some(at) => {
            Outcome::Failed(format!("{:?} comes before {:?}", known[at + 1].cell(), known[at].cell()))
        }
    }
}

fn compare(a: &Value, b: &Value, vector: &Value) -> Outcome {
    let (Some(a), Some(b)) = (Fields::of(a), Fields::of(b)) else { return ENDS };
    same(&(a.compare(&b) as i64), &vector["sign"].as_i64().expect("sign").signum())
}

/// A cell block, decoded and encoded with the codec that wrote it.
fn block(vector: &Value, cells: &[&Value]) -> Outcome {
    let block = Bytes::from(hex(vector, "block"));
    let taken = CellBlock::new(block.clone()).take_all();
    let kinds: Option<Vec<CellKind>> = cells.iter().map(|cell| kind(cell)).collect();
    let Some(kinds) = kinds else { return if_refused_for_kind(&taken) };
    let Ok(taken) = taken else { return Outcome::Failed(format!("{taken:?}")) };
    let read: Vec<CellKind> = CellBlock::cells(&taken).map(|cell| cell.kind).collect();
    let has_tags = vector["codec"] == "KeyValueCodecWithTags";
    same(&(read, written(&taken, has_tags)), &(kinds, block))
}

/// A truncated or damaged block: it must be refused after the same number of cells, or not at all.
fn decode(vector: &Value) -> Outcome {
    let mut block = CellBlock::new(hex(vector, "block").into());
    let mut count = 0;
    let refusal = loop {
        match block.take(1) {
            Ok(_) => count += 1,
            Err(refusal) => break refusal,
        }
    };
    let cells = vector["cells"].as_u64().expect("cells");
    if matches!(refusal, BadCell::Kind { code: 0 | u8::MAX }) && count <= cells {
        return ENDS;
    }
    same(&(count, block.is_empty()), &(cells, vector.get("error").is_none()))
}

fn if_refused_for_kind(taken: &Result<Bytes, BadCell>) -> Outcome {
    match taken {
        Err(BadCell::Kind { .. }) => ENDS,
        taken => Outcome::Failed(format!("a kind that never travels was taken: {taken:?}")),
    }
}

fn written(cells: &[u8], has_tags: bool) -> Bytes {
    let mut out = CellWriter::default();
    if has_tags {
        out = out.with_tags();
    }
    CellBlock::cells(cells).for_each(|cell| out.push(&cell).expect("a cell that was read"));
    out.into_bytes()
}

/// A cell's fields in the vector.
struct Fields {
    row: Vec<u8>,
    family: Vec<u8>,
    qualifier: Vec<u8>,
    ts: i64,
    kind: CellKind,
    value: Vec<u8>,
}

impl Fields {
    /// `None` for a type that is never sent.
    fn of(vector: &Value) -> Option<Self> {
        let [row, family, qualifier, value] =
            ["row", "family", "qualifier", "value"].map(|field| hex(vector, field));
        let ts = vector["ts"].as_str().expect("ts").parse().expect("a timestamp");
        Some(Self { row, family, qualifier, ts, kind: kind(vector)?, value })
    }

    fn cell(&self) -> Cell<'_> {
        let Self { row, family, qualifier, ts, kind, value } = self;
        Cell { row, family, qualifier, ts: *ts, kind: *kind, value, tags: &[] }
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.row.cmp(&other.row).then_with(|| self.cell().cmp_in_row(&other.cell()))
    }
}

fn kind(cell: &Value) -> Option<CellKind> {
    CellKind::from_code(u8::try_from(cell["type"].as_u64().expect("type")).expect("a byte"))
}

fn list<'a>(vector: &'a Value, field: &str) -> impl Iterator<Item = &'a Value> {
    vector[field].as_array().expect("a list").iter()
}
