//! Ranges of row keys, start inclusive, stop exclusive, as HBase scans read them.

use std::fmt;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::escape;

/// The keys from `start` (inclusive) to `stop` (exclusive); an empty `start` is the table's first key, a `stop` of
/// `None` is the table's end. A range never runs backwards; if `start == stop`, it is empty.
///
/// ```
/// # use keystride::KeyRange;
/// let user = KeyRange::prefix(b"42_");
/// assert_eq!(user.stop(), Some(&b"42`"[..]));
/// assert!(user.contains(b"42_9223"));
/// assert!(!user.contains(b"420_1"));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyRange {
    start: Vec<u8>,
    stop: Stop,
}

/// `End` sorts after every key.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Stop {
    Before(Vec<u8>),
    End,
}

impl KeyRange {
    /// Creates the range from `start` to `stop`; if `stop` is below `start`, the range is empty.
    pub fn new(start: impl Into<Vec<u8>>, stop: Option<Vec<u8>>) -> Self {
        let start = start.into();
        let stop = match stop {
            Some(stop) => Stop::Before(stop.max(start.clone())),
            None => Stop::End,
        };
        Self { start, stop }
    }

    /// Returns the range of all keys.
    pub fn all() -> Self {
        Self { start: Vec::new(), stop: Stop::End }
    }

    /// Returns the range of all keys that begin with `prefix`.
    pub fn prefix(prefix: &[u8]) -> Self {
        Self::new(prefix, after_prefix(prefix))
    }

    /// Returns the range of the single key `key`.
    pub fn single(key: &[u8]) -> Self {
        Self::new(key, Some(next_key(key)))
    }

    /// Returns the range with `prefix` prepended to its keys.
    pub(crate) fn behind(&self, prefix: &[u8]) -> Self {
        let start = [prefix, &self.start].concat();
        let stop = match &self.stop {
            Stop::Before(stop) => Some([prefix, stop].concat()),
            Stop::End => after_prefix(prefix),
        };
        Self { start, stop: stop.map_or(Stop::End, Stop::Before) }
    }

    /// Returns the first key of the range, inclusive; empty at the table's start.
    pub fn start(&self) -> &[u8] {
        &self.start
    }

    /// Returns the end of the range, exclusive; `None` at the table's end.
    pub fn stop(&self) -> Option<&[u8]> {
        match &self.stop {
            Stop::Before(stop) => Some(stop),
            Stop::End => None,
        }
    }

    /// Whether the range can't contain any key.
    pub fn is_empty(&self) -> bool {
        matches!(&self.stop, Stop::Before(stop) if *stop <= self.start)
    }

    /// Whether `key` lies in the range.
    pub fn contains(&self, key: &[u8]) -> bool {
        key >= self.start.as_slice() && self.stop().is_none_or(|stop| key < stop)
    }

    /// Returns the keys that are in both ranges; `None` when there are none.
    pub fn intersect(&self, other: &Self) -> Option<Self> {
        let start = self.start.clone().max(other.start.clone());
        let stop = self.stop.clone().min(other.stop.clone());
        let both = Self { start, stop };
        (!both.is_empty()).then_some(both)
    }
}

/// Returns the smallest key after all keys that begin with `prefix`: the stop row of a prefix scan. `None` when only
/// the table's end comes after them (an empty prefix, or one of FF bytes alone).
///
/// This is HBase's rule (`ClientUtil.calculateTheClosestNextRowKeyForPrefix`): drop trailing FF bytes, then add one to
/// the last byte.
pub fn after_prefix(prefix: &[u8]) -> Option<Vec<u8>> {
    let last = prefix.iter().rposition(|&byte| byte != 0xff)?;
    let mut stop = prefix[..=last].to_vec();
    stop[last] += 1;
    Some(stop)
}

/// Returns the smallest key after `key`: `key` followed by a zero byte.
pub fn next_key(key: &[u8]) -> Vec<u8> {
    let mut next = Vec::with_capacity(key.len() + 1);
    next.extend_from_slice(key);
    next.push(0);
    next
}

/// As bounds in HBase's escaped form; `stop` is null for a range without an end.
impl Serialize for KeyRange {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut bounds = serializer.serialize_struct("KeyRange", 2)?;
        bounds.serialize_field("start", &escape::to_escaped(self.start()))?;
        bounds.serialize_field("stop", &self.stop().map(escape::to_escaped))?;
        bounds.end()
    }
}

impl fmt::Display for KeyRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.stop {
            Stop::Before(stop) => {
                write!(f, "[{}, {})", escape::to_escaped(&self.start), escape::to_escaped(stop))
            }
            Stop::End => write!(f, "[{}, end)", escape::to_escaped(&self.start)),
        }
    }
}

impl fmt::Debug for KeyRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyRange{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backward_range_is_empty() {
        let range = KeyRange::new(*b"b", Some(b"a".to_vec()));
        assert!(range.is_empty());
        assert!(!range.contains(b"a"));
    }

    #[test]
    fn ranges_intersect_or_not_at_all() {
        let left = KeyRange::new(*b"a", Some(b"m".to_vec()));
        assert_eq!(left.intersect(&KeyRange::prefix(b"l")), Some(KeyRange::prefix(b"l")));
        assert_eq!(left.intersect(&KeyRange::new(*b"m", None)), None);
        assert_eq!(KeyRange::all().intersect(&left), Some(left));
    }

    #[test]
    fn ff_prefixes_run_to_the_end() {
        assert_eq!(after_prefix(&[0xff, 0xff]), None);
        assert_eq!(after_prefix(&[0x01, 0xff]), Some(vec![0x02]));
        assert_eq!(KeyRange::prefix(b"").stop(), None);
    }
}
