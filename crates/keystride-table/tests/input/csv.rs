use std::sync::Arc;

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
fn a_quote_left_open_gives_up_its_line_alone() {
    for end in ["", "\n"] {
        let told = rows(&format!("12345,,Oslo,1\n12346,,\"Rome,2\n12347,,Bern,3{end}"));
        let reason =
            "a quote is left open to the end of the source, line 4: close it, or say the input's quote";
        assert_eq!(
            told,
            ["2: 12345|-|Oslo|1", &format!("rejected calls.csv:3: {reason}"), "4: 12347|-|Bern|3"]
        );
    }
}

#[test]
fn text_behind_a_closing_quote_rejects_the_record_and_of_several_lines_the_first() {
    let reason = |line| {
        format!(
            "text follows a closing quote, in line {line}: double the quotes within quotes, or say the input's quote \
             and escape"
        )
    };
    let told = rows("12345,,\"a,1\r\n12346,,\"x\",2\r\n12347,,y,3\r\n");
    assert_eq!(
        told,
        [format!("rejected calls.csv:2: {}", reason(3)), "3: 12346|-|x|2".into(), "4: 12347|-|y|3".into()]
    );
    for record in [
        "12345,,\"a\"b,1",
        "12345,,\"a\" ,1",
        "12345,,\"a\\\"b\",1",
        "12345,,\"a\"b,\"1",
        "12345,,\"a\"\rb,1",
    ] {
        let told = rows(&format!("{record}\n12346,,\"x\",2\n"));
        assert_eq!(
            told,
            [format!("rejected calls.csv:2: {}", reason(2)), "3: 12346|-|x|2".into()],
            "{record}"
        );
    }
    let told = read("c.csv", "phone,ts,n,city\n12345,,1,\"a\"b").unwrap();
    assert_eq!(told, [format!("rejected c.csv:2: {}", reason(2))]);
}

#[test]
fn a_line_is_given_up_as_it_was_and_is_a_record_of_its_own() {
    let text = format!("{HEADER}12345,,\"a,1\r\n12346,,\"x\",2\n");
    let mut reader =
        InputReader::open(calls("error"), vec![source("c.csv", text)], InputOptions::default()).unwrap();
    let mut row = reader.new_row();
    let Next::Rejected(reject) = reader.next(&mut row).unwrap() else { panic!() };
    assert_eq!((reject.line, &*reject.raw), (2, &b"12345,,\"a,1"[..]));
    assert_eq!(reader.position(), Position { source: 0, record: 1 });
    assert!(matches!(reader.next(&mut row).unwrap(), Next::Row));
    assert_eq!((reader.line(), reader.position().record), (3, 2));
}

#[test]
fn a_header_that_breaks_its_quotes_is_an_error() {
    let error = read("c.csv", "phone,\"ts\"x,city,n\n12345,,a,1\n").unwrap_err().to_string();
    assert!(error.starts_with("c.csv:1: the header can't be read: text follows a closing quote"), "{error}");
}

fn marks(quote: &str, escape: &str) -> InputOptions {
    InputOptions {
        quote: Some(quote.parse().unwrap()),
        escape: Some(escape.parse().unwrap()),
        ..InputOptions::default()
    }
}

#[test]
fn an_escape_takes_the_next_character_as_it_is() {
    let text = "phone,ts,n,city\n12345,,1,\"a\\\"b\"\n12346,,2,\\n\\,\\\\\r\n12347,,3,a\\\nb\n12348,,4,\"c\\\r\"\n12349,,5,d\\\r\n\
                12350,,6,\"\"\n12351,,7,\"\"\"e\"\n12352,,8,\\";
    let told = read_with(&calls("error"), "c.csv", text, marks("\"", "\\")).unwrap();
    assert_eq!(
        told[..6],
        [
            "2: 12345|-|a\"b|1",
            "3: 12346|-|n,\\|2",
            "4: 12347|-|a\nb|3",
            "6: 12348|-|c\r|4",
            "7: 12349|-|d\r|5",
            "8: 12350|-|-|6"
        ]
    );
    assert!(told[6].starts_with("rejected c.csv:9: text follows a closing quote"), "{}", told[6]);
    assert_eq!(told[7], "rejected c.csv:10: the escape at the end of the source has nothing to escape");
}

