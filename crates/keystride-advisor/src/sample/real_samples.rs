//! Samples as people have them, and what is said of the designs that are made of them.

use keystride::{Design, KeyCodec};

use super::{NewDesign, Sample, SampleReader};
use crate::Review;
use crate::lint::Language;

/// Reads CSV without quotes.
pub(super) fn sample(csv: &str) -> Sample {
    let mut rows = csv.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let header = rows.next().unwrap();
    let mut reader = SampleReader::new(&header);
    for row in rows {
        reader.add(header.iter().map(String::as_str).zip(row.iter().map(String::as_str)));
    }
    reader.finish()
}

/// Calls of 400 phones, two of one phone in the same second.
pub(super) fn calls() -> String {
    let row = |call: u64| {
        let (second, caller) = (call * 8 % 86_400, call * 7_919 % 400);
        let other = (call * 104_729 + 13) % 397;
        let at = second_of_day(second);
        let seconds = call * call % 3_600;
        format!("138{caller:08},139{other:08},{at},{seconds},city{}\n", call % 6)
    };
    let rows: String = (0..2_000).map(row).collect();
    let twice = format!("13800000000,13900000001,{},5,city1\n", second_of_day(0));
    format!("caller,callee,at,seconds,city\n{rows}{twice}")
}

fn second_of_day(second: u64) -> String {
    format!("2024-03-01 {:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60)
}

/// 200 flights, of which 9 lack the aeroplane.
pub(super) fn flights() -> String {
    include_str!("../../../keystride-table/tests/it/data/flights.csv").to_owned()
}

/// The log of recommendations of seed 003.
pub(super) fn log() -> String {
    include_str!("../../../../examples/seed-003/input.csv").to_owned()
}

/// Readings of 20 devices, one a minute of each.
pub(super) fn readings() -> String {
    let row = |reading: u64| {
        let (at, degrees) = (1_709_222_400 + reading / 20 * 60, 20 + reading * 37 % 10);
        format!("dev-{:02},{at},{degrees}.5,{},{}\n", reading % 20, reading % 101, reading.is_multiple_of(3))
    };
    format!("device,at,degrees,battery,is_open\n{}", (0..1_000).map(row).collect::<String>())
}

#[test]
fn a_new_design_has_nothing_that_lints_find() {
    let with_numbers = "kind,n,m\n1,1,1\n1,2,1\n1,2,2\n2,1,1\n".to_owned();
    for csv in [calls(), flights(), log(), readings(), with_numbers] {
        let sample = sample(&csv);
        let key = sample.guessed_key();
        let new = NewDesign { table: "t", key: &key, buckets: Some(16), zone: None, marks: &[] };
        let text = sample.design(&new);
        let design = Design::from_toml(&text).unwrap();
        let split = design.split_points(&mut []);
        let review = Review::new(KeyCodec::new(design), Some(text.clone()), split, Language::English);
        let found: Vec<String> = review
            .findings()
            .iter()
            .map(|finding| format!("{} {}", finding.id.name(), finding.message))
            .collect();
        assert_eq!(found, Vec::<String>::new(), "{text}");
    }
}
