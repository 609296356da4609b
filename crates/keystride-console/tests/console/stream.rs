//! Answers that come piece by piece: lines of JSON, and server-sent events.

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::fixture::{Answer, SOON};

/// An answer without a length. Dropping it closes its connection.
pub(crate) struct Stream {
    pub(crate) head: Answer,
    socket: TcpStream,
    /// What has come, in chunks.
    chunked: Vec<u8>,
    /// What has come and was not taken yet.
    text: Vec<u8>,
}

impl Stream {
    pub(crate) async fn open(mut socket: TcpStream, request: &str) -> Self {
        socket.write_all(request.as_bytes()).await.unwrap();
        let (head, chunked) = timeout(SOON, Answer::head(&mut socket)).await.unwrap();
        assert_eq!((head.status, head.header("transfer-encoding")), (200, Some("chunked")), "{head:?}");
        Self { head, socket, chunked, text: Vec::new() }
    }

    /// Returns the next line; `None` at the end.
    pub(crate) async fn line(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.text.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.text.drain(..=end).collect();
                return Some(String::from_utf8(line).unwrap().trim_end().to_owned());
            }
            let chunk = timeout(SOON, self.chunk()).await.unwrap()?;
            self.text.extend(chunk);
        }
    }

    /// Returns the next line as JSON; `None` at the end.
    pub(crate) async fn json(&mut self) -> Option<Value> {
        Some(serde_json::from_str(&self.line().await?).unwrap())
    }

    /// Returns the next event by its name; `None` at the end.
    pub(crate) async fn event(&mut self) -> Option<(String, Value)> {
        let (mut name, mut data) = ("message".to_owned(), None);
        loop {
            let line = self.line().await?;
            match line.split_once(": ") {
                Some(("event", found)) => found.clone_into(&mut name),
                Some(("data", found)) => data = Some(serde_json::from_str(found).unwrap()),
                // What keeps the connection alive is an event of a comment.
                _ => {
                    if let Some(data) = data.take() {
                        return Some((name, data));
                    }
                }
            }
        }
    }

    async fn chunk(&mut self) -> Option<Vec<u8>> {
        let mut buffer = vec![0; 1 << 14];
        loop {
            if let Some(chunk) = self.whole_chunk() {
                return Some(chunk).filter(|chunk| !chunk.is_empty());
            }
            let count = self.socket.read(&mut buffer).await.unwrap_or(0);
            if count == 0 {
                return None;
            }
            self.chunked.extend_from_slice(&buffer[..count]);
        }
    }

    fn whole_chunk(&mut self) -> Option<Vec<u8>> {
        let start = self.chunked.windows(2).position(|two| two == b"\r\n")? + 2;
        let length = std::str::from_utf8(&self.chunked[..start - 2]).unwrap();
        let length = usize::from_str_radix(length, 16).unwrap();
        let chunk = self.chunked.get(start..start + length + 2)?[..length].to_vec();
        self.chunked.drain(..start + length + 2);
        Some(chunk)
    }
}
