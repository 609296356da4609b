use super::*;
use crate::column_names::{ColumnNames, PutCell};

fn put<'a>(qualifier: &'a [u8], value: &'a [u8]) -> Cell<'a> {
    Cell { family: b"f", qualifier, ts: 1, kind: CellKind::Put, value }
}

#[test]
fn repeated_columns_keep_their_names_once() {
    let mut flat = FlatRows::default();
    for key in [b"r1", b"r2", b"r3"] {
        flat.begin_row(key).unwrap();
        flat.push_cell(&put(b"first", b"1")).unwrap();
        flat.push_cell(&put(b"second", b"")).unwrap();
    }
    assert_eq!(flat.byte_count(), 3 * 2 + 3 + b"f".len() + b"firstsecond".len());
    assert_eq!(flat.row(2).cell(b"f", b"second").unwrap().qualifier, b"second");
}

#[test]
fn blocks_with_the_same_names_share_them() {
    let parts = [(0..1, 0..2), (1..3, 2..2)].map(|(qualifier, value)| CellParts {
        qualifier,
        value,
        kind: CellKind::Put,
    });
    let columns = Some(ColumnsId::next());
    let block = |values| CellBlock { family: b"f", ts: 7, columns, names: b"abb", values, parts: &parts };
    let mut flat = FlatRows::default();
    for (key, values) in [(b"r1", b"vv"), (b"r2", b"ww")] {
        flat.begin_row(key).unwrap();
        flat.push_block(&block(values)).unwrap();
    }
    assert_eq!(flat.byte_count(), 2 * 2 + b"f".len() + b"abb".len() + 2 * 2);
    assert_eq!([flat.row(0).columns_id(), flat.row(1).columns_id()], [columns; 2]);
    let cells: Vec<_> = flat.row(1).cells().collect();
    assert_eq!(cells, block(b"ww").cells().collect::<Vec<_>>());
    assert_eq!((cells[0].value, cells[1].qualifier), (&b"ww"[..], &b"bb"[..]));
    let values = flat.row(0).values();
    assert_eq!([values.at(0), values.at(1)], [&b"vv"[..], b""]);
    let (onward, len) = values.onward(0);
    assert!(onward.starts_with(b"vvr2") && len == 2);
}

#[test]
fn rows_are_alike_that_repeat_their_columns_at_one_time() {
    let mut flat = FlatRows::default();
    for (key, first, second) in [(b"r1", 1, 1), (b"r2", 5, 5), (b"r3", 5, 6)] {
        flat.begin_row(key).unwrap();
        flat.push_cell(&Cell { ts: first, ..put(b"x", b"") }).unwrap();
        flat.push_cell(&Cell { ts: second, ..put(b"y", b"") }).unwrap();
    }
    assert!(flat.are_alike(0..2, 2..4));
    assert!(!flat.are_alike(0..2, 4..6));
    assert!(!flat.are_alike(0..2, 0..1));
    for (key, name, kind) in [(b"r4", b"z", CellKind::Put), (b"r5", b"y", CellKind::Delete)] {
        flat.begin_row(key).unwrap();
        flat.push_cell(&put(b"x", b"")).unwrap();
        flat.push_cell(&Cell { kind, ..put(name, b"") }).unwrap();
    }
    assert!(!flat.are_alike(0..2, 6..8));
    assert!(!flat.are_alike(0..2, 8..10));
}

#[test]
fn a_row_may_have_no_cells() {
    let mut flat = FlatRows::default();
    flat.begin_row(b"a").unwrap();
    flat.begin_row(b"b").unwrap();
    flat.push_cell(&put(b"", b"")).unwrap();
    assert!(flat.row(0).is_empty());
    assert!(!flat.row(1).is_empty());
    assert_eq!(flat.row(1).cell_count(), 1);
}

