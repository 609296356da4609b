//! Live heat: many who look, numbers as they are described, and a table that is dropped.

use std::time::Instant;

use data_encoding::BASE64;
use keystride_store::{LATEST, MutationBatch, TableName, Write};
use serde_json::{Value, json};

use super::fixture::{Console, SOON, calls, tasks};
use super::stream::Stream;

async fn with_calls() -> Console {
    let console = Console::start().await;
    let table = json!({ "name": "calls", "design": calls(4), "split": { "by": "design" } });
    console.post("/tables", &table).await.done();
    console
}

/// Returns the next event of a name.
async fn next(stream: &mut Stream, name: &str) -> Value {
    loop {
        let (found, event) = stream.event().await.expect("the table is there");
        if found == name {
            return event;
        }
    }
}

#[tokio::test]
async fn two_hundred_get_the_columns_at_once_and_leave_nothing_behind() {
    let console = with_calls().await;
    let mut first = console.open("GET", "/tables/calls/heat", "").await;
    next(&mut first, "view").await;
    drop(first);
    let before = tasks().await;
    let mut streams = Vec::new();
    for _ in 0..200 {
        streams.push(console.open("GET", "/tables/calls/heat?metric=rows-read", "").await);
    }
    for stream in &mut streams {
        let [[t0, t1]] =
            serde_json::from_value::<[[i64; 2]; 1]>(next(stream, "column").await["view"]["columns"].clone())
                .unwrap();
        assert!(t0 < t1);
    }
    assert!(tasks().await >= before + 200);
    drop(streams);
    let closed = Instant::now();
    while tasks().await > before {
        assert!(closed.elapsed() < SOON, "{} tasks are left", tasks().await - before);
    }
}

#[tokio::test]
async fn a_block_has_the_rates_of_what_was_written() {
    let console = with_calls().await;
    let mut stream = console.open("GET", "/tables/calls/heat?mode=server&rows=4", "").await;
    let mut view = next(&mut stream, "view").await;
    // What is written after the first column is in one of the next.
    while view["view"]["columns"] == json!([]) {
        view = next(&mut stream, "view").await;
    }
    assert_eq!((&view["view"]["bounds"], &view["view"]["rows"]), (&json!(["31", "32", "33"]), &4.into()));
    let mut batch = MutationBatch::new();
    for number in 0..500 {
        batch.put(format!("2{number}").as_bytes(), b"f", b"q", LATEST, b"v").unwrap();
    }
    console.store.write(&TableName::new("calls").unwrap(), Write::of(batch)).await.unwrap();
    let (mut written, asked) = ([0.0; 4], Instant::now());
    while written.iter().sum::<f64>() < 450.0 {
        assert!(asked.elapsed() < SOON, "{written:?}");
        let column = next(&mut stream, "column").await;
        let rows = rows_of_column(&column);
        (0..4).for_each(|row| written[row] += rows[row]);
    }
    assert!((written[2] - 500.0).abs() < 1.0 && written[0] + written[1] + written[3] == 0.0, "{written:?}");
}

/// Reads the block of one column as docs/console.md says: how many rows each of four regions got.
fn rows_of_column(column: &Value) -> [f64; 4] {
    let head = &column["view"];
    let block = BASE64.decode(column["block"].as_str().unwrap().as_bytes()).unwrap();
    let offset = |name: &str| usize::try_from(head["block"][name].as_u64().unwrap()).unwrap();
    assert_eq!([offset("codes"), offset("servers"), offset("flags"), offset("bytes")], [0, 8, 16, 20]);
    assert_eq!(block.len(), 20);
    assert_eq!(block[8..16], [0xff; 8], "a store of this process has no servers");
    let [[t0, t1]]: [[f64; 2]; 1] = serde_json::from_value(head["columns"].clone()).unwrap();
    std::array::from_fn(|row| {
        let code = u16::from_be_bytes([block[2 * row], block[2 * row + 1]]);
        let is_unknown = block[16 + row] & 2 != 0;
        assert!(!is_unknown || code == 0);
        ((f64::from(code) / 2048.0).exp() - 1.0) * (t1 - t0) / 1_000.0
    })
}

