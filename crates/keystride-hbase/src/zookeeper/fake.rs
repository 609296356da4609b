//! A ZooKeeper server for tests.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::{Buf, BufMut, Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::HostPort;

pub(crate) type Tree = BTreeMap<&'static str, Bytes>;

/// What a test server does with each connection.
#[derive(Debug, Clone)]
pub(crate) enum Behavior {
    /// Answers from these znodes.
    Serve(Tree),
    /// Answers every request with this error code.
    Fail(i32),
    HangUp,
    /// Reads requests and never answers.
    Silent,
    /// Answers like HBase 1.2: to a ZooKeeper client with an exception about the connection header. It closes
    /// connections to its registry service, which it does not have.
    OldHBase,
}

/// The answer of HBase 1.2.12 to ZooKeeper's connect request.
const HBASE_ANSWER: &[u8] = b"\x00\x00\x00\x90\x8e\x01\x08\xff\xff\xff\xff\x0f\x12\x85\x01\x0a\x34\
    org.apache.hadoop.hbase.ipc.FatalConnectionException\x12\x4bExpected HEADER=HBas but received HEADER=\
    \\x00\\x00\\x00- from 127.0.0.1:35986(\x01";

/// ZooKeeper's own limit for requests. The start of another protocol reads as a longer length.
const LARGEST: u32 = 1 << 20;

/// Starts a server that stops with the test's runtime.
pub(crate) async fn start(behavior: Behavior) -> HostPort {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let behavior = Arc::new(behavior);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream, behavior.clone()));
        }
    });
    HostPort { host: "127.0.0.1".into(), port }
}

/// Sends the next of `answers` for each frame received, then hangs up.
pub(super) async fn serve_script<S: AsyncRead + AsyncWrite + Unpin>(mut stream: S, answers: Vec<Bytes>) {
    for answer in answers {
        if read_frame(&mut stream).await.is_none() || stream.write_all(&answer).await.is_err() {
            return;
        }
    }
}

async fn serve<S: AsyncRead + AsyncWrite + Unpin>(mut stream: S, behavior: Arc<Behavior>) {
    if matches!(*behavior, Behavior::HangUp) || read_frame(&mut stream).await.is_none() {
        return;
    }
    if matches!(*behavior, Behavior::OldHBase) {
        return drop(stream.write_all(HBASE_ANSWER).await);
    }
    if matches!(*behavior, Behavior::Silent) {
        std::future::pending::<()>().await;
    }
    stream.write_all(&connect_response(10_000)).await.unwrap();
    while let Some(mut frame) = read_frame(&mut stream).await {
        let (xid, opcode) = (frame.get_i32(), frame.get_i32());
        let path = if opcode == -11 { Bytes::new() } else { frame.slice(4..frame.len() - 1) };
        let (code, body) = match &*behavior {
            Behavior::Serve(tree) => answer(tree, opcode, std::str::from_utf8(&path).unwrap()),
            Behavior::Fail(code) => (*code, Bytes::new()),
            Behavior::HangUp | Behavior::Silent | Behavior::OldHBase => return,
        };
        // The client may not wait for the answer to its close request.
        drop(stream.write_all(&reply(xid, code, &body)).await);
    }
}

fn answer(tree: &Tree, opcode: i32, path: &str) -> (i32, Bytes) {
    let children = || tree.keys().filter_map(|key| child_of(path, key)).collect::<Vec<_>>();
    let stat = [0; 68];
    let mut body = BytesMut::new();
    match (opcode, tree.get(path)) {
        (-11, _) => {}
        (3, Some(_)) => body.put_slice(&stat),
        (4, Some(value)) => {
            super::jute::put_buffer(&mut body, value);
            body.put_slice(&stat);
        }
        (8, _) if path == "/" || tree.contains_key(path) => {
            body.put_u32(u32::try_from(children().len()).unwrap());
            for name in children() {
                super::jute::put_buffer(&mut body, name.as_bytes());
            }
        }
        _ => return (-101, Bytes::new()),
    }
    (0, body.freeze())
}

fn child_of<'a>(path: &str, key: &'a str) -> Option<&'a str> {
    key.strip_prefix(path.trim_end_matches('/'))?.strip_prefix('/').filter(|name| !name.contains('/'))
}

pub(super) fn connect_response(granted_ms: i32) -> Bytes {
    let mut out = BytesMut::new();
    out.put_u32(37);
    out.put_i32(0);
    out.put_i32(granted_ms);
    out.put_i64(0x1000_abcd_0001);
    super::jute::put_buffer(&mut out, &[7; 16]);
    out.put_u8(0);
    out.freeze()
}

pub(super) fn reply(xid: i32, code: i32, body: &[u8]) -> Bytes {
    let mut out = BytesMut::new();
    out.put_u32(u32::try_from(16 + body.len()).unwrap());
    out.put_i32(xid);
    out.put_i64(7);
    out.put_i32(code);
    out.put_slice(body);
    out.freeze()
}

async fn read_frame<S: AsyncRead + Unpin>(stream: &mut S) -> Option<Bytes> {
    let len = stream.read_u32().await.ok().filter(|&len| len <= LARGEST)?;
    let mut frame = vec![0; len as usize];
    stream.read_exact(&mut frame).await.ok()?;
    Some(frame.into())
}
