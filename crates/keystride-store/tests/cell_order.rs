//! Cells sort as HBase's own comparator sorts them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::cmp::Ordering;

use keystride_store::{Cell, CellKind};
use serde_json::Value;

/// Made with `CellComparatorImpl`; read in full by the crate that talks to HBase.
const VECTORS: &str = include_str!("../../keystride-hbase/tests/vectors/data/cells.json");

struct OwnedCell {
    row: Vec<u8>,
    family: Vec<u8>,
    qualifier: Vec<u8>,
    ts: i64,
    kind: CellKind,
}

impl OwnedCell {
    /// `None` for the two type codes that only stand for the ends of a column.
    fn read(vector: &Value) -> Option<Self> {
        let kind = CellKind::from_code(u8::try_from(vector["type"].as_u64().unwrap()).unwrap())?;
        let bytes = |field: &str| from_hex(vector[field].as_str().unwrap());
        let ts = vector["ts"].as_str().unwrap().parse().unwrap();
        Some(Self { row: bytes("row"), family: bytes("family"), qualifier: bytes("qualifier"), ts, kind })
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.row.cmp(&other.row).then_with(|| self.cell().cmp_in_row(&other.cell()))
    }

    fn cell(&self) -> Cell<'_> {
        Cell { family: &self.family, qualifier: &self.qualifier, ts: self.ts, kind: self.kind, value: b"" }
    }
}

fn from_hex(text: &str) -> Vec<u8> {
    let digit = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).unwrap();
    (0..text.len()).step_by(2).map(digit).collect()
}

#[test]
fn cells_sort_as_hbase_sorts_them() {
    let file: Value = serde_json::from_str(VECTORS).unwrap();
    let vectors = file["vectors"].as_array().unwrap();
    let of_case = |case: &'static str| vectors.iter().filter(move |vector| vector["case"] == case);
    let cell_of = |id: &Value| of_case("cell").find(|vector| vector["id"] == *id).unwrap();
    let order = of_case("order").next().unwrap()["ids"].as_array().unwrap();
    let cells: Vec<OwnedCell> = order.iter().filter_map(|id| OwnedCell::read(cell_of(id))).collect();
    for (index, pair) in cells.windows(2).enumerate() {
        assert_ne!(
            pair[0].compare(&pair[1]),
            Ordering::Greater,
            "cells {index} and {} in the order",
            index + 1
        );
    }
    println!(
        "{} cells in order, {} of the types 0 and 255 not applicable",
        cells.len(),
        order.len() - cells.len()
    );
    assert!(cells.len() > 300);
}
