//! The messages of a session.

use std::time::Duration;

use bytes::{BufMut, Bytes, BytesMut};

use super::error::{ErrorCode, Failure};
use super::jute::{BadJute, Reader, put_buffer};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadOp {
    Exists,
    Data,
    Children,
}

impl ReadOp {
    fn opcode(self) -> i32 {
        match self {
            Self::Exists => 3,
            Self::Data => 4,
            Self::Children => 8,
        }
    }
}

const CLOSE: i32 = -11;

pub(super) fn connect_request(session_timeout: Duration) -> BytesMut {
    framed(|out| {
        out.put_i32(0);
        out.put_i64(0);
        out.put_i32(i32::try_from(session_timeout.as_millis()).unwrap_or(i32::MAX));
        out.put_i64(0);
        put_buffer(out, &[0; 16]);
        // Not read-only: a server that has lost its quorum serves its possibly old state to clients that allow that.
        out.put_u8(0);
    })
}

/// Whether the server opened a session. A timeout of 0 means it did not.
pub(super) fn read_connect_response(frame: Bytes) -> Result<bool, BadJute> {
    let mut reader = Reader::new(frame);
    reader.int("version")?;
    let granted_ms = reader.int("session timeout")?;
    reader.long("session")?;
    reader.buffer("password")?;
    // A read-only flag follows; servers before 3.4 don't send it.
    Ok(granted_ms > 0)
}

/// Whether a frame is an exception of an HBase server, which reads the request as a malformed connection header.
pub(super) fn is_hbase_exception(frame: &[u8]) -> bool {
    const PACKAGE: &[u8] = b"org.apache.hadoop.hbase.";
    frame.windows(PACKAGE.len()).any(|bytes| bytes == PACKAGE)
}

/// A read request for one znode, without a watch.
pub(super) fn read_request(xid: i32, op: ReadOp, path: &str) -> BytesMut {
    framed(|out| {
        out.put_i32(xid);
        out.put_i32(op.opcode());
        put_buffer(out, path.as_bytes());
        out.put_u8(0);
    })
}

pub(super) fn close_request(xid: i32) -> BytesMut {
    framed(|out| {
        out.put_i32(xid);
        out.put_i32(CLOSE);
    })
}

/// The body of the reply to request `xid`. `None` if the znode does not exist.
pub(super) fn read_reply(frame: Bytes, xid: i32) -> Result<Option<Bytes>, Failure> {
    let mut reader = Reader::new(frame);
    let found = reader.int("xid")?;
    if found != xid {
        return Err(Failure::Xid { expected: xid, found });
    }
    reader.long("zxid")?;
    match ErrorCode(reader.int("error code")?) {
        ErrorCode::OK => Ok(Some(reader.into_rest())),
        ErrorCode::NO_NODE => Ok(None),
        ErrorCode::SESSION_EXPIRED => Err(Failure::Expired),
        code => Err(Failure::Code { code }),
    }
}

/// A znode's value. The statistics after it are ignored.
pub(super) fn read_data(body: Bytes) -> Result<Bytes, BadJute> {
    Reader::new(body).buffer("value")
}

/// Names of child znodes, without the parent's path.
pub(super) fn read_children(body: Bytes) -> Result<Vec<String>, BadJute> {
    Reader::new(body).strings("names of children")
}

fn framed(fill: impl FnOnce(&mut BytesMut)) -> BytesMut {
    let mut out = BytesMut::with_capacity(64);
    out.put_u32(0);
    fill(&mut out);
    let len = u32::try_from(out.len() - 4).unwrap_or(u32::MAX);
    out[..4].copy_from_slice(&len.to_be_bytes());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::HEXLOWER_PERMISSIVE;

    fn bytes(hex: &str) -> Bytes {
        HEXLOWER_PERMISSIVE.decode(hex.replace(' ', "").as_bytes()).unwrap().into()
    }

    // The vectors were written by ZooKeeper 3.8.4's own classes, except for the length prefixes.
    #[test]
    fn a_connect_request_is_the_golden_one() {
        let golden = "00 00 00 2d 00 00 00 00 00 00 00 00 00 00 00 00 00 00 27 10 00 00 00 00 00 00 00 00 \
            00 00 00 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00";
        assert_eq!(connect_request(Duration::from_secs(10)), bytes(golden));
    }

    #[test]
    fn requests_are_the_golden_ones() {
        let data =
            "00 00 00 1a 00 00 00 01 00 00 00 04 00 00 00 0d 2f 68 62 61 73 65 2f 6d 61 73 74 65 72 00";
        assert_eq!(read_request(1, ReadOp::Data, "/hbase/master"), bytes(data));
        let exists = "00 00 00 13 00 00 00 02 00 00 00 03 00 00 00 06 2f 68 62 61 73 65 00";
        assert_eq!(read_request(2, ReadOp::Exists, "/hbase"), bytes(exists));
        let children = "00 00 00 0e 00 00 00 03 00 00 00 08 00 00 00 01 2f 00";
        assert_eq!(read_request(3, ReadOp::Children, "/"), bytes(children));
        assert_eq!(close_request(4), bytes("00 00 00 08 00 00 00 04 ff ff ff f5"));
    }

    #[test]
    fn a_session_timeout_of_0_is_no_session() {
        let head = |timeout| format!("00 00 00 00 {timeout} 00 00 10 00 ab cd 00 01 00 00 00 10");
        let password = "01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10";
        assert_eq!(read_connect_response(bytes(&format!("{}{password}", head("00 00 27 10")))), Ok(true));
        assert_eq!(read_connect_response(bytes(&format!("{}{password}00", head("00 00 27 10")))), Ok(true));
        assert_eq!(read_connect_response(bytes(&format!("{}{password}", head("00 00 00 00")))), Ok(false));
        let short = BadJute::Short { what: "password", needed: 16, left: 0 };
        assert_eq!(read_connect_response(bytes(&head("00 00 27 10"))), Err(short));
    }

    #[test]
    fn a_reply_holds_a_value_or_names() {
        let body =
            read_reply(bytes("00 00 00 01 00 00 00 00 00 00 00 07 00 00 00 00 00 00 00 02 68 69 00"), 1);
        assert_eq!(read_data(body.unwrap().unwrap()).unwrap(), "hi");
        let body = bytes("00 00 00 02 00 00 00 09 7a 6f 6f 6b 65 65 70 65 72 00 00 00 05 68 62 61 73 65");
        assert_eq!(read_children(body).unwrap(), ["zookeeper", "hbase"]);
    }

    #[test]
    fn a_reply_about_a_missing_znode_is_none() {
        let reply = bytes("00 00 00 01 00 00 00 00 00 00 00 07 ff ff ff 9b");
        assert_eq!(read_reply(reply.clone(), 1), Ok(None));
        assert_eq!(read_reply(reply, 2), Err(Failure::Xid { expected: 2, found: 1 }));
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes: Vec<u8>) {
            let bytes = Bytes::from(bytes);
            drop((read_connect_response(bytes.clone()), read_reply(bytes.clone(), 0)));
            drop((read_data(bytes.clone()), read_children(bytes)));
        }
    }
}
