use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::FixedSizeBinaryBuilder;
use arrow_array::types::{ArrowPrimitiveType, Float16Type, Int32Type};
use arrow_array::*;
use keystride::{Design, Value};
use keystride_table::input::*;
use parquet::arrow::ArrowWriter;
use parquet::data_type::{Int96, Int96Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use proptest::prelude::*;

use crate::reading::*;

fn write(path: &Path, columns: Vec<(&str, ArrayRef)>) {
    let batch = RecordBatch::try_from_iter_with_nullable(
        columns.into_iter().map(|(name, array)| (name, array, true)),
    )
    .unwrap();
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

struct Written {
    folder: tempfile::TempDir,
    path: PathBuf,
}

fn written(columns: Vec<(&str, ArrayRef)>) -> Written {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.parquet");
    write(&path, columns);
    Written { folder, path }
}

impl Written {
    fn read(&self, design: &Arc<Design>) -> Result<Vec<String>, InputError> {
        let told = read_sources(design, vec![Source::file(&self.path).unwrap()], InputOptions::default())?;
        let folder = format!("{}/", self.folder.path().display());
        Ok(told.into_iter().map(|line| line.replace(&folder, "")).collect())
    }
}

fn phones(count: i64) -> ArrayRef {
    Arc::new(Int64Array::from_iter_values((0..count).map(|n| 12_345 + n)))
}

#[test]
fn typed_columns_become_values_and_nulls_are_absent() {
    let mut uuids = FixedSizeBinaryBuilder::new(16);
    uuids.append_value([0xAB; 16]).unwrap();
    uuids.append_null();
    let instants =
        TimestampMicrosecondArray::from(vec![Some(1_357_034_400_999_000), None]).with_timezone("UTC");
    let decimals = Decimal128Array::from(vec![Some(51_700), None]).with_precision_and_scale(10, 2).unwrap();
    let file = written(vec![
        ("phone", phones(2)),
        ("small", Arc::new(Int32Array::from(vec![Some(-7), None]))),
        ("large", Arc::new(UInt64Array::from(vec![Some(u64::MAX), None]))),
        ("float", Arc::new(Float64Array::from(vec![Some(0.1), None]))),
        ("single", Arc::new(Float32Array::from(vec![Some(0.1), None]))),
        ("gap", Arc::new(Float64Array::from(vec![Some(517.0), None]))),
        ("yes", Arc::new(BooleanArray::from(vec![Some(true), None]))),
        ("city", Arc::new(StringArray::from(vec![Some("\u{6cb3}"), Some("NA")]))),
        ("blob", Arc::new(BinaryArray::from_opt_vec(vec![Some(b"\xFF\0"), None]))),
        ("named", Arc::new(BinaryArray::from_opt_vec(vec![Some(b"text"), None]))),
        ("id", Arc::new(uuids.finish())),
        ("at", Arc::new(instants)),
        ("day", Arc::new(Date32Array::from(vec![Some(15_706), None]))),
        ("price", Arc::new(decimals.clone())),
        ("cost", Arc::new(decimals)),
    ]);
    let design = with_fields(
        r#"
        phone = { type = "digits", len = 5 }
        small = { type = "i32" }
        large = { type = "u64" }
        float = { type = "f64" }
        single = { type = "f32" }
        gap = { type = "int" }
        yes = { type = "bool" }
        city = { type = "string" }
        blob = { type = "bytes" }
        named = { type = "string" }
        id = { type = "uuid" }
        at = { type = "time", unit = "ms" }
        day = { type = "string" }
        price = { type = "int" }
        cost = { type = "string" }
        "#,
        "error",
    );
    let mut reader = InputReader::open(
        Arc::clone(&design),
        vec![Source::file(&file.path).unwrap()],
        InputOptions::default(),
    )
    .unwrap();
    let mut row = reader.new_row();
    assert!(matches!(reader.next(&mut row).unwrap(), Next::Row));
    let expected = [
        Value::Text("12345"),
        Value::Int(-7),
        Value::Int(u64::MAX.into()),
        Value::F64(0.1),
        Value::F32(0.1),
        Value::Int(517),
        Value::Bool(true),
        Value::Text("\u{6cb3}"),
        Value::Bytes(b"\xFF\0"),
        Value::Text("text"),
        Value::Uuid([0xAB; 16]),
        Value::Int(1_357_034_400_999),
        Value::Text("2013-01-01"),
        Value::Int(517),
        Value::Text("517.00"),
    ];
    for (field, value) in expected.into_iter().enumerate() {
        assert_eq!(row.get(field), Some(value), "{}", design.fields()[field].name);
    }
    assert!(matches!(reader.next(&mut row).unwrap(), Next::Row));
    assert_eq!(row.get(0), Some(Value::Text("12346")));
    assert!((1..row.len()).all(|field| row.get(field).is_none()));
    assert!(matches!(reader.next(&mut row).unwrap(), Next::End));
}

#[test]
fn whole_numbers_of_any_width_are_numbers() {
    let file = written(vec![
        ("phone", phones(2)),
        ("i8", Arc::new(Int8Array::from(vec![i8::MIN, i8::MAX]))),
        ("i16", Arc::new(Int16Array::from(vec![i16::MIN, i16::MAX]))),
        ("u8", Arc::new(UInt8Array::from(vec![0, u8::MAX]))),
        ("u16", Arc::new(UInt16Array::from(vec![0, u16::MAX]))),
        ("u32", Arc::new(UInt32Array::from(vec![0, u32::MAX]))),
    ]);
    let fields =
        ["phone", "i8", "i16", "u8", "u16", "u32"].map(|name| format!("{name} = {{ type = \"int\" }}"));
    let told = file.read(&with_fields(&fields.join("\n"), "error")).unwrap();
    assert_eq!(told, ["1: 12345|-128|-32768|0|0|0", "2: 12346|127|32767|255|65535|4294967295"]);
}

#[test]
fn times_of_every_unit_and_floats_are_times() {
    let file = written(vec![
        ("phone", phones(1)),
        ("s", Arc::new(TimestampSecondArray::from(vec![1_357_034_400]).with_timezone("UTC"))),
        (
            "ns",
            Arc::new(TimestampNanosecondArray::from(vec![1_357_034_400_000_000_000]).with_timezone("UTC")),
        ),
        ("f", Arc::new(Float64Array::from(vec![1_357_034_400.0]))),
    ]);
    let fields = ["s", "ns", "f"].map(|name| format!("{name} = {{ type = \"time\", unit = \"s\" }}"));
    let design = with_fields(&format!("phone = {{ type = \"int\" }}\n{}", fields.join("\n")), "error");
    assert_eq!(file.read(&design).unwrap(), ["1: 12345|1357034400|1357034400|1357034400"]);
    let half = written(vec![("phone", phones(1)), ("f", Arc::new(Float64Array::from(vec![0.5])))]);
    let told =
        half.read(&with_fields(&format!("phone = {{ type = \"int\" }}\n{}", fields[2]), "error")).unwrap();
    assert!(told[0].starts_with("rejected c.parquet:1: column \"f\": \"0.5\""), "{}", told[0]);
}

/// What `f` is rejected for in each row; nothing for rows that are stored.
fn reasons(f: ArrayRef, field: &str, other: &str) -> Vec<String> {
    let file = written(vec![("phone", phones(i64::try_from(f.len()).unwrap())), ("f", f)]);
    let told = file.read(&with_fields(&format!("phone = {{ type = \"int\" }}\n{field}"), other)).unwrap();
    let reason =
        |line: &String| line.split_once("column \"f\": ").map_or("", |(_, reason)| reason).to_owned();
    told.iter().map(reason).collect()
}

#[test]
fn a_float_that_may_stand_for_two_whole_numbers_is_rejected_wherever_it_goes() {
    let large = 1_234_567_890_123_456_789.0;
    let rejects = |floats: &dyn Fn() -> ArrayRef, text: &str| {
        let time = |words: &str| format!("f = {{ type = \"time\", {words} }}");
        let units = ["s", "ms", "us", "ns"].map(|unit| time(&format!("unit = \"{unit}\"")));
        let fields =
            ["f = { type = \"int\" }", "f = { type = \"u64\" }", "f = { type = \"digits\", len = 19 }"];
        let pattern = time("format = \"yyyyMMdd\", input = \"epoch-ns\"");
        let derived = "f = { type = \"string\" }\ng = { from = \"left(f,3)\" }".replace("string", "int");
        let all = fields.map(str::to_owned).into_iter().chain(units).chain([pattern, derived, String::new()]);
        for field in all {
            let other = if field.is_empty() { "x" } else { "drop" };
            let reasons = reasons(floats(), &field, other);
            assert!(reasons[0].starts_with(text), "{field}: {reasons:?}");
        }
    };
    let doubles = || Arc::new(Float64Array::from(vec![large])) as ArrayRef;
    rejects(&doubles, "1234567890123456800 is a float of 2^53 or more");
    rejects(
        &|| Arc::new(Float64Array::from(vec![-(2_f64.powi(53))])),
        "-9007199254740992 is a float of 2^53",
    );
    rejects(&|| Arc::new(Float32Array::from(vec![16_777_217.0])), "16777216 is a float of 2^24");
    let fractions = Arc::new(Float64Array::from(vec![2013.01, f64::NAN, f64::INFINITY]));
    let time = "f = { type = \"time\", format = \"yyyy.MM\" }";
    let expected = ["2013.01", "NaN", "inf"].map(|found| format!("\"{found}\" is not a whole number"));
    assert_eq!(reasons(fractions, time, "drop"), expected);
}

#[test]
fn floats_of_any_precision_are_read_and_have_their_shortest_text() {
    type Half = <Float16Type as ArrowPrimitiveType>::Native;
    let halves = [2047.0, 0.5].map(Half::from_f64).to_vec();
    let file = written(vec![
        ("phone", Arc::new(Float64Array::from(vec![13_800_138_000.0, 13_900_139_000.0]))),
        ("h", Arc::new(Float16Array::from(halves))),
        ("s", Arc::new(Float32Array::from(vec![0.1, 16_777_215.0]))),
        ("d", Arc::new(Float64Array::from(vec![0.1, -9_007_199_254_740_991.0]))),
        ("huge", Arc::new(Float64Array::from(vec![1e22, -1e23]))),
    ]);
    let fields = "phone = { type = \"digits\", len = 11 }\nh = { type = \"f32\" }\nhuge = { type = \"f64\" }";
    assert_eq!(
        file.read(&with_fields(fields, "x")).unwrap(),
        [
            "1: 13800138000|2047|10000000000000000000000 s=0.1 d=0.1",
            "2: 13900139000|0.5|-100000000000000000000000 s=16777215 d=-9007199254740991"
        ]
    );
}

/// Writes `phone` and `t`, times of INT96 given as Julian days and nanoseconds of the day.
fn with_int96(times: &[(u32, u64)]) -> Written {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.parquet");
    let schema = parse_message_type("message m { REQUIRED INT64 phone; OPTIONAL INT96 t; }").unwrap();
    let file = File::create(&path).unwrap();
    let properties = WriterProperties::builder().build();
    let mut writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties)).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let phones: Vec<i64> = (0..).take(times.len() + 1).map(|n| 12_345 + n).collect();
    column.typed::<parquet::data_type::Int64Type>().write_batch(&phones, None, None).unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let int96 = |(day, nanos): &(u32, u64)| {
        let mut time = Int96::new();
        let [low, high] = [nanos & 0xFFFF_FFFF, nanos >> 32].map(|half| u32::try_from(half).unwrap());
        time.set_data(low, high, *day);
        time
    };
    let values: Vec<Int96> = times.iter().map(int96).collect();
    let levels: Vec<i16> = times.iter().map(|_| 1).chain([0]).collect();
    column.typed::<Int96Type>().write_batch(&values, Some(&levels), None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    Written { folder, path }
}

/// 2013-01-01T10:00 as an INT96.
const TEN: (u32, u64) = (2_456_294, 36_000_000_000_000);

#[test]
fn int96_reaches_from_the_year_1_to_9999() {
    let file = with_int96(&[(5_373_484, 86_399_999_999_999), (2_305_448, 0), (1_721_426, 0), (9_999_999, 0)]);
    let with = |field: &str, other| {
        file.read(&with_fields(&format!("phone = {{ type = \"int\" }}\n{field}"), other)).unwrap()
    };
    let days = with("t = { type = \"time\", format = \"yyyyMMdd\" }", "drop");
    assert_eq!(days[..3], ["1: 12345|99991231", "2: 12346|16000101", "3: 12347|00010101"]);
    assert!(days[3].contains("column \"t\": \"653133110400000000000\""), "{}", days[3]);
    assert_eq!(days[4], "5: 12349|-");
    let ms = with("t = { type = \"time\", unit = \"ms\" }", "drop");
    assert!(ms[0].contains("9999-12-31T23:59:59.999999999 is finer than ms"), "{}", ms[0]);
    assert_eq!(ms[1], "2: 12346|-11676096000000");
    let others = with("", "x");
    assert_eq!(others[0], "1: 12345 t=9999-12-31T23:59:59.999999999Z");
}

#[test]
fn int96_is_an_instant_unless_the_design_says_local() {
    let file = with_int96(&[TEN]);
    let read = |int96: &str| {
        let design = format!(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nphone = {{ type = \"int\" }}\n\
             t = {{ type = \"time\", unit = \"s\", zone = \"Asia/Shanghai\" }}\n\
             [key]\nparts = [{{ field = \"phone\" }}]\n[input]\n{int96}"
        );
        file.read(&Arc::new(Design::from_toml(&design).unwrap())).unwrap()[0].clone()
    };
    assert_eq!(read(""), "1: 12345|1357034400");
    assert_eq!(read("int96 = \"utc\""), "1: 12345|1357034400");
    assert_eq!(read("int96 = \"local\""), "1: 12345|1357005600");
}

#[test]
fn times_without_a_zone_are_times_of_the_field_s_zone() {
    let local = || Arc::new(TimestampMillisecondArray::from(vec![1_357_034_400_000])) as ArrayRef;
    let file = written(vec![
        ("phone", phones(1)),
        ("a", local()),
        ("b", local()),
        ("day", Arc::new(Date32Array::from(vec![15_706]))),
        ("n", Arc::new(Int64Array::from(vec![1_357_034_400]))),
    ]);
    let design = with_fields(
        r#"
        phone = { type = "int" }
        a = { type = "time", unit = "s" }
        b = { type = "time", unit = "s", zone = "Asia/Shanghai" }
        day = { type = "time", format = "yyyyMMddHH", zone = "Asia/Shanghai" }
        n = { type = "time", unit = "ms", input = "epoch-s" }
        "#,
        "error",
    );
    let told = file.read(&design).unwrap();
    assert_eq!(told, ["1: 12345|1357034400|1357005600|2013010100|1357034400000"]);
}

#[test]
fn values_out_of_bounds_reject_the_row_which_is_shown_as_json() {
    let file = written(vec![
        ("phone", phones(3)),
        ("n", Arc::new(Float64Array::from(vec![Some(1.5), Some(1001.0), None]))),
        ("city", Arc::new(StringArray::from(vec!["a\"b", "c", "d"]))),
        ("ts", Arc::new(Int64Array::from(vec![1, 2, 3]))),
    ]);
    let design = calls("error");
    let told = file.read(&design).unwrap();
    assert!(told[0].starts_with("rejected c.parquet:1: column \"n\": \"1.5\" is not"), "{}", told[0]);
    assert_eq!(told[1], "rejected c.parquet:2: column \"n\": 1001 is out of range: 0 to 1000");
    assert_eq!(told[2], "3: 12347|3|d|-");
    let mut reader =
        InputReader::open(design, vec![Source::file(&file.path).unwrap()], InputOptions::default()).unwrap();
    let mut row = reader.new_row();
    let Next::Rejected(reject) = reader.next(&mut row).unwrap() else { panic!() };
    let raw = String::from_utf8(reject.raw).unwrap();
    assert_eq!(raw, r#"{"phone":12345,"n":1.5,"city":"a\"b","ts":1}"#);
}

#[test]
fn a_rejected_row_is_shown_with_all_its_values_whatever_their_types() {
    let file = written(vec![
        ("phone", phones(1)),
        ("n", Arc::new(Int64Array::from(vec![1_001]))),
        ("ok", Arc::new(BooleanArray::from(vec![true]))),
        ("day", Arc::new(Date32Array::from(vec![15_706]))),
        ("never", Arc::new(Date32Array::from(vec![i32::MAX]))),
        ("at", Arc::new(TimestampMillisecondArray::from(vec![1_357_034_400_000]).with_timezone("UTC"))),
        ("local", Arc::new(TimestampMillisecondArray::from(vec![1_357_034_400_000]))),
        ("blob", Arc::new(BinaryArray::from_vec(vec![b"\xFF\0"]))),
        ("none", Arc::new(Float64Array::from(vec![None]))),
        ("nan", Arc::new(Float64Array::from(vec![f64::NAN]))),
    ]);
    let design = with_fields("phone = { type = \"int\" }\nn = { type = \"int\", max = 1000 }", "x");
    let mut reader =
        InputReader::open(design, vec![Source::file(&file.path).unwrap()], InputOptions::default()).unwrap();
    let mut row = reader.new_row();
    let Next::Rejected(reject) = reader.next(&mut row).unwrap() else { panic!() };
    assert_eq!(
        String::from_utf8(reject.raw).unwrap(),
        r#"{"phone":12345,"n":1001,"ok":true,"day":"2013-01-01","never":2147483647,"at":"2013-01-01T10:00:00Z","local":"2013-01-01T10:00:00","blob":"\\xFF\\x00","none":null,"nan":"NaN"}"#
    );
}

#[test]
fn texts_that_mean_no_value_do_so_here_too() {
    let design = Design::from_toml(
        r#"
        format = 1
        [table]
        name = "t"
        families = ["f"]
        [fields]
        phone = { type = "int" }
        f = { type = "f64" }
        ok = { type = "bool" }
        ts = { type = "time", unit = "s" }
        [key]
        parts = [ { field = "phone" } ]
        [input]
        null = ["-1", "NaN", "false", "1970-01-01T00:00:00Z"]
        "#,
    );
    let file = written(vec![
        ("phone", Arc::new(Int64Array::from(vec![-1, 5]))),
        ("f", Arc::new(Float64Array::from(vec![-1.0, f64::NAN]))),
        ("ok", Arc::new(BooleanArray::from(vec![true, false]))),
        ("ts", Arc::new(TimestampMillisecondArray::from(vec![0, 1_000]).with_timezone("UTC"))),
    ]);
    assert_eq!(file.read(&Arc::new(design.unwrap())).unwrap(), ["1: -|-|1|-", "2: 5|-|-|1"]);
}

#[test]
fn other_columns_are_refused_dropped_or_kept_as_text() {
    let lists = ListArray::from_iter_primitive::<Int32Type, _, _>([Some(vec![Some(1)]), None]);
    let plain = |nested: bool| {
        let mut columns: Vec<(&str, ArrayRef)> = vec![
            ("phone", phones(2)),
            ("ok", Arc::new(BooleanArray::from(vec![Some(true), None]))),
            (
                "when",
                Arc::new(TimestampMillisecondArray::from(vec![1_357_034_400_120, 0]).with_timezone("UTC")),
            ),
            ("word", Arc::new(StringArray::from(vec!["x", "NA"]))),
        ];
        if nested {
            columns.push(("list", Arc::new(lists.clone())));
        }
        written(columns)
    };
    let design = |other| with_fields("phone = { type = \"int\" }", other);
    let error = plain(true).read(&design("error")).unwrap_err().to_string();
    let lines = "\nok = { type = \"bool\" }\nwhen = { type = \"time\", unit = \"ms\" }\nword = { type = \"string\" }\n";
    assert!(error.contains(lines), "{error}");
    assert_eq!(plain(true).read(&design("drop")).unwrap(), ["1: 12345", "2: 12346"]);
    assert_eq!(
        plain(false).read(&design("x")).unwrap(),
        ["1: 12345 ok=true when=2013-01-01T10:00:00.120Z word=x", "2: 12346 when=1970-01-01T00:00:00Z"]
    );
    let error = plain(true).read(&design("x")).unwrap_err();
    assert!(matches!(&error, InputError::ColumnType { column, .. } if column == "list"), "{error}");
}

#[test]
fn columns_that_can_t_become_their_fields_are_told_at_once() {
    let file = written(vec![("phone", phones(1)), ("f", Arc::new(Float64Array::from(vec![1.0])))]);
    let with = |more| with_fields(&format!("phone = {{ type = \"int\" }}\n{more}"), "drop");
    let error = file.read(&with("f = { type = \"string\" }")).unwrap_err().to_string();
    let expected = "column \"f\" holds Float64, which is no string: cast it, or change the field's type";
    assert!(error.ends_with(expected), "{error}");
    let error = file.read(&with("g = { type = \"f64\" }")).unwrap_err().to_string();
    assert!(
        error.contains("no column for field \"g\" (nearest: \"f\"); the columns are: phone, f"),
        "{error}"
    );
}

#[test]
fn parquet_is_read_from_files_alone() {
    let error = read("c.parquet", "PAR1").unwrap_err();
    assert!(matches!(error, InputError::NeedsFile { .. }), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.parquet");
    std::fs::write(&path, "phone\n1\n").unwrap();
    let error = read_sources(&calls("error"), vec![Source::file(&path).unwrap()], InputOptions::default());
    assert!(matches!(error, Err(InputError::Parquet { .. })));
}

#[test]
fn a_column_of_nulls_has_no_values() {
    let nulls = || Arc::new(NullArray::new(2)) as ArrayRef;
    let file = written(vec![("phone", phones(2)), ("n", nulls()), ("more", nulls())]);
    let design = with_fields("phone = { type = \"int\" }\nn = { type = \"f64\" }", "x");
    assert_eq!(file.read(&design).unwrap(), ["1: 12345|-", "2: 12346|-"]);
}

#[test]
fn a_time_that_its_field_s_unit_can_t_hold_is_rejected() {
    let times = vec![Some(1_357_034_400_120_000), Some(1_357_034_400_120_001), None];
    let times = || Arc::new(TimestampMicrosecondArray::from(times.clone()).with_timezone("UTC"));
    let file = written(vec![("phone", phones(3)), ("ms", times()), ("day", times())]);
    let design = with_fields(
        r#"
        phone = { type = "int" }
        ms = { type = "time", unit = "ms" }
        day = { type = "time", format = "yyyyMMdd" }
        "#,
        "error",
    );
    let told = file.read(&design).unwrap();
    assert_eq!((&*told[0], &*told[2]), ("1: 12345|1357034400120|20130101", "3: 12347|-|-"));
    let reason = "column \"ms\": 2013-01-01T10:00:00.120001 is finer than ms, the field's unit";
    assert!(told[1].starts_with(&format!("rejected c.parquet:2: {reason}")), "{}", told[1]);
}

#[test]
fn a_float_that_is_too_large_for_its_field_is_rejected() {
    let floats = Float64Array::from(vec![1e39, 0.5]);
    let file = written(vec![("phone", phones(2)), ("f", Arc::new(floats))]);
    let told = file.read(&with_fields("phone = { type = \"int\" }\nf = { type = \"f32\" }", "drop")).unwrap();
    assert!(told[0].contains("column \"f\"") && told[0].contains("3.4e38"), "{}", told[0]);
    assert_eq!(told[1], "2: 12346|0.5");
}

/// A file of `phone`, uncompressed, and `x`, compressed with brotli, as pyarrow writes it.
const WITH_BROTLI: &str = "\
    504152311500151c151c2c15021500150615061c000000020000000201393000000000000015001516151e2c15\
    021500150615061c0000001b0a0000a4010204c286400134ac701504193c35001806736368656d611504001504\
    2502180570686f6e6500150c250218017825004c1c0000001602191c192c26001c15041925060019180570686f\
    6e6515001602164216422608491c150015001502003c29061926000200000026001c150c192506001918017815\
    081602163c1644264a491c150015001502003c1602190619260002000000167e16022608168601002820706172\
    717565742d6370702d6172726f772076657273696f6e2032362e302e31192c1c00001c000000c0000000504152\
    31\
    ";

#[test]
fn columns_compressed_in_ways_that_are_not_read_are_told_where_they_are_needed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.parquet");
    let bytes =
        data_encoding::HEXLOWER.decode(WITH_BROTLI.replace(char::is_whitespace, "").as_bytes()).unwrap();
    std::fs::write(&path, bytes).unwrap();
    let file = Written { folder, path };
    let design = |other| with_fields("phone = { type = \"int\" }", other);
    let error = file.read(&design("x")).unwrap_err().to_string();
    assert!(error.contains("column \"x\" is compressed with brotli, which is not read"), "{error}");
    assert_eq!(file.read(&design("drop")).unwrap(), ["1: 12345"]);
}

#[test]
fn parquet_that_is_packed_as_a_whole_is_to_be_unpacked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.parquet.zst");
    std::fs::write(&path, zstd::encode_all(&b"PAR1"[..], 1).unwrap()).unwrap();
    let error = Written { folder, path }.read(&calls("error")).unwrap_err().to_string();
    assert!(error.contains("is packed with zstd, and Parquet is read from its end: unpack it"), "{error}");
}

#[test]
fn batches_are_one_stream() {
    let file = written(vec![("phone", phones(10_000))]);
    let all = file.read(&with_fields("phone = { type = \"int\" }", "error")).unwrap();
    assert_eq!(all.len(), 10_000);
    assert_eq!(all[9_999], "10000: 22344");
}

#[test]
fn kept_records_are_shown_after_those_behind_them() {
    let file = written(vec![("phone", phones(5_000))]);
    let design = with_fields("phone = { type = \"int\" }", "error");
    let source = Source::file(&file.path).unwrap();
    let mut reader = InputReader::open(Arc::clone(&design), vec![source], InputOptions::default()).unwrap();
    let mut row = reader.new_row();
    let mut kept: Vec<KeptRecord> = Vec::new();
    // The last two rows of a batch, and the first of the next.
    for line in 1..=4_097 {
        assert!(matches!(reader.next(&mut row), Ok(Next::Row)));
        if line >= 4_095 {
            let mut record = KeptRecord::default();
            reader.keep(&mut record);
            kept.push(record);
        }
    }
    let shown = kept.iter().map(|record| String::from_utf8(record.raw()).unwrap());
    assert_eq!(shown.collect::<Vec<_>>(), ["16439", "16440", "16441"].map(|n| format!("{{\"phone\":{n}}}")));
}

/// With the least memory, pages may have 32 MiB and rows 512 KiB.
fn read_with_least_memory(texts: Vec<String>) -> Result<Vec<Result<u64, Box<Reject>>>, InputError> {
    let file = written(vec![
        ("phone", phones(i64::try_from(texts.len()).unwrap())),
        ("s", Arc::new(StringArray::from(texts))),
    ]);
    let design = with_fields("phone = { type = \"int\" }", "x");
    let options = InputOptions { memory_bytes: 0, ..InputOptions::default() };
    let mut reader = InputReader::open(design, vec![Source::file(&file.path).unwrap()], options)?;
    let (mut row, mut told) = (reader.new_row(), Vec::new());
    loop {
        match reader.next(&mut row)? {
            Next::Row => told.push(Ok(reader.line())),
            Next::Rejected(reject) => told.push(Err(reject)),
            Next::End => return Ok(told),
        }
    }
}

#[test]
fn rows_beyond_the_memory_are_rejected_and_pages_beyond_it_are_an_error() {
    let texts = [10, 512 << 10, 3 << 20, 10].map(|len| "x".repeat(len)).to_vec();
    let told = read_with_least_memory(texts).unwrap();
    assert!(matches!((&told[0], &told[1], &told[3]), (Ok(1), Ok(2), Ok(4))));
    let reject = told[2].as_ref().unwrap_err();
    assert!(reject.to_string().ends_with(
        "c.parquet:3: a row of more than 524288 bytes, only the beginning of which is kept: it takes 33554432 bytes of \
         memory to load such rows, or more"
    ), "{reject}");
    assert_eq!(reject.raw, b"{\"phone\":12347");
    let error = read_with_least_memory(vec!["x".repeat(33 << 20)]).unwrap_err().to_string();
    assert!(error.contains("column \"s\", after row 0: a page of "), "{error}");
}

proptest! {
    /// The footer, the pages and the index of a small file, byte by byte.
    #[test]
    fn damaged_files_never_panic(at in 0.0..1.0_f64, byte in any::<u8>()) {
        let file = written(vec![
            ("phone", phones(300)),
            ("ts", Arc::new(TimestampMillisecondArray::from_iter_values(0..300))),
            ("city", Arc::new(StringArray::from_iter_values((0..300).map(|n| format!("c{}", n % 7))))),
            ("n", Arc::new(Int32Array::from_iter_values(0..300))),
        ]);
        let mut bytes = std::fs::read(&file.path).unwrap();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a share")]
        let at = (at * bytes.len() as f64) as usize;
        bytes[at] = byte;
        std::fs::write(&file.path, bytes).unwrap();
        // Any outcome is right but a panic.
        drop(file.read(&calls("error")));
    }
}
