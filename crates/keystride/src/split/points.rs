//! Split points, and the regions between them.

use super::finder::Finder;
use super::{SplitError, check_bytes, check_regions};
use crate::{Key, KeyLanguage, KeyRange};

/// The row keys at which a table is cut into regions: ascending, none empty, none repeated.
///
/// *n* points make *n* + 1 regions; the first region has no start, the last has no end.
///
/// ```
/// # use keystride::SplitPoints;
/// let points = SplitPoints::new(["000|", "001|"])?;
/// assert_eq!(points.region_of(b"001|x"), 2);
/// # Ok::<(), keystride::SplitError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitPoints {
    keys: Vec<Key>,
    finder: Finder,
}

impl SplitPoints {
    /// Creates split points from keys in ascending order.
    ///
    /// # Errors
    ///
    /// [`SplitError`] for a point that is not a valid key, or does not sort after the one before it.
    pub fn new<K: AsRef<[u8]>>(points: impl IntoIterator<Item = K>) -> Result<Self, SplitError> {
        let mut keys: Vec<Key> = Vec::new();
        for (index, point) in points.into_iter().enumerate() {
            let key = Key::new(point.as_ref()).map_err(|cause| SplitError::NotAKey { index, cause })?;
            if let Some(before) = keys.last().filter(|before| **before >= key) {
                return Err(SplitError::NotAscending { index, point: key, before: before.clone() });
            }
            keys.push(key);
        }
        Ok(Self::of(keys))
    }

    /// Creates split points of a new table from keys in any order and sorts them, as HBase's client does with the split
    /// keys it is given.
    ///
    /// # Errors
    ///
    /// [`SplitError`] for a point that is not a valid key, or is repeated, and for more points or bytes than a new table
    /// can have.
    pub fn from_unsorted<K: AsRef<[u8]>>(points: impl IntoIterator<Item = K>) -> Result<Self, SplitError> {
        Self::from_results(points.into_iter().map(Ok))
    }

    /// The same, from points each of which may be wrong.
    pub(super) fn from_results<K: AsRef<[u8]>>(
        points: impl IntoIterator<Item = Result<K, SplitError>>,
    ) -> Result<Self, SplitError> {
        let (mut keys, mut bytes) = (Vec::new(), 0);
        for (index, point) in points.into_iter().enumerate() {
            let key = Key::new(point?.as_ref()).map_err(|cause| SplitError::NotAKey { index, cause })?;
            bytes += key.as_bytes().len();
            check_regions("list", index + 2, 1)?;
            check_bytes(index + 1, bytes)?;
            keys.push(key);
        }
        keys.sort_unstable();
        match keys.array_windows().find(|[left, right]| left == right) {
            Some([point, _]) => Err(SplitError::Repeated { point: point.clone() }),
            None => Ok(Self::of(keys)),
        }
    }

    fn of(keys: Vec<Key>) -> Self {
        Self { finder: Finder::of(&keys), keys }
    }

    /// Returns the points, ascending.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// Returns the number of regions: one more than points.
    pub fn region_count(&self) -> usize {
        self.keys.len() + 1
    }

    /// Returns the index of the region that holds `key`, by binary search over the bytes in which the points differ.
    pub fn region_of(&self, key: &[u8]) -> usize {
        self.finder.count_to(&self.keys, key)
    }

    /// Returns the range of region `index`; `None` past the last one.
    pub fn region(&self, index: usize) -> Option<KeyRange> {
        if index > self.keys.len() {
            return None;
        }
        let start = if index == 0 { Vec::new() } else { self.keys[index - 1].as_bytes().to_vec() };
        let stop = self.keys.get(index).map(|key| key.as_bytes().to_vec());
        Some(KeyRange::new(start, stop))
    }

