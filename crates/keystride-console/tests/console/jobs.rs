//! Loads and extracts: cancelled and taken up again, with rejects, refused, tried before.

use std::fmt::Write as _;

use data_encoding::HEXLOWER;
use keystride::KeyRange;
use keystride_store::{Scan, TableName};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::fixture::{Console, calls};
use super::rows::{NOTES, notes};

async fn with_calls(rows: impl AsRef<[u8]>) -> (TempDir, Console) {
    let (files, console) = Console::with_files().await;
    std::fs::write(files.path().join("calls.csv"), rows).unwrap();
    let table = json!({ "name": "calls", "design": calls(4), "split": { "by": "design" } });
    console.post("/tables", &table).await.done();
    (files, console)
}

fn rows(count: usize) -> String {
    let mut text = "phone,ts\n".to_owned();
    for row in 0..count {
        writeln!(text, "{},1586131200000", 13_800_000_000 + row).unwrap();
    }
    text
}

/// Begins a job and waits for its end.
async fn done(console: &Console, path: &str, asked: &Value) -> Value {
    let job = console.post(path, asked).await.done();
    console.end_of(&job).await
}

async fn row_count(console: &Console, table: &str) -> u64 {
    let everything = Scan::of(KeyRange::all());
    console.store.count(&TableName::new(table).unwrap(), everything).await.unwrap()
}

