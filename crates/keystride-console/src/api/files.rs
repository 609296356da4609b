use std::io::ErrorKind;

use axum::Json;
use axum::body::{Body, BodyDataStream};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};

use super::ApiError;
use crate::files::Entry;
use crate::served::Shared;

#[derive(Deserialize)]
pub(super) struct ListRequest {
    /// A folder below that of `--files`.
    #[serde(default)]
    path: String,
}

#[derive(Serialize)]
pub(super) struct Listing {
    path: String,
    entries: Vec<Entry>,
}

pub(super) async fn list(
    State(served): State<Shared>,
    query: Result<Query<ListRequest>, QueryRejection>,
) -> Result<Json<Listing>, ApiError> {
    let Query(ListRequest { path }) = query?;
    let entries = served.files.folder()?.list(&path)?;
    Ok(Json(Listing { path, entries }))
}

#[derive(Deserialize)]
pub(super) struct UploadRequest {
    name: String,
}

#[derive(Serialize)]
pub(super) struct Uploaded {
    /// The file's id, for requests that name a file.
    upload: String,
    bytes: u64,
}

/// Takes a file: the body as it is.
pub(super) async fn upload(
    State(served): State<Shared>,
    query: Result<Query<UploadRequest>, QueryRejection>,
    body: Body,
) -> Result<Json<Uploaded>, ApiError> {
    let Query(UploadRequest { name }) = query?;
    let (upload, bytes) = take(&served, &name, body.into_data_stream()).await?;
    Ok(Json(Uploaded { upload, bytes }))
}

async fn take(served: &Shared, name: &str, mut body: BodyDataStream) -> Result<(String, u64), ApiError> {
    let not_kept = |error: std::io::Error| {
        let status = match error.kind() {
            ErrorKind::FileTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        ApiError::new(
            status,
            "upload",
            format!("the file can't be kept: {error}; load it below --files instead"),
        )
    };
    let mut upload = served.files.uploads.begin(name).map_err(not_kept)?;
    while let Some(bytes) = body.next().await {
        let bytes =
            bytes.map_err(|error| ApiError::new(StatusCode::BAD_REQUEST, "upload", error.to_string()))?;
        upload.write(&bytes).map_err(not_kept)?;
    }
    Ok(upload.keep())
}
