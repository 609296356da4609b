//! Single rows.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod scratch;

use keystride_hbase::{
    Cell, CellKind, Client, Error, FamilyDescriptor, FamilyName, Get, LATEST, Mutation, Row, Selection,
    Table, TableDescriptor, TimeRange,
};
use keystride_hbase_harness::shared;
use scratch::Scratch;

/// `qualifier@ts=value` of each cell.
fn shown(row: &Row) -> Vec<String> {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    row.cells()
        .map(|cell: Cell<'_>| format!("{}@{}={}", text(cell.qualifier), cell.ts, text(cell.value)))
        .collect()
}

/// A table with the families `f` and `g`, which keep five versions.
async fn versioned(scratch: &Scratch) -> Table {
    let mut descriptor = TableDescriptor::new(scratch.name("t"));
    for name in ["f", "g"] {
        let mut family = FamilyDescriptor::new(FamilyName::new(name).unwrap());
        family.set_versions(5);
        descriptor.set_family(family);
    }
    let none: [&[u8]; 0] = [];
    scratch.admin.create_table(&descriptor, &none).await.unwrap();
    scratch.client.table(scratch.name("t"))
}

async fn put(table: &Table, row: &str, qualifier: &str, ts: i64, value: &str) {
    table.mutate(Mutation::put(row).value_at("f", qualifier, ts, value)).await.unwrap();
}

#[tokio::test]
async fn what_is_put_is_got() {
    let Some(scratch) = Scratch::new("what_is_put_is_got") else { return };
    scratch
        .run(async {
            let table = versioned(&scratch).await;
            let put =
                Mutation::put("r").value_at("f", "b", 7, "2").value_at("g", "", 7, "").value("f", "a", "1");
            table.mutate(put).await.unwrap();
            let row = table.get(&Get::new("r")).await.unwrap();
            assert_eq!(row.value(b"f", b"a"), Some(&b"1"[..]));
            assert_eq!(row.value(b"g", b""), Some(&b""[..]));
            assert_eq!(row.cells().map(|cell| cell.qualifier).collect::<Vec<_>>(), [&b"a"[..], b"b", b""]);
            let one = table.get(&Get::new("r").column("f", "b")).await.unwrap();
            assert_eq!(shown(&one), ["b@7=2"]);
            let family = table.get(&Get::new("r").family("g")).await.unwrap();
            assert_eq!(family.cells().count(), 1);
            assert!(table.get(&Get::new("nobody")).await.unwrap().is_empty());
            assert!(table.exists(&Get::new("r")).await.unwrap());
            assert!(!table.exists(&Get::new("r").column("f", "zz")).await.unwrap());
        })
        .await;
}

#[tokio::test]
async fn versions_and_times_can_be_chosen() {
    let Some(scratch) = Scratch::new("versions_and_times_can_be_chosen") else { return };
    scratch
        .run(async {
            let table = versioned(&scratch).await;
            for ts in 1..=7 {
                put(&table, "r", "q", ts, &ts.to_string()).await;
            }
            let three = table.get(&Get::new("r").versions(3)).await.unwrap();
            assert_eq!(shown(&three), ["q@7=7", "q@6=6", "q@5=5"]);
            assert_eq!(table.get(&Get::new("r").versions(99)).await.unwrap().cells().count(), 5);
            let times = Selection::all().versions(9).time_range(TimeRange::new(4, 6).unwrap());
            assert_eq!(shown(&table.get(&Get::new("r").select(times)).await.unwrap()), ["q@5=5", "q@4=4"]);
        })
        .await;
}

#[tokio::test]
async fn servers_give_times_that_ascend() {
    let Some(scratch) = Scratch::new("servers_give_times_that_ascend") else { return };
    scratch
        .run(async {
            let table = versioned(&scratch).await;
            let mut last = 0;
            for value in ["1", "2", "3"] {
                table.mutate(Mutation::put("r").value("f", "q", value)).await.unwrap();
                let ts = table.get(&Get::new("r")).await.unwrap().cell(b"f", b"q").unwrap().ts;
                assert!(ts >= last && ts != LATEST);
                last = ts;
            }
        })
        .await;
}

#[tokio::test]
async fn each_kind_of_delete_hides_what_it_says() {
    let Some(scratch) = Scratch::new("each_kind_of_delete_hides_what_it_says") else { return };
    scratch
        .run(async {
            let table = versioned(&scratch).await;
            let cases: [(&str, Mutation, &[&str]); 6] = [
                (
                    "version",
                    Mutation::delete("version").delete_marker(CellKind::Delete, "f", "a", 2),
                    &["a@3=3", "a@1=1", "b@2=2"],
                ),
                (
                    "newest",
                    Mutation::delete("newest").delete_marker(CellKind::Delete, "f", "a", LATEST),
                    &["a@2=2", "a@1=1", "b@2=2"],
                ),
                (
                    "column",
                    Mutation::delete("column").delete_marker(CellKind::DeleteColumn, "f", "a", 2),
                    &["a@3=3", "b@2=2"],
                ),
                (
                    "family",
                    Mutation::delete("family").delete_marker(CellKind::DeleteFamily, "f", "", 2),
                    &["a@3=3"],
                ),
                (
                    "familyversion",
                    Mutation::delete("familyversion").delete_marker(
                        CellKind::DeleteFamilyVersion,
                        "f",
                        "",
                        2,
                    ),
                    &["a@3=3", "a@1=1"],
                ),
                ("row", Mutation::delete("row").up_to(2), &["a@3=3"]),
            ];
            for (row, delete, left) in cases {
                for ts in 1..=3 {
                    put(&table, row, "a", ts, &ts.to_string()).await;
                }
                put(&table, row, "b", 2, "2").await;
                table.mutate(delete).await.unwrap();
                assert_eq!(shown(&table.get(&Get::new(row).versions(9)).await.unwrap()), left, "{row}");
            }
            table.mutate(Mutation::delete("row")).await.unwrap();
            assert!(table.get(&Get::new("row")).await.unwrap().is_empty());
        })
        .await;
}

#[tokio::test]
async fn numbers_and_texts_grow_in_place() {
    let Some(scratch) = Scratch::new("numbers_and_texts_grow_in_place") else { return };
    scratch
        .run(async {
            let table = versioned(&scratch).await;
            let add = |amount| Mutation::increment("r").amount("f", "n", amount).amount("g", "m", 1);
            table.mutate(add(5)).await.unwrap();
            let row = table.mutate(add(-7)).await.unwrap();
            assert_eq!(row.value(b"f", b"n"), Some(&(-2_i64).to_be_bytes()[..]));
            assert_eq!(row.value(b"g", b"m"), Some(&2_i64.to_be_bytes()[..]));
            assert!(table.mutate(add(1).return_results(false)).await.unwrap().is_empty());

            let append = |text: &str| Mutation::append("r").value("f", "s", text);
            table.mutate(append("ab")).await.unwrap();
            assert_eq!(table.mutate(append("c")).await.unwrap().value(b"f", b"s"), Some(&b"abc"[..]));
            let refused = table.mutate(Mutation::increment("r").amount("f", "s", 1)).await.unwrap_err();
            assert!(refused.to_string().contains("not a long"), "{refused}");
        })
        .await;
}

#[tokio::test]
async fn increments_at_once_add_up() {
    let Some(scratch) = Scratch::new("increments_at_once_add_up") else { return };
    scratch
        .run(async {
            let table = versioned(&scratch).await;
            let tasks: Vec<_> = (0..100)
                .map(|_| {
                    let table = table.clone();
                    tokio::spawn(
                        async move { table.mutate(Mutation::increment("r").amount("f", "n", 3)).await },
                    )
                })
                .collect();
            for task in tasks {
                task.await.unwrap().unwrap();
            }
            let row = table.get(&Get::new("r")).await.unwrap();
            assert_eq!(row.value(b"f", b"n"), Some(&300_i64.to_be_bytes()[..]));
        })
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_many_write_at_once_each_of_them_reads() {
    let Some(scratch) = Scratch::new("what_many_write_at_once") else { return };
    scratch
        .run(async {
            let table = scratch.table("t", &[b"3", b"6"]).await;
            let tasks: Vec<_> = (0..400)
                .map(|at| {
                    let table = table.clone();
                    let row = format!("{}-{at}", at % 10);
                    tokio::spawn(async move {
                        table.mutate(Mutation::put(&row).value("f", "q", &row)).await.unwrap();
                        let found = table.get(&Get::new(&row)).await.unwrap();
                        assert_eq!(found.value(b"f", b"q"), Some(row.as_bytes()));
                    })
                })
                .collect();
            for task in tasks {
                task.await.unwrap();
            }
        })
        .await;
}

#[tokio::test]
async fn a_cluster_found_through_its_zookeeper_is_the_same() {
    let Some(scratch) = Scratch::new("found_through_its_zookeeper") else { return };
    let Some(zookeeper) = shared().unwrap().address().zookeeper() else { return };
    let client = Client::new(&format!("hbase://{zookeeper}/hbase")).unwrap();
    assert_eq!(client.cluster_id().await.unwrap(), scratch.client.cluster_id().await.unwrap());
    scratch
        .run(async {
            client.admin().create_table(&scratch::described(&scratch.name("t")), &["m"]).await.unwrap();
            let table = client.table(scratch.name("t"));
            for row in ["a", "z"] {
                table.mutate(Mutation::put(row).value("f", "q", row)).await.unwrap();
                let found = scratch.client.table(scratch.name("t")).get(&Get::new(row)).await.unwrap();
                assert_eq!(found.value(b"f", b"q"), Some(row.as_bytes()));
            }
        })
        .await;
}

#[tokio::test]
async fn a_qualifier_may_be_longer_than_a_row() {
    let Some(scratch) = Scratch::new("a_long_qualifier") else { return };
    scratch
        .run(async {
            let table = scratch.table("t", &[]).await;
            let long = vec![b'q'; 40_000];
            table.mutate(Mutation::put("r").value("f", &long, "v")).await.unwrap();
            assert_eq!(table.get(&Get::new("r")).await.unwrap().value(b"f", &long), Some(&b"v"[..]));
        })
        .await;
}

#[tokio::test]
async fn a_cell_vanishes_when_its_own_time_is_over() {
    let Some(scratch) = Scratch::new("a_cell_vanishes_when_its_own_time_is_over") else { return };
    scratch
        .run(async {
            let table = versioned(&scratch).await;
            table.mutate(Mutation::put("r").value("f", "q", "v").time_to_live_ms(50)).await.unwrap();
            while !table.get(&Get::new("r")).await.unwrap().is_empty() {}
        })
        .await;
}

#[tokio::test]
async fn what_can_not_be_is_refused_with_its_reason() {
    let Some(scratch) = Scratch::new("what_can_not_be_is_refused_with_its_reason") else { return };
    scratch
        .run(async {
            let table = versioned(&scratch).await;
            let no_family = table.mutate(Mutation::put("r").value("nofamily", "q", "v")).await.unwrap_err();
            assert_eq!(no_family.remote().unwrap().short_class(), "NoSuchColumnFamilyException");
            let no_family = table.get(&Get::new("r").family("nofamily")).await.unwrap_err();
            assert_eq!(no_family.remote().unwrap().short_class(), "NoSuchColumnFamilyException");
            let nowhere = scratch.client.table(scratch.name("nowhere"));
            assert!(matches!(nowhere.get(&Get::new("r")).await, Err(Error::NoTable { .. })));
            let put = Mutation::put("r").value("f", "q", "v");
            assert!(matches!(nowhere.mutate(put.clone()).await, Err(Error::NoTable { .. })));
            let outcomes = nowhere.batch(vec![put.into(), Get::new("r").into()]).await;
            assert!(
                outcomes.iter().all(|outcome| matches!(outcome, Err(Error::NoTable { .. }))),
                "{outcomes:?}"
            );
            let nothing = table.mutate(Mutation::put("r")).await.unwrap_err();
            assert!(matches!(nothing, Error::BadRequest { .. }));
            let too_long =
                table.mutate(Mutation::put(vec![b'r'; 32_768]).value("f", "q", "v")).await.unwrap_err();
            assert!(matches!(too_long, Error::TooLarge(_)), "{too_long}");
            let too_big =
                table.mutate(Mutation::put("r").value("f", "q", vec![0; 11 << 20])).await.unwrap_err();
            assert!(too_big.to_string().contains("exceeds limit"), "{too_big}");
            table.mutate(Mutation::put(vec![b'r'; 32_767]).value("f", "q", "v")).await.unwrap();
        })
        .await;
}

#[tokio::test]
async fn a_row_of_many_cells_can_be_read_in_parts() {
    let Some(scratch) = Scratch::new("a_row_of_many_cells_can_be_read_in_parts") else { return };
    scratch
        .run(async {
            let table = versioned(&scratch).await;
            let many =
                (0..10).fold(Mutation::put("r"), |put, at| put.value_at("f", format!("q{at}"), 1, "v"));
            table.mutate(many).await.unwrap();
            let some = Selection::all().cells_per_family(3, 4);
            let row = table.get(&Get::new("r").select(some)).await.unwrap();
            assert_eq!(shown(&row), ["q4@1=v", "q5@1=v", "q6@1=v"]);
        })
        .await;
}
