//! Pages of other sites in a browser that has a session: what they send changes nothing, and they read nothing.

use keystride_store::TableName;
use serde_json::json;

use super::fixture::{Console, calls};

const JSON: &str = "content-type: application/json";
const PREVIEW: &str = r#"{"split":{"by":"md5-hex"}}"#;

#[tokio::test]
async fn what_another_site_sends_is_refused() {
    let console = Console::start().await;
    let port = console.address.port();
    let own = format!("origin: http://127.0.0.1:{port}");
    for headers in
        [&["x-keystride: 1", JSON][..], &["x-keystride: 1", JSON, &own, "sec-fetch-site: same-origin"]]
    {
        assert_eq!(console.ask("POST /api/v1/splits", headers, PREVIEW).await.status, 200, "{headers:?}");
    }
    let near = [
        format!("origin: http://127.0.0.1:{port}.evil.example"),
        format!("origin: http://evil.example:{port}"),
        format!("origin: ftp://127.0.0.1:{port}"),
        format!("origin: 127.0.0.1:{port}"),
    ];
    let far = ["origin: http://evil.example", "origin: null", "origin: ", "origin: http://127.0.0.1:1"];
    let sites = ["sec-fetch-site: cross-site", "sec-fetch-site: same-site"];
    for hostile in near.iter().map(String::as_str).chain(far).chain(sites) {
        let headers = ["x-keystride: 1", JSON, hostile];
        console.ask("POST /api/v1/splits", &headers, PREVIEW).await.demand_refused(403, "other-site");
    }
}

#[tokio::test]
async fn what_a_form_can_send_is_refused() {
    let console = Console::start().await;
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
        let kind = format!("content-type: {kind}");
        console.ask("POST /api/v1/splits", &[&kind], PREVIEW).await.demand_refused(403, "other-site");
        let headers = ["x-keystride: 1", &kind];
        console.ask("POST /api/v1/splits", &headers, PREVIEW).await.demand_refused(415, "request");
    }
    console.ask("POST /api/v1/splits", &[JSON], PREVIEW).await.demand_refused(403, "other-site");
    // A browser asks before it sends a header of another site's script.
    let asked = ["origin: http://evil.example", "access-control-request-headers: x-keystride"];
    console.ask("OPTIONS /api/v1/splits", &asked, "").await.demand_refused(403, "other-site");
}

#[tokio::test]
async fn tables_stay_as_they_are() {
    let console = Console::start().await;
    let table = json!({ "name": "calls", "design": calls(4), "split": { "by": "design" } });
    console.post("/tables", &table).await.done();
    let confirm = r#"{"confirm":"calls"}"#;
    for line in ["DELETE /api/v1/tables/calls", "POST /api/v1/tables/calls/truncate"] {
        for hostile in [&["origin: http://evil.example", "x-keystride: 1", JSON][..], &[JSON]] {
            console.ask(line, hostile, confirm).await.demand_refused(403, "other-site");
        }
    }
    let name = TableName::new("calls").unwrap();
    assert_eq!(console.store.split_points(&name).await.unwrap().region_count(), 4);
}
