use std::collections::BTreeMap;
use std::sync::Arc;

use keystride::KeyCodec;
use keystride::design::Design;
use keystride_table::input::{InputError, Next};
use keystride_table::load::{event_field, event_ms};
use serde::Serialize;

use crate::sample::KeptRows;

/// The rows of a sample with the keys that a design gives them.
#[derive(Debug)]
pub struct EncodedRows {
    /// The rows, in the sample's order.
    pub rows: Vec<EncodedRow>,
}

/// A row of a sample.
#[derive(Debug)]
pub struct EncodedRow {
    /// Its key, or why a load would reject it.
    pub key: Result<Vec<u8>, String>,
    /// When what it tells happened, in ms since 1970-01-01 UTC.
    pub event_ms: Option<i64>,
}

/// How long keys are, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct KeyLength {
    /// The shortest key.
    pub least: usize,
    /// The longest one.
    pub most: usize,
    /// Whether all keys of the design have the same length.
    pub is_fixed: bool,
}

impl EncodedRows {
    /// Makes the keys of all rows. Buckets that are not a function of the row are taken in turn.
    ///
    /// # Errors
    ///
    /// [`InputError`] when the design does not allow the sample's columns.
    pub fn of(codec: &KeyCodec, rows: &KeptRows) -> Result<Self, InputError> {
        let design = Arc::new(codec.design().clone());
        let mut reader = rows.reader(Arc::clone(&design))?;
        let (mut row, mut encoder, time) = (reader.new_row(), codec.encoder(), event_field(&design));
        let mut tried = Vec::with_capacity(rows.count());
        loop {
            tried.push(match reader.next(&mut row)? {
                Next::End => return Ok(Self { rows: tried }),
                Next::Rejected(reject) => {
                    let column = reject.column.map_or_else(String::new, |column| format!("{column}: "));
                    EncodedRow { key: Err(format!("{column}{}", reject.reason)), event_ms: None }
                }
                Next::Row => {
                    let mut key = Vec::new();
                    encoder.supply(tried.len() as u64);
                    let key = encoder.encode(&row, &mut key).map(|()| key).map_err(|error| error.to_string());
                    EncodedRow { key, event_ms: time.and_then(|field| event_ms(&design, field, &row)) }
                }
            });
        }
    }

    /// Returns the keys of the rows that have one.
    pub fn keys(&self) -> impl Iterator<Item = &[u8]> {
        self.rows.iter().filter_map(|row| row.key.as_deref().ok())
    }

    /// Returns how many rows have a key that another row has, too. Of rows with one key, a table has one.
    pub fn doubled_count(&self) -> usize {
        let mut counts: BTreeMap<&[u8], usize> = BTreeMap::new();
        for key in self.keys() {
            *counts.entry(key).or_default() += 1;
        }
        counts.values().filter(|count| **count > 1).sum()
    }

    /// Returns the different reasons for which rows are rejected, the commonest first, each with how many rows it
    /// rejects.
    pub fn rejects(&self) -> Vec<(String, usize)> {
        let mut reasons: Vec<(String, usize)> = Vec::new();
        for reason in self.rows.iter().filter_map(|row| row.key.as_ref().err()) {
            match reasons.iter_mut().find(|(known, _)| known == reason) {
                Some((_, count)) => *count += 1,
                None => reasons.push((reason.clone(), 1)),
            }
        }
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        reasons
    }
}

impl KeyLength {
    /// Returns how long the keys of a design are or, where that varies, those of a sample; `None` without either.
    pub fn of(design: &Design, rows: Option<&EncodedRows>) -> Option<Self> {
        if let Some(width) = design.layout().iter().map(|layout| layout.end.fixed()).sum::<Option<usize>>() {
            return Some(Self { least: width, most: width, is_fixed: true });
        }
        let lengths = || rows.into_iter().flat_map(EncodedRows::keys).map(<[u8]>::len);
        Some(Self { least: lengths().min()?, most: lengths().max()?, is_fixed: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_with_one_key_are_counted_with_each_other() {
        let row = |key: Option<&str>| EncodedRow {
            key: key.map(|key| key.as_bytes().to_vec()).ok_or_else(|| "no".to_owned()),
            event_ms: None,
        };
        let count = |keys: &[Option<&str>]| {
            EncodedRows { rows: keys.iter().map(|key| row(*key)).collect() }.doubled_count()
        };
        assert_eq!(count(&[Some("a"), Some("b"), Some("a"), Some("c"), Some("a"), Some("c")]), 5);
        assert_eq!(count(&[Some("a"), Some("b"), None, None]), 0, "a row without a key has none in common");
    }
}
