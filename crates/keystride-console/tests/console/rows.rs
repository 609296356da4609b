//! The rows of a query: as fast as they are taken, no more than a browser shows, and the mistakes of predicates.

use std::fmt::Write as _;
use std::time::Instant;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::{TcpSocket, TcpStream};

use super::fixture::{Console, SOON, tasks};
use super::stream::Stream;

pub(super) const NOTES: &str = "format = 1\n[table]\nname = \"notes\"\nfamilies = [\"f\"]\n[fields]\n\
                     id = { type = \"int\", min = 0 }\nnote = { type = \"string\" }\n[key]\n\
                     parts = [{ field = \"id\", pad = 6 }]\n";

/// A file of notes, each of so many bytes.
pub(super) fn notes(count: usize, bytes: usize) -> String {
    let mut rows = "id,note\n".to_owned();
    for id in 0..count {
        writeln!(rows, "{id},{}", "x".repeat(bytes)).unwrap();
    }
    rows
}

/// A console with a table of notes, each of so many bytes.
async fn with_notes(count: usize, bytes: usize) -> (TempDir, Console) {
    let (files, console) = Console::with_files().await;
    std::fs::write(files.path().join("notes.csv"), notes(count, bytes)).unwrap();
    let table = json!({ "name": "notes", "design": NOTES, "split": { "by": "none" } });
    console.post("/tables", &table).await.done();
    let load = json!({ "file": { "path": "notes.csv" } });
    let job = console.post("/tables/notes/loads", &load).await.done();
    let ended = console.end_of(&job).await;
    assert_eq!(ended["end"]["report"]["rows"], count, "{ended}");
    (files, console)
}

/// What an answer is whose reader takes little at a time.
async fn asked_slowly(console: &Console) -> Stream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let socket: TcpStream = socket.connect(console.address).await.unwrap();
    let mut answer = console.open_on(socket, "POST", "/tables/notes/rows", "{}").await;
    assert_eq!(answer.json().await, Some(json!({ "columns": ["id", "note"] })));
    answer
}

/// Returns how many rows the store has read once it reads no more, while the console answers others.
async fn rows_read(console: &Console) -> u64 {
    let (mut read, mut calm) = (console.store.rows_read(), 0);
    while calm < 100 {
        console.get("/session").await.done();
        let now = console.store.rows_read();
        calm = if now == read { calm + 1 } else { 0 };
        read = now;
    }
    read
}

/// Returns how many rows came, and the line at the end.
async fn rest(mut answer: Stream) -> (u64, Value) {
    let mut count = 0;
    while let Some(line) = answer.json().await {
        if line["rows"].is_u64() {
            assert_eq!(answer.json().await, None);
            return (count, line);
        }
        count += u64::from(line["row"].is_array());
    }
    panic!("cut off after {count} rows");
}

#[tokio::test]
async fn rows_are_read_as_fast_as_they_are_taken() {
    let (_files, console) = with_notes(1_000, 20_000).await;
    let answer = asked_slowly(&console).await;
    let read = rows_read(&console).await;
    assert!(read < 400, "{read} rows are in memory somewhere");
    let (count, end) = rest(answer).await;
    assert!(count > 500 && console.store.rows_read() >= count, "{count}");
    assert_eq!((&end["rows"], &end["error"]), (&count.into(), &Value::Null));
}

#[tokio::test]
async fn a_closed_connection_ends_its_scan() {
    let (_files, console) = with_notes(1_000, 20_000).await;
    let before = tasks().await;
    let answer = asked_slowly(&console).await;
    rows_read(&console).await;
    drop(answer);
    let closed = Instant::now();
    while tasks().await > before {
        assert!(closed.elapsed() < SOON, "the answer goes on without a reader");
    }
    let read = console.store.rows_read();
    assert_eq!((rows_read(&console).await, read < 400), (read, true), "{read} rows");
}

#[tokio::test]
async fn no_more_is_sent_than_a_browser_shows() {
    let (_files, console) = with_notes(1_500, 10).await;
    for (limit, count, is_cut) in
        [(json!(null), 1_000, true), (json!(5_000), 1_000, true), (json!(3), 3, true)]
    {
        let asked = json!({ "limit": limit }).to_string();
        let (found, end) = rest(console.open("POST", "/tables/notes/rows", &asked).await).await;
        assert_eq!((found, &end["rows"], &end["is_cut"]), (count, &count.into(), &is_cut.into()));
    }
    let asked = json!({ "where": "id >= 1400" }).to_string();
    let (found, end) = rest(console.open("POST", "/tables/notes/rows", &asked).await).await;
    assert_eq!((found, &end["is_cut"]), (100, &false.into()));
    let (_files, console) = with_notes(1_000, 20_000).await;
    let answer = console.open("POST", "/tables/notes/rows", "{}").await;
    let (found, end) = rest(answer).await;
    let bytes = 20_000 * found;
    assert!((10 << 20..12 << 20).contains(&bytes) && end["is_cut"] == true, "{bytes} bytes: {end}");
}

#[tokio::test]
async fn a_mistake_in_a_predicate_says_where() {
    let (_files, console) = with_notes(1, 1).await;
    for (predicate, at) in [
        ("id = ", 5),
        ("idd = 1", 0),
        ("id = 'a'", 5),
        ("note = 'a", 7),
        ("id = 1 and", 10),
        ("id = 1 or (note = 'x'", 21),
        ("note = '\u{8868}' and ?", 15),
    ] {
        for path in ["plan", "rows", "extracts"] {
            let asked = match path {
                "extracts" => json!({ "where": predicate, "to": "out" }),
                _ => json!({ "where": predicate }),
            };
            let answer = console.post(&format!("/tables/notes/{path}"), &asked).await;
            answer.demand_refused(422, "predicate");
            let message = answer.json()["error"]["message"].as_str().unwrap().to_owned();
            let place = format!(" at character {}: ", at + 1);
            assert!(message.contains(&place), "{predicate}: {message}");
        }
    }
    for asked in [
        json!({ "columns": ["none"] }),
        json!({ "columns": ["id", "id"] }),
        json!({ "order": "newest", "on": "id" }),
    ] {
        console.post("/tables/notes/rows", &asked).await.demand_refused(422, "field");
    }
    console.post("/tables/notes/rows", &json!({ "order": "newest" })).await.demand_refused(422, "query");
}
