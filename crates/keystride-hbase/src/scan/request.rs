//! The definition of a scan.

use bytes::Bytes;

use super::position::Position;
use crate::{Filter, Selection, proto};

/// A scan of a table: which rows and cells, in which order, and how they are read.
///
/// ```
/// # use keystride_hbase::{Order, Scan};
/// let newest_last = Scan::range("2014", "2015").limit(10);
/// let backwards = Scan::prefix("user7|").order(Order::Reverse);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Scan {
    pub(super) start: Bytes,
    pub(super) start_inclusive: bool,
    pub(super) stop: Bytes,
    pub(super) stop_inclusive: bool,
    pub(super) order: Order,
    pub(super) limit: Option<u64>,
    selection: Selection,
    first_rows: Option<u32>,
    rows_per_call: Option<u32>,
    cells_per_part: Option<u32>,
    bytes_per_call: u64,
    read_type: ReadType,
    pub(super) reports: Reports,
    pub(super) replica_choice: ReplicaChoice,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum ReplicaChoice {
    #[default]
    Primary,
    /// The replicas with this id.
    Number(u32),
    /// The primary, or whichever replica answers first if it does not.
    Any,
}

impl ReplicaChoice {
    pub(super) fn of_id(number: u32) -> Self {
        if number == 0 { Self::Primary } else { Self::Number(number) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Reports {
    pub(super) metrics: bool,
    pub(super) cursor: bool,
}

/// The order of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Order {
    /// Ascending keys.
    #[default]
    Forward,
    /// Descending keys. The scan starts at the end of the range.
    Reverse,
}

/// How servers read store files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum ReadType {
    /// Positional reads first, then streaming.
    #[default]
    Default,
    /// Streaming, for long scans.
    Stream,
    /// Positional reads, for short scans.
    Positional,
}

/// Java's default, `hbase.client.scanner.max.result.size`.
const BYTES_PER_CALL: u64 = 2 << 20;

impl Scan {
    /// All rows.
    pub fn all() -> Self {
        Self {
            start: Bytes::new(),
            start_inclusive: true,
            stop: Bytes::new(),
            stop_inclusive: false,
            order: Order::Forward,
            limit: None,
            selection: Selection::all(),
            first_rows: None,
            rows_per_call: None,
            cells_per_part: None,
            bytes_per_call: BYTES_PER_CALL,
            read_type: ReadType::Default,
            reports: Reports::default(),
            replica_choice: ReplicaChoice::default(),
        }
    }

    /// Rows from `start` (inclusive) to `stop` (exclusive). Either may be empty, which means no bound.
    pub fn range(start: impl AsRef<[u8]>, stop: impl AsRef<[u8]>) -> Self {
        let (start, stop) = (Bytes::copy_from_slice(start.as_ref()), Bytes::copy_from_slice(stop.as_ref()));
        Self { start, stop, ..Self::all() }
    }

    /// Rows whose keys start with `prefix`.
    pub fn prefix(prefix: impl AsRef<[u8]>) -> Self {
        let prefix = prefix.as_ref();
        Self::range(prefix, after_prefix(prefix))
    }

    /// Whether the row `start` is included; it is by default.
    #[must_use]
    pub fn include_start(mut self, include: bool) -> Self {
        self.start_inclusive = include;
        self
    }

    /// Whether the row `stop` is included; it is not by default.
    #[must_use]
    pub fn include_stop(mut self, include: bool) -> Self {
        self.stop_inclusive = include;
        self
    }

    /// The order of rows. The range stays the same.
    #[must_use]
    pub fn order(mut self, order: Order) -> Self {
        if order != self.order {
            std::mem::swap(&mut self.start, &mut self.stop);
            std::mem::swap(&mut self.start_inclusive, &mut self.stop_inclusive);
            // A missing bound counts as inclusive.
            self.start_inclusive |= self.start.is_empty();
        }
        self.order = order;
        self
    }

    /// The maximum number of rows.
    #[must_use]
    pub fn limit(mut self, rows: u64) -> Self {
        self.limit = Some(rows);
        self
    }

    /// Which cells to read.
    #[must_use]
    pub fn select(mut self, selection: Selection) -> Self {
        self.selection = selection;
        self
    }

    /// Only rows and cells that pass a filter.
    #[must_use]
    pub fn filter(mut self, filter: Filter) -> Self {
        self.selection = self.selection.filter(filter);
        self
    }

    /// The maximum number of rows in one answer; by default limited only by size.
    #[must_use]
    pub fn rows_per_call(mut self, rows: u32) -> Self {
        self.rows_per_call = Some(rows.max(1));
        self
    }

    /// The maximum number of rows in the first answer, twice as many in the next, and so on. For readers that may stop
    /// early.
    #[must_use]
    pub fn first_rows(mut self, rows: u32) -> Self {
        self.first_rows = Some(rows.max(1));
        self
    }

