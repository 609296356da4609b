//! How a real master treats repeated requests and unknown ids. Skipped without a cluster.

use keystride_hbase_harness::shared_or_skip;

use super::Admin;
use crate::error::Recovery;
use crate::{Client, Error, FamilyDescriptor, FamilyName, Mutation, TableDescriptor, TableName, proto};

fn admin(test: &str) -> Option<(Admin, TableName)> {
    let hbase = shared_or_skip(test)?;
    let client = Client::new(&format!("hbase+rpc://{}", hbase.address().master())).unwrap();
    Some((client.admin(), TableName::new(&format!("{test}_{}", std::process::id())).unwrap()))
}

fn described(name: &TableName) -> TableDescriptor {
    let mut table = TableDescriptor::new(name.clone());
    table.set_family(FamilyDescriptor::new(FamilyName::new("f").unwrap()));
    table
}

async fn drop_table(admin: &Admin, name: &TableName) {
    admin.disable_table(name).await.unwrap();
    admin.delete_table(name).await.unwrap();
}

#[tokio::test]
async fn a_change_that_is_asked_for_twice_is_made_once() {
    let Some((admin, name)) = admin("asked_for_twice") else { return };
    let nonce = admin.nonce();
    let request = proto::CreateTableRequest {
        table_schema: described(&name).to_proto(),
        split_keys: Vec::new(),
        nonce_group: nonce.group,
        nonce: nonce.nonce,
    };
    let first: proto::CreateTableResponse = admin.call("CreateTable", &request).await.unwrap();
    let second: proto::CreateTableResponse = admin.call("CreateTable", &request).await.unwrap();
    assert!(first.proc_id.is_some() && first.proc_id == second.proc_id);
    admin.finish("creating the table", first.proc_id, async { Ok(false) }).await.unwrap();
    drop_table(&admin, &name).await;
}

#[tokio::test]
async fn an_unknown_procedure_is_judged_by_the_state_of_the_cluster() {
    let Some((admin, name)) = admin("never_heard_of") else { return };
    let forgotten = Some(u64::MAX >> 2);
    admin.finish("nothing", forgotten, async { Ok(true) }).await.unwrap();
    let lost = admin.finish("nothing", forgotten, admin.table_exists(&name)).await;
    assert!(matches!(lost, Err(Error::ProcedureLost { what: "nothing" })), "{lost:?}");
}

#[tokio::test]
async fn a_method_the_master_does_not_have_is_not_tried_again() {
    let Some((admin, _)) = admin("no_such_method") else { return };
    let request = proto::IsMasterRunningRequest {};
    let answer: Result<proto::IsMasterRunningResponse, Error> = admin.call("NoSuchMethod", &request).await;
    let error = answer.unwrap_err();
    assert_eq!(error.recovery(), Recovery::GiveUp);
    assert!(super::storage::may_lack_method(&error), "{error}");
}

#[tokio::test]
async fn a_table_is_flushed_region_by_region_too() {
    let Some((admin, name)) = admin("region_by_region") else { return };
    admin.create_table(&described(&name), &["m"]).await.unwrap();
    for row in ["a", "z"] {
        admin.client.table(name.clone()).mutate(Mutation::put(row).value("f", "q", "v")).await.unwrap();
    }
    admin.flush_regions(&name).await.unwrap();
    let loads = admin.region_loads(&name).await.unwrap();
    assert_eq!(loads.iter().map(|load| load.store_files).collect::<Vec<_>>(), [1, 1]);
    drop_table(&admin, &name).await;
}

#[tokio::test]
async fn a_lost_master_is_found_again() {
    let Some((admin, name)) = admin("no_more") else { return };
    let mut gone = admin.master().await.unwrap();
    // Nothing listens on this port.
    gone.port = 1;
    *admin.client.master().lock().unwrap() = Some(gone.clone());
    assert!(!admin.table_names().await.unwrap().contains(&name));
    assert_ne!(admin.master().await.unwrap(), gone);
}

#[expect(dead_code, reason = "that it compiles is the test")]
fn changes_can_be_awaited_on_any_thread(admin: &Admin, table: &TableDescriptor, region: &crate::RegionInfo) {
    fn sent(_: impl Send) {}
    sent(admin.create_table(table, &[] as &[Vec<u8>]));
    sent(admin.modify_table(table));
    sent(admin.split_region(region, None));
    sent(admin.merge_regions(&[], false));
    sent(admin.move_region(region, None));
    sent(admin.flush_table(&table.name));
    sent(admin.compact_table(&table.name, crate::Compaction::Major));
    sent(admin.region_loads(&table.name));
    sent(admin.clone_snapshot("", &table.name));
    sent(admin.create_namespace(&crate::NamespaceDescriptor::new("n").unwrap()));
    sent(admin.cluster_status());
}
