//! Split algorithms that count rows as numbers in text.

use std::cmp::Ordering;

use super::digits::Digits;
use super::{Ends, SplitError, SplitPoints, check_len, check_regions};
use crate::escape;

/// An algorithm that counts rows as numbers written in a radix: what `HexStringSplit` and `DecimalStringSplit` share.
///
/// The last row belongs to the range. The last region takes the remainder of the division.
#[derive(Debug)]
pub(super) struct RadixRule {
    pub(super) name: &'static str,
    pub(super) radix: u16,
    /// The digits as a message names them.
    pub(super) digits: &'static str,
    pub(super) first: &'static str,
    /// The default last row; its length is the width to which rows are padded.
    pub(super) last: &'static str,
}

impl RadixRule {
    /// Returns points for `regions` from `first` to `last`, padded to the width of `last`.
    pub(super) fn split(
        &self,
        regions: usize,
        first: Option<&str>,
        last: Option<&str>,
    ) -> Result<SplitPoints, SplitError> {
        let (first, last) = (first.unwrap_or(self.first), last.unwrap_or(self.last));
        check_regions(self.name, regions, 1)?;
        check_len(regions - 1, last.len())?;
        let inner = Self::inner_rows(
            &Row { text: first.as_bytes(), number: self.number(first.as_bytes())? },
            &Row { text: last.as_bytes(), number: self.number(last.as_bytes())? },
            regions,
        )?;
        SplitPoints::new(inner.map(|number| row_of(&number, last.len())))
    }

    /// Returns rows that cut `start` to `end` into regions, padded to the default width; an empty `start` is 0.
    pub(super) fn split_range(
        &self,
        start: &[u8],
        end: &[u8],
        regions: usize,
        ends: Ends,
    ) -> Result<Vec<Vec<u8>>, SplitError> {
        check_regions(self.name, regions, 1)?;
        check_len(regions - 1, self.last.len().max(end.len()))?;
        let (first, last) = (self.row_from_bytes(start)?, self.row_from_bytes(end)?);
        let inner = Self::inner_rows(&first, &last, regions)?;
        let all = match ends {
            Ends::Dropped => inner.collect::<Vec<_>>(),
            Ends::Kept => std::iter::once(first.number).chain(inner).chain([last.number]).collect(),
        };
        Ok(all.iter().map(|number| row_of(number, self.last.len())).collect())
    }

    /// Returns the row half-way, rounded down. HBase rejects an end of 0 and nothing else, not even an end before the
    /// start.
    pub(super) fn midpoint(&self, start: &[u8], end: &[u8]) -> Result<Vec<u8>, SplitError> {
        let (first, last) = (self.row_from_bytes(start)?, self.row_from_bytes(end)?);
        if last.number.significant().is_empty() {
            return Err(empty_range(&first, &last));
        }
        let mut sum = first.number;
        sum.add(&last.number);
        Ok(row_of(&sum.divide(2), self.last.len()))
    }

    /// Returns the row for the text of a number.
    pub(super) fn row(&self, text: &str) -> Result<Vec<u8>, SplitError> {
        Ok(row_of(&self.number(text.as_bytes())?, self.last.len()))
    }

    fn inner_rows(
        first: &Row<'_>,
        last: &Row<'_>,
        regions: usize,
    ) -> Result<impl Iterator<Item = Digits> + use<>, SplitError> {
        if first.number.compare(&last.number) != Ordering::Less {
            return Err(empty_range(first, last));
        }
        let mut rows = last.number.clone();
        rows.subtract(&first.number);
        rows.increment();
        if let Some(rows) = rows.below(regions as u64) {
            return Err(SplitError::TooFewRows { rows, regions });
        }
        let step = rows.divide(regions as u64);
        let mut row = first.number.clone();
        Ok((1..regions).map(move |_| {
            row.add(&step);
            row.clone()
        }))
    }

    fn row_from_bytes<'a>(&self, text: &'a [u8]) -> Result<Row<'a>, SplitError> {
        let digits = if text.is_empty() { b"0" } else { text };
        Ok(Row { text, number: self.number(digits)? })
    }

    fn number(&self, text: &[u8]) -> Result<Digits, SplitError> {
        if text.is_empty() {
            return Err(SplitError::EmptyNumber);
        }
        let digits: Option<Vec<u8>> = text.iter().map(|&byte| self.digit(byte)).collect();
        let digits = digits.ok_or_else(|| SplitError::NotANumber {
            rule: self.name,
            text: escape::to_escaped(text),
            digits: self.digits,
        })?;
        Ok(Digits::new(self.radix, digits))
    }

    fn digit(&self, byte: u8) -> Option<u8> {
        let digit = char::from(byte).to_digit(self.radix.into())?;
        u8::try_from(digit).ok()
    }
}

/// A row as it was given, and as a number.
struct Row<'a> {
    text: &'a [u8],
    number: Digits,
}

fn empty_range(first: &Row<'_>, last: &Row<'_>) -> SplitError {
    SplitError::EmptyRange { start: escape::to_escaped(first.text), end: escape::to_escaped(last.text) }
}

/// Returns lower-case digits, padded with zeros to `width` and never truncated.
fn row_of(number: &Digits, width: usize) -> Vec<u8> {
    let digits = number.significant();
    let mut row = vec![b'0'; width.saturating_sub(digits.len())];
    row.extend(digits.iter().map(|digit| b"0123456789abcdef"[usize::from(*digit)]));
    row
}
