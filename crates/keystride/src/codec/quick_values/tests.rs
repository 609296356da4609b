use proptest::prelude::*;

use super::*;
use crate::Row;
use crate::codec::field::FieldOp;
use crate::codec::read_value::read_field;
use crate::design::Part;

const FIELDS: [&str; 16] = [
    "type = \"string\"",
    "type = \"string\", max_len = 3",
    "type = \"string\", max_len = 4, alphabet = \"0-9a-f\"",
    "type = \"digits\", len = 3",
    "type = \"int\"",
    "type = \"int\", min = -5, max = 1200",
    "type = \"i32\"",
    "type = \"u32\"",
    "type = \"u64\"",
    "type = \"f32\"",
    "type = \"f64\"",
    "type = \"bool\"",
    "type = \"uuid\"",
    "type = \"bytes\", len = 4",
    "type = \"time\", unit = \"ms\"",
    "type = \"time\", format = \"yyyyMMdd\"",
];

fn design(field: &str, encoding: &str) -> Option<Design> {
    let toml = format!(
        "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = {{ type = \"int\" }}\n\
         v = {{ {field} }}\n[key]\nparts = [{{ field = \"id\" }}]\n[columns]\nv = {{ as = \"{encoding}\" }}"
    );
    Design::from_toml(&toml).ok()
}

/// Checks that an accepted cell is read as the right value; returns whether it was accepted.
fn check(design: &Design, cell: &[u8]) -> bool {
    let column = &design.columns.cells[0];
    let cells = QuickValues::of_column(design, column);
    let Some(value) = cells.read(cell) else { return false };
    let mut row = Row::new(2);
    design.decode_cell(column, cell, &mut row).unwrap();
    // Compared as text, since a NaN does not equal itself.
    assert_eq!(format!("{:?}", row.get(1)), format!("{:?}", Some(value)), "{cell:?}");
    true
}

fn designs() -> impl Iterator<Item = Design> {
    let encodings = ["text", "be", "ordered", "phoenix", "ordered-bytes"];
    FIELDS
        .iter()
        .flat_map(move |field| encodings.into_iter().filter_map(move |encoding| design(field, encoding)))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_taken_is_the_value_of_the_cell(
        cell in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..10),
            "-?[0-9]{0,22}".prop_map(String::into_bytes),
            "[0-9a-fé]{0,5}".prop_map(String::into_bytes),
        ]
    ) {
        for design in designs() {
            check(&design, &cell);
        }
    }
}

#[test]
fn texts_and_numbers_are_usual() {
    for (field, encoding, cell) in [
        (FIELDS[0], "text", &b"caf\xc3\xa9"[..]),
        (FIELDS[2], "text", b"01ef"),
        (FIELDS[3], "text", b"012"),
        (FIELDS[4], "text", b"-999999999999999999"),
        (FIELDS[5], "text", b"1200"),
        (FIELDS[6], "be", b"\xff\xff\xff\xfe"),
        (FIELDS[8], "ordered", b"\xff\0\0\0\0\0\0\0"),
        (FIELDS[10], "be", b"\x7f\xf8\0\0\0\0\0\x01"),
        (FIELDS[13], "text", b"\0\x01\x02\xff"),
        (FIELDS[14], "text", b"1362700800000"),
        (FIELDS[15], "text", b"20130308"),
    ] {
        assert!(check(&design(field, encoding).unwrap(), cell), "{field} {encoding}");
    }
}

#[test]
fn what_is_no_value_is_given_up() {
    for (field, cell) in [
        (FIELDS[0], &b"\xff"[..]),
        (FIELDS[1], b"1234"),
        (FIELDS[2], b"g"),
        (FIELDS[3], b"01x"),
        (FIELDS[4], b"-0"),
        (FIELDS[4], b"01"),
        (FIELDS[4], b""),
        (FIELDS[4], b"-"),
        (FIELDS[5], b"1201"),
        (FIELDS[15], b"20130229"),
        (FIELDS[15], b"2013030"),
    ] {
        assert!(!check(&design(field, "text").unwrap(), cell), "{field}");
    }
}

#[test]
fn parts_of_keys_are_read_as_their_general_way_reads_them() {
    let parts = [
        ("type = \"digits\", len = 4", ""),
        ("type = \"string\", max_len = 4, alphabet = \"0-9a-f\"", ""),
        ("type = \"string\"", "reverse = true"),
        ("type = \"int\", min = 0, max = 900", "pad = 4"),
        ("type = \"int\"", "as = \"be\""),
        ("type = \"u32\"", "as = \"ordered\""),
        ("type = \"int\", min = 0, max = 900", "as = \"be\", width = 4"),
        ("type = \"time\", unit = \"ms\"", "desc = \"long-max\""),
        ("type = \"time\", unit = \"s\"", "desc = 9999999999"),
        ("type = \"time\", unit = \"ms\"", "as = \"be\", desc = \"long-max\""),
        ("type = \"time\", format = \"yyyyMMdd\"", ""),
        ("type = \"bytes\", len = 4", "desc = \"invert\""),
    ];
    let keys =
        ["0042", "0901", "00ff", "901", "-001", "\0\0\0\x07", "\0\0\0\0\0\0\0\x07", "20130308", "8637938099"];
    let mut taken = 0;
    for (field, steps) in parts {
        let toml = format!(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nv = {{ {field} }}\n\
             [key]\nparts = [{{ field = \"v\", {steps} }}]"
        );
        let design = Design::from_toml(&toml.replace(", }", " }")).unwrap();
        let Part::Field(part) = &design.parts[0] else { panic!("a field is a part") };
        let op = FieldOp::of(part, &design.fields[0], &design.layout[0].end);
        for key in keys.iter().copied().chain(["9223370674153975807"]) {
            let Some(value) = op.read(key.as_bytes()) else { continue };
            let mut row = Row::new(1);
            read_field(&design, 0, part, key.as_bytes(), &mut row).unwrap();
            assert_eq!(row.get(0), Some(value), "{field} {steps} {key:?}");
            taken += 1;
        }
    }
    assert!(taken >= 8, "{taken} are usual");
}
