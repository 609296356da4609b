//! Three queries, each with its plan and its answer.

use std::fmt;

use futures_util::TryStreamExt as _;
use keystride::Value;
use keystride::design::TimeStyle;
use keystride_table::explain::Explain;
use keystride_table::{Query, RowOrder, RowView, Table};
use serde_json::json;

use crate::failure::Failure;
use crate::predicate_args::parse_predicate;

/// A query.
struct Asked {
    title: &'static str,
    predicate: &'static str,
    order: RowOrder,
    limit: Option<u64>,
}

/// A query with its plan and its answer.
#[derive(Debug)]
pub(super) struct Answer {
    title: &'static str,
    predicate: &'static str,
    explain: Explain,
    /// The number of rows that the store read for it, by its own counters.
    rows_read: u64,
    rows: u64,
    /// The first rows of the answer.
    first: Vec<String>,
}

const ASKED: [Asked; 3] = [
    Asked {
        title: "the newest 5 flights of a plane",
        predicate: "tailnum = 'N14228'",
        order: RowOrder::Newest,
        limit: Some(5),
    },
    Asked {
        title: "one carrier's day",
        predicate: "carrier = 'UA' and time_hour >= '2013-03-08' and time_hour < '2013-03-09'",
        order: RowOrder::Any,
        limit: None,
    },
    Asked {
        title: "all departures of a day, in order",
        predicate: "time_hour >= '2013-03-08' and time_hour < '2013-03-09'",
        order: RowOrder::Oldest,
        limit: Some(2_000),
    },
];

const SHOWN: usize = 3;

pub(super) async fn ask(table: &Table) -> Result<Vec<Answer>, Failure> {
    let mut answers = Vec::new();
    for asked in &ASKED {
        answers.push(answer(table, asked).await?);
    }
    Ok(answers)
}

async fn answer(table: &Table, asked: &Asked) -> Result<Answer, Failure> {
    let Asked { title, predicate, order, limit } = *asked;
    let parsed = parse_predicate(predicate, table.design())?;
    let prepared = table.prepare(&Query { order, limit, ..Query::of(parsed) })?;
    let explain = prepared.explain().await?;
    let before = table.store().rows_read();
    let (mut rows, mut first) = (0, Vec::new());
    let mut stream = prepared.run();
    while let Some(batch) = stream.try_next().await? {
        rows += batch.len() as u64;
        let lacking = SHOWN.saturating_sub(first.len());
        first.extend(batch.iter().take(lacking).map(|row| departure(table, row)));
    }
    drop(stream);
    let rows_read = table.store().rows_read() - before;
    Ok(Answer { title, predicate, explain, rows_read, rows, first })
}

/// Returns a flight as one line.
fn departure(table: &Table, row: RowView<'_>) -> String {
    let value = |name: &str| table.design().field_index(name).and_then(|field| row.get(field));
    let number = |name: &str| match value(name) {
        Some(Value::Int(number)) => number,
        _ => 0,
    };
    let text = |name: &str| match value(name) {
        Some(Value::Text(text)) => text,
        _ => "",
    };
    format!(
        "{}-{:02}-{:02} {:02}:{:02}  {:<2} {:>4}  {:<6}  {} to {}",
        number("year"),
        number("month"),
        number("day"),
        number("hour"),
        number("minute"),
        text("carrier"),
        number("flight"),
        text("tailnum"),
        text("origin"),
        text("dest"),
    )
}

impl Answer {
    pub(super) fn to_json(&self) -> serde_json::Value {
        let ranges: Vec<String> = self.explain.ranges.iter().map(|range| range.range.to_string()).collect();
        json!({
            "question": self.title,
            "where": self.predicate,
            "ranges": ranges,
            "regions_read": self.explain.regions.0,
            "rows_read": self.rows_read,
            "rows": self.rows,
            "first": self.first,
        })
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  {}\n    where {}", self.title, self.predicate)?;
        for line in self.explain.to_text(&TimeStyle::Iso8601 { zone: None }).lines() {
            writeln!(f, "    {line}")?;
        }
        for line in &self.first {
            writeln!(f, "      {line}")?;
        }
        let shown = self.first.len() as u64;
        if self.rows > shown {
            writeln!(f, "      … {} more", self.rows - shown)?;
        }
        writeln!(f, "    {} rows, {} read for them\n", self.rows, self.rows_read)
    }
}
