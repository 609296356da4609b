use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use keystride_store::{AfterTruncate, TableName};
use serde::Deserialize;

use super::ApiError;
use crate::served::Shared;

/// What is removed for good is named twice.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RemoveRequest {
    /// The table's name.
    confirm: String,
    /// For truncate: whether the split points stay.
    #[serde(default)]
    keep_splits: bool,
}

pub(super) async fn drop_table(
    State(served): State<Shared>,
    Path(name): Path<String>,
    body: Result<Json<RemoveRequest>, JsonRejection>,
) -> Result<StatusCode, ApiError> {
    let (name, _) = confirmed(&name, body?.0)?;
    served.store.drop_table(&name).await?;
    served.heat.forget(&name);
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn truncate(
    State(served): State<Shared>,
    Path(name): Path<String>,
    body: Result<Json<RemoveRequest>, JsonRejection>,
) -> Result<StatusCode, ApiError> {
    let (name, request) = confirmed(&name, body?.0)?;
    let after = if request.keep_splits { AfterTruncate::KeepSplits } else { AfterTruncate::OneRegion };
    served.store.truncate(&name, after).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn confirmed(name: &str, request: RemoveRequest) -> Result<(TableName, RemoveRequest), ApiError> {
    let name = TableName::new(name)?;
    if request.confirm == name.to_string() {
        Ok((name, request))
    } else {
        Err(ApiError::not_confirmed(&name.to_string()))
    }
}

/// Has the files of all regions merged. A cluster does that later.
pub(super) async fn compact(
    State(served): State<Shared>,
    Path(name): Path<String>,
) -> Result<StatusCode, ApiError> {
    served.store.compact(&TableName::new(&name)?).await?;
    Ok(StatusCode::ACCEPTED)
}
