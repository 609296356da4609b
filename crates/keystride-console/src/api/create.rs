use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use serde::Serialize;

use super::ApiError;
use super::splits::{Asked, TableRequest};
use crate::served::Shared;

#[derive(Serialize)]
pub(super) struct Created {
    table: String,
    regions: usize,
}

pub(super) async fn create(
    State(served): State<Shared>,
    body: Result<Json<TableRequest>, JsonRejection>,
) -> Result<Json<Created>, ApiError> {
    let Json(request) = body?;
    let table = tokio::task::spawn_blocking(move || Asked::of(&request)?.into_table(&request));
    let table = table.await.map_err(|_| ApiError::broken())??;
    let name = table.name.clone();
    let created = Created { table: table.name.to_string(), regions: table.points.region_count() };
    table.create(Arc::clone(&served.store)).await?;
    served.watch(&name);
    tracing::info!(table = created.table, regions = created.regions, "made");
    Ok(Json(created))
}
