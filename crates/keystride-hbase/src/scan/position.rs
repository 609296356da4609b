//! Where a scan continues, in terms that all server versions understand, and whether answers are in order.

use std::cmp::Ordering;

use bytes::Bytes;

use super::Order;
use super::assembly::Part;
use super::request::Scan;
use crate::adjacent_row::{closest_before, next_row};
use crate::bytes_text::Escaped;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) row: Bytes,
    pub(super) inclusive: bool,
}

/// A row comes again, or out of order.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("row {} came after row {}: the scan is out of order", Escaped(.found), Escaped(.last))]
pub(super) struct OutOfOrder {
    found: Bytes,
    last: Bytes,
}

impl Scan {
    /// Whether the scan has no rows from `from` on.
    pub(super) fn is_empty_from(&self, from: &Position) -> bool {
        if self.stop.is_empty() || (self.order == Order::Reverse && from.row.is_empty()) {
            return false;
        }
        match self.compare(&from.row, &self.stop) {
            // Servers take a range with equal start and stop rows for the get of that row.
            Ordering::Less if from.inclusive || self.stop_inclusive || self.order == Order::Reverse => false,
            Ordering::Less => next_row(&from.row).is_some_and(|next| next == self.stop),
            Ordering::Equal => !(from.inclusive && self.stop_inclusive),
            Ordering::Greater => true,
        }
    }

    /// The start and stop rows for servers. Servers before HBase 1.4 always include the start row and exclude the stop
    /// row. [`Self::trim_to_range`] removes the rows that this can't express.
    pub(super) fn server_range(&self, from: &Position) -> (Position, Position) {
        let exactly = |row: &Bytes, inclusive| Position { row: row.clone(), inclusive };
        let as_given = (exactly(&from.row, from.inclusive), exactly(&self.stop, self.stop_inclusive));
        let (mut start, mut stop) = as_given;
        let is_forward = self.order == Order::Forward;
        if let Some(next) = next_row(&from.row).filter(|_| is_forward && !from.inclusive) {
            start = Position { row: next, inclusive: true };
        }
        if self.stop_inclusive && !self.stop.is_empty() {
            let row = if is_forward { next_row(&self.stop) } else { Some(closest_before(&self.stop)) };
            stop = row.map_or(stop, |row| Position { row, inclusive: false });
        }
        (start, stop)
    }

    /// Keeps the parts from `from` to the stop row, and checks their order. Returns whether the stop row was passed.
    ///
    /// `may_return_start` is set for a new scanner, and cleared once it is past an excluded start row.
    pub(super) fn trim_to_range(
        &self,
        parts: &mut Vec<Part>,
        from: &Position,
        may_return_start: &mut bool,
    ) -> Result<bool, OutOfOrder> {
        let is_left_out = |part: &&Part| *may_return_start && !from.inclusive && *part.row.key() == *from.row;
        let left_out = parts.iter().take_while(is_left_out).count();
        let left_out = parts.drain(..left_out).last();
        *may_return_start &= parts.is_empty() && left_out.is_none_or(|part| part.may_go_on);
        let is_unbound = self.order == Order::Reverse && from.row.is_empty();
        let mut last = (!is_unbound).then_some((&from.row[..], from.inclusive));
        for part in &*parts {
            let key = part.row.key();
            match last.map(|(last, inclusive)| (self.compare(last, key), inclusive, last)) {
                None | Some((Ordering::Less, ..) | (Ordering::Equal, true, _)) => {}
                Some((.., last)) => {
                    let [found, last] = [key, last].map(Bytes::copy_from_slice);
                    return Err(OutOfOrder { found, last });
                }
            }
            // The next part may be of the same row.
            last = Some((key, true));
        }
        let is_beyond = |part: &Part| self.compare(part.row.key(), &self.stop).is_gt();
        let first_beyond = match self.order {
            Order::Reverse if self.stop_inclusive => parts.iter().position(is_beyond),
            _ => None,
        };
        parts.truncate(first_beyond.unwrap_or(parts.len()));
        Ok(first_beyond.is_some())
    }

    fn compare(&self, one: &[u8], other: &[u8]) -> Ordering {
        match self.order {
            Order::Forward => one.cmp(other),
            Order::Reverse => other.cmp(one),
        }
    }
}
