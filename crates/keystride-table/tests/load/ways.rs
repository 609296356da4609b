//! In batches or sorted: the same cells.

use std::sync::Arc;

use keystride_table::input::{InputOptions, InputReader, Source};
use keystride_table::load::*;

use crate::fixture::*;

#[tokio::test]
async fn both_ways_store_the_same_and_say_the_same() {
    for rule in ["error", "replace"] {
        let (tables, _folder) = tables(&design(rule, "")).await;
        let text = mixed_text(5000);
        let mut found = Vec::new();
        for (table, way) in tables.iter().zip([Way::Batches, Way::Sorted]) {
            let options = LoadOptions { way, ..small_batches(20_000) };
            let (report, rejects) = load(table, options, text.clone()).await;
            found.push((cells(table).await, report.counts, rejects, report.balance, report.way));
        }
        let [batches, sorted] = found.try_into().unwrap();
        assert_eq!(sorted.4, WriteMethod::Sorted { runs_in_files: 0 });
        assert_eq!((batches.0, batches.1, batches.2, batches.3), (sorted.0, sorted.1, sorted.2, sorted.3));
    }
}

#[tokio::test]
async fn what_memory_has_no_room_for_is_sorted_in_files() {
    let (tables, folder) = tables(&design("replace", "")).await;
    let mut text = HEADER.to_owned();
    let mut dice = Dice(1);
    for line in 0..150_000 {
        text += &format!("N{},{},{},{}\n", dice.below(20_000), dice.below(3), line % 100, "x".repeat(50));
    }
    let mut found = Vec::new();
    for (table, way) in tables.iter().zip([Way::Batches, Way::Sorted]) {
        let spill_folder = Some(folder.path().to_owned());
        let options = LoadOptions { way, memory_bytes: 0, spill_folder, ..options() };
        let (report, _) = load(table, options, text.clone()).await;
        found.push((cells(table).await, report.counts.clone()));
        if way == Way::Sorted {
            assert!(matches!(report.way, WriteMethod::Sorted { runs_in_files: 2.. }), "{:?}", report.way);
        }
    }
    assert!(found[0] == found[1], "{:?} {:?}", found[0].1, found[1].1);
}

#[tokio::test]
async fn a_table_with_rows_is_loaded_in_batches_whatever_was_asked() {
    let (tables, _folder) = tables(&design("error", "")).await;
    for table in tables {
        load(&table, options(), format!("{HEADER}N1,1,1,JFK\n")).await;
        let sorted = LoadOptions { way: Way::Sorted, id: LoadId::new("second"), ..options() };
        let (report, _) = load(&table, sorted, format!("{HEADER}N1,2,1,JFK\n")).await;
        assert_eq!((report.way, cells(&table).await.len()), (WriteMethod::Batches, 4));
    }
}

#[tokio::test]
async fn a_sorted_load_that_is_stopped_stores_what_it_has_read() {
    let (tables, _folder) = tables(&design("error", "")).await;
    let text = mixed_text(3000);
    let (whole, _) = load(&tables[0], options(), text.clone()).await;
    let table = &tables[1];
    let sorted = LoadOptions { way: Way::Sorted, ..small_batches(4000) };
    let mut heard = Heard { stop_after: Some(3), ..Heard::default() };
    let report = Load::new(table, sorted.clone()).run(reader(table, text.clone()), &mut heard).await.unwrap();
    assert_eq!(report.ending, Ending::Stopped);
    assert!(report.counts.records < 3000 && !cells(table).await.is_empty());
    let (resumed, _) = load(table, LoadOptions { start: Start::Resume, ..sorted }, text).await;
    assert_eq!((resumed.way, resumed.resumed_from), (WriteMethod::Batches, Some(report.counts.records)));
    assert_eq!(resumed.counts, whole.counts);
    assert_eq!(cells(table).await, cells(&tables[0]).await);
}

#[tokio::test]
async fn an_input_whose_size_nobody_knows_is_loaded_in_batches() {
    let (tables, _folder) = tables(&design("error", "")).await;
    let (report, _) = load(&tables[1], options(), mixed_text(100)).await;
    assert_eq!(report.way, WriteMethod::Batches);
}

#[tokio::test]
async fn an_input_known_to_have_16_mib_is_sorted() {
    const LEAST_BYTES: usize = 16 << 20;
    let (tables, folder) = tables(&design("error", "")).await;
    let path = folder.path().join("flights.csv");
    for (len, way) in
        [(LEAST_BYTES - 1, WriteMethod::Batches), (LEAST_BYTES, WriteMethod::Sorted { runs_in_files: 0 })]
    {
        let mut text = format!("{HEADER}N1,1,1,JFK\n");
        text.push_str(&"\n".repeat(len - text.len()));
        std::fs::write(&path, text).unwrap();
        let table = match way {
            WriteMethod::Batches => &tables[0],
            _ => &tables[1],
        };
        let design = Arc::new(table.design().clone());
        let reader =
            InputReader::open(design, vec![Source::file(&path).unwrap()], InputOptions::default()).unwrap();
        let report = Load::new(table, options()).run(reader, &mut ()).await.unwrap();
        assert_eq!((report.way, report.counts.rows, report.bytes_read), (way, 1, len as u64));
    }
}

#[tokio::test]
async fn sorted_rows_are_handed_over_in_batches_of_the_size_asked_for() {
    let (tables, _folder) = tables(&design("error", "")).await;
    let mut heard = Heard::default();
    let options = LoadOptions { way: Way::Sorted, ..small_batches(20_000) };
    let text = reader(&tables[1], mixed_text(5000));
    let report = Load::new(&tables[1], options).run(text, &mut heard).await.unwrap();
    let filled = heard.told.iter().filter_map(|(phase, _)| match phase {
        Phase::Filling { rows } => Some(*rows),
        _ => None,
    });
    let filled: Vec<u64> = filled.collect();
    let batches = report.counts.bytes.div_ceil(20_000);
    assert!((batches - 1..=batches).contains(&(filled.len() as u64)), "{filled:?} of {batches}");
    assert!(filled.is_sorted_by(|before, after| before < after), "{filled:?}");
    assert_eq!(filled.last(), Some(&report.counts.rows));
}
