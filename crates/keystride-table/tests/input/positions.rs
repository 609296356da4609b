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
fn reading_goes_on_from_every_place_as_if_it_had_not_stopped() {
    let mut reader = InputReader::open(calls("error"), both(), InputOptions::default()).unwrap();
    let all = read_on(&mut reader).unwrap();
    let mut reader = InputReader::open(calls("error"), both(), InputOptions::default()).unwrap();
    let mut row = reader.new_row();
    let mut done = 0;
    loop {
        let at = reader.position();
        let mut resumed = InputReader::open(calls("error"), both(), InputOptions::default()).unwrap();
        resumed.skip_to(at.to_string().parse().unwrap()).unwrap();
        assert_eq!(resumed.position(), at);
        assert_eq!(read_on(&mut resumed).unwrap(), all[done..]);
        if matches!(reader.next(&mut row).unwrap(), Next::End) {
            break;
        }
        done += 1;
    }
    assert_eq!(done, all.len());
    assert_eq!(reader.position(), Position { source: 2, record: 3 });
}

#[test]
fn a_place_that_is_not_there_is_an_error() {
    let skip = |source, record| {
        let mut reader = InputReader::open(calls("error"), both(), InputOptions::default()).unwrap();
        reader.skip_to(Position { source: 1, record: 1 }).unwrap();
        let error = reader.skip_to(Position { source, record }).unwrap_err().to_string();
        assert!(read_on(&mut reader).unwrap().is_empty());
        error
    };
    let error = skip(1, 3);
    assert_eq!(
        error,
        "can't go on from record 3 of source 2: b.jsonl has only 2: is it still the same file?"
    );
    let error = skip(3, 0);
    assert_eq!(error, "can't go on from record 0 of source 4: there are 3 sources: are they still the same?");
    let error = skip(1, 0);
    assert_eq!(error, "can't go back to record 0 of source 2: reading is at 1:1: open the sources again");
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
    let mut reader = open(&specs, calls("error"), InputOptions::default()).unwrap();
    reader.skip_to(Position { source: 1, record: 3 }).unwrap();
    assert_eq!(reader.progress().bytes_read, total);
    let piped = InputReader::open(calls("error"), both(), InputOptions::default()).unwrap();
    assert_eq!(piped.progress().byte_count, None);
}
