//! Tables are created, changed, disabled, truncated and deleted.

mod scratch;

use keystride_hbase::{
    AfterTruncate, Compression, Error, FamilyDescriptor, FamilyName, Get, Mutation, ReplicationScope,
    SplitPolicy, TableDescriptor,
};
use scratch::{Scratch, demand_rows, described, fill, keys};

#[tokio::test]
async fn a_table_is_there_from_its_making_to_its_end() {
    let Some(scratch) = Scratch::new("a_table_is_there") else { return };
    let name = scratch.name("t");
    scratch
        .run(async {
            let admin = &scratch.admin;
            assert!(!admin.table_exists(&name).await.unwrap());
            assert!(matches!(admin.table(&name).await, Err(Error::NoTable { table }) if table == name));
            assert!(matches!(admin.is_enabled(&name).await, Err(Error::NoTable { .. })));

            let table = scratch.table("t", &[]).await;
            assert!(admin.table_exists(&name).await.unwrap() && admin.is_enabled(&name).await.unwrap());
            assert!(admin.table_names().await.unwrap().contains(&name));
            assert!(admin.tables().await.unwrap().iter().any(|table| table.name == name));
            assert_eq!(admin.table(&name).await.unwrap().families().len(), 1);

            fill(&table, 3).await;
            assert!(matches!(admin.delete_table(&name).await, Err(Error::TableEnabled { .. })));
            admin.disable_table(&name).await.unwrap();
            assert!(matches!(admin.disable_table(&name).await, Err(Error::TableDisabled { .. })));
            admin.enable_table(&name).await.unwrap();
            assert!(matches!(admin.enable_table(&name).await, Err(Error::TableEnabled { .. })));
            demand_rows(&table, 3).await;

            admin.disable_table(&name).await.unwrap();
            admin.delete_table(&name).await.unwrap();
            assert!(!admin.table_exists(&name).await.unwrap());
            assert!(matches!(admin.delete_table(&name).await, Err(Error::NoTable { .. })));
            assert!(matches!(admin.disable_table(&name).await, Err(Error::NoTable { .. })));
            assert!(matches!(scratch.client.regions(&name).await, Err(Error::NoTable { .. })));
        })
        .await;
}

#[tokio::test]
async fn a_table_is_made_once() {
    let Some(scratch) = Scratch::new("a_table_is_made_once") else { return };
    scratch
        .run(async {
            let name = scratch.name("t");
            scratch.table("t", &[b"m"]).await;
            let again = scratch.admin.create_table(&described(&name), &[] as &[&[u8]]).await;
            assert!(matches!(again, Err(Error::TableExists { table }) if table == name));
            assert_eq!(scratch.starts("t").await, [&b""[..], b"m"]);
        })
        .await;
}

#[tokio::test]
async fn what_is_set_on_a_table_stays_when_something_else_is_changed() {
    let Some(scratch) = Scratch::new("what_is_set_stays") else { return };
    scratch
        .run(async {
            let (admin, name) = (&scratch.admin, scratch.name("t"));
            let mut asked = TableDescriptor::new(name.clone());
            let mut family = FamilyDescriptor::new(FamilyName::new("f").unwrap());
            family.set_versions(5).set_compression(Compression::Gz).set_ttl_seconds(Some(86_400));
            family.attributes.insert("FAMILY_OF".as_bytes().into(), "ours".into());
            asked
                .set_family(family)
                .set_split_policy(Some(&SplitPolicy::Disabled))
                .set_max_file_bytes(Some(1 << 33));
            asked.attributes.insert("NOTHING_HBASE_KNOWS".as_bytes().into(), "\u{e9}".into());
            admin.create_table(&asked, &[] as &[&[u8]]).await.unwrap();

            let made = admin.table(&name).await.unwrap();
            for (key, value) in &asked.attributes {
                assert_eq!(made.attributes.get(key), Some(value));
            }
            let mut changed = made.clone();
            changed.set_priority(7).set_family(FamilyDescriptor::new(FamilyName::new("g").unwrap()));
            admin.modify_table(&changed).await.unwrap();

            let mut found = admin.table(&name).await.unwrap();
            assert_eq!(found.priority(), Ok(7));
            let g = found.remove_family(&FamilyName::new("g").unwrap()).expect("it was added");
            assert_eq!(g.versions(), Ok(1));
            let f = FamilyName::new("f").unwrap();
            assert_eq!(found.family(&f), made.family(&f));
            found.attributes.retain(|key, _| made.attributes.contains_key(key) || key != "PRIORITY");
            assert_eq!(found, made);

            let table = scratch.client.table(name.clone());
            table.mutate(Mutation::put("r").value("g", "q", "new")).await.unwrap();
            found.set_priority(7);
            admin.modify_table(&found).await.unwrap();
            let gone = table.mutate(Mutation::put("r").value("g", "q", "gone")).await.unwrap_err();
            assert_eq!(gone.remote().unwrap().short_class(), "NoSuchColumnFamilyException");
        })
        .await;
}

