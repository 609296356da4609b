//! What can be asked below `/api/v1`: see docs/console.md.

mod answer;
mod create;
mod designer;
mod designs;
mod error;
mod exact;
mod explain;
mod extracts;
mod files;
mod heat;
mod input;
mod jobs;
mod key;
mod loads;
mod openapi;
mod query;
mod remove;
mod routes;
mod session;
mod split;
mod splits;
mod table;
mod tables;
mod worded;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::get;

use keystride::design::TimeStyle;

use crate::assets;
use crate::safety::guard;
use crate::served::Shared;

pub(crate) use error::ApiError;

/// The largest body of a request that is not a file.
const MOST_BODY_BYTES: usize = 20 << 20;

/// Returns the style in which pages show times: as people read them, in the zone of the field.
fn time_style() -> TimeStyle {
    TimeStyle::Iso8601 { zone: None }
}

/// Everything that the console answers.
pub(crate) fn app(served: Shared) -> Router {
    let root = served.options.base_path.to_string();
    let pages = Router::new()
        .nest("/api/v1", routes::api(&served))
        .route("/assets/{*path}", get(assets::asset))
        .route("/", get(async || assets::index()));
    // Without its last slash, the relative addresses of the first page would lead elsewhere.
    let site = if root.is_empty() { pages } else { Router::new().nest(&format!("{root}/"), pages) };
    site.fallback(async || ApiError::no_such_page())
        .layer(DefaultBodyLimit::max(MOST_BODY_BYTES))
        .layer(from_fn_with_state(served.clone(), guard))
        .with_state(served)
}