    /// Returns which side of another point would have no keys of a design, as a word: `"before"` it, or `"from"` it on. `None`
    /// where both have some, and where the point is there already.
    pub fn empty_side(&self, language: &KeyLanguage, at: &Key) -> Option<&'static str> {
        let region = self.region(self.region_of(at.as_bytes()))?;
        if region.start() == at.as_bytes() {
            None
        } else if !language.meets(region.start(), Some(at.as_bytes())) {
            Some("before")
        } else if !language.meets(at.as_bytes(), region.stop()) {
            Some("from")
        } else {
            None
        }
    }

    /// Returns the points without those that leave a region without keys: each that is kept has keys of the design between
    /// the one before and itself, and after itself.
    ///
    /// ```
    /// # use keystride::{Design, KeyCodec, KeyLanguage, SplitPoints};
    /// # let design = Design::from_toml("format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
    /// #     id = { type = \"int\" }\n[key]\nparts = [{ bucket = 3, of = [\"id\"], width = 3 }, { field = \"id\" }]")?;
    /// let language = KeyLanguage::new(&KeyCodec::new(design)); // buckets 000, 001, 002
    /// let points = SplitPoints::new(["000", "001", "002", "003"])?;
    /// assert_eq!(points.without_empty_regions(&language), SplitPoints::new(["001", "002"])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn without_empty_regions(&self, language: &KeyLanguage) -> Self {
        let mut kept: Vec<Key> = Vec::new();
        for point in &self.keys {
            let start = kept.last().map_or(&[][..], Key::as_bytes);
            if language.meets(start, Some(point.as_bytes())) && language.meets(point.as_bytes(), None) {
                kept.push(point.clone());
            }
        }
        Self::of(kept)
    }

    /// Returns all regions in key order.
    pub fn regions(&self) -> impl Iterator<Item = KeyRange> + '_ {
        (0..self.region_count()).filter_map(|index| self.region(index))
    }
}

impl Default for SplitPoints {
    fn default() -> Self {
        Self::of(Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_that_repeat_or_fall_are_refused() {
        assert!(matches!(SplitPoints::new(["a", "a"]), Err(SplitError::NotAscending { index: 1, .. })));
        assert!(matches!(SplitPoints::new(["b", "a"]), Err(SplitError::NotAscending { index: 1, .. })));
        assert!(matches!(SplitPoints::new([""]), Err(SplitError::NotAKey { index: 0, .. })));
    }

    #[test]
    fn unsorted_points_are_sorted_and_doubles_refused() {
        assert_eq!(SplitPoints::from_unsorted(["9|", "10|"]), SplitPoints::new(["10|", "9|"]));
        assert_eq!(
            SplitPoints::from_unsorted(["b", "a", "b"]),
            Err(SplitError::Repeated { point: Key::new(*b"b").unwrap() })
        );
        assert!(matches!(SplitPoints::from_unsorted(["a", ""]), Err(SplitError::NotAKey { index: 1, .. })));
    }

    #[test]
    fn no_points_make_one_open_region() {
        let points = SplitPoints::default();
        assert_eq!(points.regions().collect::<Vec<_>>(), [KeyRange::all()]);
        assert_eq!(points.region_of(b"anything"), 0);
    }

    #[test]
    fn a_point_belongs_to_the_region_it_starts() {
        let points = SplitPoints::new(["b", "d"]).unwrap();
        let regions: Vec<_> = [&b"a"[..], b"b", b"c", b"d"].map(|key| points.region_of(key)).into();
        assert_eq!(regions, [0, 1, 1, 2]);
    }

    #[test]
    fn regions_run_from_one_point_to_the_next() {
        let points = SplitPoints::new(["b", "d"]).unwrap();
        let regions = ["", "b", "d"].iter().zip([Some("b"), Some("d"), None]);
        let regions = regions.map(|(start, stop)| KeyRange::new(*start, stop.map(Into::into)));
        assert_eq!(points.regions().collect::<Vec<_>>(), regions.collect::<Vec<_>>());
        assert_eq!(points.region(3), None);
    }
}
