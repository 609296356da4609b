//! The state machine of a scan. It does no I/O: answers and errors go in, requests and rows come out.

use bytes::Bytes;

use super::assembly::{Assembly, Part, cells_after};
use super::position::{OutOfOrder, Position};
use super::request::{Order, ReplicaChoice, Scan};
use crate::adjacent_row::next_row;
use crate::region::Side;
use crate::{RegionInfo, Row, proto};

#[derive(Debug)]
pub(super) struct Machine {
    scan: Scan,
    /// Where to open the next region.
    from: Position,
    scanner: Option<OpenScanner>,
    assembly: Assembly,
    answers: u32,
    /// Number of rows that may still be returned.
    left: Option<u64>,
    /// The last row counted against the limit. Its other parts are not counted again.
    last_counted: Bytes,
    /// The last part returned of a row that may continue, for scans in parts.
    last_given: Option<Row>,
    /// The read point of the region's scanner. The rest of a row must be read at the same one.
    read_point: Option<u64>,
    /// The id of the replica that was opened, 0 for the primary.
    replica: u32,
    /// Whether the scanner may still return the excluded start row.
    may_return_start: bool,
    /// A scanner that the server keeps open after the end of the region.
    kept_scanner: Option<u64>,
    done: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct OpenScanner {
    id: u64,
    next_call_seq: u64,
}

#[derive(Debug, PartialEq)]
pub(super) enum Step {
    /// Find the region at `row` and open a scanner.
    Open {
        row: Bytes,
        side: Side,
    },
    Next,
    Done,
}

/// The parts of an answer that the scan's progress depends on.
#[derive(Debug, Default)]
pub(super) struct Progress {
    pub(super) parts: Vec<Part>,
    pub(super) scanner_id: Option<u64>,
    pub(super) read_point: Option<u64>,
    pub(super) more_results: bool,
    pub(super) more_in_region: bool,
    pub(super) heartbeat: bool,
}

impl Machine {
    pub(super) fn new(scan: Scan) -> Self {
        let from = Position { row: scan.start.clone(), inclusive: scan.start_inclusive };
        let left = scan.limit;
        let done = left == Some(0);
        Self {
            scan,
            from,
            scanner: None,
            assembly: Assembly::default(),
            answers: 0,
            left,
            last_counted: Bytes::new(),
            last_given: None,
            read_point: None,
            replica: 0,
            may_return_start: false,
            kept_scanner: None,
            done,
        }
    }

    pub(super) fn step(&self) -> Step {
        if self.done {
            return Step::Done;
        }
        if self.scanner.is_some() {
            return Step::Next;
        }
        if self.scan.is_empty_from(&self.from) {
            return Step::Done;
        }
        let Position { row, inclusive } = &self.from;
        match self.scan.order {
            Order::Forward if *inclusive => Step::Open { row: row.clone(), side: Side::Of },
            Order::Forward => {
                Step::Open { row: next_row(row).unwrap_or_else(|| row.clone()), side: Side::Of }
            }
            Order::Reverse if *inclusive && !row.is_empty() => {
                Step::Open { row: row.clone(), side: Side::Of }
            }
            Order::Reverse => Step::Open { row: row.clone(), side: Side::Before },
        }
    }

