//! The regions of a table, and how keys and buckets are distributed over them.

use std::collections::{BTreeMap, BTreeSet};

use keystride::design::{BucketPart, Part};
use keystride::internal::reachable_buckets;
use keystride::{KeyCodec, KeyLanguage, KeyRange, SplitPoints};

use crate::lint::clock::Clock;

/// The regions of a table, which keys reach them, and which buckets they contain; all of it exact.
pub(super) struct Regions<'a> {
    pub(super) points: &'a SplitPoints,
    /// The regions that no key can reach, ascending.
    pub(super) empty: Vec<usize>,
    /// The share of keys in each region when all values are equally likely.
    pub(super) shares: Vec<f64>,
    /// For each region, the buckets of the key's first part in it, ascending; empty lists if that part is not a bucket.
    pub(super) buckets: Vec<Vec<u32>>,
    /// The buckets of the first part that at least one row has.
    pub(super) reachable: Vec<u32>,
    /// A bucket that continues after the point that is meant to end it.
    pub(super) shift: Option<Shift>,
}

/// A bucket that has keys at or after the point that consists of its prefix and a suffix.
pub(super) struct Shift {
    pub(super) bucket: u32,
    pub(super) point: Vec<u8>,
    pub(super) key: Vec<u8>,
}

impl<'a> Regions<'a> {
    pub(super) fn new(codec: &KeyCodec, language: &KeyLanguage, points: &'a SplitPoints) -> Self {
        let leading = codec.design().leading_bucket();
        let reachable = leading.map(|_| reachable_buckets(codec, 0)).unwrap_or_default();
        let mut buckets = vec![Vec::new(); points.region_count()];
        for (&bucket, part) in reachable.iter().zip(std::iter::repeat(leading).flatten()) {
            for region in regions_of(language, points, &bucket_range(codec, part, bucket)) {
                buckets[region].push(bucket);
            }
        }
        let empty = match leading {
            Some(_) => (0..points.region_count()).filter(|&region| buckets[region].is_empty()).collect(),
            None => without(points.region_count(), met(language, points, &KeyRange::all())),
        };
        let shift = leading
            .filter(|_| !each_has_its_own(&buckets, reachable.len()))
            .and_then(|part| shift(codec, language, points, part));
        Self { points, empty, shares: shares(language, points), buckets, reachable, shift }
    }

    pub(super) fn count(&self) -> usize {
        self.points.region_count()
    }

    /// Returns the region with the largest share, and that share.
    pub(super) fn hottest(&self) -> (usize, f64) {
        let shares = self.shares.iter().copied().enumerate();
        shares.fold((0, 0.0), |best, next| if next.1 > best.1 { next } else { best })
    }

    /// Returns the numbers of empty regions at the very beginning and the very end.
    pub(super) fn empty_ends(&self) -> (usize, usize) {
        let first = self.empty.iter().zip(0..).take_while(|(region, at)| **region == *at).count();
        let last = self
            .empty
            .iter()
            .rev()
            .zip((0..self.count()).rev())
            .take_while(|(region, at)| **region == *at)
            .count();
        (first, last)
    }

    /// Returns how many regions take the newest rows of buckets whose keys follow a clock: for each bucket its last
    /// region, or its first if later rows sort earlier.
    pub(super) fn with_newest(&self, clock: Clock) -> usize {
        let mut newest = BTreeMap::new();
        for (region, buckets) in self.buckets.iter().enumerate() {
            for bucket in buckets {
                let place = newest.entry(bucket).or_insert(region);
                if clock != Clock::Falling {
                    *place = region;
                }
            }
        }
        newest.into_values().collect::<BTreeSet<usize>>().len()
    }

    /// Returns how many regions the bucket lies in.
    pub(super) fn regions_of_bucket(&self, bucket: u32) -> usize {
        self.buckets.iter().filter(|buckets| buckets.contains(&bucket)).count()
    }
}

/// Returns the keys of one bucket of the key's first part. Its separator is included, as "1_", unlike "1", is not a
/// prefix of "10_".
fn bucket_range(codec: &KeyCodec, part: &BucketPart, bucket: u32) -> KeyRange {
    KeyRange::prefix(&bucket_prefix(codec, part, bucket))
}

