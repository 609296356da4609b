//! The `WebDriver` protocol: JSON over HTTP, to chromedriver on this machine.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};

use crate::BrowserError;

/// How long the end of a browser may take before nobody waits for it any more.
const END_WITHIN: Duration = Duration::from_secs(10);

/// Where chromedriver listens.
///
/// Each command has a connection of its own: tests have a runtime each, which a connection could not outlive.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wire {
    port: u16,
}

impl Wire {
    pub(crate) fn new(port: u16) -> Self {
        Self { port }
    }

    pub(crate) async fn get(self, path: &str) -> Result<Value, BrowserError> {
        self.ask(path, request("GET", path, "")).await
    }

    pub(crate) async fn post(self, path: &str, body: &Value) -> Result<Value, BrowserError> {
        self.ask(path, request("POST", path, &body.to_string())).await
    }

    /// Returns when it is done, for callers that can't wait otherwise.
    pub(crate) fn delete_blocking(self, path: &str) -> io::Result<()> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))?;
        stream.set_read_timeout(Some(END_WITHIN))?;
        stream.write_all(&request("DELETE", path, ""))?;
        stream.read_exact(&mut [0])
    }

    async fn ask(self, path: &str, request: Vec<u8>) -> Result<Value, BrowserError> {
        let mut stream = tokio::net::TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).await?;
        stream.write_all(&request).await?;
        let answer = read_body(stream).await?;
        value_of(path, &answer).unwrap_or_else(|| {
            let answer = String::from_utf8_lossy(&answer).into_owned();
            Err(BrowserError::Answer { asked: path.to_owned(), answer })
        })
    }
}

fn request(method: &str, path: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

/// Chromedriver gives the length of every answer, and leaves the connection open for its client to close.
async fn read_body(stream: tokio::net::TcpStream) -> io::Result<Vec<u8>> {
    let mut stream = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        match line.split_once(':') {
            _ if line.trim_end().is_empty() => break,
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().map_err(|_| io::ErrorKind::InvalidData)?;
            }
            _ => {}
        }
    }
    let mut body = Vec::new();
    stream.take(length).read_to_end(&mut body).await?;
    Ok(body)
}

/// The value of an answer, or the error that it tells of; nothing if it is no answer of a `WebDriver`.
fn value_of(path: &str, answer: &[u8]) -> Option<Result<Value, BrowserError>> {
    let mut answer: Value = serde_json::from_slice(answer).ok()?;
    let value = answer.get_mut("value")?.take();
    let (code, message) = (value.get("error"), value.get("message"));
    match code.and_then(Value::as_str).zip(message.and_then(Value::as_str)) {
        Some((code, message)) => Some(Err(refused(path, code, message))),
        None => Some(Ok(value)),
    }
}

/// Chromedriver's message repeats the code, and has lines about the session below.
fn refused(path: &str, code: &str, message: &str) -> BrowserError {
    let message = message.lines().next().unwrap_or_default();
    let message = message.strip_prefix(code).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(message);
    let asked = path.rsplit('/').next().unwrap_or_default();
    BrowserError::Refused { asked: asked.to_owned(), code: code.to_owned(), message: message.to_owned() }
}
