//! What a load does with each kind of record.

use std::sync::Arc;

use keystride::design::OnSameKey;
use keystride_heat::Windowing;
use keystride_store::ManualClock;
use keystride_table::load::*;

use crate::fixture::*;

#[tokio::test]
async fn rows_become_cells_stamped_by_the_load() {
    let (tables, _folder) = tables(&design("error", "")).await;
    for table in tables {
        let text = "plane,day,delay,place\nN1,5,-3,JFK\nN1,6,,\n";
        let (report, rejects) = load(&table, options(), text).await;
        assert_eq!(
            cells(&table).await,
            [
                format!("1N1!9999999993 @{NOW_MS}="),
                format!("1N1!9999999994 delay@{NOW_MS}=-3"),
                format!("1N1!9999999994 place@{NOW_MS}=JFK"),
            ]
        );
        assert!(rejects.is_empty());
        assert_eq!((report.ending, report.way), (Ending::Complete, WriteMethod::Batches));
        let rows: Vec<u64> = report.regions.iter().map(|region| region.rows).collect();
        assert_eq!(rows, [0, 2, 0, 0]);
        let regions = table.store().regions(table.name()).await.unwrap();
        let bytes = regions.iter().map(|region| region.counts.bytes_written).sum();
        let counts = Counts { records: 2, rows: 2, cells: 3, bytes, ..Counts::default() };
        assert_eq!(report.counts, counts);
    }
}

#[tokio::test]
async fn a_field_may_stamp_the_cells_of_its_row() {
    let table = table(&design("error", "cell_time = \"day\"")).await;
    load(&table, options(), "plane,day,delay,place\nN1,5,-3,\n").await;
    assert_eq!(cells(&table).await, ["1N1!9999999994 delay@5000=-3"]);
}

#[tokio::test]
async fn columns_that_no_field_names_are_stored_where_the_design_says_so() {
    let table = table(&design("error", "other = \"f\"")).await;
    let first = "plane,day,delay,place,crew,gate\nN1,5,1,JFK,4,\n";
    let second = "gate,crew,plane,day,delay,place\n,4,N1,5,1,JFK\nB2,4,N1,5,1,JFK\n";
    let texts = [("a.csv", first.to_owned()), ("b.csv", second.to_owned())];
    let mut heard = Heard::default();
    let report = Load::new(&table, options()).run(readers(&table, &texts), &mut heard).await.unwrap();
    assert_eq!(report.counts.repeats, 1);
    assert_eq!(
        heard.rejects,
        ["b.csv:3: same key as line 2 of a.csv, with other values: 1N1!9999999994 <- B2,4,N1,5,1,JFK"]
    );
    assert!(cells(&table).await.contains(&format!("1N1!9999999994 crew@{NOW_MS}=4")));
}

#[tokio::test]
async fn each_bad_record_is_told_with_its_line_and_counted_by_kind() {
    let table = table(&design("error", "")).await;
    let text = "plane,day,delay,place\nN1,soon,1,JFK\nN1,5\n,5,1,JFK\nN1,5,1,JFK\nN1,5,1,LGA\nN1,5,1,JFK\n";
    let (report, rejects) = load(&table, options(), text).await;
    let places: Vec<&str> = rejects.iter().map(|reject| &reject[..14]).collect();
    assert_eq!(places, ["flights.csv:2:", "flights.csv:3:", "flights.csv:4:", "flights.csv:6:"]);
    assert!(rejects[2].contains("field \"plane\" has no value"), "{}", rejects[2]);
    assert!(rejects[3].contains("same key as line 5 of flights.csv"), "{}", rejects[3]);
    assert!(rejects[3].ends_with("<- N1,5,1,LGA"));
    let kinds: Vec<_> = report.counts.rejected.into_iter().collect();
    assert_eq!(
        kinds,
        [(RejectKind::Value, 1), (RejectKind::Shape, 1), (RejectKind::Key, 1), (RejectKind::SameKey, 1)]
    );
    assert_eq!((report.counts.rows, report.counts.repeats, report.counts.records), (1, 1, 6));
}

#[tokio::test]
async fn a_load_that_is_to_stop_at_a_reject_stores_the_rows_before_it() {
    for way in [Way::Batches, Way::Sorted] {
        let (tables, _folder) = tables(&design("error", "")).await;
        for table in tables {
            let options = LoadOptions { on_error: OnError::Stop, way, ..options() };
            let text = "plane,day,delay,place\nN1,1,1,JFK\nN1,2,1,JFK\nN1,2,2,JFK\nN1,3,1,JFK\n";
            let (report, rejects) = load(&table, options.clone(), text).await;
            assert_eq!((report.ending, rejects.len(), report.counts.records), (Ending::Rejected, 1, 3));
            assert_eq!(cells(&table).await.len(), 4);
            let (report, _) = load(&table, LoadOptions { start: Start::Resume, ..options }, text).await;
            assert_eq!((report.ending, report.resumed_from), (Ending::Complete, Some(3)));
            assert_eq!(cells(&table).await.len(), 6);
        }
    }
}

