//! The pages: files that are built into the program. A debug build reads them from the disk each time.

use axum::body::Body;
use axum::extract::Path;
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use keystride_advisor::lint::Language;
use rust_embed::Embed;

#[derive(Embed)]
#[folder = "assets"]
struct Assets;

/// The first page.
pub(crate) fn index() -> Response {
    file("index.html").unwrap_or_else(|| StatusCode::NOT_FOUND.into_response())
}

/// The page for a browser that has no session: in both languages, this one first.
pub(crate) fn no_session(language: Language) -> Response {
    let page = match language {
        Language::English => "no-session.html",
        Language::Chinese => "no-session.zh-CN.html",
    };
    let page = file(page).unwrap_or_else(|| StatusCode::UNAUTHORIZED.into_response());
    (StatusCode::UNAUTHORIZED, page).into_response()
}

/// Whether a request is for the style of that page, which has nothing of anybody's tables.
pub(crate) fn is_style_of_no_session(base_path: &str, method: &Method, path: &str) -> bool {
    *method == Method::GET && path.strip_prefix(base_path) == Some("/assets/style/base.css")
}

/// The language that a browser would rather read, by its `Accept-Language`: the first of those that pages have.
pub(crate) fn language_of(accepted: &str) -> Language {
    let mut languages = accepted.split(',').map(|language| language.trim().to_ascii_lowercase());
    match languages.find(|language| language.starts_with("zh") || language.starts_with("en")) {
        Some(language) if language.starts_with("zh") => Language::Chinese,
        _ => Language::English,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_reads_the_first_of_its_languages_that_pages_have() {
        for chinese in ["zh-CN,zh;q=0.9,en;q=0.8", "zh", "de, zh-TW;q=0.7, en;q=0.3", "ZH-cn"] {
            assert_eq!(language_of(chinese), Language::Chinese, "{chinese}");
        }
        for english in ["en-US,en;q=0.9,zh-CN;q=0.8", "", "de", "fr, en, zh", "*"] {
            assert_eq!(language_of(english), Language::English, "{english}");
        }
    }
}
