//! What to scan.

use bytes::Bytes;

use super::forward::Position;
use crate::{Filter, Selection, proto};

/// A scan of a table: which rows, in which order, and how they are brought.
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
    pub(super) wanted: Wanted,
    pub(super) copies: Copies,
}

/// Which copies of regions answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Copies {
    /// The regions themselves.
    #[default]
    Primary,
    /// Those of that number.
    Number(u32),
    /// Whichever answers first, the regions themselves first of all.
    Any,
}

impl Copies {
    pub(super) fn of_number(number: u32) -> Self {
        if number == 0 { Self::Primary } else { Self::Number(number) }
    }
}

/// What servers are to tell besides rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Wanted {
    pub(super) metrics: bool,
    pub(super) cursor: bool,
}

/// Which row comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Order {
    /// The smallest key.
    #[default]
    Forward,
    /// The greatest key. `start` is then the greater end.
    Reverse,
}

/// How servers read their files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum ReadType {
    /// Positional reads first, then streaming.
    #[default]
    Default,
    /// Streaming: for scans of much.
    Stream,
    /// Positional reads: for short scans.
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
            wanted: Wanted::default(),
            copies: Copies::default(),
        }
    }

    /// Rows from `start` on, up to but without `stop`. Either may be empty: no bound.
    pub fn range(start: impl AsRef<[u8]>, stop: impl AsRef<[u8]>) -> Self {
        let (start, stop) = (Bytes::copy_from_slice(start.as_ref()), Bytes::copy_from_slice(stop.as_ref()));
        Self { start, stop, ..Self::all() }
    }

    /// Rows whose keys begin with `prefix`.
    pub fn prefix(prefix: impl AsRef<[u8]>) -> Self {
        let prefix = prefix.as_ref();
        Self::range(prefix, behind_prefix(prefix))
    }

    /// Whether the row `start` belongs to it; it does unless said.
    #[must_use]
    pub fn include_start(mut self, include: bool) -> Self {
        self.start_inclusive = include;
        self
    }

    /// Whether the row `stop` belongs to it; it does not unless said.
    #[must_use]
    pub fn include_stop(mut self, include: bool) -> Self {
        self.stop_inclusive = include;
        self
    }

    /// In which order rows come. When that changes, the ends of the range change their places.
    #[must_use]
    pub fn order(mut self, order: Order) -> Self {
        if order != self.order {
            std::mem::swap(&mut self.start, &mut self.stop);
            std::mem::swap(&mut self.start_inclusive, &mut self.stop_inclusive);
            // No bound is a bound that belongs to it.
            self.start_inclusive |= self.start.is_empty();
        }
        self.order = order;
        self
    }

    /// At most so many rows.
    #[must_use]
    pub fn limit(mut self, rows: u64) -> Self {
        self.limit = Some(rows);
        self
    }

    /// Which cells of them.
    #[must_use]
    pub fn select(mut self, selection: Selection) -> Self {
        self.selection = selection;
        self
    }

    /// Only what passes a filter.
    #[must_use]
    pub fn filter(mut self, filter: Filter) -> Self {
        self.selection = self.selection.filter(filter);
        self
    }

    /// At most so many rows in one answer; as many as fit unless said.
    #[must_use]
    pub fn rows_per_call(mut self, rows: u32) -> Self {
        self.rows_per_call = Some(rows.max(1));
        self
    }

    /// At most so many rows in the first answer, twice as many in the next and so on: for readers who may stop early.
    #[must_use]
    pub fn first_rows(mut self, rows: u32) -> Self {
        self.first_rows = Some(rows.max(1));
        self
    }

    /// About so many bytes in one answer; 2 MiB unless said.
    #[must_use]
    pub fn bytes_per_call(mut self, bytes: u64) -> Self {
        self.bytes_per_call = bytes.max(1);
        self
    }

    /// Rows come in parts of at most so many cells: for rows that are too big to be held.
    #[must_use]
    pub fn in_parts_of(mut self, cells: u32) -> Self {
        self.cells_per_part = Some(cells.max(1));
        self
    }

    /// How servers read their files.
    #[must_use]
    pub fn read_type(mut self, read_type: ReadType) -> Self {
        self.read_type = read_type;
        self
    }

    /// Servers count what they read: see [`Scanner::metrics`](crate::Scanner::metrics).
    #[must_use]
    pub fn with_metrics(mut self) -> Self {
        self.wanted.metrics = true;
        self
    }

    /// Servers say how far they are while no row passes the filter: see [`Scanner::cursor`](crate::Scanner::cursor).
    /// From HBase 1.4 on.
    #[must_use]
    pub fn with_cursor(mut self) -> Self {
        self.wanted.cursor = true;
        self
    }

    /// Reads from copies of that number instead of the regions themselves; they may not know of the newest changes.
    ///
    /// The table has to be made with a `REGION_REPLICATION` of more than that; otherwise the scan fails with
    /// [`Error::NoRegion`](crate::Error::NoRegion), and where it has no copies at all with
    /// [`Error::BadRequest`](crate::Error::BadRequest).
    #[must_use]
    pub fn from_replica(mut self, number: u32) -> Self {
        self.copies = Copies::of_number(number);
        self
    }

    /// Lets copies of a region answer too, with what they know (HBase's timeline consistency): those are asked when the
    /// region itself has not opened a scanner within
    /// [`ClientOptions::primary_scan_timeout`](crate::ClientOptions::primary_scan_timeout), or its server is gone, and the
    /// first that does is read. [`Scanner::is_stale`](crate::Scanner::is_stale) says whether one was. A row that comes in
    /// parts comes from one of them.
    ///
    /// For a table without copies this changes nothing.
    #[must_use]
    pub fn timeline(mut self) -> Self {
        self.copies = Copies::Any;
        self
    }

    pub(super) fn is_in_parts(&self) -> bool {
        self.cells_per_part.is_some()
    }

    /// Rows asked for in one call, after so many others. Servers read the number as 32 bits with a sign.
    pub(super) fn rows_at_once(&self, calls_before: u32) -> u32 {
        let most = self.rows_per_call.unwrap_or(i32::MAX.cast_unsigned());
        self.first_rows.map_or(most, |first| first.saturating_mul(1 << calls_before.min(20)).min(most))
    }

    /// The message that opens it at `from`.
    pub(super) fn to_proto(&self, from: &Position) -> proto::Scan {
        let (start, stop) = self.ends(from);
        let read_type = match self.read_type {
            ReadType::Default => proto::scan::ReadType::Default,
            ReadType::Stream => proto::scan::ReadType::Stream,
            ReadType::Positional => proto::scan::ReadType::Pread,
        };
        proto::Scan {
            start_row: Some(start.row),
            include_start_row: Some(start.inclusive),
            stop_row: Some(stop.row),
            // Left out, a scan whose start is its stop would be taken for a get.
            include_stop_row: Some(stop.inclusive),
            reversed: Some(self.order == Order::Reverse),
            // Servers refuse to load families late in a scan that goes backwards, which a filter would make them do.
            load_column_families_on_demand: (self.order == Order::Reverse).then_some(false),
            batch_size: self.cells_per_part,
            max_result_size: Some(self.bytes_per_call),
            read_type: Some(read_type.into()),
            need_cursor_result: self.wanted.cursor.then_some(true),
            consistency: (self.copies != Copies::Primary).then_some(proto::Consistency::Timeline.into()),
            ..self.selection.to_scan()
        }
    }
}

/// The first key behind all that begin with `prefix`; empty when there is none.
fn behind_prefix(prefix: &[u8]) -> Vec<u8> {
    let len = prefix.iter().rposition(|&byte| byte != 0xff).map_or(0, |last| last + 1);
    let mut behind = prefix[..len].to_vec();
    if let Some(last) = behind.last_mut() {
        *last += 1;
    }
    behind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_ends_behind_its_last_key() {
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
