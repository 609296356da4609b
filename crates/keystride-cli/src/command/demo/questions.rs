//! Three questions and the ranges that answer them.

use std::fmt;

use keystride::plan::PlanOrder;
use keystride::{KeyRange, Planner, Predicate};
use serde_json::{Value, json};

use super::flights::Candidate;
use crate::failure::Failure;

/// A question, and what is read for it.
#[derive(Debug)]
pub(super) struct Question {
    title: &'static str,
    predicate: &'static str,
    ranges: Vec<KeyRange>,
    filtered: bool,
}

const ASKED: [(&str, &str, PlanOrder); 3] = [
    ("the newest 5 flights of a plane", "tailnum = 'N14228'", PlanOrder::Newest),
    (
        "one carrier's day",
        "carrier = 'UA' and time_hour >= '2013-03-08' and time_hour < '2013-03-09'",
        PlanOrder::Any,
    ),
    ("planes whose number begins with N1", "tailnum like 'N1%'", PlanOrder::Any),
];

pub(super) fn ask(candidate: &Candidate) -> Result<Vec<Question>, Failure> {
    let planner = Planner::new(&candidate.codec);
    ASKED.iter().map(|(title, predicate, order)| plan(&planner, title, predicate, *order)).collect()
}

fn plan(
    planner: &Planner,
    title: &'static str,
    predicate: &'static str,
    order: PlanOrder,
) -> Result<Question, Failure> {
    let parsed = Predicate::parse(predicate, planner.codec().design())
        .map_err(|cause| Failure::Predicate { text: predicate.to_owned(), cause: Box::new(cause) })?;
    let plan = planner.plan(Some(&parsed), order)?;
    let ranges = plan.ranges.into_iter().map(|planned| planned.range).collect();
    Ok(Question { title, predicate, ranges, filtered: plan.filter.is_some() })
}

impl Question {
    pub(super) fn to_json(&self) -> Value {
        let ranges: Vec<String> = self.ranges.iter().map(ToString::to_string).collect();
        json!({ "question": self.title, "where": self.predicate, "ranges": ranges, "filtered": self.filtered })
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.ranges.len();
        let noun = if count == 1 { "range" } else { "ranges" };
        let filter = if self.filtered { ", and a filter on what they hold" } else { "" };
        writeln!(f, "  {}\n    where {}\n    {count} {noun}{filter}", self.title, self.predicate)?;
        for range in self.ranges.iter().take(3) {
            writeln!(f, "      {range}")?;
        }
        if count > 3 {
            writeln!(f, "      … {} more", count - 3)?;
        }
        writeln!(f)
    }
}
