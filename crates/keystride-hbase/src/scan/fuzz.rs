//! Malformed answers to scans.

use bytes::{Buf, Bytes};
use prost::Message;

use super::assembly::take_parts;
use super::machine::{Machine, Progress, Step};
use super::status::ScanStatus;
use super::{Order, Scan};
use crate::cell::CellWriter;
use crate::fuzz::{Fuzz, join, split};
use crate::proto;
use crate::region::meta_region;

const SCANS: [fn() -> Scan; 5] = [
    Scan::all,
    || Scan::all().order(Order::Reverse).limit(2),
    || Scan::range("a", "m").in_parts_of(2),
    || Scan::all().in_parts_of(1).limit(1),
    || Scan::all().limit(3),
];

fn block(cells: &[(&str, &str)]) -> Bytes {
    let mut out = CellWriter::default();
    for (row, qualifier) in cells {
        out.put(row.as_bytes(), b"f", qualifier.as_bytes(), 7, b"v").unwrap();
    }
    out.into_bytes()
}

fn answer(counts: &[u32], partial: &[bool]) -> proto::ScanResponse {
    proto::ScanResponse {
        cells_per_result: counts.to_vec(),
        partial_flag_per_result: partial.to_vec(),
        scanner_id: Some(7),
        more_results: Some(true),
        more_results_in_region: Some(true),
        ttl: Some(60_000),
        mvcc_read_point: Some(3),
        ..Default::default()
    }
}

/// One answer in an input: its length in two bytes, then the answer.
fn part(answer: &proto::ScanResponse, cells: &Bytes) -> Vec<u8> {
    let both = join(&answer.encode_to_vec(), cells);
    [&u16::try_from(both.len()).unwrap().to_be_bytes()[..], &both].concat()
}

fn conversations() -> Vec<Vec<u8>> {
    let first = part(&answer(&[2, 1], &[false, true]), &block(&[("a", "x"), ("a", "y"), ("b", "x")]));
    let second = part(&answer(&[1, 1], &[true, false]), &block(&[("b", "y"), ("c", "x")]));
    let sign_of_life = proto::ScanResponse { heartbeat_message: Some(true), ..answer(&[], &[]) };
    let inside = proto::Result {
        cell: vec![proto::Cell {
            row: Some("d".into()),
            family: Some("f".into()),
            cell_type: Some(4),
            ..Default::default()
        }],
        partial: Some(true),
        ..Default::default()
    };
    let metric = proto::NameInt64Pair { name: Some("ROWS_SCANNED".into()), value: Some(i64::MAX) };
    let last = proto::ScanResponse {
        results: vec![inside],
        more_results: Some(false),
        scan_metrics: Some(proto::ScanMetrics { metrics: vec![metric; 2] }),
        ..answer(&[], &[])
    };
    let [life, last] = [sign_of_life, last].map(|answer| part(&answer, &Bytes::new()));
    vec![[&first[..], &second].concat(), [&first[..], &life, &second, &last].concat(), last]
}

#[test]
fn a_scan_goes_on_or_ends_whatever_a_server_answers() {
    Fuzz::of("scan").length_prefixed(2).and(conversations()).run(|input| {
        for scan in SCANS {
            talk(scan(), Bytes::copy_from_slice(input));
        }
    });
}

/// Feeds a scan the answers in an input, as long as it asks.
fn talk(scan: Scan, mut input: Bytes) {
    let (region, mut tally) = (meta_region(), ScanStatus::default());
    let most = scan.limit.filter(|_| !scan.is_in_parts());
    let mut machine = Machine::new(scan);
    let mut rows = 0;
    while input.remaining() >= 2 && machine.step() != Step::Done {
        let len = usize::from(input.get_u16()).min(input.len());
        let (message, cells) = split(&input.split_to(len));
        drop((machine.open_request(&region), machine.next_request()));
        let Ok(answer) = proto::ScanResponse::decode(message) else {
            machine.lose_scanner();
            continue;
        };
        answer.scan_metrics.iter().for_each(|metrics| tally.add(&region, metrics));
        let Ok(parts) = take_parts(&answer, cells) else {
            machine.lose_scanner();
            continue;
        };
        let progress = Progress {
            parts,
            scanner_id: answer.scanner_id,
            read_point: answer.mvcc_read_point,
            more_results: answer.more_results.unwrap_or(true),
            more_in_region: answer.more_results_in_region.unwrap_or(true),
            heartbeat: answer.heartbeat_message(),
        };
        let Ok(given) = machine.answered(&region, progress) else {
            machine.lose_scanner();
            continue;
        };
        assert!(given.iter().all(|row| row.cells().count() > 0));
        rows += given.len() as u64;
    }
    assert!(most.is_none_or(|most| rows <= most));
}

#[test]
fn counts_of_a_server_may_be_as_high_as_they_can() {
    let metric = proto::NameInt64Pair { name: Some("ROWS_SCANNED".into()), value: Some(i64::MAX) };
    let mut tally = ScanStatus::default();
    for _ in 0..2 {
        tally.add(&meta_region(), &proto::ScanMetrics { metrics: vec![metric.clone(); 3] });
    }
}

#[test]
fn cells_of_a_message_are_those_of_the_row() {
    let cell = proto::Cell {
        row: Some("r".into()),
        family: Some("f".into()),
        qualifier: Some("q".into()),
        timestamp: Some(7),
        cell_type: Some(4),
        value: Some("v".into()),
        tags: Some(Bytes::from_static(b"\0\x01\x01")),
    };
    let result = proto::Result { cell: vec![cell; 2], associated_cell_count: Some(1), ..Default::default() };
    let message = join(&result.encode_to_vec(), &block(&[("r", "a")]));
    Fuzz::of("result").length_prefixed(1).and([message]).run(|input| {
        let (message, cells) = split(input);
        let Ok(result) = proto::Result::decode(message) else { return };
        let mut block = crate::CellBlock::new(cells);
        let Ok(row) = crate::result::take(&result, &mut block) else { return };
        let in_block = usize::try_from(result.associated_cell_count()).unwrap_or_default();
        assert_eq!(row.cells().count(), in_block + result.cell.len());
        let own = row.cells().skip(in_block).zip(&result.cell);
        assert!(own.into_iter().all(|(found, sent)| found.row == sent.row() && found.value == sent.value()));
    });
}
