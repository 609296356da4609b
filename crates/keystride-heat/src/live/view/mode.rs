//! How a map shows rates.

use crate::live::Axis;

/// How a [`View`](super::View) shows rates.
#[derive(Debug, Clone, Copy)]
pub enum Mode<'a> {
    /// The rate of the region that has the keys.
    Region,
    /// The same, and its server.
    Server,
    /// The rate of the region divided by its size, per GiB.
    Density(&'a Sizes),
    /// Keys without their bucket: a row shows the sum over all buckets of the regions that have its keys. A region
    /// of several buckets counts once. Ranges must ascend, one for each bucket; other keys are not shown.
    Folded(&'a [BucketRange]),
}

/// The keys of one bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BucketRange {
    /// What its keys begin with, which is where they begin.
    pub prefix: Vec<u8>,
    /// Where they end, exclusive; `None` is the end of all keys.
    pub stop: Option<Vec<u8>>,
}

/// The sizes of a table's regions as they are now.
///
/// Regions of earlier columns have the sizes of those that now have their keys. One that was merged since has that of the
/// merged region: its density is too low.
#[derive(Debug, Clone)]
pub struct Sizes {
    axis: Axis,
    gib: Vec<f64>,
}

/// A smaller region counts as so large: what is empty has no density.
const LEAST_BYTES: f64 = 1_048_576.0;
const GIB: f64 = 1_073_741_824.0;

impl Mode<'_> {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Region => "region",
            Self::Server => "server",
            Self::Density(_) => "density",
            Self::Folded(_) => "folded",
        }
    }
}

impl Sizes {
    /// Creates sizes in bytes, one for each cell of the axis; `None` if there are not as many.
    pub fn new(axis: Axis, bytes: &[u64]) -> Option<Self> {
        let gib = bytes.iter().map(|&bytes| crate::number::float(bytes) / GIB).collect();
        (bytes.len() == axis.cell_count()).then_some(Self { axis, gib })
    }

    /// Returns the size of all regions together, as it divides.
    pub(super) fn total_gib(&self) -> f64 {
        self.gib.iter().map(|gib| gib.max(LEAST_BYTES / GIB)).sum()
    }

    /// Returns the sizes in GiB of the cells of another axis.
    pub(super) fn of(&self, cells: &Axis) -> Vec<f64> {
        let spans = self.axis.spans(cells).into_iter();
        spans.map(|span| self.gib[span].iter().sum::<f64>().max(LEAST_BYTES / GIB)).collect()
    }
}

impl BucketRange {
    /// Returns the part of a key after the bucket; `None` for a key of none or of another one.
    pub(in crate::live) fn rest<'a>(&self, key: &'a [u8]) -> Option<&'a [u8]> {
        key.strip_prefix(&*self.prefix).filter(|_| self.stop.as_deref().is_none_or(|stop| key < stop))
    }
}