#[test]
fn every_cell_keeps_its_own_name_time_and_kind() {
    let kinds = [CellKind::Put, CellKind::Delete, CellKind::Put, CellKind::DeleteColumn];
    let names = [(&b"f"[..], &b"q"[..]), (b"g", b"q"), (b"f", b""), (b"g", b"q")];
    let mut flat = FlatRows::default();
    let mut expected = Vec::new();
    for row in 0..5 {
        flat.begin_row(&[b'r', row]).unwrap();
        for number in 0..row {
            let (family, qualifier) = names[usize::from(number + row) % 4];
            let kind = kinds[usize::from(number) % 4];
            let value = if kind == CellKind::Put { family } else { b"" };
            let cell = Cell { family, qualifier, ts: (row % 3 + number).into(), kind, value };
            flat.push_cell(&cell).unwrap();
            expected.push(cell);
        }
    }
    assert_eq!(flat.rows().flat_map(|row| row.cells()).collect::<Vec<_>>(), expected);
    assert!(flat.may_have_ts(3) && !flat.may_have_ts(77));
    flat.set_ts(4, 77).unwrap();
    flat.replace_ts(3, 78, |kind| kind == CellKind::Put);
    expected[4].ts = 77;
    let puts = |cell: &&mut Cell<'_>| cell.ts == 3 && cell.kind == CellKind::Put;
    let replaced: Vec<_> = expected.iter_mut().filter(puts).map(|cell| cell.ts = 78).collect();
    assert!(!replaced.is_empty());
    assert_eq!(flat.rows().flat_map(|row| row.cells()).collect::<Vec<_>>(), expected);
}

#[test]
fn a_block_may_hold_marks() {
    let parts = [CellKind::Put, CellKind::DeleteColumn, CellKind::Put].map(|kind| CellParts {
        qualifier: 0..1,
        value: 0..0,
        kind,
    });
    let block = CellBlock { family: b"f", ts: 7, columns: None, names: b"q", values: b"", parts: &parts };
    let mut flat = FlatRows::default();
    flat.begin_row(b"r").unwrap();
    flat.push_block(&block).unwrap();
    assert_eq!(flat.row(0).cells().collect::<Vec<_>>(), block.cells().collect::<Vec<_>>());
}

#[test]
fn blocks_of_two_families_do_not_share_names() {
    let parts = [CellParts { qualifier: 0..1, value: 0..1, kind: CellKind::Put }];
    let columns = [ColumnsId::next(), ColumnsId::next()];
    let families = [&b"f"[..], b"g"];
    let mut flat = FlatRows::default();
    for key in [b"r1", b"r2"] {
        flat.begin_row(key).unwrap();
        for (family, id) in families.into_iter().zip(columns) {
            let block =
                CellBlock { family, ts: 1, columns: Some(id), names: b"q", values: family, parts: &parts };
            flat.push_block(&block).unwrap();
        }
    }
    for row in flat.rows() {
        let cells: Vec<_> = row.cells().map(|cell| (cell.family, cell.value)).collect();
        assert_eq!(cells, families.map(|family| (family, family)));
        assert_eq!(row.columns_id(), None);
    }
}

#[test]
fn columns_numbered_twice_over_keep_their_names() {
    let mut columns = [ColumnNames::new(), ColumnNames::new()];
    columns[0].add(b"f", b"a");
    columns[1].add(b"f", b"b");
    let mut flat = FlatRows::default();
    let mut push = |key, ts, columns| {
        flat.push_row(key, ts, columns, b"v", &[PutCell { column: 0, end: 1 }]).unwrap();
    };
    push(b"r0", 0, &columns[0]);
    push(b"r1", 1, &columns[1]);
    push(b"r2", 2, &columns[0]);
    let told = |flat: &FlatRows| {
        let cells = flat.rows().flat_map(|row| row.cells());
        cells.map(|cell| (cell.qualifier.to_vec(), cell.ts)).collect::<Vec<_>>()
    };
    assert_eq!(told(&flat), [(b"a".to_vec(), 0), (b"b".to_vec(), 1), (b"a".to_vec(), 2)]);
    flat.clear();
    flat.push_row(b"r", 5, &columns[0], b"v", &[PutCell { column: 0, end: 1 }]).unwrap();
    assert_eq!(told(&flat), [(b"a".to_vec(), 5)]);
}
