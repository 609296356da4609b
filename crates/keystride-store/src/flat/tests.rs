use super::*;

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
}

#[test]
fn a_row_may_have_no_cells() {
    let mut flat = FlatRows::default();
    flat.begin_row(b"a").unwrap();
    flat.begin_row(b"b").unwrap();
    flat.push_cell(&put(b"", b"")).unwrap();
    assert!(flat.row(0).is_empty());
    assert_eq!(flat.row(1).cell_count(), 1);
}
