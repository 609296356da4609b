use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use keystride_heat::live::findings::Finding;
use keystride_store::{StoreError, TableName};
use keystride_table::Table;
use serde::{Deserialize, Serialize};

use super::look::{bucket_ranges, last_times};
use super::{MetricName, an_hour};
use crate::api::ApiError;
use crate::api::loads::blocking;
use crate::served::Shared;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct FoundRequest {
    #[serde(default)]
    metric: MetricName,
    /// How much of the past, in seconds.
    #[serde(default = "an_hour")]
    seconds: u32,
}

#[derive(Serialize)]
pub(in crate::api) struct Found {
    findings: Vec<Finding>,
    /// The names to which findings refer by index.
    servers: Vec<Box<str>>,
}

/// Tells what the map of a table means that is watched; of others, nothing is found, and no watch begins.
pub(in crate::api) async fn found(
    State(served): State<Shared>,
    Path(name): Path<String>,
    query: Result<Query<FoundRequest>, QueryRejection>,
) -> Result<Json<Found>, ApiError> {
    let Query(FoundRequest { metric, seconds }) = query?;
    let name = TableName::new(&name)?;
    if !served.store.exists(&name).await? {
        return Err(StoreError::UnknownTable { table: name }.into());
    }
    let Some(watch) = served.heat.watched(&name) else {
        return Ok(Json(Found { findings: Vec::new(), servers: Vec::new() }));
    };
    let table = served.designed_table(&name).await?;
    let buckets = table.as_ref().map(Table::codec).map(bucket_ranges).unwrap_or_default();
    let servers = watch.servers();
    let findings = blocking(move || Ok(watch.findings(last_times(seconds), metric.into(), &buckets))).await?;
    Ok(Json(Found { findings, servers }))
}
