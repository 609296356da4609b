//! Malformed exceptions.

use bytes::Bytes;
use prost::Message;

use super::{Error, Recovery, RemoteError};
use crate::fuzz::Fuzz;
use crate::proto;

/// One for each kind that is parsed, and one that is not.
const EXCEPTIONS: [(&str, &str); 5] = [
    (
        "exceptions.RegionMovedException",
        "Region moved to: hostname=rs2 port=16020 startCode=1700000000001. As of locationSeqNum=12.\n\tat a.b(C.java:1)",
    ),
    (
        "quotas.RpcThrottlingException",
        "o.a.h.h.quotas.RpcThrottlingException: number of requests exceeded - wait 2hrs, 1min, 5sec, 20ms\n\tat a.b",
    ),
    ("NotServingRegionException", "t,,1.x. is not online on rs1,16020,7"),
    ("ipc.FatalConnectionException", ""),
    ("exceptions.ScannerResetException", "Scanner is closed on the server-side"),
];

/// Calls everything that parses an exception.
fn use_error(error: RemoteError) {
    assert!(error.stack.contains(error.message()));
    if let Recovery::Relocate { to: Some(server) } = error.recovery() {
        drop(server.address());
    }
    drop((error.is_fatal(), Error::Remote(Box::new(error)).to_string()));
}

#[test]
fn an_exception_of_any_text_has_a_recovery() {
    let headers = EXCEPTIONS.map(|(class, stack)| proto::ExceptionResponse {
        exception_class_name: Some(format!("org.apache.hadoop.hbase.{class}")),
        stack_trace: Some(stack.into()),
        hostname: Some("rs2".into()),
        port: Some(16_020),
        do_not_retry: Some(false),
        server_overloaded: Some(false),
    });
    Fuzz::of("exception").and(headers.iter().map(Message::encode_to_vec)).run(|input| {
        let Ok(message) = proto::ExceptionResponse::decode(input) else { return };
        use_error(RemoteError::from_header(&message));
    });
}

#[test]
fn an_exception_in_a_multi_has_one_too() {
    let pairs = EXCEPTIONS.map(|(class, stack)| proto::NameBytesPair {
        name: format!("org.apache.hadoop.hbase.{class}"),
        value: Some(Bytes::from_static(stack.as_bytes())),
    });
    Fuzz::of("exception-pair").and(pairs.iter().map(Message::encode_to_vec)).run(|input| {
        let Ok(message) = proto::NameBytesPair::decode(input) else { return };
        use_error(RemoteError::from_pair(&message));
    });
}