#[test]
fn an_escaped_line_end_in_quotes_that_stay_open_ends_the_line_that_is_given_up() {
    let text = "phone,ts,n,city\n12345,,1,\"stray \\\n12346,,2,b\n12347,,3,c\n";
    let told = read_with(&calls("error"), "c.csv", text, marks("\"", "\\")).unwrap();
    assert!(told[0].starts_with("rejected c.csv:2: "), "{told:?}");
    assert_eq!(told[1..], ["3: 12346|-|b|2", "4: 12347|-|c|3"]);
}

#[test]
fn another_quote_or_none_leaves_the_usual_one_to_the_text() {
    let text = "phone,ts,n,city\n12345,,1,'a,\"'\n12346,,2,\"b\n";
    let told = read_with(&calls("error"), "c.csv", text, marks("'", "none")).unwrap();
    assert_eq!(told, ["2: 12345|-|a,\"|1", "3: 12346|-|\"b|2"]);
    let text = "phone\tts\tn\tcity\n12345\t\t1\t\"a\"\n";
    let told = read_with(&calls("error"), "c.tsv", text, marks("none", "none")).unwrap();
    assert_eq!(told, ["2: 12345|-|\"a\"|1"]);
}

#[test]
fn escaped_tsv_has_names_for_tabs_and_line_ends_and_null_stays_what_it_is() {
    let text = "phone\tts\tn\tcity\n12345\t\t1\ta\\tb\\nc\\rd\\\\n\n12346\t\\N\t2\t\\N\r\n12347\t\t3\t\\Na";
    let design = calls("error");
    let design = keystride::Design::from_toml(&design.to_toml(None).replace("\"NA\"", "'\\N'")).unwrap();
    let told = read_with(&Arc::new(design), "c.tsv", text, marks("none", "\\")).unwrap();
    assert_eq!(told, ["2: 12345|-|a\tb\nc\rd\\n|1", "3: 12346|-|-|2", "4: 12347|-|Na|3"]);
}

#[test]
fn one_character_has_one_meaning() {
    let semicolon = InputOptions { delimiter: Some(";".parse().unwrap()), ..marks(";", "none") };
    for (options, two) in
        [(semicolon, "the delimiter and the quote"), (marks("'", "'"), "the quote and the escape")]
    {
        let error = read_with(&calls("error"), "c.csv", HEADER, options).unwrap_err().to_string();
        assert!(error.starts_with(&format!("c.csv: {two} are both ")), "{error}");
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
    /// What is between records that are read does not depend on how the bytes come, nor is any line lost.
    #[test]
    fn every_line_is_told_however_quotes_are_broken(
        lines in prop::collection::vec("[a\",\\\\\n]{1,6}", 1..30),
        is_escaped in any::<bool>(),
    ) {
        let options = marks("\"", if is_escaped { "\\" } else { "none" });
        let design = with_fields("phone = { type = \"string\" }", "error");
        let options = InputOptions { header: Header::Absent, ..options };
        let text = format!("x\n{}", lines.concat());
        let whole = Source::reader("c.csv", std::io::Cursor::new(text.clone()));
        let pieces = read_sources(&design, vec![source("c.csv", &text)], options).unwrap();
        let mut reader = InputReader::open(design, vec![whole], options).unwrap();
        prop_assert_eq!(read_on(&mut reader).unwrap(), pieces);

        let mut reader = InputReader::open(Arc::clone(reader.design()), vec![source("c.csv", &text)], options).unwrap();
        let (mut row, mut rest) = (reader.new_row(), text.as_str());
        while !matches!(reader.next(&mut row).unwrap(), Next::End) {
            let raw = String::from_utf8(reader.raw().into_owned()).unwrap();
            rest = rest.trim_start_matches('\n').strip_prefix(&raw).unwrap();
        }
        prop_assert_eq!(rest.trim_start_matches('\n'), "");
    }

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
