//! The split points of a design.

use super::{SplitError, SplitPoints, check_len, list, partition_keys, range, sample};
use crate::Design;
use crate::design::{BucketPart, SplitRule};

/// The external input that a design's split rule needs before its points can be computed.
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
    /// Returns what [`Design::split_points`] needs.
    pub fn split_source(&self) -> SplitSource {
        match self.split.as_ref().map(|split| &split.rule) {
            Some(SplitRule::File { path }) => SplitSource::Points(path.clone()),
            Some(SplitRule::Sample { path, .. }) => SplitSource::Sample(path.clone()),
            _ => SplitSource::Nothing,
        }
    }

    /// Returns the points at which the table is cut. `outside` is the input that [`Design::split_source`] names: lines
    /// of escaped text, or keys; it is empty for the other rules.
    ///
    /// # Errors
    ///
    /// [`SplitError`] when the rule can't make valid points.
    pub fn split_points(&self, outside: &mut [Vec<u8>]) -> Result<SplitPoints, SplitError> {
        let Some(split) = &self.split else { return Ok(SplitPoints::default()) };
        match &split.rule {
            SplitRule::Bucket { regions, suffix } => match self.leading_bucket() {
                Some(bucket) => bucket_points(bucket, *regions, suffix),
                // A design with this rule always begins with a bucket.
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

/// Cuts at every bucket, or at every n-th one: for one region per bucket, at buckets 1 … n − 1 or, with a suffix, at 0
/// … n − 2.
fn bucket_points(
    bucket: &BucketPart,
    regions: Option<u32>,
    suffix: &[u8],
) -> Result<SplitPoints, SplitError> {
    let count = bucket.count.get();
    let regions = regions.unwrap_or(count);
    let step = count / regions.max(1);
    let first = u32::from(!suffix.is_empty());
    check_len(regions.saturating_sub(1) as usize, bucket.prefix(0).len() + suffix.len())?;
    let points = (1..regions).map(|region| {
        let mut point = bucket.prefix(region * step - first);
        point.extend_from_slice(suffix);
        point
    });
    SplitPoints::from_unsorted(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_points_and_samples_are_needed_from_outside() {
        let source = |split: &str| {
            let design = Design::from_toml(&format!(
                "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = {{ type = \"int\" }}\n\
                 [key]\nparts = [{{ bucket = 4, of = [\"id\"] }}, {{ field = \"id\" }}]\n{split}"
            ));
            design.unwrap().split_source()
        };
        assert_eq!(source(""), SplitSource::Nothing);
        assert_eq!(source("[split]\nby = \"bucket\""), SplitSource::Nothing);
        assert_eq!(
            source("[split]\nby = \"file\"\npath = \"points.txt\""),
            SplitSource::Points("points.txt".into())
        );
        assert_eq!(
            source("[split]\nby = \"sample\"\nregions = 8\npath = \"rows.csv\""),
            SplitSource::Sample("rows.csv".into())
        );
    }
}
