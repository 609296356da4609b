//! Malformed streams of answers.

use std::sync::Arc;

use futures_util::FutureExt;
use prost::Message;

use super::pending::Pending;
use super::reader::read_answers;
use crate::fuzz::Fuzz;
use crate::{HostPort, proto};

fn frame(call_id: u32, rest: &[u8]) -> Vec<u8> {
    let header = proto::ResponseHeader { call_id: Some(call_id), ..Default::default() };
    let body = [&header.encode_length_delimited_to_vec(), rest].concat();
    [&u32::try_from(body.len()).unwrap().to_be_bytes()[..], &body].concat()
}

#[test]
fn every_call_ends_whatever_a_server_says() {
    let whole: Vec<u8> = (0..4).flat_map(|id| frame(id, b"\x02\x08\x01")).collect();
    let streams = [whole, frame(2, b""), [frame(9, b"\x00"), frame(0, b"\x00"), vec![0, 0, 0]].concat()];
    // The buffer for an answer is allocated from its length prefix, up to a few MiB.
    Fuzz::of("stream").and(streams).memory(32 << 20, 512).run(|input| {
        let pending = Pending::new(HostPort::parse("rs1", 16_020).unwrap());
        let mut calls: Vec<_> = (0..4).map(|_| pending.enter().unwrap()).collect();
        let reading = read_answers(input, Arc::clone(&pending), Arc::default());
        reading.now_or_never().expect("reading a slice never waits");
        assert!(pending.is_closed());
        for call in &mut calls {
            if let Err(error) = call.answer.try_recv().expect("every call has ended") {
                drop((error.to_string(), error.recovery()));
            }
        }
    });
}
