//! Explanations as readable text.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use keystride::design::{Part, TimeStyle};
use keystride::plan::{BucketReason, PlannedRange};
use keystride::{Design, Predicate};

use super::bound::BoundTexts;
use super::{Explain, ExplainedBuckets, ExplainedOrder, MergedBy, Reach};
use crate::scan::RowOrder;

/// If there are more ranges, only the first and the last few are shown.
const SHOWN_RANGES: usize = 20;
const SHOWN_LAST: usize = 3;

/// An explanation with its times in a style.
pub(super) struct Shown<'a> {
    explain: &'a Explain,
    style: &'a TimeStyle,
    /// The design by which predicates are written.
    reading: Cow<'a, Design>,
}

impl Explain {
    /// Returns the explanation as text, with times in a style.
    pub fn to_text(&self, style: &TimeStyle) -> String {
        Shown::new(self, style).to_string()
    }
}

impl fmt::Display for Explain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Shown::new(self, &TimeStyle::default()), f)
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let explain = self.explain;
        match explain.reach {
            Reach::Nothing => return writeln!(f, "EMPTY SCAN: no row can match"),
            Reach::Everything => write!(f, "FULL SCAN")?,
            Reach::Ranges => write!(f, "RANGE SCAN x{}", explain.ranges.len())?,
        }
        if let Some(buckets) = &explain.buckets {
            write!(f, ", {buckets}")?;
        }
        writeln!(f, ", {} of {} regions", explain.regions.0, explain.regions.1)?;
        self.fmt_ranges(f)?;
        if !explain.pushed.is_empty() {
            writeln!(f, "store filters: {}", self.predicates(&explain.pushed).join(" and "))?;
        }
        for kept in self.predicates(explain.kept.as_slice()) {
            writeln!(f, "reader filters: {kept} (the ranges may hold other rows)")?;
        }
        write!(f, "order: {}", self.order())?;
        match explain.limit {
            None => writeln!(f),
            Some(limit) if !explain.limit_pushed => writeln!(f, "; limit {limit}"),
            Some(limit) if matches!(explain.order, ExplainedOrder::Merged { .. }) => {
                writeln!(f, "; limit {limit} asked of each")
            }
            Some(limit) => writeln!(f, "; limit {limit} asked of the store"),
        }
    }
}

impl<'a> Shown<'a> {
    pub(super) fn new(explain: &'a Explain, style: &'a TimeStyle) -> Self {
        Self { explain, style, reading: style.reading(explain.codec.design()) }
    }

    pub(super) fn predicates(&self, predicates: &[Predicate]) -> Vec<String> {
        predicates.iter().map(|predicate| predicate.to_text(&self.reading)).collect()
    }

    fn fmt_ranges(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.explain.reach == Reach::Everything {
            return Ok(());
        }
        let lines = self.lines();
        let count = lines.len();
        let hidden =
            if count > SHOWN_RANGES { SHOWN_RANGES - SHOWN_LAST..count - SHOWN_LAST } else { count..count };
        for (index, line) in lines.iter().enumerate() {
            if index == hidden.start && !hidden.is_empty() {
                writeln!(f, "  … {} more", hidden.len())?;
            }
            if !hidden.contains(&index) {
                writeln!(f, "  {line}")?;
            }
        }
        Ok(())
    }

    /// Returns a line for each range; one line for those that differ in nothing but their bucket.
    fn lines(&self) -> Vec<String> {
        let ranges = &self.explain.ranges;
        let inner: Vec<String> = ranges.iter().map(|planned| self.range_in_bucket(planned)).collect();
        let mut times: HashMap<&str, usize> = HashMap::new();
        for text in &inner {
            *times.entry(text).or_default() += 1;
        }
        let mut lines = Vec::new();
        for (planned, text) in ranges.iter().zip(&inner) {
            match times.get(text.as_str()) {
                Some(1) => lines.push(self.range(planned)),
                // The line is written at the first of them.
                Some(&buckets) => {
                    lines.push(format!("in each of {buckets} buckets: {text}"));
                    times.remove(text.as_str());
                }
                None => {}
            }
        }
        lines
    }

    /// Returns the text of a range without its bucket, if it lies within one, and else the whole text.
    fn range_in_bucket(&self, planned: &PlannedRange) -> String {
        let begins_with_bucket = matches!(self.explain.codec.design().parts(), [Part::Bucket(_), ..]);
        self.texts(begins_with_bucket && planned.bucket.is_some()).range(&planned.range)
    }

    pub(super) fn range(&self, planned: &PlannedRange) -> String {
        self.texts(false).range(&planned.range)
    }

    fn texts(&self, without_bucket: bool) -> BoundTexts<'_> {
        BoundTexts { codec: &self.explain.codec, style: self.style, without_bucket }
    }

    /// Returns what merged rows are compared by.
    pub(super) fn merged_by(&self, by: MergedBy) -> &str {
        match by {
            MergedBy::Key => "key",
            MergedBy::Time(field) => self.field_name(field),
        }
    }

    pub(super) fn field_name(&self, field: usize) -> &str {
        &self.explain.codec.design().fields()[field].name
    }

    pub(super) fn order(&self) -> String {
        match self.explain.order {
            ExplainedOrder::AsTheyCome => "in no particular order".to_owned(),
            ExplainedOrder::AsStored { order } => format!("as stored, {}", order_text(order)),
            ExplainedOrder::Merged { ways, by, order } => {
                format!("{ways}-way merge by {}, {}", self.merged_by(by), order_text(order))
            }
            ExplainedOrder::Sorted { by, kept, order } => format!(
                "sorted by {}, {}: all rows are read and {kept} kept in memory",
                self.field_name(by),
                order_text(order)
            ),
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
        BucketReason::Enumerated => "the fields they are computed from have few values",
        BucketReason::NotGiven => "the fields they are computed from are not given",
        BucketReason::NotComputed => "they are not computed from the row",
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
