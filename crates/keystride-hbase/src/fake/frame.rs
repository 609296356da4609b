//! Frames, from the server's side.

use std::io;

use bytes::{Buf, BufMut, Bytes, BytesMut};
use prost::Message;
use prost::encoding::{decode_varint, encode_varint};
use tokio::io::{AsyncRead, AsyncReadExt};

use super::Exception;
use crate::proto;

/// A decoded request.
#[derive(Debug)]
pub(crate) struct Incoming {
    pub(crate) header: proto::RequestHeader,
    pub(crate) message: Bytes,
    pub(crate) cells: Bytes,
}

/// An answer without an exception.
#[derive(Debug, Clone, Default)]
pub(crate) struct Answer {
    pub(crate) message: Bytes,
    pub(crate) cells: Bytes,
}

impl Answer {
    pub(crate) fn of(message: &impl Message) -> Self {
        Self { message: message.encode_to_vec().into(), cells: Bytes::new() }
    }

    pub(crate) fn with_cells(message: &impl Message, cells: BytesMut) -> Self {
        Self { cells: cells.freeze(), ..Self::of(message) }
    }
}

impl Incoming {
    pub(crate) fn id(&self) -> u32 {
        self.header.call_id()
    }

    pub(crate) fn read<M: Message + Default>(&self) -> Result<M, Exception> {
        M::decode(self.message.clone())
            .map_err(|error| Exception::final_one("DoNotRetryIOException", error.to_string()))
    }
}

/// Reads the preamble and the connection header.
pub(crate) async fn read_handshake(
    input: &mut (impl AsyncRead + Unpin),
) -> io::Result<proto::ConnectionHeader> {
    let mut preamble = [0; 6];
    input.read_exact(&mut preamble).await?;
    if preamble != *b"HBas\x00\x50" {
        return Err(io::Error::other("not the preamble of SIMPLE"));
    }
    let len = input.read_u32().await?;
    let mut header = vec![0; len as usize];
    input.read_exact(&mut header).await?;
    proto::ConnectionHeader::decode(&header[..]).map_err(io::Error::other)
}

/// The next request. `None` at the end of the connection.
pub(crate) async fn read_request(input: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<Incoming>> {
    let len = match input.read_u32().await {
        Ok(len) => len,
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut frame = vec![0; len as usize];
    input.read_exact(&mut frame).await?;
    let mut frame = Bytes::from(frame);
    let header = proto::RequestHeader::decode(take(&mut frame)?).map_err(io::Error::other)?;
    let message = take(&mut frame)?;
    let cells_len = header.cell_block_meta.map_or(0, |meta| meta.length()) as usize;
    if frame.len() != cells_len {
        return Err(io::Error::other(format!("{} bytes of cells, {cells_len} announced", frame.len())));
    }
    Ok(Some(Incoming { header, message, cells: frame }))
}

fn take(frame: &mut Bytes) -> io::Result<Bytes> {
    let len = usize::try_from(decode_varint(frame).map_err(io::Error::other)?).map_err(io::Error::other)?;
    if len > frame.remaining() {
        return Err(io::Error::other("a part is longer than its frame"));
    }
    Ok(frame.split_to(len))
}

pub(crate) fn frame(call_id: u32, outcome: &Result<Answer, Exception>) -> Bytes {
    let cells = outcome.as_ref().map_or(0, |answer| answer.cells.len());
    let header = proto::ResponseHeader {
        call_id: Some(call_id),
        exception: outcome.as_ref().err().map(Exception::to_header),
        cell_block_meta: (cells > 0)
            .then(|| proto::CellBlockMeta { length: Some(u32::try_from(cells).unwrap()) }),
    };
    let mut body = BytesMut::from(&header.encode_length_delimited_to_vec()[..]);
    if let Ok(answer) = outcome {
        encode_varint(answer.message.len() as u64, &mut body);
        body.put_slice(&answer.message);
        body.put_slice(&answer.cells);
    }
    let mut out = BytesMut::with_capacity(4 + body.len());
    out.put_u32(u32::try_from(body.len()).unwrap());
    out.put_slice(&body);
    out.freeze()
}
