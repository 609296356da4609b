//! Batches of many rows.

mod scratch;

use keystride_hbase::{Get, Mutation, Operation, Row, Scan, Table, WriterOptions};
use scratch::Scratch;

/// A table of this many regions of equal size.
async fn table(scratch: &Scratch, regions: u32) -> Table {
    let splits: Vec<_> = (1..regions).map(|at| format!("{:02x}", at * 256 / regions)).collect();
    scratch.table("t", &splits.iter().map(String::as_bytes).collect::<Vec<_>>()).await
}

/// A row key spread over the table.
fn key(at: u32) -> String {
    format!("{:08x}", at.wrapping_mul(2_654_435_761))
}

#[tokio::test]
async fn five_thousand_actions_over_32_regions_come_back_in_order() {
    let Some(scratch) = Scratch::new("five_thousand_actions") else { return };
    scratch
        .run(async {
            let table = table(&scratch, 32).await;
            let puts =
                (0..5_000).map(|at| Mutation::put(key(at)).value_at("f", "n", 1, at.to_string()).into());
            for outcome in table.batch(puts.collect()).await {
                assert!(outcome.unwrap().is_empty());
            }
            let mixed: Vec<Operation> = (0..5_000)
                .map(|at| match at % 3 {
                    0 => Get::new(key(at)).into(),
                    1 => Mutation::increment(key(at)).amount("f", "count", i64::from(at)).into(),
                    _ => Mutation::append(key(at)).value("f", "n", "!").into(),
                })
                .collect();
            for (at, outcome) in (0_u32..).zip(table.batch(mixed).await) {
                let row = outcome.unwrap();
                assert_eq!(row.key(), key(at).as_bytes());
                match at % 3 {
                    1 => assert_eq!(row.value(b"f", b"count"), Some(&i64::from(at).to_be_bytes()[..])),
                    0 => assert_eq!(row.value(b"f", b"n"), Some(at.to_string().as_bytes())),
                    _ => assert_eq!(row.value(b"f", b"n"), Some(format!("{at}!").as_bytes())),
                }
            }
        })
        .await;
}

#[tokio::test]
async fn one_that_fails_leaves_the_others_alone() {
    let Some(scratch) = Scratch::new("one_that_fails_leaves_the_others_alone") else { return };
    scratch
        .run(async {
            let table = scratch.table("t", &[b"m"]).await;
            let outcomes = table
                .batch(vec![
                    Mutation::put("a").value("f", "q", "1").into(),
                    Mutation::put("b").value("nofamily", "q", "1").into(),
                    Mutation::put("").value("f", "q", "1").into(),
                    Mutation::put("z").value("f", "q", "1").into(),
                    Operation::Row(vec![
                        Mutation::put("y").value("f", "q", "1"),
                        Mutation::delete("y").column("f", "x"),
                    ]),
                    Operation::Row(vec![]),
                    Mutation::delete("nobody").into(),
                    Get::new("a").into(),
                ])
                .await;
            let well: Vec<bool> = outcomes.iter().map(Result::is_ok).collect();
            assert_eq!(well, [true, false, false, true, true, false, true, true]);
            let class = outcomes[1].as_ref().unwrap_err().remote().unwrap().short_class();
            assert_eq!(class, "NoSuchColumnFamilyException");
            let rows = table.get_many(["z", "nobody", "y", "a"].map(Get::new).to_vec()).await.unwrap();
            assert_eq!(rows.iter().map(Row::key).collect::<Vec<_>>(), [&b"z"[..], b"", b"y", b"a"]);
            assert!(table.batch(vec![]).await.is_empty());
        })
        .await;
}