#[tokio::test]
async fn what_passes_here_is_shown_inside_regions_with_who_is_behind_it() {
    let console = with_calls().await;
    let mut stream = console.open("GET", "/tables/calls/heat?mode=keys", "").await;
    while next(&mut stream, "view").await["view"]["columns"] == json!([]) {}
    let asked = Instant::now();
    let mut rows = 0;
    while rows < 50 {
        assert!(asked.elapsed() < SOON, "{rows}");
        let mut batch = MutationBatch::new();
        for number in 0..2_000 {
            batch.put(format!("2{number:04}").as_bytes(), b"f", b"q", LATEST, b"v").unwrap();
        }
        console.running.store().write(&TableName::new("calls").unwrap(), Write::of(batch)).await.unwrap();
        rows = next(&mut stream, "view").await["view"]["rows"].as_u64().unwrap();
    }
    let path = "/tables/calls/heat/behind?from_ms=0&to_ms=9000000000000&start=3231&stop=33";
    let found = console.get(path).await.done();
    assert!(found["behind"]["rows"].as_f64().unwrap() > 500.0, "{found}");
    assert_eq!(found["behind"]["parts"][0]["values"], json!([{ "text": "2", "share": 1.0 }]));
    assert_eq!(
        found["commands"]["keystride"],
        "keystride scan 'calls' --raw-start '21' --raw-stop '3' --limit 100"
    );
    assert_eq!(
        found["commands"]["hbase_shell"],
        r#"scan 'calls', {STARTROW => "21", STOPROW => "3", LIMIT => 100}"#
    );
    let before =
        console.get("/tables/calls/heat/behind?from_ms=0&to_ms=1&start=&metric=rows-read").await.done();
    assert_eq!(before["behind"], json!({ "key_count": 0, "rows": 0.0, "parts": [], "keys": [] }));
    for (query, status) in
        [("from_ms=0", 400), ("from_ms=0&to_ms=1&start=3", 422), ("from_ms=0&to_ms=1&stop=zz", 422)]
    {
        assert_eq!(
            console.get(&format!("/tables/calls/heat/behind?{query}")).await.status,
            status,
            "{query}"
        );
    }
}

#[tokio::test]
async fn what_is_found_is_told_of_tables_that_are_watched() {
    let console = with_calls().await;
    let found = console.get("/tables/calls/findings").await.done();
    assert_eq!(found, json!({ "findings": [], "servers": [] }), "nothing has passed yet");
    let mut stream = console.open("GET", "/tables/calls/heat", "").await;
    let asked = Instant::now();
    loop {
        assert!(asked.elapsed() < SOON);
        let mut batch = MutationBatch::new();
        (0..500).for_each(|n| batch.put(format!("2{n}").as_bytes(), b"f", b"q", LATEST, b"v").unwrap());
        console.store.write(&TableName::new("calls").unwrap(), Write::of(batch)).await.unwrap();
        next(&mut stream, "column").await;
        let found = console.get("/tables/calls/findings?seconds=600").await.done();
        if found["findings"][0]["finding"] == "hot_region" {
            break;
        }
    }
    console.get("/tables/none/findings").await.demand_refused(404, "unknown-table");
}

#[tokio::test]
async fn regions_are_to_share_rows_as_their_buckets_or_a_sample_do() {
    let (files, console) = Console::with_files().await;
    let table = json!({ "name": "calls", "design": calls(4), "split": { "by": "design" } });
    console.post("/tables", &table).await.done();
    let planned = console.post("/tables/calls/heat/planned", &json!({})).await.done();
    assert_eq!(planned["bounds"], json!(["31", "32", "33"]));
    assert_eq!(
        planned["planned"],
        json!({ "by": "buckets", "rows_per_s": null, "shares": [0.25, 0.25, 0.25, 0.25] })
    );
    std::fs::write(
        files.path().join("calls.csv"),
        (0..50).fold("phone,ts\n".to_owned(), |rows, n| rows + &format!("13800138000,15861312000{n:02}\n")),
    )
    .unwrap();
    let of_sample = json!({ "sample": { "file": { "path": "calls.csv" } } });
    let planned = console.post("/tables/calls/heat/planned", &of_sample).await.done();
    assert_eq!(planned["planned"]["by"], "sample", "{planned}");
    assert!(planned["planned"]["shares"].as_array().unwrap().contains(&json!(1.0)), "{planned}");
    std::fs::write(files.path().join("early.csv"), "phone,ts\n13800138000,0\n").unwrap();
    let early = json!({ "sample": { "file": { "path": "early.csv" } } });
    let refused = console.post("/tables/calls/heat/planned", &early).await;
    assert!(refused.body.contains("13 digits"), "{}", refused.body);
    let missing = json!({ "sample": { "file": { "path": "none.csv" } } });
    assert_eq!(console.post("/tables/calls/heat/planned", &missing).await.status, 404);
}

#[tokio::test]
async fn the_stream_of_a_table_that_is_dropped_ends() {
    let console = with_calls().await;
    let mut stream = console.open("GET", "/tables/calls/heat?mode=folded", "").await;
    assert_eq!(next(&mut stream, "view").await["view"]["mode"], "folded");
    assert_eq!(console.send("DELETE", "/tables/calls", r#"{"confirm":"calls"}"#).await.status, 204);
    while stream.event().await.is_some() {}
    console.get("/tables/calls/heat").await.demand_refused(404, "unknown-table");
    for query in ["metric=rows_read", "mode=none", "seconds=-1", "rows=many", "more=1"] {
        let refused = console.get(&format!("/tables/calls/heat?{query}")).await;
        refused.demand_refused(400, "request");
    }
}