#[tokio::test]
async fn a_family_has_a_replication_scope() {
    let Some(scratch) = Scratch::new("a_family_says") else { return };
    scratch
        .run(async {
            let (admin, name) = (&scratch.admin, scratch.name("t"));
            let mut asked = TableDescriptor::new(name.clone());
            for (family, scope) in [("near", ReplicationScope::Local), ("far", ReplicationScope::Global)] {
                let mut family = FamilyDescriptor::new(FamilyName::new(family).unwrap());
                family.set_replication_scope(scope);
                asked.set_family(family);
            }
            admin.create_table(&asked, &[] as &[&[u8]]).await.unwrap();
            let scope = async |family: &str| {
                let made = admin.table(&name).await.unwrap();
                made.family(&FamilyName::new(family).unwrap()).unwrap().replication_scope()
            };
            assert_eq!(scope("near").await, Ok(ReplicationScope::Local));
            assert_eq!(scope("far").await, Ok(ReplicationScope::Global));
            let mut changed = admin.table(&name).await.unwrap();
            let mut far = changed.remove_family(&FamilyName::new("far").unwrap()).unwrap();
            far.set_replication_scope(ReplicationScope::Local);
            changed.set_family(far);
            admin.modify_table(&changed).await.unwrap();
            assert_eq!(scope("far").await, Ok(ReplicationScope::Local));
        })
        .await;
}

#[tokio::test]
async fn a_truncated_table_has_no_rows_and_the_regions_asked_for() {
    let Some(scratch) = Scratch::new("a_truncated_table") else { return };
    scratch
        .run(async {
            let (admin, name) = (&scratch.admin, scratch.name("t"));
            let table = scratch.table("t", &[b"010", b"020"]).await;
            fill(&table, 30).await;
            let truncated = admin.truncate_table(&name, AfterTruncate::KeepSplits).await;
            assert!(matches!(truncated, Err(Error::TableEnabled { .. })));

            admin.disable_table(&name).await.unwrap();
            admin.truncate_table(&name, AfterTruncate::KeepSplits).await.unwrap();
            assert!(admin.is_enabled(&name).await.unwrap());
            assert!(keys(&table).await.is_empty());
            assert_eq!(scratch.starts("t").await, [&b""[..], b"010", b"020"]);
            fill(&table, 30).await;
            demand_rows(&table, 30).await;

            admin.disable_table(&name).await.unwrap();
            admin.truncate_table(&name, AfterTruncate::OneRegion).await.unwrap();
            assert_eq!(scratch.starts("t").await, [b""]);
            assert!(keys(&table).await.is_empty());
            fill(&table, 30).await;
            demand_rows(&table, 30).await;
        })
        .await;
}

#[tokio::test]
async fn refusals_of_the_master_have_a_reason() {
    let Some(scratch) = Scratch::new("what_the_master_refuses") else { return };
    scratch
        .run(async {
            let (admin, name) = (&scratch.admin, scratch.name("t"));
            let refused = async |table: &TableDescriptor| {
                let error = admin.create_table(table, &[] as &[&[u8]]).await.unwrap_err();
                assert!(!admin.table_exists(&name).await.unwrap());
                error.to_string()
            };
            let without_family = refused(&TableDescriptor::new(name.clone())).await;
            assert!(without_family.contains("should have at least one column family"), "{without_family}");
            let mut tiny = described(&name);
            tiny.set_max_file_bytes(Some(1_000));
            let tiny = refused(&tiny).await;
            assert!(tiny.contains("MAX_FILESIZE") && tiny.contains("too small"), "{tiny}");

            let keys = admin.create_table(&described(&name), &["b", "a", "b"]).await.unwrap_err();
            assert_eq!(keys.to_string(), "split key b is given twice");

            scratch.table("t", &[]).await;
            let error = admin.modify_table(&TableDescriptor::new(name.clone())).await.unwrap_err();
            assert!(error.to_string().contains("should have at least one column family"), "{error}");
            assert_eq!(admin.table(&name).await.unwrap().families().len(), 1);
        })
        .await;
}

#[tokio::test]
async fn reading_a_disabled_table_says_so() {
    let Some(scratch) = Scratch::new("reading_a_disabled_table") else { return };
    scratch
        .run(async {
            let (admin, name) = (&scratch.admin, scratch.name("t"));
            let table = scratch.table("t", &[b"m"]).await;
            fill(&table, 2).await;
            admin.disable_table(&name).await.unwrap();
            let read = table.get(&Get::new("000")).await;
            assert!(matches!(&read, Err(Error::TableDisabled { table }) if *table == name), "{read:?}");
            let read = scratch.admin.flush_table(&name).await;
            assert!(matches!(&read, Err(Error::TableDisabled { table }) if *table == name), "{read:?}");
            admin.enable_table(&name).await.unwrap();
            demand_rows(&table, 2).await;
        })
        .await;
}

#[tokio::test]
async fn a_table_that_is_not_there_is_missed() {
    let Some(scratch) = Scratch::new("a_table_that_is_not_there") else { return };
    let (admin, name) = (&scratch.admin, scratch.name("none"));
    let missed = |outcome: Result<(), Error>| match outcome {
        Err(Error::NoTable { table }) => assert_eq!(table, name),
        other => panic!("{other:?}"),
    };
    missed(scratch.client.table(name.clone()).get(&Get::new("r")).await.map(drop));
    missed(admin.modify_table(&described(&name)).await);
    missed(admin.enable_table(&name).await);
    missed(admin.truncate_table(&name, AfterTruncate::OneRegion).await);
    missed(admin.flush_table(&name).await);
    missed(admin.region_loads(&name).await.map(drop));
    missed(admin.split_table(&name, b"m").await);
}
