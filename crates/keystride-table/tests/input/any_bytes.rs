use keystride::design::{Charset, Mark};
use keystride_table::input::*;
use proptest::prelude::*;

use crate::reading::*;

fn any_options() -> impl Strategy<Value = InputOptions> {
    let header = prop_oneof![Just(Header::Present), Just(Header::Absent)];
    let encoding = prop_oneof![Just(None), Just(Some(Charset::Gb18030)), Just(Some(Charset::Latin1))];
    let format = prop_oneof![Just(Format::Csv), Just(Format::JsonLines)];
    let marks =
        prop_oneof![Just((None, None)), Just((Some(Mark::NONE), None)), Just((None, Some(Mark::BACKSLASH)))];
    (header, encoding, format, marks).prop_map(|(header, encoding, format, (quote, escape))| InputOptions {
        format: Some(format),
        quote,
        escape,
        delimiter: None,
        header,
        encoding,
        ..InputOptions::default()
    })
}

/// Bytes that mean something to the readers, more often than not.
fn any_text() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..6),
        proptest::sample::select(vec![
            ",",
            "\"",
            "\n",
            "\r",
            "\r\n",
            "\\",
            "12345",
            "{",
            "}",
            ":",
            "[",
            "null",
            "\\u",
            "d83d",
            "NA",
            "{\"phone\":",
            "\"city\"",
            "\"x\"",
            "\u{feff}",
            "\u{6cb3}",
            "1e3",
            "1.0",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
    ];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn never_panic(
        text in any_text(),
        headed in any::<bool>(),
        options in any_options(),
        other in proptest::sample::select(vec!["error", "drop", "x"]),
    ) {
        let head: &[u8] = if headed { b"phone,ts,city,n\n" } else { b"" };
        let text = [head, &text].concat();
        // Any outcome is right but a panic.
        drop(read_with(&calls(other), "input", text, options));
    }

    #[test]
    fn packed_or_not_never_panic(head in 0..3_usize, text in proptest::collection::vec(any::<u8>(), 0..200)) {
        let heads: [&[u8]; 3] = [b"\x1F\x8B\x08\0", b"\x28\xB5\x2F\xFD", b"PAR1"];
        drop(read("input", [heads[head], &text].concat()));
    }

    /// Every record comes back as a row or a reject, at the line where it begins, and as it was.
    #[test]
    fn of_written_records_come_back_with_their_lines(cities in proptest::collection::vec("[a\",\n\r ü]{0,8}", 0..20)) {
        let mut text = "phone,ts,city,n\n".to_owned();
        let mut expected = Vec::new();
        for city in &cities {
            let record = format!("12345,,\"{}\",1", city.replace('"', "\"\""));
            expected.push((1 + text.matches('\n').count() as u64, city.clone(), record.clone()));
            text.push_str(&record);
            text.push_str("\r\n");
        }
        let mut reader = InputReader::open(calls("error"), vec![source("c.csv", &text)], InputOptions::default()).unwrap();
        let mut row = reader.new_row();
        for (line, city, record) in expected {
            let next = reader.next(&mut row).unwrap();
            prop_assert_eq!(reader.line(), line);
            prop_assert_eq!(&*reader.raw(), record.as_bytes());
            if city.len() > 12 {
                prop_assert!(matches!(next, Next::Rejected(_)));
            } else {
                prop_assert!(matches!(next, Next::Row));
                let value = if city.is_empty() { None } else { Some(keystride::Value::Text(&city)) };
                prop_assert_eq!(row.get(2), value);
            }
        }
        prop_assert!(matches!(reader.next(&mut row).unwrap(), Next::End));
    }
}
