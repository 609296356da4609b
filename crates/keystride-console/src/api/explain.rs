use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use keystride_advisor::lint::{LintId, PageDocument, UnknownLint};
use serde::Deserialize;

use super::ApiError;
use super::splits::Tongue;
use crate::served::Shared;

#[derive(Deserialize)]
pub(super) struct ExplainRequest {
    #[serde(default)]
    language: Tongue,
}

/// Explains a lint, as `keystride design explain` does.
pub(super) async fn explain(
    State(_): State<Shared>,
    Path(lint): Path<String>,
    query: Result<Query<ExplainRequest>, QueryRejection>,
) -> Result<Json<PageDocument>, ApiError> {
    let Query(ExplainRequest { language }) = query?;
    let unknown =
        |error: UnknownLint| ApiError::new(StatusCode::NOT_FOUND, "unknown-lint", error.to_string());
    let id: LintId = lint.parse().map_err(unknown)?;
    Ok(Json(PageDocument::new(id, language.into())))
}
