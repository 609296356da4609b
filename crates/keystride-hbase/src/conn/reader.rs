//! The task that reads answers.

use std::io;
use std::sync::Arc;

use bytes::{Buf, BufMut, Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt};

use super::large_buffers::LargeBuffers;
use super::pending::Pending;
use crate::Error;
use crate::wire::{CONNECTION_CALL, decode_answer};

const BUFFER_BYTES: usize = 64 << 10;
/// Answers up to this size are copied: a row that is kept for long should not keep a whole buffer.
const COPIED_BYTES: usize = 8 << 10;
/// Answers above this size are read into a buffer of their own.
const LARGE_BYTES: usize = 128 << 10;
/// Servers limit answers to `hbase.server.scanner.max.result.size`, by default 100 MiB.
const MAX_FRAME_BYTES: usize = 1 << 30;
/// Up to this size the length prefix is trusted and allocated; beyond it, at most twice the bytes received.
const TRUSTED_BYTES: usize = 8 << 20;

/// Reads answers and completes the call that each is for, until the connection ends.
pub(super) async fn read_answers(
    mut input: impl AsyncRead + Unpin,
    pending: Arc<Pending>,
    large_buffers: Arc<LargeBuffers>,
) {
    read_to_the_end(&mut input, &pending, &large_buffers).await;
    // Connections that are still open allocate new ones.
    large_buffers.clear();
}

async fn read_to_the_end(
    input: &mut (impl AsyncRead + Unpin),
    pending: &Pending,
    large_buffers: &LargeBuffers,
) {
    let mut buffer = BytesMut::with_capacity(BUFFER_BYTES);
    loop {
        match read_frame(input, &mut buffer, large_buffers).await {
            Ok(Some(frame)) => {
                if let Err(reason) = dispatch(frame, pending) {
                    return pending.close_with(reason);
                }
            }
            Ok(None) => return pending.lose("the server closed it"),
            Err(error) => return pending.lose(error.to_string()),
        }
    }
}

/// The next frame, without its length. `None` at the end of the connection.
async fn read_frame(
    input: &mut (impl AsyncRead + Unpin),
    buffer: &mut BytesMut,
    large_buffers: &LargeBuffers,
) -> io::Result<Option<Bytes>> {
    loop {
        if let Some((head, _)) = buffer.split_first_chunk::<4>() {
            let len = u32::from_be_bytes(*head) as usize;
            if len > MAX_FRAME_BYTES {
                return Err(io::Error::other(format!(
                    "an answer claims {len} bytes: this is not HBase's protocol"
                )));
            }
            if len > LARGE_BYTES {
                return read_large(input, buffer, 4 + len, large_buffers).await;
            }
            if buffer.len() >= 4 + len {
                return Ok(Some(take_frame(buffer, len)));
            }
            buffer.reserve(4 + len - buffer.len());
        }
        if buffer.capacity() - buffer.len() < 1 << 10 {
            buffer.reserve(BUFFER_BYTES);
        }
        if read_some(input, buffer).await? == 0 {
            return Ok(None);
        }
    }
}

/// Reads a large frame, the start of which may be buffered already.
async fn read_large(
    input: &mut (impl AsyncRead + Unpin),
    come: &mut BytesMut,
    len: usize,
    large_buffers: &LargeBuffers,
) -> io::Result<Option<Bytes>> {
    let mut room = large_buffers.take(len.min(TRUSTED_BYTES));
    room.extend_from_slice(&come.split_to(len.min(come.len())));
    while room.len() < len {
        let left = len - room.len();
        if room.capacity() == room.len() {
            room.reserve(left.min(room.len()));
        }
        if read_some(input, &mut (&mut room).limit(left)).await? == 0 {
            return Ok(None);
        }
    }
    let mut frame = room.split().freeze();
    large_buffers.keep(room, len);
    frame.advance(4);
    Ok(Some(frame))
}

/// Reads what is available. Returns the number of bytes, 0 at the end of the connection.
async fn read_some(input: &mut (impl AsyncRead + Unpin), out: &mut impl BufMut) -> io::Result<usize> {
    match input.read_buf(out).await {
        // With TLS: the server closed the connection without a closing message.
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(0),
        read => read,
    }
}

fn take_frame(buffer: &mut BytesMut, len: usize) -> Bytes {
    buffer.advance(4);
    if len > COPIED_BYTES {
        return buffer.split_to(len).freeze();
    }
    let frame = Bytes::copy_from_slice(&buffer[..len]);
    buffer.advance(len);
    frame
}

/// Completes the call that a frame is for. An error is about the whole connection.
fn dispatch(frame: Bytes, pending: &Pending) -> Result<(), Error> {
    let lost = |reason| Error::ConnectionLost { server: pending.server().clone(), reason };
    let answer = decode_answer(frame).map_err(|error| lost(error.to_string()))?;
    let outcome = answer.outcome.map_err(|error| error.at(pending.server()));
    match outcome {
        Err(error) if error.is_fatal() => Err(Error::Remote(Box::new(error))),
        Err(error) if answer.call_id == CONNECTION_CALL => Err(lost(error.to_string())),
        outcome => {
            pending.complete(answer.call_id, outcome.map_err(|error| Error::Remote(Box::new(error))));
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn memory_is_not_allocated_for_an_announced_length() {
        let (mut buffer, large_buffers) = (BytesMut::new(), LargeBuffers::default());
        let outcome = read_frame(&mut &b"\x3f\xff\xff\xff\x00"[..], &mut buffer, &large_buffers).await;
        assert_eq!(outcome.unwrap(), None);
        assert!(buffer.capacity() < 2 * TRUSTED_BYTES, "{}", buffer.capacity());
    }

    #[tokio::test]
    async fn frames_of_all_sizes_are_read() {
        let lens = [3 * TRUSTED_BYTES, 1, LARGE_BYTES + 1, LARGE_BYTES, COPIED_BYTES + 1, 0, LARGE_BYTES + 1];
        let frame = |len: &usize| [&u32::try_from(*len).unwrap().to_be_bytes()[..], &vec![7; *len]].concat();
        let bytes = lens.iter().flat_map(frame).collect::<Vec<u8>>();
        let (mut input, mut buffer, large_buffers) = (&bytes[..], BytesMut::new(), LargeBuffers::default());
        for len in lens {
            let frame = read_frame(&mut input, &mut buffer, &large_buffers).await.unwrap().unwrap();
            assert!(frame == vec![7; len], "{len}");
        }
        assert_eq!(read_frame(&mut input, &mut buffer, &large_buffers).await.unwrap(), None);
    }

    #[tokio::test]
    async fn a_break_before_the_first_answer_names_possible_causes() {
        let reason = async |bytes: &'static [u8]| {
            let pending = Pending::new(crate::HostPort::parse("rs1", 16_020).unwrap());
            let ticket = pending.enter().unwrap();
            let mut second = pending.enter().unwrap();
            read_answers(bytes, pending, Arc::default()).await;
            drop(ticket);
            (&mut second.answer).await.unwrap().unwrap_err().to_string()
        };
        let first = reason(b"").await;
        let start = "connection to rs1:16020 ended: the server closed it before its first answer; servers do so for an \
                     unknown service";
        assert!(first.starts_with(start), "{first}");
        let second = reason(b"\x00\x00\x00\x03\x02\x08\x00").await;
        assert_eq!(second, "connection to rs1:16020 ended: the server closed it");
    }
}
