//! Requests that can't be meant: each gets a word and a sentence as JSON, and the console goes on.

use serde_json::{Value, json};

use super::fixture::{Console, calls};

/// What takes a body, with one that is right.
fn with_bodies() -> [(&'static str, &'static str, Value); 15] {
    let table = json!({ "name": "t", "families": [{ "name": "f" }], "split": { "by": "none" } });
    [
        ("POST", "/design", json!({ "design": calls(4) })),
        ("POST", "/design/compare", json!({ "designs": ["", ""] })),
        ("POST", "/design/edit", json!({ "design": "" })),
        ("POST", "/design/findings", json!({ "design": "" })),
        ("POST", "/design/preview", json!({ "design": "" })),
        ("POST", "/design/save", json!({ "design": "", "path": "a.toml" })),
        ("POST", "/key", json!({ "key": "a", "form": "text" })),
        ("POST", "/tables/t/extracts", json!({ "to": "a", "where": "" })),
        ("POST", "/tables/t/loads", json!({ "file": { "path": "a" }, "input": {} })),
        ("POST", "/tables/t/loads/trial", json!({ "file": { "upload": "1" } })),
        ("POST", "/splits", table.clone()),
        ("POST", "/tables", table),
        ("POST", "/tables/t/split", json!({ "at": "a", "form": "text" })),
        ("POST", "/tables/t/truncate", json!({ "confirm": "t" })),
        ("DELETE", "/tables/t", json!({ "confirm": "t" })),
    ]
}

#[tokio::test]
async fn a_body_that_is_not_what_is_asked_for_is_refused() {
    let console = Console::start().await;
    for (method, path, body) in with_bodies() {
        for text in ["", "{", "}", "nothing", "{\"", "\u{0}"] {
            console.send(method, path, text).await.demand_refused(400, "request");
        }
        for text in ["null", "[]", "1", "\"t\"", "{}"] {
            console.send(method, path, text).await.demand_refused(422, "request");
        }
        let deep = console.send(method, path, &"[".repeat(100_000)).await;
        deep.demand_refused(if deep.status == 400 { 400 } else { 422 }, "request");
        let mut unknown = body.clone();
        unknown["unknown"] = true.into();
        console.send(method, path, &unknown.to_string()).await.demand_refused(422, "request");
        for word in body.as_object().unwrap().keys() {
            for wrong in [json!(1), json!(true), json!([1]), json!({ "a": 1 })] {
                let mut body = body.clone();
                body[word] = wrong;
                let answer = console.send(method, path, &body.to_string()).await;
                // For what is one of some words, a number is no text that can be read.
                answer.demand_refused(if answer.status == 400 { 400 } else { 422 }, "request");
            }
        }
        console
            .ask(&format!("{method} /api/v1{path}"), &["x-keystride: 1"], &body.to_string())
            .await
            .demand_refused(415, "request");
    }
    console.get("/session").await.done();
}

#[tokio::test]
async fn a_place_of_twenty_thousand_steps_is_refused() {
    let console = Console::start().await;
    let edit = json!({ "path": vec!["a"; 20_000], "set": "1" });
    let asked = json!({ "design": calls(4), "edits": [edit] });
    console.post("/design/edit", &asked).await.demand_refused(422, "input");
}

#[tokio::test]
async fn a_body_that_is_too_large_is_refused() {
    let console = Console::start().await;
    let text = " ".repeat(21_000_000);
    for (method, path, _) in with_bodies() {
        console.send(method, path, &text).await.demand_refused(413, "too-large");
    }
    console.get("/session").await.done();
}

