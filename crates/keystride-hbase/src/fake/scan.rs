//! The method `Scan`.

use std::cmp::Ordering;

use bytes::Bytes;

use super::rows::choose;
use super::scanner::Scanner;
use super::settings::Settings;
use super::{Answer, Exception, Incoming, State, Stored, meta};
use crate::proto;

pub(crate) fn scan(state: &mut State, server: usize, request: &Incoming) -> Result<Answer, Exception> {
    let message: proto::ScanRequest = request.read()?;
    let (id, mut scanner) = match message.scanner_id {
        Some(id) => (id, next(state, server, id, &message)?),
        None => open(state, server, &message)?,
    };
    if message.renew() || (message.close_scanner() && message.number_of_rows == Some(0)) {
        if message.renew() {
            state.scanners.insert(id, scanner);
        }
        return Ok(Answer::of(&proto::ScanResponse { scanner_id: Some(id), ..Default::default() }));
    }
    let (mut answer, cells) = scanner.read(&message, &state.settings);
    answer.scanner_id = Some(id);
    answer.ttl = Some(60_000);
    answer.stale = Some(scanner.is_copy);
    answer.mvcc_read_point = (message.scan.is_some() && !state.settings.is_1_2).then_some(1);
    let stays_open = answer.more_results_in_region() || state.settings.is_1_2;
    if answer.more_results() && stays_open && !message.close_scanner() {
        state.scanners.insert(id, scanner);
    }
    Ok(Answer::with_cells(&answer, cells))
}

fn open(state: &mut State, server: usize, message: &proto::ScanRequest) -> Result<(u64, Scanner), Exception> {
    let (Some(region), Some(scan)) = (&message.region, &message.scan) else {
        state.complain("a scanner is opened without a region or without a scan");
        return Err(Exception::final_one("DoNotRetryIOException", "missing region or scan"));
    };
    if message.next_call_seq.is_some() {
        state.complain("a scanner is opened with next_call_seq");
    }
    if scan.include_stop_row.is_none() {
        state.complain("a scan does not say whether it includes its stop row");
    }
    let scan = &as_understood(scan, &state.settings);
    let (table, rows) = rows(state, server, region, scan)?;
    let scanner = Scanner {
        table,
        region: region.clone(),
        is_copy: state.region(server, region).is_ok_and(|(_, info)| info.replica > 0),
        server,
        rows: rows.into_iter().filter_map(|(row, cells)| selected(scan, row, &cells)).collect(),
        row: 0,
        cell: 0,
        batch: scan.batch_size.map_or(usize::MAX, |cells| cells.max(1) as usize),
        next_seq: 0,
        heartbeats: state.settings.heartbeats,
        owes_a_row: false,
    };
    Ok((state.next_number(), scanner))
}

/// A scan without the fields that the server ignores.
fn as_understood(scan: &proto::Scan, settings: &Settings) -> proto::Scan {
    let mut scan = scan.clone();
    if settings.is_1_2 {
        // A scan with equal start and stop rows is the get of that row.
        let is_get = !scan.start_row().is_empty() && scan.start_row() == scan.stop_row();
        (scan.include_start_row, scan.include_stop_row) = (Some(true), Some(is_get));
    }
    if settings.ignores_start {
        scan.start_row = None;
    }
    scan
}

/// Takes the scanner of a call out of the state. The caller puts it back if it stays open.
fn next(
    state: &mut State,
    server: usize,
    id: u64,
    message: &proto::ScanRequest,
) -> Result<Scanner, Exception> {
    let unknown = || Exception::unknown_scanner(id);
    let mut scanner = state.scanners.remove(&id).ok_or_else(unknown)?;
    if scanner.server != server {
        state.complain(format!("scanner {id} is used at another server"));
        return Err(unknown());
    }
    if message.close_scanner() {
        return Ok(scanner);
    }
    if meta::is_meta(&scanner.region) {
        meta::check(state, server)?;
    } else {
        state.region(server, &scanner.region)?;
    }
    if message.next_call_seq != Some(scanner.next_seq) {
        let (wanted, found) = (scanner.next_seq, message.next_call_seq);
        state.scanners.insert(id, scanner);
        let text = format!("Expected nextCallSeq: {wanted} But the nextCallSeq got from client: {found:?}");
        return Err(Exception::final_one("exceptions.OutOfOrderScannerNextException", text));
    }
    scanner.next_seq += 1;
    Ok(scanner)
}

type Rows = Vec<(Bytes, Vec<Stored>)>;

/// The region's rows in the range of a scan, in its order.
fn rows(
    state: &State,
    server: usize,
    region: &proto::RegionSpecifier,
    scan: &proto::Scan,
) -> Result<(String, Rows), Exception> {
    let order = if meta::is_meta(region) { meta::compare } else { <[u8]>::cmp };
    let (table, mut rows) = if meta::is_meta(region) {
        meta::check(state, server)?;
        ("hbase:meta".to_owned(), meta::region_rows(state))
    } else {
        let (table, info) = state.region(server, region)?;
        let all = state.tables[&table].rows.iter().filter(|(row, _)| info.contains(row));
        let rows = all.map(|(row, cells)| (row.clone(), cells.clone())).collect();
        (table, rows)
    };
    rows.retain(|(row, _)| is_between(scan, row, order));
    if scan.reversed() {
        rows.reverse();
    }
    Ok((table, rows))
}

fn is_between(scan: &proto::Scan, row: &[u8], order: fn(&[u8], &[u8]) -> Ordering) -> bool {
    let forward = |order: Ordering| if scan.reversed() { order.reverse() } else { order };
    let after_start = match scan.start_row() {
        [] => true,
        start => {
            forward(order(row, start)).is_gt() || (scan.include_start_row() && order(row, start).is_eq())
        }
    };
    let before_stop = match scan.stop_row() {
        [] => true,
        stop => forward(order(row, stop)).is_lt() || (scan.include_stop_row() && order(row, stop).is_eq()),
    };
    after_start && before_stop
}

fn selected(scan: &proto::Scan, row: Bytes, cells: &[Stored]) -> Option<(Bytes, Vec<Stored>)> {
    let cells = choose(&scan.column, scan.max_versions(), scan.time_range.as_ref(), cells);
    (!cells.is_empty()).then_some((row, cells))
}
