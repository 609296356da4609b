//! Prints what a query reads, for people and for programs.

use keystride::escape::to_escaped;
use keystride::plan::BucketReason;
use keystride::{Design, Predicate};
use keystride_table::explain::{
    Explain, ExplainedBuckets, ExplainedOrder, ExplainedRange, RangeShape, Reach,
};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::global::Global;
use crate::output::print_text_or_document;
use crate::times::Times;

pub(super) fn print_explain(global: &Global, design: &Design, explain: Explain) -> Result<(), Failure> {
    let explain = &told(design, &Times::in_words(global), explain);
    print_text_or_document(global, "--explain", || explain.to_string(), || document(explain))
}

/// Returns an explanation with its times converted for people.
pub(super) fn told(design: &Design, times: &Times, mut explain: Explain) -> Explain {
    for range in &mut explain.ranges {
        let retell = |bound| times.retell(design, bound);
        range.shape = match range.shape.clone() {
            RangeShape::Key(key) => RangeShape::Key(retell(key)),
            RangeShape::Prefix(prefix) => RangeShape::Prefix(retell(prefix)),
            RangeShape::Between(start, stop) => RangeShape::Between(start.map(retell), stop.map(retell)),
        };
    }
    let reading = times.reading(design);
    for text in explain.pushed.iter_mut().chain(&mut explain.kept) {
        // What the planner writes can be parsed; if it could not, its text would be kept.
        if let Ok(predicate) = Predicate::parse(text, design) {
            *text = predicate.to_text(&reading);
        }
    }
    explain
}

fn document(explain: &Explain) -> Value {
    let (regions_read, regions) = explain.regions;
    json!({
        "format": 1,
        "scan": reach_word(explain.reach),
        "ranges": explain.ranges.iter().map(range_json).collect::<Vec<_>>(),
        "buckets": explain.buckets.as_ref().map(buckets_json),
        "regions": { "read": regions_read, "all": regions },
        "store_filters": explain.pushed,
        "reader_filters": explain.kept.iter().collect::<Vec<_>>(),
        "order": order_json(&explain.order),
        "limit": explain.limit,
        "limit_asked_of_store": explain.limit_pushed,
    })
}

fn reach_word(reach: Reach) -> &'static str {
    match reach {
        Reach::Nothing => "empty",
        Reach::Ranges => "range",
        Reach::Everything => "full",
    }
}

fn range_json(explained: &ExplainedRange) -> Value {
    let shape = match explained.shape {
        RangeShape::Key(_) => "key",
        RangeShape::Prefix(_) => "prefix",
        RangeShape::Between(..) => "between",
    };
    json!({
        "start": to_escaped(explained.range.start()),
        "stop": explained.range.stop().map(to_escaped),
        "bucket": explained.bucket,
        "shape": shape,
        "text": explained.to_string(),
    })
}

fn buckets_json(buckets: &ExplainedBuckets) -> Value {
    let word = |reason: &BucketReason| match reason {
        BucketReason::Computed => "computed",
        BucketReason::Enumerated => "enumerated",
        BucketReason::NotGiven => "not_given",
        BucketReason::NotComputed => "not_computed",
    };
    json!({
        "read": buckets.read,
        "all": buckets.all,
        "reasons": buckets.reasons.iter().map(word).collect::<Vec<_>>(),
    })
}

fn order_json(order: &ExplainedOrder) -> Value {
    let text = order.to_string();
    match order {
        ExplainedOrder::AsTheyCome => json!({ "how": "as_they_come", "text": text }),
        ExplainedOrder::AsStored { .. } => json!({ "how": "as_stored", "text": text }),
        ExplainedOrder::Merged { ways, by, .. } => {
            json!({ "how": "merged", "ways": ways, "by": by, "text": text })
        }
        ExplainedOrder::Sorted { by, kept, .. } => {
            json!({ "how": "sorted", "by": by, "kept": kept, "text": text })
        }
    }
}