#[tokio::test]
async fn a_cell_larger_than_hbase_takes_rejects_its_row_and_nothing_else() {
    let table = table(&design("error", "other = \"f\"")).await;
    let large = "x".repeat(11 << 20);
    let text = format!("plane,day,delay,place,note\nN1,1,1,JFK,{large}\nN1,1,1,JFK,\n");
    let (report, rejects) = load(&table, options(), text).await;
    assert_eq!((report.counts.rows, report.counts.rejected[&RejectKind::Bounds]), (1, 1));
    assert!(rejects[0].contains("is too large"), "{}", &rejects[0][..200]);
    assert_eq!(cells(&table).await.len(), 2);
}

#[tokio::test]
async fn heat_is_counted_by_the_time_of_the_rows() {
    let table = table(&design("error", "")).await;
    let mut text = HEADER.to_owned();
    for minute in 0..20 {
        for row in 0..10 {
            text += &format!("N{},{},1,JFK\n", minute % 4, minute * 60 + row);
        }
    }
    let minute = Windowing::Time { ms: 60_000.try_into().unwrap() };
    let by_time = LoadOptions { windowing: Some(minute), ..small_batches(300) };
    let (report, _) = load(&table, by_time, text).await;
    let balance = report.balance.unwrap();
    assert_eq!((balance.window_count, balance.window_rows), (20, 10));
    assert_eq!(balance.to_string(), "hot 4.00 (chance alone 1.60)");
    assert_eq!(balance.overall.row_count(), 200);
    assert_eq!(report.regions.iter().map(|region| region.rows).sum::<u64>(), 200);
}

#[tokio::test]
async fn buckets_drawn_for_a_row_are_the_same_when_the_load_is_repeated() {
    for hash in ["random", "round-robin"] {
        let toml = format!(
            "format = 1\n[table]\nname = \"flights\"\nfamilies = [\"f\"]\n[fields]\nid = {{ type = \"int\" }}\n[key]\n\
             parts = [{{ bucket = 100, hash = \"{hash}\" }}, {{ field = \"id\" }}]"
        );
        let table = table(&keystride::Design::from_toml(&toml).unwrap()).await;
        let ids: Vec<_> = (0..200).map(|id| id.to_string()).collect();
        let text = format!("id\n{}\n", ids.join("\n"));
        load(&table, options(), text.clone()).await;
        let first = cells(&table).await;
        load(&table, options(), text).await;
        assert_eq!(cells(&table).await, first);
        let buckets: std::collections::BTreeSet<&str> = first.iter().map(|cell| &cell[..2]).collect();
        assert!(buckets.len() > 60);
    }
}

#[tokio::test]
async fn a_rejects_file_that_cannot_be_written_ends_the_load() {
    struct Full;
    impl LoadObserver for Full {
        fn rejected(&mut self, _: &Rejected) -> std::io::Result<()> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn progress(&mut self, _: &Progress<'_>) -> Proceed {
            Proceed::On
        }
    }
    let table = table(&design("error", "")).await;
    let text = format!("{HEADER}N1,soon,1,JFK\n");
    let error = Load::new(&table, options()).run(reader(&table, text), &mut Full).await.unwrap_err();
    assert!(matches!(error, LoadError::Rejects(_)), "{error}");
}

#[test]
fn a_replay_counts_what_a_load_would_do() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    for rule in ["error", "replace"] {
        let design = design(rule, "");
        let table = runtime.block_on(table(&design));
        let text = mixed_text(3000);
        let mut heard = Heard::default();
        let replayed = replay(
            reader(&table, text.clone()),
            table.codec(),
            points(),
            table.store().writers(),
            options(),
            &mut heard,
        )
        .unwrap();
        let (loaded, rejects) = runtime.block_on(load(&table, options(), text));
        assert_eq!(heard.rejects, rejects);
        assert_eq!((replayed.counts, replayed.balance), (loaded.counts, loaded.balance));
        let rows = |report: &[RegionRows]| report.iter().map(|region| region.rows).collect::<Vec<_>>();
        assert_eq!(rows(&replayed.regions), rows(&loaded.regions));
        assert_eq!(replayed.way, WriteMethod::Nowhere);
    }
}

/// Turns the clock on with each batch.
struct Slow(ManualClock, u64);

impl LoadObserver for Slow {
    fn rejected(&mut self, _: &Rejected) -> std::io::Result<()> {
        Ok(())
    }
    fn progress(&mut self, progress: &Progress<'_>) -> Proceed {
        assert_eq!((progress.elapsed_ms, progress.retries), (250 * self.1, 0));
        self.1 += 1;
        self.0.set(NOW_MS + i64::try_from(250 * self.1).unwrap());
        Proceed::On
    }
}

