//! Which bucket the keys of a range begin with.

use keystride::design::BucketPart;
use keystride::escape::to_shown;
use keystride::{KeyCodec, KeyLanguage, KeyRange};

/// The keys of a design's buckets.
pub(crate) struct Buckets {
    /// The ranges of all buckets, each with the bucket's text, ascending.
    ranges: Vec<(String, KeyRange)>,
    pub(crate) language: KeyLanguage,
}

impl Buckets {
    pub(crate) fn of(codec: &KeyCodec) -> Self {
        let of_bucket = |bucket: &BucketPart| {
            let ranges = bucket.cut(&KeyRange::all()).into_iter();
            ranges.map(|(number, range)| (to_shown(&bucket.prefix(number)), range)).collect()
        };
        let ranges = codec.design().leading_bucket().map(of_bucket).unwrap_or_default();
        Self { ranges, language: KeyLanguage::new(codec) }
    }

    /// Returns the first bucket that has keys in a region. Its bounds alone don't tell: a region from `0|` begins with
    /// bucket 1 if `0|` is above all keys of bucket 0.
    pub(crate) fn of_range(&self, region: &KeyRange) -> Option<String> {
        let is_before =
            |(_, range): &(String, KeyRange)| range.stop().is_some_and(|stop| stop <= region.start());
        let later = &self.ranges[self.ranges.partition_point(is_before)..];
        let mut parts = later.iter().map_while(|(bucket, range)| Some((bucket, range.intersect(region)?)));
        let has_keys = |part: &KeyRange| self.language.meets(part.start(), part.stop());
        let with_keys = parts.clone().find(|(_, part)| has_keys(part));
        with_keys.or_else(|| parts.next()).map(|(bucket, _)| bucket.clone())
    }
}