#[tokio::test]
async fn a_split_that_can_not_be_made_is_refused() {
    let console = Console::start().await;
    for split in [
        json!({ "by": "partition-keys", "regions": 0 }),
        json!({ "by": "partition-keys", "regions": 1_000_000_000 }),
        json!({ "by": "partition-keys", "regions": 4, "width": usize::MAX }),
        json!({ "by": "algorithm", "name": "HexStringSplit", "regions": 0 }),
        json!({ "by": "algorithm", "name": "UniformSplit", "regions": 1_000_000_000 }),
        json!({ "by": "algorithm", "name": "DecimalStringSplit", "regions": usize::MAX }),
        json!({ "by": "algorithm", "name": "hexstringsplit", "regions": 4 }),
        json!({ "by": "algorithm", "name": "HexStringSplit", "regions": 4, "first": "xyz" }),
        json!({ "by": "algorithm", "name": "HexStringSplit", "regions": 4, "first": "f", "last": "0" }),
        json!({ "by": "range", "start": "a", "end": "z", "regions": 1_000_000_000 }),
        json!({ "by": "range", "start": "z", "end": "a", "regions": 4 }),
        json!({ "by": "sample", "regions": 4 }),
        json!({ "by": "design" }),
    ] {
        console.post("/splits", &json!({ "split": split })).await.demand_refused(422, "splits");
    }
    for split in [
        json!({ "by": "range", "start": "\\xZZ", "end": "z", "regions": 4 }),
        json!({ "by": "partition-keys", "regions": 4, "suffix": "\\xZZ" }),
    ] {
        let answer = console.post("/splits", &json!({ "split": split })).await;
        assert_eq!((answer.status, answer.json()["error"]["code"].is_string()), (422, true), "{split}");
    }
    for regions in [json!(-1), json!(1.5), json!("16"), json!(null), json!(1e30), json!([4])] {
        let split = json!({ "by": "partition-keys", "regions": regions });
        console.post("/splits", &json!({ "split": split })).await.demand_refused(422, "request");
    }
    for split in [
        json!({ "by": "Md5Hex" }),
        json!({ "by": "partition_keys", "regions": 4 }),
        json!({ "regions": 4 }),
        json!({ "by": "list", "form": "base64", "points": "a" }),
        json!({ "by": "list", "form": "text", "points": ["a"] }),
        json!({ "by": "partition-keys", "regions": 4, "last": "a" }),
    ] {
        console.post("/splits", &json!({ "split": split })).await.demand_refused(422, "request");
    }
    let one = json!({ "by": "algorithm", "name": "UniformSplit", "regions": 1 });
    let answer = console.post("/splits", &json!({ "split": one })).await;
    assert!(matches!(answer.status, 200 | 422), "{}", answer.body);
}

#[tokio::test]
async fn names_that_are_not_allowed_are_refused() {
    let console = Console::start().await;
    for name in ["", "a b", "../x", ".hidden", "a:b:c", ":", "ns:", "\u{0}", "表/", "-a", &"a".repeat(70_000)]
    {
        let asked = json!({ "name": name, "families": [{ "name": "f" }], "split": { "by": "none" } });
        console.post("/tables", &asked).await.demand_refused(422, "name");
    }
    for (family, code) in [
        (json!({ "name": "" }), "family"),
        (json!({ "name": "a:b" }), "family"),
        (json!({ "name": ".f" }), "family"),
        (json!({ "name": "f", "attributes": { "VERSION": "3" } }), "family"),
        (json!({ "name": "f", "attributes": { "VERSIONS": "0" } }), "family"),
        (json!({ "name": "f", "attributes": { "VERSIONS": "x" } }), "family"),
        (json!({ "name": "f", "attributes": { "VERSIONS": 3 } }), "request"),
    ] {
        let asked = json!({ "name": "t", "families": [family], "split": { "by": "none" } });
        console.post("/tables", &asked).await.demand_refused(422, code);
    }
    for families in [json!([]), json!([{ "name": "f" }, { "name": "f" }])] {
        let asked = json!({ "name": "t", "families": families, "split": { "by": "none" } });
        console.post("/tables", &asked).await.demand_refused(422, "family");
    }
    let design = calls(4).replace("digits", "digts");
    let asked = json!({ "name": "t", "design": design, "split": { "by": "design" } });
    console.post("/tables", &asked).await.demand_refused(422, "design");
    assert_eq!(console.get("/tables").await.done()["tables"], json!([]));
}

#[tokio::test]
async fn tables_that_are_not_there_are_told() {
    let console = Console::start().await;
    for path in ["/tables/none", "/tables/none/regions", "/tables/none/check", "/tables/ns%3Anone"] {
        console.get(path).await.demand_refused(404, "unknown-table");
    }
    let confirm = r#"{"confirm":"none"}"#;
    for (method, path, body) in [
        ("DELETE", "/tables/none", confirm),
        ("POST", "/tables/none/truncate", confirm),
        ("POST", "/tables/none/split", r#"{"at":"a","form":"text"}"#),
        ("POST", "/tables/none/compact", ""),
    ] {
        console.send(method, path, body).await.demand_refused(404, "unknown-table");
    }
}

#[tokio::test]
async fn addresses_and_methods_that_are_not_there_are_told_as_json() {
    let console = Console::start().await;
    for path in ["/", "", "/nothing", "/tables/", "/tables/t/nothing", "/session/"] {
        console.get(path).await.demand_refused(404, "no-such-page");
    }
    for (method, path) in [
        ("PUT", "/tables"),
        ("PATCH", "/tables/t"),
        ("DELETE", "/session"),
        ("GET", "/tables/t/split"),
        ("POST", "/tables/t"),
    ] {
        console.send(method, path, "").await.demand_refused(405, "method");
    }
    for path in ["/tables/%ff", "/tables/%ff/regions"] {
        console.get(path).await.demand_refused(400, "request");
    }
    console.get("/tables/a%00b").await.demand_refused(422, "name");
    console.get("/session?a=%ff&b").await.done();
}
