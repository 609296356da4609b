//! Messages in Avro, written by hand as the specification says and by Avro's own crate.

use std::sync::Arc;

use apache_avro::types::Value as Avro;
use apache_avro::writer::datum::GenericDatumWriter;
use apache_avro::{BigDecimal, Decimal, Schema};
use keystride::{Design, Row, Value};
use keystride_table::input::*;
use proptest::prelude::*;

fn design(fields: &str, rest: &str) -> Arc<Design> {
    let toml = format!("format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n{rest}\n[fields]\n{fields}");
    Arc::new(Design::from_toml(&format!("{toml}\n[key]\nparts = [{{ field = \"a\" }}]")).unwrap())
}

fn record(fields: &str) -> String {
    format!(r#"{{"type": "record", "name": "r", "fields": [{fields}]}}"#)
}

fn open(design: &Arc<Design>, schema: &str) -> Result<MessageReader, InputError> {
    let format = MessageFormat::Avro { schema: schema.parse().unwrap() };
    MessageReader::new("topic", Arc::clone(design), &[], format, InputOptions::default())
}

/// Reads one body: the values of the row as they are debugged, with the other columns, or the reject.
fn read(reader: &mut MessageReader, body: &[u8]) -> String {
    let mut row = reader.new_row();
    match reader.read(body, ("topic-0", 7), &mut row) {
        Ok(()) => {
            let fields = 0..reader.design().fields().len();
            let values =
                fields.map(|field| row.get(field).map_or("-".to_owned(), |value| format!("{value:?}")));
            let others = reader.others().map(|(name, text)| format!("{name}={text}"));
            values.chain(others).collect::<Vec<_>>().join(" ")
        }
        Err(reject) => reject.to_string(),
    }
}

/// Returns a record as Avro's own crate writes it.
fn written(schema: &Schema, values: Vec<(&str, Avro)>) -> Vec<u8> {
    let values = values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let writer = GenericDatumWriter::builder(schema).build().unwrap();
    writer.write_value_to_vec(Avro::Record(values)).unwrap()
}

const A_B: &str = r#"{"name": "a", "type": "long"}, {"name": "b", "type": "string"}"#;

/// The bytes of the specification's examples.
#[test]
fn bodies_have_the_bytes_of_the_specification() {
    let plain = design("a = { type = \"int\" }\nb = { type = \"string\" }", "");
    let mut reader = open(&plain, &record(A_B)).unwrap();
    assert_eq!(read(&mut reader, b"\x36\x06foo"), r#"Int(27) Text("foo")"#);

    let union = r#"{"name": "b", "type": ["null", "string"]}, {"name": "a", "type": "long"}"#;
    let mut reader = open(&plain, &record(union)).unwrap();
    assert_eq!(read(&mut reader, b"\x02\x02a\x36"), r#"Int(27) Text("a")"#);
    assert_eq!(read(&mut reader, b"\x00\x36"), "Int(27) -");

    let letters = r#"{"name": "b", "type": {"type": "enum", "name": "e", "symbols": ["A", "B", "C", "D"]}}"#;
    let mut reader =
        open(&plain, &record(&format!("{letters}, {{\"name\": \"a\", \"type\": \"int\"}}"))).unwrap();
    assert_eq!(read(&mut reader, b"\x06\x01"), r#"Int(-1) Text("D")"#);
    assert!(read(&mut reader, b"\x08\x01").contains("at byte 1: symbol 4 of an enum of 4"));

    let dropping = design("a = { type = \"int\" }", "[columns]\nother = \"drop\"");
    let list = r#"{"name": "l", "type": {"type": "array", "items": "long"}}, {"name": "a", "type": "int"}"#;
    let mut reader = open(&dropping, &record(list)).unwrap();
    for body in [&b"\x04\x06\x36\x00\x02"[..], b"\x03\x04\x06\x36\x00\x02", b"\x02\x06\x01\x02\x36\x00\x02"] {
        assert_eq!(read(&mut reader, body), "Int(1)", "{body:?}");
    }
}

#[test]
fn a_body_that_ends_early_or_goes_on_is_no_record() {
    let design = design("a = { type = \"int\" }\nb = { type = \"string\" }\nc = { type = \"f64\" }", "");
    let fields = format!(r#"{A_B}, {{"name": "c", "type": ["null", "double"]}}"#);
    let mut reader = open(&design, &record(&fields)).unwrap();
    let whole = b"\x36\x06foo\x02\x00\x00\x00\x00\x00\x00\xf8\x3f";
    assert_eq!(read(&mut reader, whole), r#"Int(27) Text("foo") F64(1.5)"#);
    assert!(read(&mut reader, b"").contains("the message is empty"));
    for len in 1..whole.len() {
        assert!(read(&mut reader, &whole[..len]).contains("the body ends within a value"), "{len}");
    }
    let long = read(&mut reader, &[&whole[..], b"x"].concat());
    assert!(long.contains("at byte 14: the record has ended, and the body goes on"), "{long}");
    for (body, fault) in [
        (&b"\x36\x05"[..], "a length of -3"),
        (b"\x36\x06foo\x04", "branch 2 of a union of 2"),
        (b"\x36\x06foo\x01", "branch -1 of a union of 2"),
        (b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "more than 64 bits"),
        (b"\x36\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01", "ends within a value"),
        (b"\x36\x02\xff\x00", "column \"b\": not utf-8"),
    ] {
        let told = read(&mut reader, body);
        assert!(told.contains(fault), "{told}");
    }
    let mut row = reader.new_row();
    let reject = reader.read(b"\x36\x06f\\", ("topic-0", 7), &mut row).unwrap_err();
    assert_eq!(reject.raw, b"6\\x06f\\x5C");
}

#[test]
fn the_header_of_a_registry_is_passed_over() {
    let design = design("a = { type = \"int\" }\nb = { type = \"string\" }", "");
    let mut reader = open(&design, &record(A_B)).unwrap();
    assert_eq!(read(&mut reader, b"\x00\x00\x00\x01\x00\x36\x06foo"), r#"Int(27) Text("foo")"#);
    let told = read(&mut reader, b"\x00\x00\x00\x01\x00\x36\x06fo");
    assert!(told.contains("at byte 7: the body ends within a value; the body names schema 256"), "{told}");
    // Zeros that are values, with or without a registry's header in front of them.
    assert_eq!(read(&mut reader, b"\x00\x08abcd"), r#"Int(0) Text("abcd")"#);
    assert_eq!(read(&mut reader, b"\x00\x00"), "Int(0) -");
    assert_eq!(read(&mut reader, b"\x00\x00\x00\x00\x05\x00\x08abcd"), r#"Int(0) Text("abcd")"#);
    // No registry has a schema 0.
    assert!(read(&mut reader, b"\x00\x00\x00\x00\x00\x36\x06foo").contains("at byte 2"));
}

#[test]
fn a_body_that_is_a_record_with_and_without_a_header_has_one() {
    let design = design("a = { type = \"int\" }\nd = { type = \"f64\" }", "");
    let fields = r#"{"name": "d", "type": "double"}, {"name": "a", "type": "long"}"#;
    let mut reader = open(&design, &record(fields)).unwrap();
    let minus_a_tenth = [0x9a, 0x99, 0x99, 0x99, 0x99, 0x99, 0xb9, 0xbf];
    let body = [&[0, 0, 0, 0, 5][..], &minus_a_tenth, &[2]].concat();
    assert_eq!(read(&mut reader, &body), "Int(1) F64(-0.1)");
}

#[test]
fn fields_that_do_not_fit_are_told_before_the_first_body() {
    let plain = design("a = { type = \"int\" }\nb = { type = \"string\" }", "");
    let error = |fields: &str| open(&plain, &record(fields)).unwrap_err().to_string();
    let told = error(r#"{"name": "A", "type": "int"}"#);
    assert!(told.contains("no column for field \"a\" (nearest: \"A\")"), "{told}");
    // What the key does not need may be missing.
    assert!(open(&plain, &record(r#"{"name": "a", "type": "int"}"#)).is_ok());
    let told = error(
        r#"{"name": "a", "type": "int"}, {"name": "n", "type": ["null", "double"]}, {"name": "l", "type": {"type": "map", "values": "int"}}"#,
    );
    assert!(told.contains("\nn = { type = \"f64\" }\n# \"l\" has lists or objects"), "{told}");
    let told = error(r#"{"name": "a", "type": ["int", "boolean"]}"#);
    assert!(told.contains("column \"a\" holds boolean, which is no int"), "{told}");
}

#[test]
fn lists_and_objects_are_rejects_unless_they_are_dropped() {
    let fields = r#"{"name": "a", "type": "long"}, {"name": "l", "type": ["null", {"type": "array", "items": "int"}, "string"]}"#;
    let storing = design("a = { type = \"int\" }", "[columns]\nother = \"f\"");
    let mut reader = open(&storing, &record(fields)).unwrap();
    assert_eq!(read(&mut reader, b"\x02\x00"), "Int(1)");
    assert_eq!(read(&mut reader, b"\x02\x04\x02x"), "Int(1) l=x");
    let told = read(&mut reader, b"\x02\x02\x02\x02\x00");
    assert!(told.contains("column \"l\": an object or a list, not a value"), "{told}");
    let dropping = design("a = { type = \"int\" }", "[columns]\nother = \"drop\"");
    let mut reader = open(&dropping, &record(fields)).unwrap();
    assert_eq!(read(&mut reader, b"\x02\x02\x02\x02\x00"), "Int(1)");
}

#[test]
fn logical_types_become_values_and_texts() {
    let fields = r#"
        {"name": "a", "type": "long"},
        {"name": "day", "type": {"type": "int", "logicalType": "date"}},
        {"name": "noon", "type": {"type": "int", "logicalType": "time-millis"}},
        {"name": "at", "type": {"type": "long", "logicalType": "timestamp-micros"}},
        {"name": "local", "type": {"type": "long", "logicalType": "local-timestamp-millis"}},
        {"name": "price", "type": {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}},
        {"name": "any", "type": {"type": "bytes", "logicalType": "big-decimal"}},
        {"name": "id", "type": {"type": "fixed", "size": 16, "name": "u", "logicalType": "uuid"}}"#;
    let schema = Schema::parse_str(&record(fields)).unwrap();
    let body = |at: i64, noon: i32| {
        let id = uuid_of(0xab);
        let values = [
            ("a", Avro::Long(1)),
            ("day", Avro::Date(15_706)),
            ("noon", Avro::TimeMillis(noon)),
            ("at", Avro::TimestampMicros(at)),
            ("local", Avro::LocalTimestampMillis(1_357_034_400_000)),
            ("price", Avro::Decimal(Decimal::from([0x00_u8, 0xc9, 0xf4]))),
            ("any", Avro::BigDecimal("-12.5".parse::<BigDecimal>().unwrap())),
            ("id", id),
        ];
        written(&schema, values.to_vec())
    };
    let texts = design("a = { type = \"int\" }", "[columns]\nother = \"f\"");
    let mut reader = open(&texts, &record(fields)).unwrap();
    assert_eq!(
        read(&mut reader, &body(1_357_034_400_000_001, 43_200_000)),
        "Int(1) day=2013-01-01 noon=12:00:00 at=2013-01-01T10:00:00.000001Z local=2013-01-01T10:00:00 price=517.00 \
         any=-12.5 id=abababab-abab-abab-abab-abababababab"
    );
    let told = read(&mut reader, &body(0, 86_400_000));
    assert!(told.contains("column \"noon\": 86400000 is out of range: 0 to 86399999"), "{told}");

    let typed = design(
        "a = { type = \"int\" }\nday = { type = \"time\", unit = \"s\", zone = \"Asia/Shanghai\" }\n\
         noon = { type = \"string\" }\nat = { type = \"time\", unit = \"ms\" }\n\
         local = { type = \"time\", unit = \"s\", zone = \"Asia/Shanghai\" }\nprice = { type = \"int\" }\n\
         any = { type = \"f64\" }\nid = { type = \"uuid\" }",
        "",
    );
    let mut reader = open(&typed, &record(fields)).unwrap();
    let (day, local) = (1_356_998_400 - 8 * 3600, 1_357_034_400 - 8 * 3600);
    assert_eq!(
        read(&mut reader, &body(1_357_034_400_001_000, 1)),
        format!(
            "Int(1) Int({day}) Text(\"00:00:00.001\") Int(1357034400001) Int({local}) Int(517) F64(-12.5) \
             Uuid({:?})",
            [0xab; 16]
        )
    );
    let told = read(&mut reader, &body(1, 1));
    assert!(told.contains("column \"at\": 1970-01-01T00:00:00.000001 is finer than ms"), "{told}");
}

fn uuid_of(byte: u8) -> Avro {
    Avro::Fixed(16, vec![byte; 16])
}

/// Types that contain themselves, and lists of what takes no bytes.
const DEEP: &str = r#"{"name": "a", "type": "int"}, {"name": "next", "type": ["null", "r"]},
    {"name": "nulls", "type": {"type": "array", "items": "null"}},
    {"name": "map", "type": {"type": "map", "values": ["null", {"type": "fixed", "size": 3, "name": "x"}, "r"]}}"#;

#[test]
fn few_bytes_take_little_memory_and_no_deep_stack() {
    let dropping = design("a = { type = \"int\" }", "[columns]\nother = \"drop\"");
    let mut reader = open(&dropping, &record(DEEP)).unwrap();
    let many_nulls = [&b"\x02\x00"[..], b"\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01", b"\x00\x00"].concat();
    assert_eq!(read(&mut reader, &many_nulls), "Int(1)");
    // Records in records in records: 1, the branch of the next.
    let told = read(&mut reader, &vec![2; 1_000_000]);
    assert!(told.contains("values nested more than 500 deep"), "{told}");
}

type Values = (i64, Option<String>, f32, f64, bool, Vec<u8>, [u8; 4]);

const MANY: &str = r#"{"name": "text", "type": ["string", "null"]}, {"name": "single", "type": "float"},
    {"name": "double", "type": "double"}, {"name": "flag", "type": "boolean"}, {"name": "bytes", "type": "bytes"},
    {"name": "four", "type": {"type": "fixed", "name": "four", "size": 4}}, {"name": "a", "type": "long"},
    {"name": "word", "type": {"type": "enum", "name": "word", "symbols": ["x", "y", "z"]}},
    {"name": "unread", "type": {"type": "map", "values": {"type": "array", "items": "four"}}}"#;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn what_avro_writes_is_the_row(values in any::<Values>(), word in 0..3_u32, id in 1..u32::MAX) {
        let (number, text, single, double, flag, bytes, four) = values;
        // Texts that mean no value, such as an empty one, are none in any format.
        let text = text.map(|text| format!("<{text}>"));
        let symbol = ["x", "y", "z"][word as usize];
        let schema = Schema::parse_str(&record(MANY)).unwrap();
        let union = match &text {
            Some(text) => Avro::Union(0, Box::new(Avro::String(text.clone()))),
            None => Avro::Union(1, Box::new(Avro::Null)),
        };
        let unread = [("key".to_owned(), Avro::Array(vec![Avro::Fixed(4, vec![9; 4]); word as usize]))];
        let values = [
            ("text", union), ("single", Avro::Float(single)), ("double", Avro::Double(double)),
            ("flag", Avro::Boolean(flag)), ("bytes", Avro::Bytes(bytes.clone())), ("four", Avro::Fixed(4, four.to_vec())),
            ("a", Avro::Long(number)), ("word", Avro::Enum(word, symbol.to_owned())),
            ("unread", Avro::Map(unread.into())),
        ];
        let body = written(&schema, values.to_vec());
        let design = design(
            "word = { type = \"string\" }\na = { type = \"int\" }\nfour = { type = \"bytes\", len = 4 }\n\
             bytes = { type = \"bytes\" }\nflag = { type = \"bool\" }\ndouble = { type = \"f64\" }\n\
             single = { type = \"f32\" }\ntext = { type = \"string\" }",
            "[columns]\nother = \"drop\"",
        );
        let mut reader = open(&design, &record(MANY)).unwrap();
        let in_registry = [&[0][..], &id.to_be_bytes(), &body].concat();
        for body in [&body, &in_registry] {
            let mut row = reader.new_row();
            reader.read(body, ("t", 0), &mut row).unwrap();
            let expected = [
                Some(Value::Text(symbol)), Some(Value::Int(number.into())), Some(Value::Bytes(&four)),
                Some(Value::Bytes(&bytes)), Some(Value::Bool(flag)), Some(Value::F64(double)),
                Some(Value::F32(single)), text.as_deref().map(Value::Text),
            ];
            prop_assert_eq!(values_of(&row, expected.len()), expected.to_vec());
        }
    }

    #[test]
    fn no_bytes_panic(
        bytes in proptest::collection::vec(prop_oneof![any::<u8>(), 0..6_u8], 0..80),
        fields in proptest::sample::select(vec![DEEP, MANY]),
    ) {
        let storing = design("a = { type = \"int\" }", "[columns]\nother = \"f\"");
        let mut reader = open(&storing, &record(fields)).unwrap();
        read(&mut reader, &bytes);
    }

    #[test]
    fn no_text_of_a_schema_panics(at in any::<prop::sample::Index>(), byte in any::<char>(), cut in any::<bool>()) {
        let mut text: Vec<char> = record(MANY).chars().collect();
        let at = at.index(text.len());
        if cut { text.truncate(at) } else { text[at] = byte }
        let _ = text.into_iter().collect::<String>().parse::<AvroSchema>();
    }
}

fn values_of(row: &Row, count: usize) -> Vec<Option<Value<'_>>> {
    (0..count).map(|field| row.get(field)).collect()
}