#[tokio::test]
async fn a_report_tells_the_rule_the_batches_and_the_time() {
    let table = table(&design("replace", "")).await;
    let rule = SameKeyRule {
        rule: OnSameKey::Replace,
        said_by: SaidBy::Design,
        writers: keystride_store::Writers::Alone,
    };
    for (id, check, same_key) in [("exact", Check::Exact, Some(rule)), ("none", Check::None, None)] {
        let clock = ManualClock::at(NOW_MS);
        let mut slow = Slow(clock.clone(), 0);
        let options =
            LoadOptions { id: LoadId::new(id), check, clock: Arc::new(clock), ..small_batches(4000) };
        let report =
            Load::new(&table, options).run(reader(&table, mixed_text(500)), &mut slow).await.unwrap();
        assert!(slow.1 > 5);
        assert_eq!((report.same_key, report.elapsed_ms), (same_key, 250 * slow.1));
        assert_eq!(report.batch_latency.map(|latency| latency.batches), Some(slow.1));
    }
}

#[test]
fn the_rule_of_a_key_is_the_designs_or_else_the_stores() {
    use keystride_store::Writers::{Alone, Others};
    let undecided = design("error", "").to_toml(None).replace("on_same_key = \"error\"\n", "");
    let undecided = keystride::Design::from_toml(&undecided).unwrap();
    for (design, writers, rule, said_by, is_race) in [
        (&design("error", ""), Alone, OnSameKey::Error, SaidBy::Design, false),
        (&design("error", ""), Others, OnSameKey::Error, SaidBy::Design, true),
        (&design("replace", ""), Others, OnSameKey::Replace, SaidBy::Design, false),
        (&undecided, Alone, OnSameKey::Error, SaidBy::Store, false),
        (&undecided, Others, OnSameKey::Replace, SaidBy::Store, false),
    ] {
        let found = SameKeyRule::of(design, writers);
        assert_eq!(found, SameKeyRule { rule, said_by, writers });
        assert_eq!(found.is_race(), is_race);
    }
}

#[tokio::test]
async fn the_column_at_fault_is_that_of_the_source() {
    struct Columns(Vec<(u64, Option<String>)>);
    impl LoadObserver for Columns {
        fn rejected(&mut self, rejected: &Rejected) -> std::io::Result<()> {
            self.0.push((rejected.line, rejected.column.clone()));
            Ok(())
        }
        fn progress(&mut self, _: &Progress<'_>) -> Proceed {
            Proceed::On
        }
    }
    let table = table(&design("error", "")).await;
    let text = format!("{HEADER}N1,soon,1,JFK\n,5,1,JFK\nN1,,1,JFK\nN1,5,1\nN1,5,1,JFK\nN1,5,2,JFK\n");
    let mut columns = Columns(Vec::new());
    Load::new(&table, options()).run(reader(&table, text), &mut columns).await.unwrap();
    let expected = [(2, Some("day")), (3, Some("plane")), (4, Some("day")), (5, None), (7, None)];
    assert_eq!(columns.0, expected.map(|(line, column)| (line, column.map(str::to_owned))));
}

#[tokio::test]
async fn the_time_of_a_row_is_that_of_its_cells_or_of_its_key_or_any() {
    for (key, columns, window_count) in [
        ("{ field = \"id\" }", "", 2),
        ("{ field = \"id\" }, { text = \"!\" }, { field = \"c\", pad = 10 }", "", 4),
        ("{ field = \"id\" }, { text = \"!\" }, { field = \"c\", pad = 10 }", "cell_time = \"b\"", 3),
    ] {
        let toml = format!(
            "format = 1\n[table]\nname = \"flights\"\nfamilies = [\"f\"]\n[fields]\n\
             id = {{ type = \"digits\", len = 2 }}\na = {{ type = \"time\", unit = \"s\" }}\n\
             b = {{ type = \"time\", unit = \"s\" }}\nc = {{ type = \"time\", unit = \"s\" }}\n\
             [key]\nparts = [{key}]\n[columns]\n{columns}"
        );
        let table = table(&keystride::Design::from_toml(&toml).unwrap()).await;
        let rows =
            (0..12).map(|row| format!("{row:02},{},{},{}\n", row / 6 * 60, row / 4 * 60, row / 3 * 60));
        let minute = Windowing::Time { ms: 60_000.try_into().unwrap() };
        let by_time = LoadOptions { windowing: Some(minute), ..options() };
        let (report, _) = load(&table, by_time, format!("id,a,b,c\n{}", rows.collect::<String>())).await;
        assert_eq!(report.balance.unwrap().window_count, window_count, "{key} {columns}");
    }
}
