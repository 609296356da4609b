//! Keys that Phoenix has, as its statement, and those that it has not, with the part and the reason.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use keystride::design::{NotPhoenix, PhoenixTable, phoenix_table};
use keystride::internal::QuickValues;
use keystride::{Design, Key, KeyCodec, SplitPoints};

fn design(fields: &str, parts: &str, others: &str) -> Design {
    let text = format!(
        "format = 1\n[table]\nname = \"ns:t\"\nfamilies = [\"f\"]\n[fields]\n{fields}\n[key]\nparts = [{parts}]\n{others}"
    );
    Design::from_toml(&text).unwrap()
}

fn table(fields: &str, parts: &str, others: &str) -> Result<PhoenixTable, NotPhoenix> {
    let design = design(fields, parts, others);
    let points = design.split_points(&mut []).unwrap();
    phoenix_table(&design, &points)
}

/// The type that a field's part has, or why it has none.
fn column(field: &str, part: &str) -> String {
    match table(&format!("v = {{ {field} }}"), part, "") {
        Ok(table) => {
            let line = table.statement.lines().nth(1).unwrap();
            line.trim().trim_start_matches("\"v\" ").trim_end_matches(" NOT NULL,").to_owned()
        }
        Err(refused) => refused.parts.into_iter().map(|(.., reason)| reason.to_string()).collect(),
    }
}

#[test]
fn values_have_the_type_of_their_bytes() {
    for (field, steps, sql) in [
        ("type = \"i32\"", "as = \"phoenix\"", "INTEGER"),
        ("type = \"i32\"", "as = \"ordered\"", "INTEGER"),
        ("type = \"i32\", min = 0", "as = \"be\"", "UNSIGNED_INT"),
        ("type = \"i64\"", "as = \"ordered\"", "BIGINT"),
        ("type = \"int\"", "as = \"phoenix\"", "BIGINT"),
        ("type = \"int\", min = 0", "as = \"be\"", "UNSIGNED_LONG"),
        ("type = \"int\", min = 0, max = 9", "as = \"be\", width = 4", "UNSIGNED_INT"),
        ("type = \"u32\"", "as = \"phoenix\"", "UNSIGNED_INT"),
        ("type = \"u32\", max = 2147483647", "as = \"be\"", "UNSIGNED_INT"),
        ("type = \"u64\"", "as = \"phoenix\"", "UNSIGNED_LONG"),
        ("type = \"f32\"", "as = \"phoenix\"", "FLOAT"),
        ("type = \"f64\"", "as = \"phoenix\"", "DOUBLE"),
        ("type = \"bool\"", "as = \"phoenix\"", "BOOLEAN"),
        ("type = \"time\", unit = \"ms\"", "as = \"phoenix\"", "DATE"),
        ("type = \"time\", unit = \"ms\", min = 0", "as = \"be\"", "UNSIGNED_DATE"),
        ("type = \"time\", unit = \"s\"", "as = \"ordered\"", "BIGINT"),
        ("type = \"time\", unit = \"ms\"", "", "CHAR(13)"),
        ("type = \"time\", format = \"yyyyMMdd\"", "", "CHAR(8)"),
        ("type = \"digits\", len = 11", "", "CHAR(11)"),
        ("type = \"int\", min = 0", "pad = 6", "CHAR(6)"),
        ("type = \"int\"", "", "VARCHAR"),
        ("type = \"string\"", "", "VARCHAR"),
        ("type = \"uuid\"", "", "BINARY(16)"),
        ("type = \"uuid\"", "as = \"text\"", "CHAR(36)"),
        ("type = \"bytes\", len = 4", "", "BINARY(4)"),
        ("type = \"bytes\"", "", "VARBINARY"),
    ] {
        let comma = if steps.is_empty() { "" } else { ", " };
        assert_eq!(column(field, &format!("{{ field = \"v\"{comma}{steps} }}")), sql, "{field}, {steps}");
    }
}

