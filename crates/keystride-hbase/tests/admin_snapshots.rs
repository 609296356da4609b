//! Snapshots are taken, listed, cloned, restored and deleted.

mod scratch;

use keystride_hbase::{Error, Mutation, SnapshotDescriptor, SnapshotKind};
use scratch::{Scratch, demand_rows, fill, keys};

#[tokio::test]
async fn a_snapshot_keeps_a_table_as_it_was() {
    let Some(scratch) = Scratch::new("a_snapshot") else { return };
    scratch
        .run(async {
            let (admin, name) = (&scratch.admin, scratch.name("t"));
            let table = scratch.table("t", &[b"020"]).await;
            fill(&table, 40).await;
            let mut asked = SnapshotDescriptor::new(&scratch.text("s"), name.clone()).unwrap();
            asked.ttl_seconds = Some(3_600);
            admin.snapshot(&asked).await.unwrap();
            let again = admin.snapshot(&asked).await.unwrap_err();
            assert!(again.to_string().contains("SnapshotExistsException"), "{again}");

            let listed = admin.snapshots().await.unwrap();
            let found = listed.iter().find(|snapshot| snapshot.name() == asked.name()).unwrap();
            assert_eq!(
                (&found.table, found.ttl_seconds, found.kind),
                (&name, Some(3_600), SnapshotKind::Flush)
            );
            assert!(found.created_ms.is_some() && found.version == Some(2), "{found:?}");

            table.mutate(Mutation::put("late").value("f", "q", "x")).await.unwrap();
            admin.clone_snapshot(asked.name(), &scratch.name("clone")).await.unwrap();
            demand_rows(&scratch.client.table(scratch.name("clone")), 40).await;
            assert_eq!(scratch.starts("clone").await, [&b""[..], b"020"]);
            let exists = admin.clone_snapshot(asked.name(), &scratch.name("clone")).await;
            assert!(matches!(exists, Err(Error::TableExists { .. })));

            admin.split_table(&name, b"030").await.unwrap();
            let enabled = admin.restore_snapshot(asked.name()).await;
            assert!(matches!(enabled, Err(Error::TableEnabled { .. })));
            admin.disable_table(&name).await.unwrap();
            admin.restore_snapshot(asked.name()).await.unwrap();
            admin.enable_table(&name).await.unwrap();
            demand_rows(&table, 40).await;
            assert_eq!(scratch.starts("t").await, [&b""[..], b"020"]);
        })
        .await;
}

#[tokio::test]
async fn a_deleted_table_comes_back_from_its_snapshot() {
    let Some(scratch) = Scratch::new("a_deleted_table_comes_back") else { return };
    scratch
        .run(async {
            let (admin, name) = (&scratch.admin, scratch.name("t"));
            let table = scratch.table("t", &[]).await;
            fill(&table, 9).await;
            admin.disable_table(&name).await.unwrap();
            let mut asked = SnapshotDescriptor::new(&scratch.text("s"), name.clone()).unwrap();
            asked.kind = SnapshotKind::Disabled;
            admin.snapshot(&asked).await.unwrap();
            admin.delete_table(&name).await.unwrap();
            admin.restore_snapshot(asked.name()).await.unwrap();
            assert!(admin.is_enabled(&name).await.unwrap());
            assert_eq!(keys(&table).await.len(), 9);
        })
        .await;
}

#[tokio::test]
async fn a_snapshot_that_is_not_there_is_missed() {
    let Some(scratch) = Scratch::new("a_snapshot_that_is_not_there") else { return };
    let (admin, name) = (&scratch.admin, scratch.text("none"));
    let missed = |outcome: Result<(), Error>| match outcome {
        Err(Error::NoSnapshot { snapshot }) => assert_eq!(snapshot, name),
        other => panic!("{other:?}"),
    };
    missed(admin.delete_snapshot(&name).await);
    missed(admin.restore_snapshot(&name).await);
    missed(admin.clone_snapshot(&name, &scratch.name("t")).await);
    let of_none = SnapshotDescriptor::new(&name, scratch.name("t")).unwrap();
    let of_none = admin.snapshot(&of_none).await;
    assert!(matches!(&of_none, Err(Error::NoTable { .. })), "{of_none:?}");
}
