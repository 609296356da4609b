//! Scanners.

use std::cmp::Ordering;

use bytes::{Bytes, BytesMut};

use super::cells::block;
use super::rows::choose;
use super::state::Knobs;
use super::{Answer, Exception, Incoming, State, Stored, meta};
use crate::proto;

/// An open scanner: the rows as they were when it was opened, and how far it came.
#[derive(Debug)]
pub(crate) struct Scanner {
    pub(crate) table: String,
    region: proto::RegionSpecifier,
    is_copy: bool,
    server: usize,
    rows: Vec<(Bytes, Vec<Stored>)>,
    /// The next row, and the next cell of it.
    row: usize,
    cell: usize,
    batch: usize,
    next_seq: u64,
    heartbeats: u32,
    /// The last answer said that its last row may go on, though it does not.
    owes_a_row: bool,
}

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
    let (mut answer, cells) = scanner.read(&message, &state.knobs);
    answer.scanner_id = Some(id);
    answer.ttl = Some(60_000);
    answer.stale = Some(scanner.is_copy);
    answer.mvcc_read_point = message.scan.is_some().then_some(1);
    if answer.more_results() && answer.more_results_in_region() && !message.close_scanner() {
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
        heartbeats: state.knobs.heartbeats,
        owes_a_row: false,
    };
    Ok((state.next_number(), scanner))
}

/// The scanner of a call, out of its place: whoever goes on with it puts it back.
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

/// The rows between a scan's ends that the region holds, in the scan's order.
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

impl Scanner {
    /// As much as an answer may hold.
    fn read(&mut self, message: &proto::ScanRequest, knobs: &Knobs) -> (proto::ScanResponse, BytesMut) {
        let mut answer = proto::ScanResponse { more_results: Some(true), ..Default::default() };
        answer.more_results_in_region = Some(true);
        if self.heartbeats > 0 && message.client_handles_heartbeats() {
            self.heartbeats -= 1;
            answer.heartbeat_message = Some(true);
            return (answer, BytesMut::new());
        }
        self.heartbeats = knobs.heartbeats;
        let limit = if message.limit_of_rows() == 0 { u32::MAX } else { message.limit_of_rows() };
        let (complete, out) = self.fill(message, limit, knobs, &mut answer);
        if complete >= limit {
            answer.more_results = Some(false);
        } else if self.row >= self.rows.len() && (knobs.knows_its_end || answer.cells_per_result.is_empty()) {
            answer.more_results_in_region = Some(false);
        }
        (answer, out)
    }

    fn fill(
        &mut self,
        message: &proto::ScanRequest,
        limit: u32,
        knobs: &Knobs,
        answer: &mut proto::ScanResponse,
    ) -> (u32, BytesMut) {
        let partials = message.client_handles_partials();
        let mut room = if partials { knobs.cells_per_answer } else { usize::MAX };
        let mut complete = u32::from(std::mem::take(&mut self.owes_a_row));
        let mut taken = 0;
        let mut out = BytesMut::new();
        while let Some((_, cells)) = self.rows.get(self.row) {
            if room == 0 || complete >= limit || taken >= message.number_of_rows.unwrap_or(1) {
                break;
            }
            let left = &cells[self.cell..];
            let count = left.len().min(self.batch).min(room);
            room -= count;
            let vague = knobs.vague_partials && room == 0;
            let partial = partials && (count < left.len() || vague);
            out.extend_from_slice(&block(&left[..count]));
            answer.cells_per_result.push(u32::try_from(count).unwrap());
            answer.partial_flag_per_result.push(partial);
            self.cell += count;
            if self.cell == cells.len() {
                (self.row, self.cell, taken) = (self.row + 1, 0, taken + 1);
                (complete, self.owes_a_row) = if partial { (complete, true) } else { (complete + 1, false) };
            }
        }
        (complete, out)
    }
}
