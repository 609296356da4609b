use axum::Json;
use axum::body::Body;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use keystride::{Design, Predicate, SplitError};
use keystride_app::fields::{fields_named, time_named};
use keystride_app::marked_text::character_number;
use keystride_store::{Region, TableName};
use keystride_table::explain::{Explain, ExplainDocument};
use keystride_table::{Query, RowOrder};
use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::{ApiError, time_style};
use crate::served::Shared;

/// A question to a table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct QueryRequest {
    /// A predicate, as after `--where`; empty for all rows.
    #[serde(default, rename = "where")]
    predicate: String,
    #[serde(default)]
    order: Order,
    /// The time field of the orders by time.
    on: Option<String>,
    /// At most this many rows, 1,000 by default and at most.
    limit: Option<u64>,
    /// The fields to show, all by default.
    columns: Option<Vec<String>>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Order {
    #[default]
    Any,
    Key,
    KeyReversed,
    Newest,
    Oldest,
}

/// What a browser shows: the rest is for extracts.
const MOST_ROWS: u64 = 1_000;
const MOST_BYTES: usize = 10 << 20;

impl QueryRequest {
    fn query(&self, design: &Design) -> Result<Query, ApiError> {
        let order = match self.order {
            Order::Any => RowOrder::Any,
            Order::Key => RowOrder::Key,
            Order::KeyReversed => RowOrder::KeyReversed,
            Order::Newest => RowOrder::Newest,
            Order::Oldest => RowOrder::Oldest,
        };
        let is_by_time = matches!(order, RowOrder::Newest | RowOrder::Oldest);
        let on = self.on.as_deref().filter(|name| !name.is_empty());
        Ok(Query {
            predicate: predicate(&self.predicate, design)?,
            order,
            time: if is_by_time { time_named(design, on)? } else { None },
            limit: Some(self.limit.unwrap_or(MOST_ROWS).min(MOST_ROWS)),
            fields: self.columns.as_deref().map(|names| fields_named(design, names)).transpose()?,
        })
    }
}

/// Reads a predicate; an empty one is none.
pub(super) fn predicate(text: &str, design: &Design) -> Result<Option<Predicate>, ApiError> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    Predicate::parse(text, design).map(Some).map_err(|error| {
        let at = character_number(text, error.at);
        let message = format!("the predicate can't be read at character {at}: {error}");
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "predicate", message)
    })
}

/// How a question is read, and how much that is.
#[derive(Serialize)]
pub(super) struct Plan {
    #[serde(flatten)]
    explain: ExplainDocument,
    /// For each range, the regions that it touches, by number, from and to.
    touched: Vec<[usize; 2]>,
    /// Rows written to the regions that are read, and to all.
    rows_written: [u64; 2],
    bytes_written: [u64; 2],
}

pub(super) async fn plan(
    State(served): State<Shared>,
    Path(name): Path<String>,
    body: Result<Json<QueryRequest>, JsonRejection>,
) -> Result<Json<Plan>, ApiError> {
    let Json(request) = body?;
    let table = served.table(&TableName::new(&name)?).await?;
    let prepared = table.prepare(&request.query(table.design())?)?;
    let regions = table.store().regions(table.name()).await?;
    Ok(Json(plan_in(&regions, &prepared.explain_in(&regions))?))
}

fn plan_in(regions: &[Region], explain: &Explain) -> Result<Plan, SplitError> {
    let points = Region::split_points(regions)?;
    let touched = explain.ranges.iter().map(|planned| {
        let first = points.region_of(planned.range.start());
        let last = planned.range.stop().map_or(regions.len() - 1, |stop| {
            let last = points.region_of(stop);
            // A range that stops where a region starts does not touch it.
            let is_before = regions[last].range.start() == stop && last > first;
            last - usize::from(is_before)
        });
        [first, last]
    });
    let touched: Vec<[usize; 2]> = touched.collect();
    let is_read = |index: usize| touched.iter().any(|[first, last]| (*first..=*last).contains(&index));
    let sum = |count: fn(&keystride_store::RegionCounts) -> u64| {
        let counts =
            regions.iter().enumerate().filter_map(|(index, region)| Some((index, region.known_counts()?)));
        counts.fold([0, 0], |[read, all], (index, counts)| {
            let rows = count(counts);
            [read + if is_read(index) { rows } else { 0 }, all + rows]
        })
    };
    Ok(Plan {
        rows_written: sum(|counts| counts.rows_written),
        bytes_written: sum(|counts| counts.bytes_written),
        explain: ExplainDocument::new(explain, &time_style()),
        touched,
    })
}

/// Answers with the rows, as [`Answer`] says.
pub(super) async fn rows(
    State(served): State<Shared>,
    Path(name): Path<String>,
    body: Result<Json<QueryRequest>, JsonRejection>,
) -> Result<Response, ApiError> {
    let Json(request) = body?;
    let table = served.table(&TableName::new(&name)?).await?;
    let answer = Answer::new(&table, &request.query(table.design())?, (MOST_ROWS, MOST_BYTES))?;
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
    Ok((kind, Body::from_stream(answer.into_stream())).into_response())
}