#[tokio::test]
async fn a_load_that_is_cancelled_is_taken_up_where_it_ended() {
    let (_files, console) = with_calls(notes(2_000, 20_000)).await;
    let table = json!({ "name": "notes", "design": NOTES, "split": { "by": "none" } });
    console.post("/tables", &table).await.done();
    let load = json!({ "file": { "path": "calls.csv" } });
    let job = console.post("/tables/notes/loads", &load).await.done();
    assert_eq!(console.send("POST", &format!("/jobs/{}/cancel", job["id"]), "").await.status, 202);
    let ended = console.end_of(&job).await;
    let report = &ended["end"]["report"];
    assert_eq!(report["ending"], "stopped", "{ended}");
    let stored = report["rows"].as_u64().unwrap();
    assert!(stored < 2_000, "{stored}");
    let ended = done(&console, ended["resume"]["path"].as_str().unwrap(), &ended["resume"]["body"]).await;
    let report = &ended["end"]["report"];
    assert_eq!((&report["ending"], &report["rows"]), (&"complete".into(), &2_000.into()), "{ended}");
    assert_eq!(row_count(&console, "notes").await, 2_000);
    let jobs = console.get("/jobs").await.done();
    let ids: Vec<u64> =
        jobs["jobs"].as_array().unwrap().iter().map(|job| job["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, [2, 1], "the newest first");
    console.get("/jobs/3").await.demand_refused(404, "no-such-job");
    console.send("POST", "/jobs/3/cancel", "").await.demand_refused(404, "no-such-job");
}

#[tokio::test]
async fn what_a_load_rejects_is_in_its_log_with_line_and_reason() {
    let text = "phone,ts\n13800138000,1586131200000\n1380,1586131200000\n13900139000,never\n";
    let (_files, console) = with_calls("").await;
    let sent = console.send("POST", "/uploads?name=mixed.csv", text).await.done();
    let load = json!({ "file": { "upload": sent["upload"] } });
    for run in 1..=2 {
        let ended = done(&console, "/tables/calls/loads", &load).await;
        let progress = &ended["progress"];
        assert_eq!((&progress["rows"], &progress["rejected"]), (&1.into(), &2.into()), "run {run}: {ended}");
        let log = console.get(&format!("/jobs/{}", ended["id"])).await.done()["log"].clone();
        let log: Vec<String> = serde_json::from_value(log).unwrap();
        let rejects: Vec<&String> = log.iter().filter(|line| line.starts_with("rejected")).collect();
        assert!(rejects[0].starts_with("rejected mixed.csv:3: ") && rejects[0].contains("1380"), "{log:?}");
        assert!(rejects[1].starts_with("rejected mixed.csv:4: ") && rejects[1].contains("never"), "{log:?}");
    }
}

#[tokio::test]
async fn files_are_named_as_in_the_request_and_not_by_where_they_are() {
    let text = "phone,ts\n13800138000,1586131200000\n1380,1586131200000\n";
    let (files, console) = with_calls("").await;
    std::fs::create_dir(files.path().join("2013")).unwrap();
    std::fs::write(files.path().join("2013/calls.csv"), text).unwrap();
    let load = json!({ "file": { "path": "2013/calls.csv" } });
    let mut told = vec![console.post("/tables/calls/loads/trial", &load).await.done()];
    told.push(console.post("/design/sample", &load).await.done());
    told.push(done(&console, "/tables/calls/loads", &load).await);
    let ended = &told[2];
    assert_eq!((&ended["what"], &told[1]["name"]), (&"2013/calls.csv".into(), &"2013/calls.csv".into()));
    assert_eq!(ended["end"]["report"]["rejects_file"], "2013/calls.rejects.csv");
    let log = console.get(&format!("/jobs/{}", ended["id"])).await.done()["log"].clone();
    assert!(log[0].as_str().unwrap().starts_with("rejected 2013/calls.csv:3: "), "{log}");
    // A folder is where rejects would be kept.
    std::fs::remove_file(files.path().join("2013/calls.rejects.csv")).unwrap();
    std::fs::create_dir_all(files.path().join("2013/calls.rejects.csv/in")).unwrap();
    told.push(done(&console, "/tables/calls/loads", &load).await);
    let message = told[3]["end"]["message"].as_str().unwrap_or_default();
    assert!(message.contains(": 2013/calls.rejects.csv: "), "{message}");
    for run in 1..=2 {
        let extract = json!({ "to": "2013/out", "format": "csv" });
        told.push(done(&console, "/tables/calls/extracts", &extract).await);
        let message = told.last().unwrap()["end"]["message"].as_str().unwrap_or_default();
        assert_eq!(message.starts_with("2013/out has files already"), run == 2, "{message}");
    }
    told.push(log);
    let here = files.path().file_name().unwrap().to_str().unwrap();
    assert!(told.iter().all(|told| !told.to_string().contains(here)), "{told:?}");
}

/// What a browser has sent is in a folder of the system's, where nobody would look.
#[tokio::test]
async fn what_is_rejected_of_a_file_that_was_sent_is_where_the_report_says() {
    let console = Console::start().await;
    let table = json!({ "name": "calls", "design": calls(4), "split": { "by": "none" } });
    console.post("/tables", &table).await.done();
    let sent = console.send("POST", "/uploads?name=calls.csv", "phone,ts\n1380,1586131200000\n").await.done();
    let load = json!({ "file": { "upload": sent["upload"] } });
    let ended = done(&console, "/tables/calls/loads", &load).await;
    let kept = std::fs::read_to_string(ended["end"]["report"]["rejects_file"].as_str().unwrap()).unwrap();
    assert!(kept.contains("1380"), "{kept}");
}

#[tokio::test]
async fn a_console_that_only_reads_loads_nothing_and_extracts() {
    let files = tempfile::tempdir().unwrap();
    std::fs::write(files.path().join("calls.csv"), rows(3)).unwrap();
    let console = Console::with(|options| options.files = Some(files.path().to_owned())).await;
    let writing =
        Console::serve(std::sync::Arc::clone(&console.store), ([127, 0, 0, 1], 0).into(), |options| {
            options.allow_write = true;
        });
    let table = json!({ "name": "calls", "design": calls(4), "split": { "by": "design" } });
    writing.await.post("/tables", &table).await.done();
    let load = json!({ "file": { "path": "calls.csv" } });
    console.post("/tables/calls/loads", &load).await.demand_refused(403, "read-only");
    let trial = console.post("/tables/calls/loads/trial", &load).await.done();
    assert_eq!(trial["rows"].as_array().unwrap().len(), 3);
    let ended = done(&console, "/tables/calls/extracts", &json!({ "to": "out", "format": "csv" })).await;
    assert_eq!(ended["end"]["report"]["rows"], 0, "{ended}");
    assert_eq!(console.store.rows_read(), 0, "nothing was stored");
}

#[tokio::test]
async fn an_extract_leaves_what_is_there_unless_it_is_told_otherwise() {
    let (files, console) = with_calls(rows(5)).await;
    let load = json!({ "file": { "path": "calls.csv" } });
    done(&console, "/tables/calls/loads", &load).await;
    let mut extract = json!({ "to": "out", "format": "csv" });
    let ended = done(&console, "/tables/calls/extracts", &extract).await;
    assert_eq!((&ended["end"]["end"], &ended["end"]["report"]["rows"]), (&"extracted".into(), &5.into()));
    let names = || {
        let mut names: Vec<_> = std::fs::read_dir(files.path().join("out"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        names
    };
    let before = names();
    extract["where"] = "phone = '13800000001'".into();
    let ended = done(&console, "/tables/calls/extracts", &extract).await;
    let message = ended["end"]["message"].as_str().unwrap_or_default();
    assert!(ended["end"]["end"] == "failed" && message.contains("out"), "{ended}");
    assert_eq!(names(), before);
    extract["existing"] = "overwrite".into();
    let ended = done(&console, "/tables/calls/extracts", &extract).await;
    assert_eq!(ended["end"]["report"]["rows"], 1, "{ended}");
    for (word, value) in [("format", "xml"), ("day", "someday"), ("partition_format", "?")] {
        let mut extract = extract.clone();
        extract[word] = value.into();
        let refused = console.post("/tables/calls/extracts", &extract).await;
        assert_eq!(refused.status, 422, "{word}: {}", refused.body);
    }
}

#[tokio::test]
async fn a_trial_counts_rejected_records_for_buckets_in_turn_as_the_load_does() {
    let (_files, console) =
        with_calls("phone,ts\n1380,1586131200000\n13800138000,1586131200000\n13900139000,1586131200000\n")
            .await;
    let design = calls(4).replace("of = [\"phone\"]", "hash = \"round-robin\"");
    console
        .post("/tables", &json!({ "name": "turns", "design": design, "split": { "by": "none" } }))
        .await
        .done();
    let load = json!({ "file": { "path": "calls.csv" } });
    let trial = console.post("/tables/turns/loads/trial", &load).await.done();
    let keys: Vec<&str> =
        trial["rows"].as_array().unwrap().iter().map(|row| row["key"].as_str().unwrap()).collect();
    assert_eq!(keys, ["1138001380001586131200000", "2139001390001586131200000"]);
    done(&console, "/tables/turns/loads", &load).await;
    let mut stream = console.open("POST", "/tables/turns/rows", "{}").await;
    stream.json().await.expect("the names of columns");
    for key in keys {
        let row = stream.json().await.expect("a row for each");
        assert_eq!(row["key"], HEXLOWER.encode(key.as_bytes()));
    }
}

#[tokio::test]
async fn a_trial_reads_a_file_in_its_character_set_and_stores_nothing() {
    let (_files, console) = with_calls(
        b"phone,ts,\xb3\xc7\xca\xd0\n13800138000,1586131200000,\xc9\xcf\xba\xa3\n1380,1,\xc9\xcf\xba\xa3\n",
    )
    .await;
    let design =
        calls(4).replace("[key]", "city = { type = \"string\", column = \"\u{57ce}\u{5e02}\" }\n[key]");
    let table = json!({ "name": "cities", "design": design, "split": { "by": "none" } });
    console.post("/tables", &table).await.done();
    let mut asked = json!({ "file": { "path": "calls.csv" }, "input": { "encoding": "gbk" } });
    let trial = console.post("/tables/cities/loads/trial", &asked).await.done();
    assert_eq!(trial["columns"], json!(["phone", "ts", "city"]));
    assert_eq!(
        trial["rows"][0]["values"],
        json!(["13800138000", "2020-04-06T00:00:00.000Z", "\u{4e0a}\u{6d77}"])
    );
    assert!(trial["rows"][0]["key"].as_str().unwrap().contains("13800138000"), "{trial}");
    assert_eq!(trial["rejected"].as_array().unwrap().len() + trial["rows"].as_array().unwrap().len(), 2);
    // A column that the design has not is a mistake.
    let refused = console.post("/tables/calls/loads/trial", &asked).await;
    refused.demand_refused(422, "input");
    assert!(
        refused.json()["error"]["message"].as_str().unwrap().starts_with("calls.csv: "),
        "{}",
        refused.body
    );
    asked["input"] = json!({});
    console.post("/tables/cities/loads/trial", &asked).await.demand_refused(422, "input");
    asked["input"] = json!({ "encoding": "utf-16" });
    console.post("/tables/cities/loads/trial", &asked).await.demand_refused(422, "input");
    assert_eq!(row_count(&console, "cities").await, 0);
}
