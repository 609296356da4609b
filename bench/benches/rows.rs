//! From text to typed rows: the flights as CSV and as JSON lines, beside what the parsers alone take.

use std::hint::black_box;
use std::io::Cursor;
use std::sync::Arc;

use keystride::Design;
use keystride_bench::{Bound, Cost, Figures, Input, Size, least};
use keystride_table::input::{InputOptions, InputReader, Next, Source};

fn main() {
    let size = Size::of_process();
    let input = Input::flights(size.pick(200, 336_776));
    let (csv, json) = (Arc::clone(&input.text), to_json_lines(&input.text));
    let costs = least(
        size.pick(1, 7),
        input.row_count,
        &mut [
            ("csv: records alone", &mut || Cost::of(|| csv_alone(&csv))),
            ("csv: rows", &mut || Cost::of(|| rows(&input.design, "flights.csv", &csv))),
            ("json lines: lines alone", &mut || Cost::of(|| lines_alone(&json))),
            ("json lines: rows", &mut || Cost::of(|| rows(&input.design, "flights.jsonl", &json))),
        ],
    );
    let [csv_alone, csv_rows, lines_alone, json_rows] = costs.map(|cost| cost.ns_per(input.row_count));
    let mut figures = Figures::new(size);
    figures.add("", "csv: rows beside records alone, ns a row", csv_rows, csv_alone, Bound::Told);
    figures.add("", "json lines: rows beside lines alone, ns a row", json_rows, lines_alone, Bound::Told);
    figures.print();
}

fn rows(design: &Arc<Design>, name: &str, text: &Arc<[u8]>) {
    let source = Source::reader(name, Cursor::new(Arc::clone(text)));
    let reader = InputReader::open(Arc::clone(design), vec![source], InputOptions::default());
    let mut reader = reader.expect("the names are those of the design");
    let mut row = reader.new_row();
    while let Next::Row = reader.next(&mut row).expect("text that can be read") {
        black_box(&row);
    }
}

fn csv_alone(text: &[u8]) {
    let mut reader = csv::Reader::from_reader(text);
    let mut record = csv::ByteRecord::new();
    while reader.read_byte_record(&mut record).expect("records of one width") {
        black_box(&record);
    }
}

fn lines_alone(text: &[u8]) {
    for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        black_box(serde_json::from_slice::<serde::de::IgnoredAny>(line).expect("a line of JSON"));
    }
}

/// Numbers as numbers, what is missing left out.
fn to_json_lines(csv: &[u8]) -> Arc<[u8]> {
    let mut reader = csv::Reader::from_reader(csv);
    let names = reader.headers().expect("a line of names").clone();
    let mut out = String::new();
    for record in reader.records() {
        let record = record.expect("a record");
        let cells = names.iter().zip(&record).filter(|(_, text)| *text != "NA");
        let members = cells.map(|(name, text)| {
            let quote = if text.parse::<i64>().is_ok() { "" } else { "\"" };
            format!("\"{name}\":{quote}{text}{quote}")
        });
        out.push_str(&format!("{{{}}}\n", members.collect::<Vec<_>>().join(",")));
    }
    out.into_bytes().into()
}