fn bucket_prefix(codec: &KeyCodec, part: &BucketPart, bucket: u32) -> Vec<u8> {
    let mut prefix = part.prefix(bucket);
    if let Some(Part::Text(_)) = codec.design().parts().get(1) {
        prefix.extend_from_slice(codec.text_bytes(1));
    }
    prefix
}

/// Returns the regions of a range that is known to contain a key: the one it lies in, unless a point cuts it.
fn regions_of(language: &KeyLanguage, points: &SplitPoints, range: &KeyRange) -> Vec<usize> {
    let first = points.region_of(range.start());
    let is_cut = points.keys().get(first).is_some_and(|point| range.contains(point.as_bytes()));
    if is_cut { met(language, points, range).collect() } else { vec![first] }
}

/// Returns the regions that are not among those met.
fn without(count: usize, met: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut is_met = vec![false; count];
    met.for_each(|region| is_met[region] = true);
    (0..count).filter(|&region| !is_met[region]).collect()
}

/// Returns the regions in which a range contains a key, ascending; after each hit, the search continues at the region's
/// end.
fn met<'a>(
    language: &'a KeyLanguage,
    points: &'a SplitPoints,
    range: &KeyRange,
) -> impl Iterator<Item = usize> + 'a {
    let stop = range.stop().map(<[u8]>::to_vec);
    let mut at = Some(range.start().to_vec());
    std::iter::from_fn(move || {
        let first = language.first_at_or_after(at.as_deref()?)?;
        if stop.as_ref().is_some_and(|stop| first >= *stop) {
            return None;
        }
        let region = points.region_of(&first);
        at = points.keys().get(region).map(|key| key.as_bytes().to_vec());
        Some(region)
    })
}

fn shares(language: &KeyLanguage, points: &SplitPoints) -> Vec<f64> {
    let below: Vec<f64> = points.keys().iter().map(|key| language.share_below(key.as_bytes())).collect();
    let starts = std::iter::once(0.0).chain(below.iter().copied());
    let stops = below.iter().copied().chain(std::iter::once(1.0));
    starts.zip(stops).map(|(start, stop)| (stop - start).max(0.0)).collect()
}

/// Whether each bucket lies in one region and no region is empty; a shift leaves the first one empty.
fn each_has_its_own(buckets: &[Vec<u32>], reachable: usize) -> bool {
    let held = || buckets.iter().map(Vec::len);
    held().sum::<usize>() == reachable && held().all(|len| len > 0)
}

/// Returns a bucket with keys at or after its point, if all points are prefixes of buckets with the same suffix.
fn shift(codec: &KeyCodec, language: &KeyLanguage, points: &SplitPoints, part: &BucketPart) -> Option<Shift> {
    // Of a bucket too narrow for its numbers, the language does not know what follows.
    if !codec.design().shows_end(0) {
        return None;
    }
    let prefixes: BTreeMap<Vec<u8>, u32> =
        (0..part.count.get()).map(|bucket| (part.prefix(bucket), bucket)).collect();
    let ends: Vec<(u32, &[u8], &[u8])> = points
        .keys()
        .iter()
        .map(|point| bucket_and_suffix(&prefixes, point.as_bytes()))
        .collect::<Option<_>>()?;
    let (.., suffix) = *ends.first()?;
    if suffix.is_empty() || ends.iter().any(|(.., other)| *other != suffix) {
        return None;
    }
    ends.into_iter().find_map(|(bucket, point, _)| {
        let range = bucket_range(codec, part, bucket);
        if range.stop().is_some_and(|stop| stop <= point) {
            return None;
        }
        let key = language.first_at_or_after(point.max(range.start()))?;
        range.contains(&key).then(|| Shift { bucket, point: point.to_vec(), key })
    })
}

/// Returns the bucket whose prefix a point begins with (the longest one if widths differ), the point, and the rest of
/// it.
fn bucket_and_suffix<'p>(
    prefixes: &BTreeMap<Vec<u8>, u32>,
    point: &'p [u8],
) -> Option<(u32, &'p [u8], &'p [u8])> {
    (1..=point.len()).rev().find_map(|len| Some((*prefixes.get(&point[..len])?, point, &point[len..])))
}
