use axum::Json;
use axum::extract::State;
use keystride_store::TableName;
use serde::Serialize;

use super::ApiError;
use crate::served::Shared;

#[derive(Serialize)]
pub(super) struct Tables {
    /// The names, sorted by namespace and name.
    tables: Vec<String>,
}

pub(super) async fn list(State(served): State<Shared>) -> Result<Json<Tables>, ApiError> {
    let names = served.store.list().await?;
    Ok(Json(Tables { tables: names.iter().map(TableName::to_string).collect() }))
}
