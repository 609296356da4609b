use std::fs;
use std::io::{self, Read};

use keystride_table::input::*;

use crate::reading::*;

fn open_path(path: &std::path::Path) -> InputError {
    open(&[SourceSpec::parse(path)], calls("error"), InputOptions::default()).unwrap_err()
}

#[test]
fn a_missing_file_and_a_folder_are_told_with_what_would_do() {
    let folder = tempfile::tempdir().unwrap();
    let error = open_path(&folder.path().join("no.csv")).to_string();
    assert!(error.contains("no.csv: there is no such file: check the path"), "{error}");
    let error = open_path(folder.path()).to_string();
    assert!(
        error.contains(" is a folder: name its files, such as '") && error.ends_with("*.csv'"),
        "{error}"
    );
    let error = open_path(&folder.path().join("*.csv")).to_string();
    assert!(error.contains("*.csv: no file matches"), "{error}");
}

#[test]
fn a_path_that_leads_through_a_file_can_t_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.csv"), "x").unwrap();
    let error = open_path(&folder.path().join("a.csv/b.csv")).to_string();
    assert!(error.contains("can't be opened: "), "{error}");
}

#[test]
fn nothing_named_is_nothing_to_read() {
    let error = open(&[], calls("error"), InputOptions::default()).unwrap_err();
    assert!(matches!(error, InputError::NoSources));
    let error = InputReader::open(calls("error"), Vec::new(), InputOptions::default()).unwrap_err();
    assert!(matches!(error, InputError::NoSources));
}

#[test]
fn an_empty_file_has_no_header_and_no_json_lines() {
    for text in ["", "\n\r\n", "\u{feff}"] {
        assert_eq!(read("c.csv", text).unwrap_err().to_string(), "c.csv: no header: the file is empty");
    }
    assert!(read("c.jsonl", "").unwrap().is_empty());
    assert!(read("c.csv", "phone,ts,city,n\n").unwrap().is_empty());
}

#[test]
fn bytes_of_another_format_are_known() {
    let error = read("c.csv", b"PAR1....").unwrap_err().to_string();
    assert_eq!(error, "c.csv is read as CSV, but its bytes are Parquet: name that as the input's format");
    let error = read("standard input", "{\"phone\":1}\n").unwrap_err().to_string();
    assert!(error.contains("is read as CSV, but its bytes are JSON lines"), "{error}");
    for (head, kind) in [(&b"PK\x03\x04..."[..], "zip"), (b"\xFD7zXZ\0", "xz"), (b"BZh91AY", "bzip2")] {
        let error = read("c.csv", head).unwrap_err().to_string();
        assert!(error.starts_with(&format!("c.csv is compressed with {kind}, which is not read")), "{error}");
    }
}

#[test]
fn a_record_without_an_end_does_not_fill_the_memory() {
    let open_quote = io::Cursor::new("\nphone,ts,\"\n").chain(io::repeat(b'x'));
    let line = io::Cursor::new("{\"phone\":\"").chain(io::repeat(b'x'));
    for (source, told) in [
        (
            Source::reader("c.csv", open_quote),
            "c.csv:2: the header can't be read: a quote is left open up to line 3, where 16 MiB are full",
        ),
        (Source::reader("c.json", line), "c.json:1: the first line is longer than 16 MiB"),
    ] {
        let error =
            read_sources(&calls("error"), vec![source], InputOptions::default()).unwrap_err().to_string();
        assert!(error.starts_with(told), "{error}");
    }
}

/// Rejects and rows of a text in which 18 MiB of such lines stand between two pieces.
fn with_between(name: &str, pieces: [&'static str; 2], line: &[u8]) -> Vec<String> {
    let lines = std::iter::repeat_n(line, (18 << 20) / line.len()).flatten().copied().collect::<Vec<_>>();
    let text = io::Cursor::new(pieces[0]).chain(io::Cursor::new(lines)).chain(io::Cursor::new(pieces[1]));
    read_sources(&calls("error"), vec![Source::reader(name, text)], InputOptions::default()).unwrap()
}

#[test]
fn a_line_that_is_too_long_is_rejected_and_the_next_one_is_read() {
    let reason = "longer than 16 MiB, and only the beginning is kept";
    for csv in [
        ["phone,ts,city,n\n12345,,\"", "\",1\n12346,,b,2\n"],
        ["phone,ts,city,n\n12345,,", ",1\n12346,,b,2\n"],
    ] {
        let told = with_between("c.csv", csv, &[b'x'; 1024]);
        assert!(told[0].starts_with(&format!("rejected c.csv:2: {reason}")), "{}", told[0]);
        assert_eq!(told[1..], ["3: 12346|-|b|2"]);
    }
    let json = ["{\"phone\":1}\n{\"phone\":\"", "\"}\n{\"phone\":\"12346\"}\n"];
    let told = with_between("c.json", json, &[b'x'; 1024]);
    assert!(told[1].starts_with(&format!("rejected c.json:2: {reason}")), "{}", told[1]);
    assert_eq!(told[2..], ["3: 12346|-|-|-"]);
}

#[test]
fn a_quote_left_open_over_more_than_a_record_may_have_costs_its_line_alone() {
    let line = b"12347,,open before,3\n";
    let told = with_between("c.csv", ["phone,ts,city,n\n12345,,\"", ""], line);
    let last = ((16 << 20) - "12345,,\"".len()) / line.len() + 2;
    assert!(
        told[0].starts_with(&format!("rejected c.csv:2: a quote is left open up to line {last}, where")),
        "{}",
        told[0]
    );
    assert_eq!((told[1].as_str(), told.len()), ("3: 12347|-|open before|3", (18 << 20) / line.len()));
}

/// Without what is known of the lines before, this would take hours.
#[test]
fn quotes_that_each_line_closes_and_opens_are_parsed_once() {
    let line = format!("{}\",\"\n", "a".repeat(1020)).into_bytes();
    let told = with_between("c.csv", ["phone,ts,city,n\n12345,,\"", "b\"c"], &line);
    assert_eq!(told.len(), (18 << 20) / line.len() + 1);
}

#[test]
fn empty_lines_without_end_take_no_memory() {
    let lines = io::Cursor::new("phone,ts,city,n\n").chain(io::repeat(b'\n').take(100_000_000));
    let source = Source::reader("c.csv", lines.chain(io::Cursor::new("12345,,a,1")));
    assert_eq!(
        read_sources(&calls("error"), vec![source], InputOptions::default()).unwrap(),
        ["100000002: 12345|-|a|1"]
    );
}

#[test]
fn a_source_that_fails_says_after_which_line_and_gives_nothing_more() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    let text = io::Cursor::new("phone,ts,city,n\n12345,,a,1\n12346,,b").chain(Broken);
    let sources = vec![Source::reader("c.csv", text), source("d.csv", "phone,ts,city,n\n1,,a,1\n")];
    let mut reader = InputReader::open(calls("error"), sources, InputOptions::default()).unwrap();
    let mut row = reader.new_row();
    assert!(matches!(reader.next(&mut row).unwrap(), Next::Row));
    let error = reader.next(&mut row).unwrap_err().to_string();
    assert!(error.starts_with("c.csv: reading stopped after line 2: the disk is gone"), "{error}");
    assert!(matches!(reader.next(&mut row).unwrap(), Next::End));
}
