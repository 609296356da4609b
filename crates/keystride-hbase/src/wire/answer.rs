//! Decoding answers.

use bytes::{Buf, Bytes};
use prost::Message;
use prost::encoding::decode_varint;

use crate::error::RemoteError;
use crate::proto;

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) call_id: u32,
    pub(crate) outcome: Result<Reply, RemoteError>,
}

/// The answer to a call: its encoded message and its cells.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reply {
    pub(crate) message: Bytes,
    pub(crate) cells: Bytes,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadFrame {
    #[error("header can't be read: {0}")]
    Header(#[from] prost::DecodeError),
    #[error("{part} of {len} bytes does not fit into the {left} bytes that are left")]
    Short { part: &'static str, len: u64, left: usize },
}

/// Decodes a frame, without its length.
pub(crate) fn decode_answer(mut frame: Bytes) -> Result<Answer, BadFrame> {
    let header = proto::ResponseHeader::decode(take_delimited(&mut frame, "header")?)?;
    let call_id = header.call_id();
    if let Some(exception) = header.exception {
        return Ok(Answer { call_id, outcome: Err(RemoteError::from_header(&exception)) });
    }
    let message = if frame.is_empty() { Bytes::new() } else { take_delimited(&mut frame, "message")? };
    let len = header.cell_block_meta.map_or(0, |meta| meta.length()) as usize;
    let left = frame.len();
    let start = left.checked_sub(len).ok_or(BadFrame::Short { part: "cell block", len: len as u64, left })?;
    Ok(Answer { call_id, outcome: Ok(Reply { message, cells: frame.split_off(start) }) })
}

fn take_delimited(frame: &mut Bytes, part: &'static str) -> Result<Bytes, BadFrame> {
    let len = decode_varint(frame)?;
    if len > frame.remaining() as u64 {
        return Err(BadFrame::Short { part, len, left: frame.remaining() });
    }
    Ok(frame.split_to(usize::try_from(len).expect("it is below a length")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::HEXLOWER_PERMISSIVE;

    fn decode(text: &str) -> Result<Answer, BadFrame> {
        let bytes = HEXLOWER_PERMISSIVE.decode(text.replace(' ', "").as_bytes()).unwrap();
        decode_answer(Bytes::from(bytes))
    }

    #[test]
    fn the_message_follows_the_header() {
        let answer = decode("02 08 01 08 0a 06 63 30 66 66 65 65").unwrap();
        let message = answer.outcome.unwrap().message;
        assert_eq!(answer.call_id, 1);
        assert_eq!(proto::GetClusterIdResponse::decode(message).unwrap().cluster_id(), "c0ffee");
    }

    #[test]
    fn an_exception_has_no_message() {
        let answer = decode(
            "3c 08 02 12 38 0a 31 6f 72 67 2e 61 70 61 63 68 65 2e 68 61 64 6f 6f 70 2e 68 62 61 73 65 2e 4e 6f 74 \
             53 65 72 76 69 6e 67 52 65 67 69 6f 6e 45 78 63 65 70 74 69 6f 6e 12 01 78 28 00",
        );
        let error = answer.unwrap().outcome.unwrap_err();
        assert_eq!((error.short_class(), error.message()), ("NotServingRegionException", "x"));
    }

    #[test]
    fn answers_about_the_connection_have_the_last_id() {
        let answer = decode("06 08 ff ff ff ff 0f").unwrap();
        assert_eq!(answer.call_id, crate::wire::CONNECTION_CALL);
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes: Vec<u8>) {
            drop(decode_answer(bytes.into()));
        }
    }
}