    /// The approximate size of one answer in bytes; 2 MiB by default.
    #[must_use]
    pub fn bytes_per_call(mut self, bytes: u64) -> Self {
        self.bytes_per_call = bytes.max(1);
        self
    }

    /// Returns rows in parts of at most this many cells. For rows that are too large for memory.
    #[must_use]
    pub fn in_parts_of(mut self, cells: u32) -> Self {
        self.cells_per_part = Some(cells.max(1));
        self
    }

    /// How servers read store files.
    #[must_use]
    pub fn read_type(mut self, read_type: ReadType) -> Self {
        self.read_type = read_type;
        self
    }

    /// Servers report what they read: see [`Scanner::metrics`](crate::Scanner::metrics).
    #[must_use]
    pub fn with_metrics(mut self) -> Self {
        self.reports.metrics = true;
        self
    }

    /// Servers report their position while no row passes the filter: see [`Scanner::cursor`](crate::Scanner::cursor).
    /// Since HBase 1.4.
    #[must_use]
    pub fn with_cursor(mut self) -> Self {
        self.reports.cursor = true;
        self
    }

    /// Reads from the replicas with this id instead of the primaries. They may not have the newest changes.
    ///
    /// The table's `REGION_REPLICATION` must be greater than `number`. Otherwise the scan fails with
    /// [`Error::NoRegion`](crate::Error::NoRegion), or for a table without replicas with
    /// [`Error::BadRequest`](crate::Error::BadRequest).
    #[must_use]
    pub fn from_replica(mut self, number: u32) -> Self {
        self.replica_choice = ReplicaChoice::of_id(number);
        self
    }

    /// Lets replicas answer too (HBase's timeline consistency). They are asked if the primary has not opened a scanner
    /// within [`ClientOptions::primary_scan_timeout`](crate::ClientOptions::primary_scan_timeout), or if its server is
    /// gone; the first one that opens a scanner is read. Replicas may not have the newest changes:
    /// [`Scanner::is_stale`](crate::Scanner::is_stale) tells whether one was read. All parts of a row come from the
    /// same replica.
    ///
    /// For a table without replicas this changes nothing.
    #[must_use]
    pub fn timeline(mut self) -> Self {
        self.replica_choice = ReplicaChoice::Any;
        self
    }

    pub(super) fn is_in_parts(&self) -> bool {
        self.cells_per_part.is_some()
    }

    /// The number of rows to ask for after this many calls. Servers read it as a signed 32-bit number.
    pub(super) fn rows_at_once(&self, calls_before: u32) -> u32 {
        let most = self.rows_per_call.unwrap_or(i32::MAX.cast_unsigned());
        self.first_rows.map_or(most, |first| first.saturating_mul(1 << calls_before.min(20)).min(most))
    }

    /// The message that opens a scanner at `from`.
    pub(super) fn to_proto(&self, from: &Position) -> proto::Scan {
        let (start, stop) = self.server_range(from);
        let read_type = match self.read_type {
            ReadType::Default => proto::scan::ReadType::Default,
            ReadType::Stream => proto::scan::ReadType::Stream,
            ReadType::Positional => proto::scan::ReadType::Pread,
        };
        proto::Scan {
            start_row: Some(start.row),
            include_start_row: Some(start.inclusive),
            stop_row: Some(stop.row),
            // If it were missing, a scan with equal start and stop rows would be taken for a get.
            include_stop_row: Some(stop.inclusive),
            reversed: Some(self.order == Order::Reverse),
            // A filter would turn on loading families on demand, which servers refuse in reverse scans.
            load_column_families_on_demand: (self.order == Order::Reverse).then_some(false),
            batch_size: self.cells_per_part,
            max_result_size: Some(self.bytes_per_call),
            read_type: Some(read_type.into()),
            need_cursor_result: self.reports.cursor.then_some(true),
            consistency: (self.replica_choice != ReplicaChoice::Primary)
                .then_some(proto::Consistency::Timeline.into()),
            ..self.selection.to_scan()
        }
    }
}

/// The first key after all keys that start with `prefix`. Empty if there is none.
fn after_prefix(prefix: &[u8]) -> Vec<u8> {
    let len = prefix.iter().rposition(|&byte| byte != 0xff).map_or(0, |last| last + 1);
    let mut after = prefix[..len].to_vec();
    if let Some(last) = after.last_mut() {
        *last += 1;
    }
    after
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_ends_after_its_last_key() {
        assert_eq!(Scan::prefix(b"a\xff").stop, &b"b"[..]);
        assert_eq!(Scan::prefix(b"\xff\xff").stop, &b""[..]);
    }

    #[test]
    fn a_range_read_backwards_holds_the_same_rows() {
        let scan = Scan::range("b", "d").order(Order::Reverse);
        assert_eq!((&*scan.start, scan.start_inclusive), (&b"d"[..], false));
        assert_eq!((&*scan.stop, scan.stop_inclusive), (&b"b"[..], true));
        assert!(Scan::all().order(Order::Reverse).start_inclusive);
    }
}
