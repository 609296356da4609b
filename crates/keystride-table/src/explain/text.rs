//! Explanations as readable text.

use std::fmt;

use keystride::plan::BucketReason;

use super::{Explain, ExplainedBuckets, ExplainedOrder, ExplainedRange, RangeShape, Reach};
use crate::scan::RowOrder;

/// If there are more ranges, only the first and the last few are shown.
const SHOWN_RANGES: usize = 20;
const SHOWN_LAST: usize = 3;

impl fmt::Display for Explain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reach {
            Reach::Nothing => return writeln!(f, "EMPTY SCAN: no row can be wanted"),
            Reach::Everything => write!(f, "FULL SCAN")?,
            Reach::Ranges => write!(f, "RANGE SCAN x{}", self.ranges.len())?,
        }
        if let Some(buckets) = &self.buckets {
            write!(f, ", {buckets}")?;
        }
        writeln!(f, ", {} of {} regions", self.regions.0, self.regions.1)?;
        self.fmt_ranges(f)?;
        if !self.pushed.is_empty() {
            writeln!(f, "store filters: {}", self.pushed.join(" and "))?;
        }
        if let Some(kept) = &self.kept {
            writeln!(f, "reader filters: {kept} (the ranges may hold other rows)")?;
        }
        write!(f, "order: {}", self.order)?;
        match self.limit {
            None => writeln!(f),
            Some(limit) if !self.limit_pushed => writeln!(f, "; limit {limit}"),
            Some(limit) if matches!(self.order, ExplainedOrder::Merged { .. }) => {
                writeln!(f, "; limit {limit} asked of each")
            }
            Some(limit) => writeln!(f, "; limit {limit} asked of the store"),
        }
    }
}

impl Explain {
    fn fmt_ranges(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.reach == Reach::Everything {
            return Ok(());
        }
        let count = self.ranges.len();
        let hidden =
            if count > SHOWN_RANGES { SHOWN_RANGES - SHOWN_LAST..count - SHOWN_LAST } else { count..count };
        for (index, range) in self.ranges.iter().enumerate() {
            if index == hidden.start && !hidden.is_empty() {
                writeln!(f, "  … {} more", hidden.len())?;
            }
            if !hidden.contains(&index) {
                writeln!(f, "  {range}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for ExplainedRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.shape {
            RangeShape::Key(key) => write!(f, "key {key}"),
            RangeShape::Prefix(prefix) => write!(f, "prefix {prefix}"),
            RangeShape::Between(start, stop) => {
                match start {
                    Some(start) => write!(f, "from {start}")?,
                    None => write!(f, "from the start")?,
                }
                match stop {
                    Some(stop) => match stop.successor_of() {
                        Some(last) => write!(f, " to {last}"),
                        None => write!(f, " to before {stop}"),
                    },
                    None => write!(f, " to the end"),
                }
            }
        }
    }
}

impl fmt::Display for ExplainedBuckets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} buckets", self.read, self.all)?;
        let reasons: Vec<&str> = self.reasons.iter().map(|reason| reason_text(*reason)).collect();
        if reasons.is_empty() { Ok(()) } else { write!(f, " ({})", reasons.join("; ")) }
    }
}

fn reason_text(reason: BucketReason) -> &'static str {
    match reason {
        BucketReason::Computed => "computed",
        BucketReason::Enumerated => "enumerated: what they are computed from has few values",
        BucketReason::NotGiven => "what they are computed from is not given",
        BucketReason::NotComputed => "they are no function of the row",
    }
}

impl fmt::Display for ExplainedOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AsTheyCome => write!(f, "as they come"),
            Self::AsStored { order } => write!(f, "as stored, {}", order_text(*order)),
            Self::Merged { ways, by, order } => write!(f, "{ways}-way merge by {by}, {}", order_text(*order)),
            Self::Sorted { by, kept, order } => {
                write!(
                    f,
                    "sorted by {by}, {}: all rows are read and {kept} kept in memory",
                    order_text(*order)
                )
            }
        }
    }
}

fn order_text(order: RowOrder) -> &'static str {
    match order {
        RowOrder::Any => "in any order",
        RowOrder::Key => "smallest first",
        RowOrder::KeyReversed => "largest first",
        RowOrder::Newest => "latest first",
        RowOrder::Oldest => "earliest first",
    }
}
