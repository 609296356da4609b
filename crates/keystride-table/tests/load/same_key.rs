//! Rows of one key against a model that keeps all of them.

use std::collections::BTreeMap;

use keystride_table::load::*;
use proptest::prelude::*;

use crate::fixture::*;

/// Plane, day, delay, place: a few of each, so that keys meet.
type Fields = (u8, u8, Option<i8>, Option<u8>);

/// What a load comes to: rows, repeats, replaced, rejected lines with the earlier line, and the cells by key.
#[derive(Debug, Default, PartialEq)]
struct Model {
    counts: (u64, u64, u64),
    rejects: Vec<(u64, u64)>,
    cells: BTreeMap<(u8, u8), BTreeMap<&'static str, String>>,
}

impl Model {
    fn of(rows: &[Fields], replaces: bool) -> Self {
        let mut model = Self::default();
        let mut first: BTreeMap<(u8, u8), (u64, Fields)> = BTreeMap::new();
        for (line, &row) in (2..).zip(rows) {
            let key = (row.0, row.1);
            match first.get(&key) {
                Some((_, earlier)) if *earlier == row => model.counts.1 += 1,
                Some((earlier, _)) if !replaces => model.rejects.push((line, *earlier)),
                earlier => {
                    model.counts.0 += 1;
                    model.counts.2 += u64::from(earlier.is_some());
                    first.insert(key, (line, row));
                    model.put(row);
                }
            }
        }
        model
    }

    fn put(&mut self, (plane, day, delay, city): Fields) {
        let cells = self.cells.entry((plane, day)).or_default();
        let values = [("delay", delay.map(|n| n.to_string())), ("place", city.map(|n| n.to_string()))];
        let mut is_empty = true;
        for (name, value) in values {
            if let Some(value) = value {
                cells.insert(name, value);
                is_empty = false;
            }
        }
        if is_empty {
            cells.insert("", String::new());
        }
    }

    fn lines(&self) -> Vec<String> {
        let rows = self.cells.iter().flat_map(|(key, cells)| cells.iter().map(move |cell| (key, cell)));
        let mut lines: Vec<String> = rows
            .map(|((plane, day), (name, value))| {
                format!("N{plane}!{} {name}@{NOW_MS}={value}", 9_999_999_999 - u64::from(*day))
            })
            .collect();
        lines.sort();
        lines
    }
}

fn text_of(rows: &[Fields]) -> String {
    let opt = |value: Option<String>| value.unwrap_or_default();
    let lines = rows.iter().map(|(plane, day, delay, place)| {
        let (delay, place) = (opt(delay.map(|n| n.to_string())), opt(place.map(|n| n.to_string())));
        format!("N{plane},{day},{delay},{place}\n")
    });
    HEADER.to_owned() + &lines.collect::<String>()
}

/// Line and earlier line of a reject.
fn lines_of(reject: &str) -> (u64, u64) {
    let number = |text: &str| text.split([':', ' ']).next().unwrap().parse().unwrap();
    let (_, line) = reject.split_once("flights.csv:").unwrap();
    let (_, earlier) = reject.split_once("same key as line ").unwrap();
    (number(line), number(earlier))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn loads_do_with_rows_of_one_key_what_the_model_does(
        rows in prop::collection::vec((0..6u8, 0..6u8, prop::option::of(0..2i8), prop::option::of(0..2u8)), 0..200),
        replaces in any::<bool>(),
        batch_bytes in prop_oneof![Just(1usize), Just(500), Just(1 << 20)],
        way in prop_oneof![Just(Way::Batches), Just(Way::Sorted)],
        is_embedded in prop::bool::weighted(0.1),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let design = design(if replaces { "replace" } else { "error" }, "");
            let (tables, _folder) = tables(&design).await;
            let table = &tables[usize::from(is_embedded)];
            let options = LoadOptions { way, ..small_batches(batch_bytes) };
            let (report, rejects) = load(table, options, text_of(&rows)).await;
            let model = Model::of(&rows, replaces);
            let counts = &report.counts;
            assert_eq!((counts.rows, counts.repeats, counts.replaced), model.counts);
            assert_eq!(rejects.iter().map(|reject| lines_of(reject)).collect::<Vec<_>>(), model.rejects);
            let mut found: Vec<String> = cells(table).await.iter().map(|line| line[1..].to_owned()).collect();
            found.sort();
            assert_eq!(found, model.lines());
        });
    }
}

#[tokio::test]
async fn without_a_check_the_later_row_lies_over_the_earlier() {
    let table = table(&design("error", "")).await;
    let options = LoadOptions { check: Check::None, ..small_batches(1) };
    let text = format!("{HEADER}N1,5,1,JFK\nN1,5,2,\nN1,5,2,\n");
    let (report, _) = load(&table, options, text).await;
    assert_eq!((report.counts.rows, report.counts.repeats, report.counts.replaced), (3, 0, 0));
    let found = cells(&table).await;
    assert_eq!(
        found,
        [format!("1N1!9999999994 delay@{NOW_MS}=2"), format!("1N1!9999999994 place@{NOW_MS}=JFK")]
    );
}
