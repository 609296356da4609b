//! An explanation as a document, for programs.

use keystride::design::TimeStyle;
use keystride::plan::PlannedRange;
use serde::Serialize;

use super::text::Shown;
use super::{Explain, ExplainedBuckets, ExplainedOrder, RangeShape, Reach};

/// How a query is read: bounds in HBase's escaped form, conditions in the syntax of predicates.
#[derive(Debug, Clone, Serialize)]
pub struct ExplainDocument {
    format: u32,
    scan: Reach,
    ranges: Vec<RangeDocument>,
    buckets: Option<ExplainedBuckets>,
    regions: RegionsDocument,
    store_filters: Vec<String>,
    reader_filters: Vec<String>,
    order: OrderDocument,
    limit: Option<u64>,
    limit_asked_of_store: bool,
}

#[derive(Debug, Clone, Serialize)]
struct RangeDocument {
    #[serde(flatten)]
    planned: PlannedRange,
    shape: RangeShape,
    text: String,
}

#[derive(Debug, Clone, Serialize)]
struct RegionsDocument {
    read: usize,
    all: usize,
}

#[derive(Debug, Clone, Serialize)]
struct OrderDocument {
    how: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ways: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<u64>,
    text: String,
}

impl ExplainDocument {
    /// Describes an explanation, with times in a style.
    pub fn new(explain: &Explain, style: &TimeStyle) -> Self {
        let shown = Shown::new(explain, style);
        let range = |planned: &PlannedRange| RangeDocument {
            planned: planned.clone(),
            shape: RangeShape::of(&planned.range),
            text: shown.range(planned),
        };
        Self {
            format: 1,
            scan: explain.reach,
            ranges: explain.ranges.iter().map(range).collect(),
            buckets: explain.buckets.clone(),
            regions: RegionsDocument { read: explain.regions.0, all: explain.regions.1 },
            store_filters: shown.predicates(&explain.pushed),
            reader_filters: shown.predicates(explain.kept.as_slice()),
            order: OrderDocument::new(&explain.order, &shown),
            limit: explain.limit,
            limit_asked_of_store: explain.limit_pushed,
        }
    }
}

impl OrderDocument {
    fn new(order: &ExplainedOrder, shown: &Shown<'_>) -> Self {
        let (how, ways, by, kept) = match *order {
            ExplainedOrder::AsTheyCome => ("as_they_come", None, None, None),
            ExplainedOrder::AsStored { .. } => ("as_stored", None, None, None),
            ExplainedOrder::Merged { ways, by, .. } => {
                ("merged", Some(ways), Some(shown.merged_by(by)), None)
            }
            ExplainedOrder::Sorted { by, kept, .. } => {
                ("sorted", None, Some(shown.field_name(by)), Some(kept))
            }
        };
        Self { how, ways, by: by.map(str::to_owned), kept, text: shown.order() }
    }
}
