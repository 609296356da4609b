use keystride_table::input::*;
use proptest::prelude::*;

use crate::reading::*;

const HEADER: &str = "phone,ts,city,n\n";

fn rows(body: &str) -> Vec<String> {
    read("calls.csv", format!("{HEADER}{body}")).unwrap()
}

#[test]
fn columns_may_stand_in_any_order() {
    let told = read("calls.csv", "n,city,ts,phone\n7,Oslo,1400657685457,12345\n").unwrap();
    assert_eq!(told, ["2: 12345|1400657685457|Oslo|7"]);
}

#[test]
fn texts_that_mean_no_value_leave_the_field_absent() {
    assert_eq!(rows("12345,1400657685457,NA,\n"), ["2: 12345|1400657685457|-|-"]);
}

#[test]
fn lines_may_end_in_crlf_and_the_last_in_nothing() {
    let told = read("calls.csv", "phone,ts,city,n\r\n12345,,Oslo,1\r\n\r\n12346,,Rome,2").unwrap();
    assert_eq!(told, ["2: 12345|-|Oslo|1", "4: 12346|-|Rome|2"]);
}

#[test]
fn a_carriage_return_inside_a_field_is_a_part_of_it() {
    let told = rows("12345,,a\rb,1\r\n\r\n\r\n12346,,\rc,2\n12347,,\"d\r\",3\r\n12348,,e,");
    assert_eq!(told, ["2: 12345|-|a\rb|1", "5: 12346|-|\rc|2", "6: 12347|-|d\r|3", "7: 12348|-|e|-"]);
    let told = read("c.csv", "phone,ts,n,city\r\n12345,,1,\"a\r\"\r\n12346,,,\r\n12347,,3,b\r").unwrap();
    assert_eq!(told, ["2: 12345|-|a\r|1", "3: 12346|-|-|-", "4: 12347|-|b|3"]);
    for end in ["\r", "\r\n", "\r\n\r", "\n\r\n"] {
        assert_eq!(rows(&format!("12345,,a,1{end}")), ["2: 12345|-|a|1"], "{end:?}");
    }
}

#[test]
fn quotes_hold_delimiters_line_ends_and_quotes() {
    let told = rows("12345,,\"a,\"\"b\"\"\nc\",1\n12346,,x,2\n");
    assert_eq!(told, ["2: 12345|-|a,\"b\"\nc|1", "4: 12346|-|x|2"]);
}

