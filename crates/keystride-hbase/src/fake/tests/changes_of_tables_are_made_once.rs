//! The master: procedures, and changes of the active master.

use super::{Cluster, Exception, Fault, When, ends, impatient, read, table, write};
use crate::fake::procedure::Procedure;
use crate::{Client, Error, FamilyDescriptor, FamilyName, TableDescriptor, TableName};

fn name(name: &str) -> TableName {
    TableName::new(name).unwrap()
}

fn descriptor(table: &str) -> TableDescriptor {
    let mut descriptor = TableDescriptor::new(name(table));
    descriptor.set_family(FamilyDescriptor::new(FamilyName::new("f").unwrap()));
    descriptor
}

async fn create(client: &Client, table: &str) -> Result<(), Error> {
    ends(client.admin().create_table(&descriptor(table), &["m", "d"])).await
}

#[tokio::test]
async fn a_table_that_was_made_can_be_used_at_once() {
    let cluster = Cluster::start(2).await;
    let client = cluster.client();
    cluster.state().next_procedure = Some(Procedure { running: 3, exception: None });
    create(&client, "t").await.unwrap();
    write(&table(&client, "t"), "x", "v").await.unwrap();
    ends(client.admin().disable_table(&name("t"))).await.unwrap();
    assert!(matches!(read(&table(&client, "t"), "x").await, Err(Error::TableDisabled { .. })));
    ends(client.admin().enable_table(&name("t"))).await.unwrap();
    assert_eq!(read(&table(&client, "t"), "x").await.unwrap(), "v");
    ends(client.admin().disable_table(&name("t"))).await.unwrap();
    ends(client.admin().delete_table(&name("t"))).await.unwrap();
    assert!(matches!(read(&table(&client, "t"), "x").await, Err(Error::NoTable { .. })));
}

// Bug 14: a procedure that finished with an exception was reported as successful.
#[tokio::test]
async fn a_procedure_that_finished_with_an_exception_failed() {
    let cluster = Cluster::with_table().await;
    let client = cluster.client();
    let exception = Exception::new("DoNotRetryIOException", "not enough room for t");
    cluster.state().next_procedure = Some(Procedure { running: 1, exception: Some(exception) });
    let error = create(&client, "t2").await.unwrap_err();
    let Error::Procedure { message, .. } = error else { panic!("{error}") };
    assert_eq!(message, "not enough room for t");
    let exception = Exception::final_one("TableNotEnabledException", "t");
    cluster.state().next_procedure = Some(Procedure { running: 0, exception: Some(exception) });
    let error = ends(client.admin().disable_table(&name("t"))).await.unwrap_err();
    assert!(matches!(error, Error::TableDisabled { .. }), "{error}");
}

#[tokio::test]
async fn a_change_whose_answer_is_lost_is_made_once() {
    for fault in [Fault::LostAnswer, Fault::CloseAfter, Fault::CutShort(6)] {
        let cluster = Cluster::start(2).await;
        let client = cluster.client_with(impatient());
        for method in ["CreateTable", "DisableTable", "DeleteTable"] {
            cluster.inject(When::calling(method), fault.clone());
        }
        create(&client, "t").await.unwrap();
        ends(client.admin().disable_table(&name("t"))).await.unwrap();
        ends(client.admin().delete_table(&name("t"))).await.unwrap();
        assert_eq!(cluster.state().changes.len(), 3);
        assert!(cluster.state().tables.is_empty());
    }
}

#[tokio::test]
async fn a_lost_procedure_result_is_replaced_by_the_state_of_the_cluster() {
    let cluster = Cluster::start(2).await;
    let client = cluster.client_with(impatient());
    cluster.inject(When::calling("getProcedureResult"), Fault::LostAnswer);
    create(&client, "t").await.unwrap();
    let exception = Exception::new("DoNotRetryIOException", "no");
    cluster.state().next_procedure = Some(Procedure { running: 0, exception: Some(exception) });
    cluster.inject(When::calling("getProcedureResult"), Fault::LostAnswer);
    let error = ends(client.admin().disable_table(&name("t"))).await.unwrap_err();
    assert!(matches!(error, Error::ProcedureLost { .. }), "{error}");
}

#[tokio::test]
async fn a_master_that_is_not_ready_is_waited_for() {
    let held = [
        Exception::new("PleaseHoldException", "Master is initializing"),
        Exception::new("MasterNotRunningException", ""),
        Exception::new("ipc.ServerNotRunningYetException", "Server is not running yet"),
        Exception::final_one("PleaseHoldException", "whatever the flag says"),
    ];
    for exception in held {
        let cluster = Cluster::start(2).await;
        cluster.inject(When::calling("CreateTable").times(4), Fault::Exception(exception));
        create(&cluster.client(), "t").await.unwrap();
    }
}

#[tokio::test]
async fn another_master_is_found_when_one_ends() {
    let mut cluster = Cluster::start(3).await;
    cluster.state().meta_at = Some(2);
    let client = cluster.client();
    create(&client, "a").await.unwrap();
    // It is no longer the master, and says so.
    cluster.state().master = Some(1);
    create(&client, "b").await.unwrap();
    cluster.kill(1).await;
    cluster.state().master = Some(2);
    cluster.state().reassign();
    create(&client, "c").await.unwrap();
    assert_eq!(ends(client.admin().master()).await.unwrap(), cluster.state().servers[2]);
}

#[tokio::test]
async fn a_cluster_without_a_master_is_given_up_with_the_reason() {
    let cluster = Cluster::start(2).await;
    cluster.state().master = None;
    let error = create(&cluster.client(), "t").await.unwrap_err().to_string();
    assert!(error.contains("there is no active master now"), "{error}");
}

#[tokio::test]
async fn refusals_of_the_master_become_specific_errors() {
    let cluster = Cluster::with_table().await;
    let client = cluster.client();
    assert!(matches!(create(&client, "t").await, Err(Error::TableExists { .. })));
    let admin = client.admin();
    assert!(matches!(ends(admin.delete_table(&name("t"))).await, Err(Error::TableEnabled { .. })));
    assert!(matches!(ends(admin.disable_table(&name("none"))).await, Err(Error::NoTable { .. })));
    assert!(!ends(admin.table_exists(&name("none"))).await.unwrap());
}
