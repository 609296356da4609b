//! Row ranges for [`Filter::row_ranges`](super::Filter::row_ranges).

use std::ops::{Bound, RangeBounds};

use bytes::Bytes;

use crate::proto;

/// A range of row keys.
///
/// ```
/// # use keystride_hbase::RowRange;
/// let bucket = RowRange::of("007|".."008|");
/// assert_eq!(bucket, RowRange::of(b"007|".as_slice()..b"008|".as_slice()));
/// assert_eq!(RowRange::of("a"..="b"), RowRange::of("a".."b\0"));
/// assert!(RowRange::of("b".."a").is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowRange {
    start: Bytes,
    /// Exclusive; `None` for the end of the table.
    stop: Option<Bytes>,
}

impl RowRange {
    /// The rows within these bounds. Unbounded ends are the table's. An empty key is a key, the smallest one.
    pub fn of<K: AsRef<[u8]>>(bounds: impl RangeBounds<K>) -> Self {
        let start = match bounds.start_bound() {
            Bound::Included(key) => Bytes::copy_from_slice(key.as_ref()),
            Bound::Excluded(key) => after(key.as_ref()),
            Bound::Unbounded => Bytes::new(),
        };
        let stop = match bounds.end_bound() {
            Bound::Included(key) => Some(after(key.as_ref())),
            Bound::Excluded(key) => Some(Bytes::copy_from_slice(key.as_ref())),
            Bound::Unbounded => None,
        };
        Self { start, stop }
    }

    /// The rows that start with these bytes.
    ///
    /// ```
    /// # use keystride_hbase::RowRange;
    /// assert_eq!(RowRange::prefix("a"), RowRange::of("a".."b"));
    /// assert_eq!(RowRange::prefix([1, 255]), RowRange::of(vec![1, 255]..vec![2]));
    /// ```
    pub fn prefix(prefix: impl AsRef<[u8]>) -> Self {
        let prefix = prefix.as_ref();
        let stop = prefix.iter().rposition(|&byte| byte != u8::MAX).map(|last| {
            let mut stop = prefix[..=last].to_vec();
            stop[last] += 1;
            stop.into()
        });
        Self { start: Bytes::copy_from_slice(prefix), stop }
    }

    /// Whether the range holds no key.
    pub fn is_empty(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| *stop <= self.start)
    }

    /// The same rows as ascending ranges that are not empty and don't touch, as servers require.
    pub(super) fn merged(ranges: impl IntoIterator<Item = Self>) -> Vec<Self> {
        let mut ranges: Vec<Self> = ranges.into_iter().filter(|range| !range.is_empty()).collect();
        ranges.sort_unstable();
        ranges.dedup_by(|next, last| {
            let joins = last.stop.as_ref().is_none_or(|stop| next.start <= *stop);
            if joins {
                last.stop = last.stop.take().and_then(|stop| Some(stop.max(next.stop.take()?)));
            }
            joins
        });
        ranges
    }

    pub(super) fn into_proto(self) -> proto::RowRange {
        proto::RowRange {
            start_row: Some(self.start),
            start_row_inclusive: Some(true),
            // To servers, an empty key is the end of the table.
            stop_row: Some(self.stop.unwrap_or_default()),
            stop_row_inclusive: Some(false),
        }
    }
}

fn after(key: &[u8]) -> Bytes {
    [key, &[0]].concat().into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn holds(range: &RowRange, key: &[u8]) -> bool {
        *range.start <= *key && range.stop.as_ref().is_none_or(|stop| *key < **stop)
    }

    #[test]
    fn a_prefix_of_ff_runs_to_the_end() {
        assert_eq!(RowRange::prefix([1, 255]), RowRange::of(vec![1, 255]..vec![2]));
        assert_eq!(RowRange::prefix([255]), RowRange::of([255]..));
        assert_eq!(RowRange::prefix([]), RowRange::of::<&[u8]>(..));
    }

    #[test]
    fn bounds_of_all_kinds_become_half_open() {
        let bounds = (Bound::Excluded("a".to_owned()), Bound::Included("b".to_owned()));
        let message = RowRange::of(bounds).into_proto();
        assert_eq!(message.start_row.as_deref(), Some(b"a\0".as_slice()));
        assert_eq!(message.stop_row.as_deref(), Some(b"b\0".as_slice()));
        assert_eq!((message.start_row_inclusive, message.stop_row_inclusive), (Some(true), Some(false)));
        assert_eq!(RowRange::of("a"..).into_proto().stop_row.as_deref(), Some(b"".as_slice()));
        assert!(RowRange::of("".."").is_empty(), "a stop at the empty key is not the table's end");
    }

    proptest! {
        #[test]
        fn merging_keeps_every_row_and_makes_order(
            bounds in prop::collection::vec((0_u8..20, prop::option::of(0_u8..20)), 0..8),
        ) {
            let ranges: Vec<RowRange> = bounds
                .into_iter()
                .map(|(start, stop)| RowRange {
                    start: vec![start].into(),
                    stop: stop.map(|stop| vec![stop].into()),
                })
                .collect();
            let merged = RowRange::merged(ranges.clone());
            for key in 0_u8..25 {
                let count = merged.iter().filter(|range| holds(range, &[key])).count();
                prop_assert_eq!(count, usize::from(ranges.iter().any(|range| holds(range, &[key]))));
            }
            for pair in merged.windows(2) {
                prop_assert!(pair[0].stop.as_ref().unwrap() < &pair[1].start);
            }
        }
    }
}
