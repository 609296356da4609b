use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use data_encoding::HEXLOWER;
use keystride::{KeyCodec, SplitPoints};
use keystride_app::designer::EncodedRows;
use keystride_app::heat::Planned;
use keystride_store::TableName;
use serde::{Deserialize, Serialize};

use crate::api::ApiError;
use crate::api::designer::{SamplePlace, SampleRequest};
use crate::api::loads::blocking;
use crate::served::Shared;

/// What rows are to be expected.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct PlannedRequest {
    /// A file with rows like those that come. Without it, only what the buckets of the design make known is planned.
    sample: Option<SampleRequest>,
}

#[derive(Serialize)]
pub(in crate::api) struct PlannedAnswer {
    /// The split points in hexadecimal.
    bounds: Vec<String>,
    /// `null` if nothing is known.
    planned: Option<Planned>,
}

/// Tells what the regions of a table are to get by its design.
pub(in crate::api) async fn planned(
    State(served): State<Shared>,
    Path(name): Path<String>,
    body: Result<Json<PlannedRequest>, JsonRejection>,
) -> Result<Json<PlannedAnswer>, ApiError> {
    let Json(request) = body?;
    let name = TableName::new(&name)?;
    let table = served.designed_table(&name).await?;
    let points = served.store.split_points(&name).await?;
    let bounds = points.keys().iter().map(|key| HEXLOWER.encode(key.as_bytes())).collect();
    let Some(codec) = table.map(|table| table.codec().clone()) else {
        return Ok(Json(PlannedAnswer { bounds, planned: None }));
    };
    let Some(sample) = &request.sample else {
        return Ok(Json(PlannedAnswer { bounds, planned: Planned::of_buckets(&codec, &points) }));
    };
    let place = sample.place(&served)?;
    let planned = blocking(move || of_sample(&codec, &points, &place));
    Ok(Json(PlannedAnswer { bounds, planned: Some(planned.await?) }))
}

fn of_sample(codec: &KeyCodec, points: &SplitPoints, sample: &SamplePlace) -> Result<Planned, ApiError> {
    let rows = EncodedRows::of(codec, &sample.read()?.rows.rows)?;
    Planned::of_sample(codec, points, rows.keys()).ok_or_else(|| {
        let why = rows
            .rejects()
            .into_iter()
            .next()
            .map_or_else(|| "it has no rows".to_owned(), |(reason, _)| reason);
        ApiError::bad_input(format!("no row of the sample has a key of the table's design: {why}"))
    })
}
