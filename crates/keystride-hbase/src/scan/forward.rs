//! Where a scan goes on, in words that all servers know, and whether their answers do.

use std::cmp::Ordering;

use bytes::Bytes;

use super::Order;
use super::assembly::Part;
use super::question::Scan;
use crate::bytes_text::Escaped;
use crate::neighbour::{behind, shortly_before};

/// A place between rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) row: Bytes,
    pub(super) inclusive: bool,
}

/// A row that was given, or left out, comes again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("row {} comes after row {}: it does not go on", Escaped(.found), Escaped(.last))]
pub(super) struct NotForward {
    found: Bytes,
    last: Bytes,
}

impl Scan {
    /// Whether no row can be in it from there on.
    pub(super) fn is_empty_from(&self, from: &Position) -> bool {
        if self.stop.is_empty() || (self.order == Order::Reverse && from.row.is_empty()) {
            return false;
        }
        match self.compare(&from.row, &self.stop) {
            // Servers take a range that begins where it ends for the get of that row.
            Ordering::Less if from.inclusive || self.stop_inclusive || self.order == Order::Reverse => false,
            Ordering::Less => behind(&from.row).is_some_and(|next| next == self.stop),
            Ordering::Equal => !(from.inclusive && self.stop_inclusive),
            Ordering::Greater => true,
        }
    }

    /// Where servers are to begin and to end. Before HBase 1.4 they take the first row in and leave the last one out,
    /// whatever they are told: what can't be said so is cut off here, by [`Self::keep_ahead`].
    pub(super) fn ends(&self, from: &Position) -> (Position, Position) {
        let exactly = |row: &Bytes, inclusive| Position { row: row.clone(), inclusive };
        let as_given = (exactly(&from.row, from.inclusive), exactly(&self.stop, self.stop_inclusive));
        let (mut start, mut stop) = as_given;
        let is_forward = self.order == Order::Forward;
        if let Some(next) = behind(&from.row).filter(|_| is_forward && !from.inclusive) {
            start = Position { row: next, inclusive: true };
        }
        if self.stop_inclusive && !self.stop.is_empty() {
            let row = if is_forward { behind(&self.stop) } else { Some(shortly_before(&self.stop)) };
            stop = row.map_or(stop, |row| Position { row, inclusive: false });
        }
        (start, stop)
    }

    /// Keeps the parts from `from` to the stop, which must go on from there; whether the stop was passed.
    ///
    /// The row at an end that does not belong to the scan is left out as long as it goes on: `leaves_out` says so of a
    /// scanner that was just opened.
    pub(super) fn keep_ahead(
        &self,
        parts: &mut Vec<Part>,
        from: &Position,
        leaves_out: &mut bool,
    ) -> Result<bool, NotForward> {
        let is_left_out = |part: &&Part| *leaves_out && !from.inclusive && *part.row.key() == *from.row;
        let left_out = parts.iter().take_while(is_left_out).count();
        let left_out = parts.drain(..left_out).last();
        *leaves_out &= parts.is_empty() && left_out.is_none_or(|part| part.may_go_on);
        let is_unbound = self.order == Order::Reverse && from.row.is_empty();
        let mut last = (!is_unbound).then_some((&from.row[..], from.inclusive));
        for part in &*parts {
            let key = part.row.key();
            match last.map(|(last, inclusive)| (self.compare(last, key), inclusive, last)) {
                None | Some((Ordering::Less, ..) | (Ordering::Equal, true, _)) => {}
                Some((.., last)) => {
                    let [found, last] = [key, last].map(Bytes::copy_from_slice);
                    return Err(NotForward { found, last });
                }
            }
            // Another part of the same row may follow.
            last = Some((key, true));
        }
        let is_beyond = |part: &Part| self.compare(part.row.key(), &self.stop).is_gt();
        let ahead = match self.order {
            Order::Reverse if self.stop_inclusive => parts.iter().position(is_beyond),
            _ => None,
        };
        parts.truncate(ahead.unwrap_or(parts.len()));
        Ok(ahead.is_some())
    }

    /// In the order of the scan.
    fn compare(&self, one: &[u8], other: &[u8]) -> Ordering {
        match self.order {
            Order::Forward => one.cmp(other),
            Order::Reverse => other.cmp(one),
        }
    }
}