    /// Which replicas to read. The rest of a row is read from the replica that returned its start, because another one
    /// may have an older version of the row.
    pub(super) fn replica_choice(&self) -> ReplicaChoice {
        match self.scan.replica_choice {
            ReplicaChoice::Any if self.last_given.is_some() => ReplicaChoice::of_id(self.replica),
            choice => choice,
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.scanner.is_some()
    }

    pub(super) fn open_request(&self, region: &RegionInfo) -> proto::ScanRequest {
        let mut scan = self.scan.to_proto(&self.from);
        scan.mvcc_read_point = self.read_point.filter(|_| self.last_given.is_some());
        proto::ScanRequest { region: Some(region.specifier()), scan: Some(scan), ..self.request() }
    }

    /// The request for the next rows. It stays the same until it is answered.
    pub(super) fn next_request(&self) -> Option<proto::ScanRequest> {
        let open = self.scanner.as_ref()?;
        Some(proto::ScanRequest {
            scanner_id: Some(open.id),
            next_call_seq: Some(open.next_call_seq),
            ..self.request()
        })
    }

    /// The request that renews the scanner's lease. It uses up a call number.
    pub(super) fn renew_request(&mut self) -> Option<proto::ScanRequest> {
        let open = self.scanner.as_mut()?;
        let request = proto::ScanRequest {
            scanner_id: Some(open.id),
            next_call_seq: Some(open.next_call_seq),
            number_of_rows: Some(0),
            renew: Some(true),
            ..Default::default()
        };
        open.next_call_seq += 1;
        Some(request)
    }

    /// The request that closes the open scanner, if there is one.
    pub(super) fn close_request(&mut self) -> Option<proto::ScanRequest> {
        Some(close_request_of(self.scanner.take()?.id))
    }

    /// The request that closes a scanner which the server kept open after the end of its region, if there is one.
    pub(super) fn close_kept_scanner_request(&mut self) -> Option<proto::ScanRequest> {
        self.kept_scanner.take().map(close_request_of)
    }

    fn request(&self) -> proto::ScanRequest {
        let left = self.left.map(|left| u32::try_from(left).unwrap_or(u32::MAX >> 1).min(u32::MAX >> 1));
        proto::ScanRequest {
            number_of_rows: Some(self.scan.rows_at_once(self.answers)),
            client_handles_partials: Some(true),
            client_handles_heartbeats: Some(true),
            track_scan_metrics: self.scan.reports.metrics.then_some(true),
            // In parts, the server would count parts instead of rows.
            limit_of_rows: left.filter(|_| !self.scan.is_in_parts()),
            ..Default::default()
        }
    }

    /// Processes an answer from `region` and returns the complete rows.
    ///
    /// # Errors
    ///
    /// [`OutOfOrder`]: the scanner must be given up.
    pub(super) fn answered(&mut self, region: &RegionInfo, answer: Progress) -> Result<Vec<Row>, OutOfOrder> {
        self.answers = self.answers.saturating_add(1);
        self.may_return_start |= self.scanner.is_none();
        match &mut self.scanner {
            Some(open) => open.next_call_seq += 1,
            scanner => {
                *scanner = answer.scanner_id.map(|id| OpenScanner { id, next_call_seq: 0 });
                self.read_point = answer.read_point;
                self.replica = region.replica;
            }
        }
        let mut parts = answer.parts;
        let is_beyond = self.scan.trim_to_range(&mut parts, &self.from, &mut self.may_return_start)?;
        self.done |= is_beyond;
        let region_over = !answer.more_in_region || !answer.more_results || self.scanner.is_none();
        let ended = region_over || is_beyond || (parts.is_empty() && !answer.heartbeat);
        let rows =
            if self.scan.is_in_parts() { self.give_parts(parts) } else { self.assembly.take(parts, ended) };
        let rows = self.count(rows);
        if region_over {
            let over = self.scanner.take();
            // Before HBase 1.4, servers close a scanner only at the end of the whole scan. Later ones report a read
            // point.
            let is_kept = self.read_point.is_none() && answer.more_results;
            self.kept_scanner = over.filter(|_| is_kept).map(|over| over.id);
            self.last_given = None;
            self.done |= !answer.more_results || self.left == Some(0) || self.advance_region(region);
        }
        Ok(rows)
    }

    /// Gives up the scanner: the scan continues with another one after the last row returned. Returns the request that
    /// closes the lost scanner, in case it is still open.
    pub(super) fn lose_scanner(&mut self) -> Option<proto::ScanRequest> {
        self.assembly.forget();
        self.close_request()
    }

    fn give_parts(&mut self, parts: Vec<Part>) -> Vec<Row> {
        let given = self.last_given.take();
        let parts = parts.into_iter().filter_map(|part| match &given {
            Some(given) if given.key() == part.row.key() => cells_after(&part.row, given),
            _ => Some(part.row),
        });
        let rows: Vec<Row> = parts.collect();
        self.last_given = rows.last().cloned().or(given);
        rows
    }

    /// Advances past the rows, and truncates them at the limit.
    fn count(&mut self, mut rows: Vec<Row>) -> Vec<Row> {
        if let Some(left) = &mut self.left {
            let mut fits = 0;
            for row in &rows {
                let is_new = !self.scan.is_in_parts() || *row.key() != *self.last_counted;
                if is_new && *left == 0 {
                    break;
                }
                *left -= u64::from(is_new);
                self.last_counted = Bytes::copy_from_slice(row.key());
                fits += 1;
            }
            self.done |= fits < rows.len() || (*left == 0 && !self.scan.is_in_parts());
            rows.truncate(fits);
        }
        if let Some(last) = rows.last() {
            let inclusive = self.scan.is_in_parts();
            self.from = Position { row: Bytes::copy_from_slice(last.key()), inclusive };
        }
        rows
    }

    /// Advances to the next region. Returns whether there is none.
    fn advance_region(&mut self, region: &RegionInfo) -> bool {
        let stop = &self.scan.stop;
        match self.scan.order {
            Order::Forward => {
                let end = &region.end;
                let last = end.is_empty()
                    || (!stop.is_empty() && (end > stop || (end == stop && !self.scan.stop_inclusive)));
                self.from = Position { row: end.clone(), inclusive: true };
                last
            }
            Order::Reverse => {
                let start = &region.start;
                self.from = Position { row: start.clone(), inclusive: false };
                start.is_empty() || (!stop.is_empty() && start <= stop)
            }
        }
    }
}

pub(super) fn close_request_of(scanner_id: u64) -> proto::ScanRequest {
    proto::ScanRequest {
        scanner_id: Some(scanner_id),
        number_of_rows: Some(0),
        close_scanner: Some(true),
        ..Default::default()
    }
}