#[tokio::test]
async fn rows_of_many_regions_are_deleted_together() {
    let Some(scratch) = Scratch::new("rows_are_deleted_together") else { return };
    scratch
        .run(async {
            let table = table(&scratch, 16).await;
            let put =
                |at| Mutation::put(key(at)).value_at("f", "a", 5, "v").value_at("f", "b", 5, "v").into();
            assert!(table.batch((0..600).map(put).collect()).await.iter().all(Result::is_ok));
            let delete = |at: u32| match at % 3 {
                0 => Mutation::delete(key(at)).into(),
                1 => Mutation::delete(key(at)).column("f", "a").into(),
                _ => Mutation::delete(key(at)).family("f").into(),
            };
            assert!(table.batch((0..600).map(delete).collect()).await.iter().all(Result::is_ok));
            let left = table.get_many((0..600).map(|at| Get::new(key(at))).collect()).await.unwrap();
            for (at, row) in (0_u32..).zip(left) {
                let columns: Vec<&[u8]> = row.cells().map(|cell| cell.qualifier).collect();
                assert_eq!(columns, if at % 3 == 1 { vec![b"b"] } else { Vec::new() }, "row {at}");
            }
        })
        .await;
}

#[tokio::test]
async fn increments_of_one_number_by_many_writers_all_count() {
    let Some(scratch) = Scratch::new("increments_by_many_writers") else { return };
    scratch
        .run(async {
            let table = scratch.table("t", &[b"80"]).await;
            let count_up = |table: Table| async move {
                let mut writer = table.writer(WriterOptions::default().with(|options| {
                    options.buffer_bytes = 20_000;
                    options.lanes = 2;
                }));
                for at in 0..2_000 {
                    writer.push(Mutation::increment(key(at % 10)).amount("f", "n", 1)).await.unwrap();
                }
                writer.flush().await;
                assert!(writer.failures().is_empty());
            };
            futures_util::future::join_all((0..4).map(|_| count_up(table.clone()))).await;
            for row in table.get_many((0..10).map(|at| Get::new(key(at))).collect()).await.unwrap() {
                assert_eq!(row.value(b"f", b"n"), Some(&800_i64.to_be_bytes()[..]));
            }
        })
        .await;
}

#[tokio::test]
async fn a_batch_larger_than_a_request_goes_in_several() {
    let Some(scratch) = Scratch::new("a_batch_larger_than_a_request") else { return };
    scratch
        .run(async {
            let table = scratch.table("t", &[]).await;
            let value = vec![7; 1 << 20];
            let puts = (0..10).map(|at| Mutation::put(key(at)).value("f", "q", &value).into()).collect();
            assert!(table.batch(puts).await.iter().all(Result::is_ok));
            let gets = table.get_many((0..10).map(|at| Get::new(key(at))).collect()).await.unwrap();
            assert!(gets.iter().all(|row| row.value(b"f", b"q") == Some(&value[..])));
        })
        .await;
}

#[tokio::test]
async fn a_writer_writes_all_and_tells_what_failed() {
    let Some(scratch) = Scratch::new("a_writer_writes_all") else { return };
    scratch
        .run(async {
            let table = table(&scratch, 8).await;
            let mut writer = table.writer(WriterOptions::default().with(|options| {
                options.buffer_bytes = 100_000;
                options.lanes = 3;
            }));
            for at in 0..20_000 {
                writer.push(Mutation::put(key(at)).value_at("f", "n", 1, at.to_string())).await.unwrap();
                // The later change of a row wins, because lanes keep the order.
                writer.push(Mutation::put(key(at)).value_at("f", "n", 1, "last")).await.unwrap();
            }
            writer.push(Mutation::put("bad").value("nofamily", "q", "v")).await.unwrap();
            writer.push(Mutation::put("bad")).await.unwrap_err();
            writer.flush().await;
            let failures = writer.failures();
            assert_eq!(
                failures.iter().map(|(mutation, _)| &mutation.row()[..]).collect::<Vec<_>>(),
                [b"bad"]
            );
            let mut scanner = table.scan(Scan::all());
            let mut count = 0;
            while let Some(rows) = scanner.next_rows().await.unwrap() {
                count += rows.len();
                assert!(rows.iter().all(|row| row.value(b"f", b"n") == Some(b"last")));
            }
            assert_eq!(count, 20_000);
        })
        .await;
}
