use std::sync::Arc;

use keystride::design::Charset;
use keystride::{Design, Value};
use keystride_table::input::*;

use crate::reading::*;

/// The two characters U+6CB3 U+5317 are BA D3 B1 B1 in GBK.
const GBK: &[u8] = b"phone,ts,city,n\n12345,,\xBA\xD3\xB1\xB1,1\n12346,,\xBA,2\n12347,,a,3\n";

fn in_charset(encoding: Charset) -> InputOptions {
    InputOptions { encoding: Some(encoding), ..InputOptions::default() }
}

#[test]
fn a_whole_file_may_be_gbk() {
    let encoding = Charset::named("gbk").unwrap();
    let told = read_with(&calls("error"), "c.csv", GBK, in_charset(encoding)).unwrap();
    assert_eq!(told[0], "2: 12345|-|河北|1");
    let why = "not gb18030: try --encoding gb18030, or give the field a charset";
    assert_eq!(told[1], format!("rejected c.csv:3: column \"city\": {why}"));
    assert_eq!(told[2], "4: 12347|-|a|3");
}

#[test]
fn a_delimiter_inside_a_gbk_character_is_none() {
    // U+4E44 is 81 7C in GBK, whose second byte is that of a bar.
    let options = InputOptions { delimiter: Some("|".parse().unwrap()), ..in_charset(Charset::Gb18030) };
    let told = read_with(&calls("error"), "c.csv", b"phone|ts|city|n\n12345||\x81\x7C|1\n", options).unwrap();
    assert_eq!(told, ["2: 12345|-|乗|1".replace('乗', &from_gbk(b"\x81\x7C"))]);
}

fn from_gbk(bytes: &[u8]) -> String {
    let design = with_fields("phone = { type = \"string\", charset = \"gbk\" }", "error");
    let text = [b"phone\n", bytes].concat();
    let told = read_with(&design, "c.csv", text, InputOptions::default()).unwrap();
    told[0].strip_prefix("2: ").unwrap().to_owned()
}

#[test]
fn a_header_and_json_may_be_gbk() {
    let design = with_fields("phone = { type = \"string\" }", "x");
    let told =
        read_with(&design, "c.csv", b"phone,\xBA\xD3\n1,\xB1\xB1\n", in_charset(Charset::Gb18030)).unwrap();
    assert_eq!(told, ["2: 1 河=北"]);
    let line = b"{\"phone\":\"\xBA\xD3\"}\n";
    let told = read_with(&design, "c.jsonl", line, in_charset(Charset::Gb18030)).unwrap();
    assert_eq!(told, ["1: 河"]);
}

#[test]
fn a_design_may_say_the_charset_of_its_files() {
    let fields = "phone = { type = \"string\" }\nhas_charset = { type = \"string\", charset = \"latin1\" }";
    let design = with_fields(fields, "x");
    let text = design.to_toml(None).replace("[input]\n", "[input]\nencoding = \"gbk\"\n");
    let design = Arc::new(Design::from_toml(&text).unwrap());
    let read = |name, bytes: &[u8], options| read_with(&design, name, bytes, options).unwrap();
    let gbk = b"phone,has_charset,\xBA\xD3\n1,\xB1\xB1,\xB1\xB1\n";
    assert_eq!(read("c.csv", gbk, InputOptions::default()), ["2: 1|北 河=北"]);
    let json = "{\"phone\":\"河\"}\n";
    assert_eq!(read("c.jsonl", json.as_bytes(), InputOptions::default()), ["1: 河|-"], "JSON is UTF-8");
    let columns = Some(["phone", "has_charset", "city"].map(str::to_owned).to_vec());
    let message = |format, bytes: &[u8]| {
        let mut reader =
            MessageReader::new("calls", Arc::clone(&design), &[], format, InputOptions::default()).unwrap();
        let mut row = reader.new_row();
        reader.read(bytes, ("calls-0", 1), &mut row).unwrap();
        assert_eq!(row.get(0), Some(Value::Text("河")));
    };
    message(MessageFormat::Csv { columns }, b"\xBA\xD3,1,1");
    message(MessageFormat::Json, json.trim().as_bytes());
    let printed = "phone,has_charset,河\n1,北,北\n";
    assert_eq!(read("c.csv", printed.as_bytes(), in_charset(Charset::Utf8)), ["2: 1|北 河=北"]);
}

#[test]
fn a_whole_file_may_be_latin1() {
    let told = read_with(
        &calls("error"),
        "c.csv",
        b"phone,ts,city,n\n12345,,Malm\xF6,1\n",
        in_charset(Charset::Latin1),
    );
    assert_eq!(told.unwrap(), ["2: 12345|-|Malmö|1"]);
}

#[test]
fn a_field_may_have_a_charset_of_its_own() {
    let design = with_fields(
        r#"
        phone = { type = "string" }
        a = { type = "string", charset = "gb18030" }
        b = { type = "string", charset = "latin1" }
        "#,
        "error",
    );
    let text = "phone,a,b\n北,".as_bytes().iter().chain(b"\xBA\xD3,\xF6\n").chain("北,".as_bytes());
    // The GBK bytes C3 B6 are valid UTF-8 as well.
    let text: Vec<u8> = text.chain(b"\xC3\xB6,\xC3\xB6\n").copied().collect();
    let told = read_with(&design, "c.csv", &text, InputOptions::default()).unwrap();
    assert_eq!(told, ["2: 北|河|ö", "3: 北|枚|Ã¶"]);
}

#[test]
fn bytes_that_are_not_utf8_are_rejected_with_line_and_column() {
    let told = read("c.csv", GBK).unwrap();
    let why = "not utf-8: try --encoding gb18030, or give the field a charset";
    assert_eq!(told[0], format!("rejected c.csv:2: column \"city\": {why}"));
    assert_eq!(told[1], format!("rejected c.csv:3: column \"city\": {why}"));
    assert_eq!(told[2], "4: 12347|-|a|3");
}

#[test]
fn a_character_cut_in_two_by_a_delimiter_is_not_text() {
    let told = read("c.csv", b"phone,city,ts,n\n12345,\xC3,\xB6,1\n").unwrap();
    assert!(told[0].starts_with("rejected c.csv:2: column \"city\": not utf-8"), "{}", told[0]);
}

#[test]
fn utf16_and_a_header_in_another_charset_are_told() {
    let error = read("c.csv", b"\xFF\xFEp\0h\0").unwrap_err();
    assert!(matches!(error, InputError::Utf16 { .. }), "{error}");
    let error = read("c.csv", b"phone,\xBA\xD3\n").unwrap_err();
    assert_eq!(error.to_string(), "c.csv:1: the header is not utf-8 (its column 2): try --encoding gb18030");
}

#[test]
fn a_delimiter_that_may_be_a_part_of_a_character_is_refused_unless_the_whole_file_is_converted() {
    let design = with_fields(
        "phone = { type = \"string\" }\ncity = { type = \"string\", charset = \"gb18030\" }",
        "error",
    );
    // The second byte of U+4E28 is the bar.
    let text = b"phone|city\n1|\xA6\x7C\n";
    let bar = InputOptions { delimiter: Some("|".parse().unwrap()), ..InputOptions::default() };
    let error = read_with(&design, "c.csv", text, bar).unwrap_err().to_string();
    assert!(
        error
            .starts_with("c.csv: '|' may be a part of a character of gb18030, the charset of field \"city\""),
        "{error}"
    );
    let whole = InputOptions { encoding: Some(Charset::Gb18030), ..bar };
    assert_eq!(read_with(&design, "c.csv", text, whole).unwrap().len(), 1);
}
