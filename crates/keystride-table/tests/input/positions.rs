use std::fs;

use keystride_table::input::*;

use crate::reading::*;

const CSV: &str = "phone,ts,city,n\n12345,,a,1\nbad,,b,2\n12347,,c,3\n";
const JSON: &str = "{\"phone\":\"22345\"}\n\n{\"phone\":\"22346\"}\n";

fn both() -> Vec<Source> {
    vec![source("a.csv", CSV), source("b.jsonl", JSON), source("c.csv", CSV)]
}

#[test]
fn several_sources_are_one_stream_with_lines_and_a_header_each() {
    let told = read_sources(&calls("error"), both(), InputOptions::default()).unwrap();
    assert_eq!(told.len(), 8);
    assert_eq!(told[0], "2: 12345|-|a|1");
    assert!(told[1].starts_with("rejected a.csv:3: column \"phone\""));
    assert_eq!(told[3..5], ["1: 22345|-|-|-", "3: 22346|-|-|-"]);
    assert!(told[6].starts_with("rejected c.csv:3: column \"phone\""));
}

#[test]
fn each_header_is_its_own() {
    let sources = vec![
        source("a.csv", "phone,ts,city,n,k\n12345,,a,1,x\n"),
        source("b.csv", "l,n,ts,city,phone\ny,2,,b,12346\n"),
    ];
    let told = read_sources(&calls("x"), sources, InputOptions::default()).unwrap();
    assert_eq!(told, ["2: 12345|-|a|1 k=x", "2: 12346|-|b|2 l=y"]);
}

#[test]
fn positions_count_sources_and_their_records() {
    let mut reader = InputReader::open(calls("error"), both(), InputOptions::default()).unwrap();
    let mut row = reader.new_row();
    let mut positions = vec![reader.position()];
    while !matches!(reader.next(&mut row).unwrap(), Next::End) {
        positions.push(reader.position());
    }
    let at = |source, record| Position { source, record };
    assert_eq!(positions[..4], [at(0, 0), at(0, 1), at(0, 2), at(0, 3)]);
    assert_eq!(positions[4..], [at(1, 1), at(1, 2), at(2, 1), at(2, 2), at(2, 3)]);
}

#[test]
fn progress_counts_the_bytes_on_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (folder.path().join("a.csv"), folder.path().join("b.csv"));
    fs::write(&a, CSV).unwrap();
    fs::write(&b, CSV).unwrap();
    let specs = [SourceSpec::parse(folder.path().join("*.csv"))];
    let mut reader = open(&specs, calls("error"), InputOptions::default()).unwrap();
    let total = 2 * CSV.len() as u64;
    assert_eq!(reader.progress().byte_count, Some(total));
    assert_eq!(reader.progress().bytes_read, CSV.len() as u64);
    read_on(&mut reader).unwrap();
    assert_eq!(reader.progress().bytes_read, total);
    let piped = InputReader::open(calls("error"), both(), InputOptions::default()).unwrap();
    assert_eq!(piped.progress().byte_count, None);
}