#[test]
fn bytes_without_a_type_are_told_with_what_would_do() {
    for (field, part, says) in [
        (
            "type = \"i32\"",
            "{ field = \"v\", as = \"be\" }",
            "UNSIGNED_INT holds no number below 0: declare min = 0",
        ),
        ("type = \"u32\"", "{ field = \"v\", as = \"be\" }", "UNSIGNED_INT ends at 2147483647"),
        (
            "type = \"u64\"",
            "{ field = \"v\", as = \"ordered\" }",
            "UNSIGNED_LONG ends at 9223372036854775807",
        ),
        ("type = \"f64\"", "{ field = \"v\", as = \"ordered\" }", "the bytes of FLOAT and DOUBLE"),
        ("type = \"bool\"", "{ field = \"v\", as = \"be\" }", "BOOLEAN is 00 or 01"),
        (
            "type = \"i32\"",
            "{ field = \"v\", as = \"ordered-bytes\" }",
            "no type begins with the header byte",
        ),
        ("type = \"i64\"", "{ field = \"v\", desc = \"long-max\" }", "without \"desc\""),
        ("type = \"string\"", "{ field = \"v\", reverse = true }", "without \"reverse\""),
        ("type = \"string\"", "{ field = \"v\", escape = true }", "without \"escape\""),
        ("type = \"string\"", "{ field = \"v\", hash = { name = \"md5\", bytes = 4 } }", "without \"hash\""),
        ("type = \"time\", unit = \"ms\"", "{ field = \"v\", floor = \"1d\" }", "without \"floor\""),
        ("type = \"string\"", "{ field = \"v\" }, { text = '\\x00' }", "the last column has no end mark"),
        ("type = \"string\"", "{ field = \"v\" }, { text = \"_\" }", "no constant stands between columns"),
        ("type = \"string\"", "{ bucket = 4, of = [\"v\"] }, { field = \"v\" }", "SALT_BUCKETS is one byte"),
        (
            "type = \"i32\"",
            "{ field = \"v\", as = \"phoenix\" }, { bucket = 4, hash = \"phoenix\", of = [\"v\"] }",
            "Phoenix has its salt in front",
        ),
        (
            "type = \"i32\"",
            "{ field = \"v\", as = \"phoenix\" }, { field = \"v\", as = \"phoenix\" }",
            "no column is in the key twice",
        ),
        (
            "type = \"i32\"",
            "{ bucket = 4, hash = \"phoenix\", of = [\"v\"] }, { field = \"v\", as = \"phoenix\" }",
            "SALT_BUCKETS is one byte",
        ),
        (
            "type = \"i32\"",
            "{ bucket = 4, of = [\"rest\"], base = \"byte\" }, { field = \"v\", as = \"phoenix\" }",
            "SALT_BUCKETS is one byte",
        ),
        (
            "type = \"i32\"",
            "{ bucket = 4, hash = \"phoenix\", of = [\"rest\"], width = 2 }, { field = \"v\", as = \"phoenix\" }",
            "SALT_BUCKETS is one byte",
        ),
        (
            "type = \"string\"",
            "{ field = \"v\", desc = \"invert\" }, { text = \"_\" }",
            "a descending last column is followed",
        ),
    ] {
        let found = column(field, part);
        assert!(found.contains(says), "{field} with {part}: {found}");
    }
}

#[test]
fn every_part_without_a_column_is_told() {
    let fields = "a = { type = \"string\" }\nb = { type = \"i64\" }";
    let parts = "{ bucket = 10, of = [\"a\"] }, { field = \"a\" }, { text = \"_\" }, { field = \"b\", desc = \"long-max\" }";
    let refused = table(fields, parts, "").unwrap_err();
    assert_eq!(refused.parts.iter().map(|part| part.0).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert!(
        refused.to_string().contains("\n  part 1, field \"a\": a VARCHAR before other columns"),
        "{refused}"
    );
}

#[test]
fn columns_of_any_width_before_others_end_with_a_zero_byte() {
    let of = |fields: &str, parts: &str| {
        let fields = format!("{fields}\nn = {{ type = \"i32\" }}");
        match table(&fields, parts, "") {
            Ok(table) => table.statement.lines().nth(1).unwrap().trim().to_owned(),
            Err(refused) => refused.parts.into_iter().map(|(.., reason)| reason.to_string()).collect(),
        }
    };
    let number = "{ field = \"n\", as = \"phoenix\" }";
    let zero = "{ text = '\\x00' }";
    for (field, parts, expected) in [
        ("type = \"bytes\"", format!("{{ field = \"v\" }}, {zero}, {number}"), "VARBINARY stands last"),
        (
            "type = \"digits\", len = 4",
            format!("{{ field = \"v\" }}, {zero}, {number}"),
            "\"v\" VARCHAR NOT NULL,",
        ),
        ("type = \"digits\", len = 4", format!("{{ field = \"v\" }}, {number}"), "\"v\" CHAR(4) NOT NULL,"),
        (
            "type = \"digits\", len = 4",
            format!("{{ field = \"v\", desc = \"invert\" }}, {zero}, {number}"),
            "no constant stands between columns",
        ),
        (
            "type = \"digits\", len = 4",
            format!("{number}, {{ field = \"v\" }}, {zero}"),
            "no constant stands between columns",
        ),
        (
            "type = \"string\", default = \"\"",
            format!("{number}, {{ field = \"v\" }}"),
            "\"n\" INTEGER NOT NULL,",
        ),
    ] {
        assert_eq!(of(&format!("v = {{ {field} }}"), &parts), expected, "{parts}");
    }
    let texts = "u = { type = \"string\" }\nv = { type = \"string\", default = \"\" }";
    let last_null = of(texts, &format!("{{ field = \"u\" }}, {zero}, {{ field = \"v\" }}"));
    assert_eq!(last_null, "Phoenix drops the separator before a NULL in last place: drop default = \"\"");
}

#[test]
fn the_whole_statement() {
    let fields = "phone = { type = \"digits\", len = 11 }\nnote = { type = \"string\" }\nflag = { type = \"bool\" }\n\
                  dep = { type = \"i32\" }\nsum = { type = \"f64\" }";
    let parts = "{ bucket = 16, hash = \"phoenix\", of = [\"rest\"] }, { field = \"phone\" }, \
                 { field = \"note\", desc = \"invert\" }, { text = '\\x00' }, \
                 { field = \"flag\", as = \"phoenix\", desc = \"invert\" }";
    let others =
        "[columns]\ndep = { as = \"phoenix\" }\nsum = { as = \"ordered\" }\n[split]\nby = \"bucket\"";
    let table = table(fields, parts, others).unwrap();
    let expected = r#"CREATE TABLE "ns"."t" (
  "phone" CHAR(11) NOT NULL,
  "note" VARCHAR NOT NULL,
  "flag" BOOLEAN NOT NULL,
  "f"."dep" INTEGER,
  "f"."sum" VARBINARY,
  CONSTRAINT pk PRIMARY KEY ("phone", "note" DESC, "flag" DESC)
) SALT_BUCKETS = 16,
  COLUMN_ENCODED_BYTES = 0,
  DEFAULT_COLUMN_FAMILY = 'f',
  "f".DATA_BLOCK_ENCODING = 'NONE'"#;
    assert_eq!(table.statement, expected);
    let notes = table.notes.join("\n");
    for says in
        ["empty cell", "column f:sum is bytes", "reads \"flag\" as false", "isNamespaceMappingEnabled"]
    {
        assert!(notes.contains(says), "{says:?} in {notes}");
    }
}

