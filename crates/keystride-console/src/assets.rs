//! The pages: files that are built into the program. A debug build reads them from the disk each time.

use axum::body::Body;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::Embed;

#[derive(Embed)]
#[folder = "assets"]
struct Assets;

/// The first page.
pub(crate) fn index() -> Response {
    file("index.html").unwrap_or_else(|| StatusCode::NOT_FOUND.into_response())
}

/// The page for a browser that has no session.
pub(crate) fn no_session() -> Response {
    let page = file("no-session.html").unwrap_or_else(|| StatusCode::UNAUTHORIZED.into_response());
    (StatusCode::UNAUTHORIZED, page).into_response()
}

pub(crate) async fn asset(Path(path): Path<String>) -> Response {
    file(&path).unwrap_or_else(|| StatusCode::NOT_FOUND.into_response())
}

fn file(path: &str) -> Option<Response> {
    let data = Assets::get(path)?.data;
    let kind = match path.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        _ => return None,
    };
    Some(([(header::CONTENT_TYPE, kind)], Body::from(data.into_owned())).into_response())
}
