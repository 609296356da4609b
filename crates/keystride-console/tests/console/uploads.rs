//! Files that browsers send: those that are cut off leave nothing.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::json;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use super::fixture::{Console, SOON, calls, tasks};

const ROWS: &str = "phone,ts\n13800138000,1586131200000\n";

/// Sends a file of a row that is rejected, and returns the folder of files that were sent, which the report of its load tells.
async fn folder(console: &Console) -> PathBuf {
    let table = json!({ "name": "calls", "design": calls(4), "split": { "by": "none" } });
    console.post("/tables", &table).await.done();
    let sent = console.send("POST", "/uploads?name=calls.csv", "phone,ts\n1380,1586131200000\n").await.done();
    let load = json!({ "file": { "upload": sent["upload"] } });
    let job = console.post("/tables/calls/loads", &load).await.done();
    let ended = console.end_of(&job).await;
    let rejects = Path::new(ended["end"]["report"]["rejects_file"].as_str().unwrap());
    rejects.ancestors().nth(2).unwrap().to_owned()
}

/// Waits until there are so many files in the folder, each in one of its own.
async fn await_count(folder: &Path, count: usize) {
    let begun = Instant::now();
    let folders = || {
        let entries = std::fs::read_dir(folder).unwrap();
        entries.filter(|entry| entry.as_ref().is_ok_and(|entry| entry.path().is_dir())).count()
    };
    while folders() != count {
        assert!(begun.elapsed() < SOON, "there are not {count} files");
        tasks().await;
    }
}

#[tokio::test]
async fn a_file_that_is_cut_off_leaves_nothing_and_the_next_one_is_taken() {
    let console = Console::start().await;
    let folder = folder(&console).await;
    let half = "13800138000,1586131200000\n".repeat(10_000);
    let with_length = format!("content-length: {}\r\n\r\n{half}", 2 * half.len());
    let in_chunks = format!("transfer-encoding: chunked\r\n\r\n{:x}\r\n{half}\r\n", half.len());
    let within_a_chunk = format!("transfer-encoding: chunked\r\n\r\n{:x}\r\n{half}", 2 * half.len());
    for cut_off in [with_length, in_chunks, within_a_chunk] {
        for is_reset in [false, true] {
            let mut socket = TcpStream::connect(console.address).await.unwrap();
            let (host, cookie) = (console.address, &console.cookie);
            let head = format!(
                "POST /api/v1/uploads?name=calls.csv HTTP/1.1\r\nhost: {host}\r\ncookie: {cookie}\r\n"
            );
            socket.write_all(format!("{head}x-keystride: 1\r\n{cut_off}").as_bytes()).await.unwrap();
            await_count(&folder, 2).await;
            if is_reset {
                socket.set_zero_linger().unwrap();
            }
            drop(socket);
            await_count(&folder, 1).await;
        }
    }
    let sent = console.send("POST", "/uploads?name=calls.csv", ROWS).await.done();
    let load = json!({ "file": { "upload": sent["upload"] } });
    let job = console.post("/tables/calls/loads", &load).await.done();
    assert_eq!(console.end_of(&job).await["end"]["report"]["rows"], 1);
}