#[test]
fn points_that_are_texts_are_split_on() {
    let split = |points: &str| {
        let others = format!("[split]\nby = \"list\"\npoints = [{points}]");
        table("v = { type = \"string\" }", "{ field = \"v\" }", &others).unwrap()
    };
    assert!(split("\"a'b\", \"m\"").statement.ends_with("\nSPLIT ON ('a''b', 'm')"));
    let bytes = split("'\\x01'");
    assert!(!bytes.statement.contains("SPLIT ON") && bytes.notes.join("\n").contains("SPLIT ON takes texts"));
    let salted = design(
        "v = { type = \"i32\" }",
        "{ bucket = 4, hash = \"phoenix\", of = [\"rest\"] }, { field = \"v\", as = \"phoenix\" }",
        "",
    );
    let notes = phoenix_table(&salted, &SplitPoints::default()).unwrap().notes.join("\n");
    assert!(notes.contains("into 4 regions"), "{notes}");
}

#[test]
fn unsigned_numbers_that_phoenix_never_writes_are_no_keys_and_no_cells() {
    for (width, most) in
        [("u32", vec![0x7f, 0xff, 0xff, 0xff]), ("u64", [vec![0x7f], vec![0xff; 7]].concat())]
    {
        let fields = format!("v = {{ type = \"{width}\" }}\nw = {{ type = \"{width}\" }}");
        let cells = "[columns]\nw = { as = \"phoenix\" }\n";
        let codec = KeyCodec::new(design(&fields, "{ field = \"v\", as = \"phoenix\" }", cells));
        let values = QuickValues::of_column(codec.design(), &codec.design().columns().cells[0]);
        let is_known = |bytes: &[u8]| {
            let key = Key::new(bytes.to_vec()).unwrap();
            (codec.decode(key.as_bytes()).is_ok(), values.read(bytes).is_some())
        };
        let mut beyond = most.clone();
        beyond[0] = 0x80;
        assert_eq!((is_known(&most), is_known(&beyond)), ((true, true), (false, false)), "{width}");
    }
}

#[test]
fn attributes_are_those_of_families_that_have_columns() {
    let statement = |fields: &str, others: &str| {
        table(fields, "{ field = \"k\", as = \"phoenix\" }", others).unwrap().statement
    };
    let alone = statement("k = { type = \"i32\" }", "");
    assert!(alone.contains("\n  DATA_BLOCK_ENCODING = 'NONE'"), "{alone}");
    let with_cell = statement("k = { type = \"i32\" }\nv = { type = \"string\" }", "");
    assert!(with_cell.contains("\n  \"f\".DATA_BLOCK_ENCODING = 'NONE'"), "{with_cell}");
}

#[test]
fn no_varbinary_descends() {
    let part = "{ field = \"v\", desc = \"invert\" }, { text = '\\x00' }";
    assert_eq!(column("type = \"bytes\"", part), "no VARBINARY descends");
}

#[test]
fn a_key_of_one_value_may_not_be_null() {
    let salted = "{ bucket = 20, hash = \"phoenix\", of = [\"rest\"] }, { field = \"v\", as = \"phoenix\" }";
    let refused = table("v = { type = \"string\", default = \"\" }", salted, "").unwrap_err().to_string();
    assert!(refused.contains("whole key is NULL"), "{refused}");
    assert!(table("v = { type = \"string\" }", salted, "").is_ok());
}