#[test]
fn records_may_have_many_fields_and_long_ones_quoted_or_not() {
    let design = with_fields("phone = { type = \"int\" }", "x");
    let header: String = (0..300).map(|column| format!(",c{column}")).collect::<Vec<_>>().concat();
    let long = "y".repeat(10_000);
    for quote in ["", "\""] {
        let values: Vec<_> = (0..300).map(|column| format!(",{quote}v{column}{quote}")).collect();
        let text = format!("phone{header},last\n1{},{quote}{long}{quote}\n2\n", values.concat());
        let told = read_with(&design, "c.csv", text, InputOptions::default()).unwrap();
        let others: Vec<_> = (0..300).map(|column| format!(" c{column}=v{column}")).collect();
        assert_eq!(told[0], format!("2: 1{} last={long}", others.concat()), "{quote}");
        assert_eq!(told[1], "rejected c.csv:3: 1 column, not 302");
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_name() {
    assert_eq!(read("c.csv", "\u{feff}phone,ts,city,n\n12345,,a,1\n").unwrap(), ["2: 12345|-|a|1"]);
}

#[test]
fn empty_lines_are_no_records_and_are_counted() {
    let told = read("calls.csv", "\n\nphone,ts,city,n\n\n12345,,a,1\n\n\nbad,,b,2\n\n").unwrap();
    assert_eq!(told[0], "5: 12345|-|a|1");
    assert!(told[1].starts_with("rejected calls.csv:8: column \"phone\""), "{}", told[1]);
}

#[test]
fn a_value_that_its_field_does_not_take_rejects_the_record_alone() {
    let told = rows("12345,soon,Oslo,1\n12345,,Oslo,1001\n12345,,Oslo,1\n");
    assert!(told[0].starts_with("rejected calls.csv:2: column \"ts\": \"soon\" is not"), "{}", told[0]);
    assert_eq!(told[1], "rejected calls.csv:3: column \"n\": 1001 is out of range: 0 to 1000");
    assert_eq!(told[2], "4: 12345|-|Oslo|1");
}

#[test]
fn a_record_of_other_width_than_the_header_is_rejected() {
    let told = rows("12345,,Oslo\n12345,,Oslo,1,2\n12345,,Oslo,1\n");
    assert_eq!(told[0], "rejected calls.csv:2: 3 columns, not 4");
    assert_eq!(told[1], "rejected calls.csv:3: 5 columns, not 4");
    assert_eq!(told[2], "4: 12345|-|Oslo|1");
}

#[test]
fn a_quote_left_open_rejects_the_rest_of_the_source() {
    for end in ["", "\n"] {
        let told = rows(&format!("12345,,Oslo,1\n12346,,\"Rome,2\n12347,,Bern,3{end}"));
        assert_eq!(told.len(), 2);
        assert_eq!(told[1], "rejected calls.csv:3: a quote is left open to the end of the source, line 4");
    }
}

#[test]
fn a_quote_closed_at_the_very_end_is_closed() {
    let told = read("c.csv", "phone,ts,n,city\n12345,,1,\"Oslo\"").unwrap();
    assert_eq!(told, ["2: 12345|-|Oslo|1"]);
}

#[test]
fn another_delimiter_is_an_option_and_a_tab_goes_by_the_name() {
    let options = InputOptions { delimiter: Some(";".parse().unwrap()), ..InputOptions::default() };
    let told = read_with(&calls("error"), "c.csv", "phone;ts;city;n\n12345;;a,b;1\n", options).unwrap();
    assert_eq!(told, ["2: 12345|-|a,b|1"]);
    let told = read("c.tsv", "phone\tts\tcity\tn\n12345\t\ta,b\t1\n").unwrap();
    assert_eq!(told, ["2: 12345|-|a,b|1"]);
}

#[test]
fn without_a_header_the_columns_are_the_design_s_source_fields() {
    let design = with_fields(
        r#"
        phone = { type = "digits", len = 5 }
        head = { from = "left(phone,2)" }
        n = { type = "int" }
        "#,
        "error",
    );
    let options = InputOptions { header: Header::Absent, ..InputOptions::default() };
    let told = read_with(&design, "c.csv", "12345,1\n12346\n12347,3\n", options).unwrap();
    assert_eq!(told, ["1: 12345|1|-", "rejected c.csv:2: 1 column, not 2", "3: 12347|3|-"]);
    assert!(read_with(&design, "c.csv", "", options).unwrap().is_empty());
    let error = read_with(&design, "c.csv", "\n12345,1,2\n", options).unwrap_err();
    assert!(error.to_string().starts_with("c.csv:2: 3 columns, but the design reads 2 fields"), "{error}");
}

#[test]
fn a_record_longer_than_the_window_is_read_whole() {
    let city = "x".repeat(600_000);
    let told = rows(&format!("12345,,{city},1\n12345,,a,1\n"));
    assert!(told[0].contains("600000 bytes"), "{}", &told[0][..200]);
    assert_eq!(told[1], "3: 12345|-|a|1");
}

#[test]
fn the_raw_record_is_as_it_was() {
    let text = "phone,ts,city,n\r\nx,,\"a\r\n\"\"b\",1\r\n";
    let mut reader =
        InputReader::open(calls("error"), vec![source("c.csv", text)], InputOptions::default()).unwrap();
    let mut row = reader.new_row();
    let Next::Rejected(reject) = reader.next(&mut row).unwrap() else { panic!() };
    assert_eq!(reject.raw, b"x,,\"a\r\n\"\"b\",1");
    assert_eq!(&*reader.raw(), b"x,,\"a\r\n\"\"b\",1");
}

#[test]
fn a_row_of_another_design_is_replaced() {
    let text = format!("{HEADER}12345,,a,1\n");
    let mut reader =
        InputReader::open(calls("error"), vec![source("c.csv", text)], InputOptions::default()).unwrap();
    let mut row = keystride::Row::new(1);
    assert!(matches!(reader.next(&mut row).unwrap(), Next::Row));
    assert_eq!(row.len(), 4);
}

/// Cities of up to four characters, of which some make a line need quotes.
fn cities() -> impl Strategy<Value = Vec<String>> {
    let character = prop::sample::select(vec!['a', 'é', ' ', ',', '"', '\n', '\r']);
    let city = prop::collection::vec(character, 0..=4).prop_map(String::from_iter);
    prop::collection::vec(city, 1..40)
}

/// A file of cities, quoted where `is_quoted` says so; each line ends in LF or CRLF.
fn file_of(cities: &[String], is_quoted: impl Fn(&str) -> bool) -> String {
    let lines = cities.iter().enumerate().map(|(row, city)| {
        let end = if row % 3 == 0 { "\r\n" } else { "\n" };
        let city = if is_quoted(city) { format!("\"{}\"", city.replace('"', "\"\"")) } else { city.clone() };
        format!("12345,,1,{city}{end}")
    });
    lines.fold("phone,ts,n,city\n".to_owned(), |file, line| file + &line)
}

proptest! {
    /// Lines without quotes are not parsed but cut.
    #[test]
    fn a_field_means_the_same_with_quotes_and_without(cities in cities()) {
        let needs_quotes = |city: &str| city.contains([',', '"', '\n', '\r']);
        let bare = read("calls.csv", file_of(&cities, needs_quotes)).unwrap();
        let quoted = read("calls.csv", file_of(&cities, |_| true)).unwrap();
        prop_assert_eq!(&bare, &quoted);
        prop_assert_eq!(bare.len(), cities.len());
    }
}
