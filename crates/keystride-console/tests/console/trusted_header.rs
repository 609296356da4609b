//! The header of a proxy that is trusted: it stands for a session and for nothing else.

use serde_json::{Value, json};

use super::fixture::{Answer, Console, calls};

const USER: &str = "x-forwarded-user: ann";
const BODY: &str = r#"{"split":{"by":"none"}}"#;

async fn trusting() -> Console {
    let console = Console::with(|options| {
        options.allow_write = true;
        options.trusted_header = Some("X-Forwarded-User".parse().unwrap());
    });
    console.await
}

/// Asks without a session, as a page does.
async fn ask(console: &Console, line: &str, headers: &[&str], body: &str) -> Answer {
    let usual = ["cookie: ", "x-keystride: 1", "content-type: application/json"];
    console.ask(line, &[&usual[..], headers].concat(), body).await
}

async fn demand_no_session(console: &Console, headers: &[&str]) {
    for line in ["GET /", "GET /api/v1/session", "POST /api/v1/splits", "DELETE /api/v1/tables/calls"] {
        let answer = ask(console, line, headers, BODY).await;
        assert_eq!((answer.status, answer.header("set-cookie")), (401, None), "{line} {headers:?}");
    }
}

#[tokio::test]
async fn who_has_the_header_needs_no_session_and_gets_none() {
    let console = trusting().await;
    let token = console.token();
    for header in [USER, "X-Forwarded-User: \u{674e}\u{96f7}", "x-forwarded-user:CN=ann, OU=keys"] {
        for (line, body) in [("GET /", ""), ("GET /api/v1/session", ""), ("POST /api/v1/splits", BODY)] {
            let answer = ask(&console, line, &[header], body).await;
            assert_eq!((answer.status, answer.header("set-cookie")), (200, None), "{line} {header}");
        }
    }
    // A token is left for a browser that comes without the proxy.
    assert_eq!(ask(&console, &format!("GET /?token={token}"), &[USER], "").await.status, 200);
    assert_eq!(console.token(), token);
    demand_no_session(&console, &[]).await;
}

#[tokio::test]
async fn without_the_option_no_header_is_trusted() {
    let console = Console::start().await;
    demand_no_session(&console, &[USER]).await;
}

#[tokio::test]
async fn a_header_that_names_nobody_or_two_is_none() {
    let console = trusting().await;
    for wrong in [
        &["x-forwarded-user:"][..],
        &["x-forwarded-user:  \t "],
        &[USER, USER],
        &[USER, "x-forwarded-user: bob"],
        &[USER, "X-FORWARDED-USER:"],
        &["x-forwarded-user:", USER],
        &["x_forwarded_user: ann"],
        &["x-forwarded-user2: ann"],
        &["forwarded-user: ann"],
        &["x-forwarded-email: ann"],
        &["authorization: Basic YW5uOmE="],
    ] {
        demand_no_session(&console, wrong).await;
    }
    let cookie = "cookie: x-forwarded-user=ann";
    let answer = console.ask("GET /api/v1/session?x-forwarded-user=ann", &[cookie], "").await;
    answer.demand_refused(401, "no-session");
}

#[tokio::test]
async fn other_hosts_and_other_sites_are_refused_all_the_same() {
    let console = trusting().await;
    let foreign = ["host: evil.example", USER];
    ask(&console, "GET /api/v1/tables", &foreign, "").await.demand_refused(421, "unknown-host");
    let table = json!({ "name": "calls", "design": calls(4), "split": { "by": "design" } }).to_string();
    for hostile in ["origin: http://evil.example", "origin: null", "sec-fetch-site: cross-site"] {
        let answer = ask(&console, "POST /api/v1/tables", &[hostile, USER], &table).await;
        answer.demand_refused(403, "other-site");
    }
    let form = ["cookie: ", "content-type: text/plain", USER];
    console.ask("POST /api/v1/tables", &form, &table).await.demand_refused(403, "other-site");
    assert_eq!(console.get("/tables").await.done()["tables"], json!([]));
    assert_eq!(ask(&console, "POST /api/v1/tables", &[USER], &table).await.status, 200);
}

#[tokio::test]
async fn who_began_a_job_is_in_its_log() {
    let console = trusting().await;
    let table = json!({ "name": "calls", "design": calls(4), "split": { "by": "design" } });
    console.post("/tables", &table).await.done();
    let rows = "phone,ts\n13800138000,1586131200000\n";
    let sent = ask(&console, "POST /api/v1/uploads?name=calls.csv", &[USER], rows).await.done();
    let load = json!({ "file": { "upload": sent["upload"] } }).to_string();
    let begun = ask(&console, "POST /api/v1/tables/calls/loads", &[USER], &load).await.done();
    let ended = console.end_of(&begun).await;
    let log = async |job: &Value| console.get(&format!("/jobs/{}", job["id"])).await.done()["log"].clone();
    assert_eq!(log(&ended).await[0], "begun by ann");
    // One with a session has no name.
    let resumed = console.post(ended["resume"]["path"].as_str().unwrap(), &ended["resume"]["body"]).await;
    let ended = console.end_of(&resumed.done()).await;
    assert!(!log(&ended).await[0].as_str().unwrap().contains("begun by"));
}
