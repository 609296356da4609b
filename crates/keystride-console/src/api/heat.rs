//! Live heat maps: a stream of events, of which the first is the whole map.

mod behind;
mod found;
mod labels;
mod look;
mod planned;

use std::convert::Infallible;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::Stream;
use keystride_heat::live::Metric;
use keystride_store::TableName;
use serde::Deserialize;

use super::ApiError;
use crate::served::Shared;
pub(super) use behind::behind;
pub(super) use found::found;
use look::Look;
pub(super) use planned::planned;

/// What a page wants to see.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HeatRequest {
    #[serde(default)]
    metric: MetricName,
    #[serde(default)]
    mode: ModeName,
    /// How much of the past, in seconds.
    #[serde(default = "an_hour")]
    seconds: u32,
    /// The most rows.
    #[serde(default = "usual_rows")]
    rows: usize,
}

fn an_hour() -> u32 {
    3_600
}

fn usual_rows() -> usize {
    keystride_heat::live::view::DEFAULT_ROWS
}

/// More rows than a screen has.
const MOST_ROWS: usize = 4_000;

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum MetricName {
    RowsRead,
    #[default]
    RowsWritten,
    BytesWritten,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ModeName {
    #[default]
    Region,
    /// Ranges of keys within regions, by what passes through this program.
    Keys,
    Density,
    Folded,
    Server,
}

impl From<MetricName> for Metric {
    fn from(name: MetricName) -> Self {
        match name {
            MetricName::RowsRead => Self::RowsRead,
            MetricName::RowsWritten => Self::RowsWritten,
            MetricName::BytesWritten => Self::BytesWritten,
        }
    }
}

/// Tells a map, and its columns as they come: events `view`, `column` and `findings`.
pub(super) async fn live(
    State(served): State<Shared>,
    Path(name): Path<String>,
    query: Result<Query<HeatRequest>, QueryRejection>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let Query(request) = query?;
    let name = TableName::new(&name)?;
    let table = served.designed_table(&name).await?;
    let look = Look::new(&served.heat, &name, table.as_ref(), &request);
    let events =
        futures_util::stream::unfold(look, async |mut look| look.next().await.map(|event| (Ok(event), look)));
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}
