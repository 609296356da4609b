use axum::Json;
use axum::extract::{Path, State};
use keystride_app::stats::{self, GroupDocument, SpreadMeasure};
use keystride_store::{Region, RegionDocument, TableName};
use keystride_table::TableDocument;
use keystride_table::explain::BoundsDocument;
use keystride_table::fit::FitDocument;
use serde::Serialize;

use super::designs::DesignDocument;
use super::{ApiError, time_style};
use crate::served::Shared;

/// A table's families, and its design.
#[derive(Serialize)]
pub(super) struct Described {
    #[serde(flatten)]
    table: TableDocument,
    /// The design's parts, if it is known.
    key: Option<DesignDocument>,
}

pub(super) async fn describe(
    State(served): State<Shared>,
    Path(name): Path<String>,
) -> Result<Json<Described>, ApiError> {
    let name = TableName::new(&name)?;
    let described = served.store.describe(&name).await?;
    let table = served.designed_table(&name).await?;
    let key = table.map(|table| DesignDocument::new(table.codec()));
    Ok(Json(Described { table: TableDocument::from(&described), key }))
}

/// The regions of a table, and what passed through them.
#[derive(Serialize)]
pub(super) struct Regions {
    #[serde(rename = "regions")]
    shown: Vec<ShownRegion>,
    by_bucket: Option<Vec<GroupDocument>>,
    by_server: Vec<GroupDocument>,
    /// How even the rows written are.
    balance: Option<SpreadMeasure>,
    /// How many regions have no known counts, since their servers did not answer.
    uncounted: usize,
    /// How many regions have no row written and hold nothing. A server counts from when it opened the region.
    never_written: usize,
}

#[derive(Serialize)]
struct ShownRegion {
    #[serde(flatten)]
    region: RegionDocument,
    #[serde(flatten)]
    bounds: Option<BoundsDocument>,
    bucket: Option<String>,
}

pub(super) async fn regions(
    State(served): State<Shared>,
    Path(name): Path<String>,
) -> Result<Json<Regions>, ApiError> {
    let name = TableName::new(&name)?;
    let regions = served.store.regions(&name).await?;
    let table = served.designed_table(&name).await?;
    let buckets = table.as_ref().filter(|table| table.design().leading_bucket().is_some());
    let bucket_of = buckets.map(|table| stats::bucket_of_region(table.codec()));
    let shown = regions.iter().enumerate().map(|(index, region)| ShownRegion {
        region: RegionDocument::new(index, region),
        bounds: table.as_ref().map(|table| BoundsDocument::new(table.codec(), &region.range, &time_style())),
        bucket: bucket_of.as_ref().and_then(|of| of(&region.range)),
    });
    Ok(Json(Regions {
        shown: shown.collect(),
        by_bucket: buckets.map(|table| stats::by_bucket(table, &regions)),
        by_server: stats::by_server(&regions),
        balance: stats::rows_written(&regions).map(|rows| SpreadMeasure::of(&rows)),
        uncounted: regions.iter().filter(|region| region.known_counts().is_none()).count(),
        never_written: regions.iter().filter(|region| is_never_written(region)).count(),
    }))
}

fn is_never_written(region: &Region) -> bool {
    let holds_nothing = region.load.is_none_or(|load| load.bytes == 0);
    region.known_counts().is_some_and(|counts| counts.rows_written == 0) && holds_nothing
}

/// Compares a table with the design that is kept with it.
pub(super) async fn check(
    State(served): State<Shared>,
    Path(name): Path<String>,
) -> Result<Json<FitDocument>, ApiError> {
    let name = TableName::new(&name)?;
    let table = served.table(&name).await?;
    let fit = table.fit(None).await?;
    Ok(Json(FitDocument::new(&name, &fit)))
}
