//! Malformed answers to Multis.

use std::sync::Arc;

use bytes::Bytes;
use prost::Message;

use super::answer::RequestOutcome;
use super::completed::CompletedActions;
use super::request::{Multi, MultiBody, Nonces};
use super::sink::Sink;
use crate::cell::CellWriter;
use crate::fuzz::{Fuzz, join, split};
use crate::region::{Located, meta_region};
use crate::wire::Reply;
use crate::{Error, Get, Mutation, Operation, RegionInfo, Row, ServerName, proto};

/// Two regions, with three and two actions, and a group of two actions in the first.
fn request() -> MultiBody {
    let server = ServerName { host: "rs1".into(), port: 16_020, start_code: 1 };
    let located = Arc::new(Located::new(meta_region(), server));
    let group = ["a", "b"].map(|column| Mutation::put("g").value("f", column, "v")).to_vec();
    let operations: [Operation; 6] = [
        Get::new("a").into(),
        Mutation::put("b").value("f", "q", "v").into(),
        Operation::Row(group),
        Mutation::increment("c").amount("f", "q", 1).into(),
        Get::new("m").into(),
        Mutation::delete("n").into(),
    ];
    let mut multi = Multi::default();
    for places in [0..4_u32, 4..6] {
        multi.begin_region(&located, 1);
        places.for_each(|place| multi.write(&operations, place, Nonces::new(1)).unwrap());
    }
    multi.finish().0
}

fn done(index: u32, cells: i32) -> proto::ResultOrException {
    let result = proto::Result { associated_cell_count: Some(cells), ..Default::default() };
    proto::ResultOrException { index: Some(index), result: Some(result), ..Default::default() }
}

fn failed(index: u32) -> proto::ResultOrException {
    proto::ResultOrException { index: Some(index), exception: Some(exception()), ..Default::default() }
}

fn exception() -> proto::NameBytesPair {
    let name = "org.apache.hadoop.hbase.NotServingRegionException".into();
    proto::NameBytesPair { name, value: Some(Bytes::from_static(b"r is not online\n\tat a.b")) }
}

fn region(outcomes: &[proto::ResultOrException]) -> proto::RegionActionResult {
    proto::RegionActionResult { result_or_exception: outcomes.to_vec(), ..Default::default() }
}

fn messages() -> Vec<Vec<u8>> {
    let mut cells = CellWriter::default();
    for row in [b"a", b"c", b"m"] {
        cells.put(row, b"f", b"q", 7, b"value").unwrap();
    }
    let group = proto::RegionActionResult { processed: Some(true), ..region(&[done(0, 0), done(1, 0)]) };
    let lost = proto::RegionActionResult { exception: Some(exception()), ..Default::default() };
    let well = [region(&[done(0, 1), done(1, 0), done(2, 1)]), region(&[done(1, 0), done(0, 1)]), group];
    let badly = [region(&[done(2, 1), failed(0), done(1, 0)]), lost.clone(), region(&[failed(0), failed(1)])];
    let answers = [well, badly, [lost.clone(), region(&[done(0, 1)]), lost]];
    let answers = answers
        .map(|regions| proto::MultiResponse { region_action_result: regions.into(), ..Default::default() });
    answers.iter().map(|answer| join(&answer.encode_to_vec(), cells.as_bytes())).collect()
}

/// The places of completed actions.
struct CompletedPlaces(Vec<u32>);

impl Sink for CompletedPlaces {
    fn done(&mut self, _: &RegionInfo, place: usize, row: Row) {
        row.cells().for_each(drop);
        self.0.push(u32::try_from(place).unwrap());
    }

    fn failed(&mut self, _: usize, error: Error) {
        unreachable!("completed actions did not fail: {error}");
    }
}

fn completed_places(completed: Vec<CompletedActions>) -> Vec<u32> {
    let mut places = CompletedPlaces(Vec::new());
    for region in completed {
        region.report_to(&mut places);
    }
    places.0
}

#[test]
fn every_action_has_one_outcome_whatever_a_server_answers() {
    Fuzz::of("multi").length_prefixed(1).and(messages()).run(|input| {
        let (body, (message, cells)) = (request(), split(input));
        let (server, wanted) =
            (ServerName { host: "rs1".into(), port: 1, start_code: 1 }.address(), body.places());
        let outcome = RequestOutcome::read(body, &server, Reply { message, cells });
        let mut places = completed_places(outcome.completed);
        for failed in &outcome.failed {
            places.extend(&failed.places);
            drop((failed.error.to_string(), failed.error.recovery()));
        }
        places.sort_unstable();
        assert_eq!(places, wanted);
    });
}

#[test]
fn a_group_of_which_not_all_can_be_read_has_one_outcome() {
    let group =
        proto::RegionActionResult { processed: Some(true), ..region(&[done(0, 0), done(1, 0), done(1, 9)]) };
    let answer = proto::MultiResponse {
        region_action_result: vec![region(&[]), region(&[]), group],
        ..Default::default()
    };
    let (body, server) = (request(), ServerName { host: "rs1".into(), port: 1, start_code: 1 }.address());
    let reply = Reply { message: answer.encode_to_vec().into(), cells: Bytes::new() };
    let outcome = RequestOutcome::read(body, &server, reply);
    assert_eq!(completed_places(outcome.completed).into_iter().filter(|&place| place == 2).count(), 1);
}
