//! What changes tables: allowed or not, and what is removed for good is named twice.

use std::sync::Arc;

use keystride::SplitPoints;
use keystride_app::new_table::{NewTable, Schema};
use keystride_store::{Family, FamilyName, TableName};
use serde_json::json;

use super::fixture::{Console, calls};

/// The requests that change a table, with what each takes.
const CHANGES: [(&str, &str, &str); 5] = [
    ("POST", "/tables", r#"{"name":"t","families":[{"name":"f"}],"split":{"by":"none"}}"#),
    ("POST", "/tables/calls/split", r#"{"at":"2x","form":"text","force":true}"#),
    ("POST", "/tables/calls/truncate", r#"{"confirm":"calls"}"#),
    ("POST", "/tables/calls/compact", ""),
    ("DELETE", "/tables/calls", r#"{"confirm":"calls"}"#),
];

async fn with_calls(console: &Console) -> TableName {
    let name = TableName::new("calls").unwrap();
    let family = Family::new(FamilyName::new("f").unwrap());
    let points = SplitPoints::new(["1", "2", "3"]).unwrap();
    let table = NewTable { name: name.clone(), schema: Schema::Families(vec![family]), points };
    table.create(Arc::clone(&console.store)).await.unwrap();
    name
}

#[tokio::test]
async fn a_console_that_only_reads_changes_nothing() {
    let console = Console::with(|_| ()).await;
    let name = with_calls(&console).await;
    for (method, path, body) in CHANGES {
        console.send(method, path, body).await.demand_refused(403, "read-only");
    }
    assert_eq!(console.store.list().await.unwrap(), std::slice::from_ref(&name));
    assert_eq!(console.store.split_points(&name).await.unwrap().region_count(), 4);
    console.post("/splits", &json!({ "split": { "by": "md5-hex" } })).await.done();
}

/// What a body says would cost time and memory; it is not waited for.
#[tokio::test]
async fn it_refuses_before_it_reads_what_is_sent() {
    let console = Console::with(|_| ()).await;
    let loads = ("POST", "/tables/calls/loads", "");
    for (method, path, _) in CHANGES.into_iter().chain([loads]) {
        let request = format!(
            "{method} /api/v1{path} HTTP/1.1\r\nhost: {}\r\ncookie: {}\r\nx-keystride: 1\r\n\
             content-type: application/json\r\ncontent-length: 1000000\r\n\r\n",
            console.address, console.cookie
        );
        console.raw(request).await.demand_refused(403, "read-only");
    }
}

#[tokio::test]
async fn each_change_is_made_where_it_is_allowed() {
    for (method, path, body) in CHANGES {
        let console = Console::start().await;
        with_calls(&console).await;
        let answer = console.send(method, path, body).await;
        assert!((200..300).contains(&answer.status), "{method} {path}: {}", answer.body);
    }
}

#[tokio::test]
async fn a_table_that_is_not_named_again_stays() {
    let console = Console::start().await;
    let name = with_calls(&console).await;
    for confirm in ["", "call", "Calls", "calls ", " calls", "calls\u{0}", "other", "*"] {
        let body = json!({ "confirm": confirm }).to_string();
        console.send("DELETE", "/tables/calls", &body).await.demand_refused(422, "not-confirmed");
        console.send("POST", "/tables/calls/truncate", &body).await.demand_refused(422, "not-confirmed");
    }
    for body in ["{}", r#"{"confirm":null}"#, r#"{"confirm":true}"#, r#"{"confirm":["calls"]}"#] {
        console.send("DELETE", "/tables/calls", body).await.demand_refused(422, "request");
        console.send("POST", "/tables/calls/truncate", body).await.demand_refused(422, "request");
    }
    console.send("DELETE", "/tables/calls", "").await.demand_refused(400, "request");
    assert_eq!(console.store.split_points(&name).await.unwrap().region_count(), 4);
    let body = json!({ "confirm": "calls", "keep_splits": true }).to_string();
    assert_eq!(console.send("POST", "/tables/calls/truncate", &body).await.status, 204);
    assert_eq!(console.store.split_points(&name).await.unwrap().region_count(), 4);
    assert_eq!(console.send("DELETE", "/tables/calls", &body).await.status, 204);
    assert_eq!(console.store.list().await.unwrap(), []);
}

/// A design in four buckets: keys begin with 0 to 3.
#[tokio::test]
async fn a_split_that_leaves_a_region_without_keys_takes_force() {
    let console = Console::start().await;
    let table = json!({ "name": "calls", "design": calls(4), "split": { "by": "design" } });
    console.post("/tables", &table).await.done();
    let split = async |at: &str, force: bool| {
        let body = json!({ "at": at, "form": "escaped", "force": force });
        console.post("/tables/calls/split", &body).await
    };
    split("x", false).await.demand_refused(422, "empty-region");
    split("0138", false).await.done();
    split("x", true).await.done();
    split("x", true).await.demand_refused(409, "split-exists");
    split("", true).await.demand_refused(422, "key");
}
