//! A ZooKeeper that knows where the server is.

use std::io::{self, Write};
use std::net::TcpStream;

use super::answer::server_name;
use super::message::{put_bytes, put_number};
use super::read_frame;

const GET_DATA: i32 = 4;
const NO_NODE: i32 = -101;
const SESSION_MS: i32 = 30_000;
/// A `Stat` of a node: numbers that nobody reads.
const STAT: [u8; 68] = [0; 68];

/// Answers one session: any node whose name ends in `meta-region-server` or `master`, and pings.
pub(super) fn serve(mut stream: TcpStream, port: u16) -> io::Result<()> {
    let mut frame = Vec::new();
    read_frame(&mut stream, &mut frame)?;
    let mut greeting = Vec::new();
    greeting.extend(0_i32.to_be_bytes());
    greeting.extend(SESSION_MS.to_be_bytes());
    greeting.extend(1_i64.to_be_bytes());
    put_buffer(&mut greeting, &[7; 16]);
    greeting.push(0);
    send(&mut stream, &greeting)?;
    loop {
        read_frame(&mut stream, &mut frame)?;
        let number = |at: usize| {
            frame
                .get(at..at + 4)
                .map_or(0, |bytes| bytes.iter().fold(0_i32, |number, &byte| number << 8 | i32::from(byte)))
        };
        let (xid, opcode) = (number(0), number(4));
        let path = frame.get(12..frame.len().saturating_sub(1)).unwrap_or_default();
        let node = if opcode == GET_DATA { node(path, port) } else { Ok(Vec::new()) };
        let mut reply = xid.to_be_bytes().to_vec();
        reply.extend(1_i64.to_be_bytes());
        reply.extend(node.as_ref().err().unwrap_or(&0).to_be_bytes());
        if let Ok(value) = node.as_ref()
            && opcode == GET_DATA
        {
            put_buffer(&mut reply, value);
            reply.extend(STAT);
        }
        send(&mut stream, &reply)?;
    }
}

/// A node's value as HBase writes it, or why there is none.
fn node(path: &[u8], port: u16) -> Result<Vec<u8>, i32> {
    if !path.ends_with(b"/meta-region-server") && !path.ends_with(b"/master") {
        return Err(NO_NODE);
    }
    let mut message = Vec::new();
    put_bytes(&mut message, 1, &server_name(port));
    put_number(&mut message, 2, 0);
    // Of the server that has hbase:meta: its region is open. A master has an info port there.
    put_number(&mut message, 3, 3);
    let mut value = vec![0xff];
    put_buffer(&mut value, b"null");
    value.extend(b"PBUF");
    value.extend(message);
    Ok(value)
}

fn put_buffer(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend(u32::try_from(bytes.len()).unwrap_or_default().to_be_bytes());
    out.extend(bytes);
}

fn send(stream: &mut TcpStream, frame: &[u8]) -> io::Result<()> {
    let mut out = Vec::new();
    put_buffer(&mut out, frame);
    stream.write_all(&out)
}
