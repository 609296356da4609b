//! Encoding requests.

use bytes::{BufMut, BytesMut};
use prost::Message;
use prost::encoding::{encode_varint, encoded_len_varint};

use crate::proto;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Request {
    pub(crate) call_id: u32,
    /// The method name in the service's definition.
    pub(crate) method: &'static str,
    /// 0 is the default; 200 is high.
    pub(crate) priority: u32,
    /// Milliseconds after which the client no longer waits for the answer.
    pub(crate) timeout_ms: u32,
    /// Size of the cells after the message.
    pub(crate) cells_len: usize,
}

/// A request without its cells: total length, header, message.
pub(crate) fn encode_request(
    request: &Request,
    message_len: usize,
    message: impl FnOnce(&mut BytesMut),
) -> BytesMut {
    let header = header(request);
    let header_len = header.encoded_len();
    let total = encoded_len_varint(header_len as u64)
        + header_len
        + encoded_len_varint(message_len as u64)
        + message_len
        + request.cells_len;
    let mut out = BytesMut::with_capacity(4 + total - request.cells_len);
    out.put_u32(u32::try_from(total).unwrap_or(u32::MAX));
    encode_varint(header_len as u64, &mut out);
    header.encode(&mut out).expect("a BytesMut grows");
    encode_varint(message_len as u64, &mut out);
    message(&mut out);
    out
}

fn header(request: &Request) -> proto::RequestHeader {
    let cells = u32::try_from(request.cells_len).unwrap_or(u32::MAX);
    proto::RequestHeader {
        call_id: Some(request.call_id),
        method_name: Some(request.method.into()),
        request_param: Some(true),
        cell_block_meta: (cells > 0).then_some(proto::CellBlockMeta { length: Some(cells) }),
        priority: (request.priority > 0).then_some(request.priority),
        timeout: (request.timeout_ms > 0).then_some(request.timeout_ms),
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::HEXLOWER_PERMISSIVE;

    fn encoded(request: &Request, message: &impl Message) -> BytesMut {
        encode_request(request, message.encoded_len(), |out| message.encode(out).unwrap())
    }

    fn hex(text: &str) -> Vec<u8> {
        HEXLOWER_PERMISSIVE.decode(text.replace(' ', "").as_bytes()).unwrap()
    }

    #[test]
    fn an_empty_message_still_has_its_length() {
        let request =
            Request { call_id: 1, method: "GetClusterId", priority: 0, timeout_ms: 0, cells_len: 0 };
        let golden = "00 00 00 14 12 08 01 1a 0c 47 65 74 43 6c 75 73 74 65 72 49 64 20 01 00";
        assert_eq!(encoded(&request, &proto::GetClusterIdRequest {})[..], hex(golden)[..]);
    }

    #[test]
    fn a_get_of_meta_is_the_golden_one() {
        let request = Request { call_id: 2, method: "Get", priority: 0, timeout_ms: 60_000, cells_len: 0 };
        let get = proto::GetRequest {
            region: proto::RegionSpecifier { r#type: 1, value: "hbase:meta,,1".into() },
            get: proto::Get {
                row: "t1".into(),
                column: vec![proto::Column { family: "table".into(), qualifier: vec!["state".into()] }],
                ..Default::default()
            },
        };
        let golden = "00 00 00 38 0d 08 02 1a 03 47 65 74 20 01 38 e0 d4 03 29 0a 11 08 01 12 0d 68 62 61 73 65 3a \
                      6d 65 74 61 2c 2c 31 12 14 0a 02 74 31 12 0e 0a 05 74 61 62 6c 65 12 05 73 74 61 74 65";
        assert_eq!(encoded(&request, &get)[..], hex(golden)[..]);
    }

    #[test]
    fn closing_a_scanner_is_the_golden_one() {
        let request = Request { call_id: 4, method: "Scan", priority: 0, timeout_ms: 0, cells_len: 0 };
        let close = proto::ScanRequest {
            scanner_id: Some(0x1122_3344_5566_7788),
            number_of_rows: Some(0),
            close_scanner: Some(true),
            ..Default::default()
        };
        let golden =
            "00 00 00 1a 0a 08 04 1a 04 53 63 61 6e 20 01 0e 18 88 ef 99 ab c5 e8 8c 91 11 20 00 28 01";
        assert_eq!(encoded(&request, &close)[..], hex(golden)[..]);
    }
}
