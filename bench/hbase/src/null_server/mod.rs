//! A server that only acknowledges: enough of a cluster of one server for clients to put into table `null`.
//!
//! It is the registry, it has hbase:meta with 16 regions of that table, and it calls every action of a Multi done
//! without looking at it. Beside it a ZooKeeper says where it is, for clients that ask there.

mod answer;
mod message;
mod zookeeper;

use std::io::{self, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::thread;

use answer::{Answer, Cluster};
use message::{Fields, Value, put_bytes, put_number, put_varint, take_delimited};

use crate::{Failure, say};

/// Prints its port and that of its ZooKeeper, and serves as long as its standard input is open.
pub(crate) fn serve() -> Result<(), Failure> {
    let [hbase, zookeeper] = [listen()?, listen()?];
    let port = hbase.local_addr()?.port();
    say(&format!("{port} {}", zookeeper.local_addr()?.port()));
    io::stdout().flush()?;
    thread::spawn(move || serve_each(&zookeeper, move |stream| zookeeper::serve(stream, port)));
    thread::spawn(move || serve_each(&hbase, move |stream| serve_calls(stream, &Cluster::at(port))));
    io::copy(&mut io::stdin(), &mut io::sink())?;
    Ok(())
}

fn listen() -> io::Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
}

/// A thread for each connection. That one ends is told by its other side.
fn serve_each(listener: &TcpListener, serve: impl Fn(TcpStream) -> io::Result<()> + Clone + Send + 'static) {
    while let Ok((stream, _)) = listener.accept() {
        let serve = serve.clone();
        thread::spawn(move || drop(serve(stream)));
    }
}

const BUFFER_BYTES: usize = 1 << 20;
/// What is said under it is about the connection.
const CONNECTION_CALL: u64 = 0xffff_ffff;

fn serve_calls(stream: TcpStream, cluster: &Cluster) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut out = stream.try_clone()?;
    let mut input = BufReader::with_capacity(BUFFER_BYTES, stream);
    let mut preamble = [0; 6];
    input.read_exact(&mut preamble)?;
    // Newer clients of Java first say `Regi`, and go on without when that is not understood.
    if !preamble.starts_with(b"HBas") {
        return out.write_all(&framed(&bad_preamble(), &Answer::default()));
    }
    let mut frame = Vec::new();
    read_frame(&mut input, &mut frame)?;
    loop {
        read_frame(&mut input, &mut frame)?;
        out.write_all(&reply(&frame, cluster))?;
    }
}

/// Reads a length of four bytes and what has that length.
fn read_frame(input: &mut impl Read, frame: &mut Vec<u8>) -> io::Result<()> {
    let mut len = [0; 4];
    input.read_exact(&mut len)?;
    frame.resize(u32::from_be_bytes(len) as usize, 0);
    input.read_exact(frame)
}

fn reply(frame: &[u8], cluster: &Cluster) -> Vec<u8> {
    let mut left = frame;
    let header = take_delimited(&mut left);
    let (mut call_id, mut method) = (0, &b""[..]);
    for field in Fields::of(header) {
        match field {
            (1, Value::Number(id)) => call_id = id,
            (3, Value::Bytes(name)) => method = name,
            _ => {}
        }
    }
    let answer = answer::answer(method, take_delimited(&mut left), cluster);
    let mut header = Vec::new();
    put_number(&mut header, 1, call_id);
    if !answer.cells.is_empty() {
        let mut meta = Vec::new();
        put_number(&mut meta, 1, answer.cells.len() as u64);
        put_bytes(&mut header, 3, &meta);
    }
    framed(&header, &answer)
}

/// The header of what servers say to a preamble that they do not know; clients look at both words.
fn bad_preamble() -> Vec<u8> {
    let mut exception = Vec::new();
    put_bytes(&mut exception, 1, b"org.apache.hadoop.hbase.ipc.FatalConnectionException");
    put_bytes(&mut exception, 2, b"Expected HEADER=HBas but received HEADER=Regi");
    let mut header = Vec::new();
    put_number(&mut header, 1, CONNECTION_CALL);
    put_bytes(&mut header, 2, &exception);
    header
}

fn framed(header: &[u8], answer: &Answer) -> Vec<u8> {
    let mut out = vec![0; 4];
    for part in [header, &answer.message] {
        put_varint(&mut out, part.len() as u64);
        out.extend(part);
    }
    out.extend(&answer.cells);
    let len = u32::try_from(out.len() - 4).unwrap_or_default();
    out[..4].copy_from_slice(&len.to_be_bytes());
    out
}
