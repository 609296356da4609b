use super::{SplitError, SplitPoints, list, partition_keys, range, sample};
use crate::Design;
use crate::design::{BucketPart, SplitRule};

/// What a design's split rule needs from outside before its points can be computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SplitSource {
    /// Nothing.
    Nothing,
    /// The lines of a file of escaped points; the path is relative to the design file.
    Points(String),
    /// Encoded keys of the rows of a file; the path is relative to the design file.
    Sample(String),
}

impl Design {
    /// What [`Design::split_points`] needs.
    pub fn split_source(&self) -> SplitSource {
        match self.split.as_ref().map(|split| &split.rule) {
            Some(SplitRule::File { path }) => SplitSource::Points(path.clone()),
            Some(SplitRule::Sample { path, .. }) => SplitSource::Sample(path.clone()),
            _ => SplitSource::Nothing,
        }
    }

    /// The points at which the table is cut. `outside` is what [`Design::split_source`] asks for: lines of escaped text,
    /// or keys; empty for the other rules.
    ///
    /// # Errors
    ///
    /// [`SplitError`] when the rule can't make such points.
    pub fn split_points(&self, outside: &mut [Vec<u8>]) -> Result<SplitPoints, SplitError> {
        let Some(split) = &self.split else { return Ok(SplitPoints::default()) };
        match &split.rule {
            SplitRule::Bucket { regions, suffix } => match self.leading_bucket() {
                Some(bucket) => bucket_points(bucket, *regions, suffix),
                // A design with this rule begins with a bucket.
                None => Ok(SplitPoints::default()),
            },
            SplitRule::List(points) => SplitPoints::from_unsorted(points),
            SplitRule::File { .. } => {
                let lines: Vec<_> = outside.iter().map(|line| String::from_utf8_lossy(line)).collect();
                list::escaped(lines.iter().map(AsRef::as_ref))
            }
            SplitRule::Algorithm { algorithm, regions, first, last } => {
                algorithm.split(*regions as usize, first.as_deref(), last.as_deref())
            }
            SplitRule::PartitionKeys { regions, width, suffix } => {
                partition_keys(*regions as usize, *width, suffix)
            }
            SplitRule::Range { start, end, regions } => range(start, end, *regions as usize),
            SplitRule::Sample { regions, .. } => sample(outside, *regions as usize).map(|split| split.points),
        }
    }
}

/// One region a bucket, or every so many buckets: buckets 1 … n − 1, or 0 … n − 2 with a suffix.
fn bucket_points(
    bucket: &BucketPart,
    regions: Option<u32>,
    suffix: &[u8],
) -> Result<SplitPoints, SplitError> {
    let count = bucket.count.get();
    let regions = regions.unwrap_or(count);
    let step = count / regions.max(1);
    let first = u32::from(!suffix.is_empty());
    let points = (1..regions).map(|region| {
        let mut point = bucket.prefix(region * step - first);
        point.extend_from_slice(suffix);
        point
    });
    SplitPoints::from_unsorted(points)
}
