use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use keystride::KeyLanguage;
use keystride_app::key_text::KeyForm;
use keystride_store::TableName;
use serde::{Deserialize, Serialize};

use super::ApiError;
use crate::served::Shared;

/// Where a region is to be split.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SplitRequest {
    at: String,
    form: KeyForm,
    /// Splits even where one of the two regions can hold no key of the design.
    #[serde(default)]
    force: bool,
}

#[derive(Serialize)]
pub(super) struct SplitDone {
    at: String,
}

pub(super) async fn split(
    State(served): State<Shared>,
    Path(name): Path<String>,
    body: Result<Json<SplitRequest>, JsonRejection>,
) -> Result<Json<SplitDone>, ApiError> {
    let name = TableName::new(&name)?;
    let Json(SplitRequest { at, form, force }) = body?;
    let at = form.read_key(&at)?;
    if !force && let Some(table) = served.designed_table(&name).await? {
        let points = served.store.split_points(&name).await?;
        if let Some(side) = points.empty_side(&KeyLanguage::new(table.codec()), &at) {
            let message = format!("a region {side} {at} would stay empty: no key of the design lies there");
            return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "empty-region", message));
        }
    }
    served.store.split(&name, &at).await?;
    Ok(Json(SplitDone { at: at.to_string() }))
}
