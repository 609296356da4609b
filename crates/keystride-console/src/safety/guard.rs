use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::add_headers;
use super::hosts::{is_known_host, is_own_origin};
use crate::api::ApiError;
use crate::assets;
use crate::served::{Served, Shared};

/// What no form of another site can send.
const CHANGE_HEADER: &str = "x-keystride";

/// Answers a request if it may be answered.
pub(crate) async fn guard(State(served): State<Shared>, request: Request, next: Next) -> Response {
    let mut response = match check(&served, request.method(), request.uri(), request.headers()) {
        Ok(cookie) => {
            let mut response = next.run(request).await;
            if let Some(cookie) = cookie {
                response.headers_mut().insert(header::SET_COOKIE, cookie);
            }
            response
        }
        Err(refusal) => *refusal,
    };
    add_headers(response.headers_mut());
    response
}

/// Checks a request, and returns the cookie of a session that it begins.
fn check(
    served: &Served,
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
) -> Result<Option<HeaderValue>, Box<Response>> {
    if !is_known_host(served, headers) {
        return Err(Box::new(ApiError::unknown_host().into_response()));
    }
    let is_change = !matches!(*method, Method::GET | Method::HEAD);
    let is_other_site = headers.get("sec-fetch-site").is_some_and(|site| site != "same-origin");
    if is_change
        && (is_other_site
            || is_own_origin(served, headers) == Some(false)
            || !headers.contains_key(CHANGE_HEADER))
    {
        return Err(Box::new(ApiError::other_site().into_response()));
    }
    if served.sessions.knows(headers) {
        return Ok(None);
    }
    let token = token(served.options.base_path.as_ref(), method, uri);
    let cookie = token.and_then(|token| served.sessions.begin(token, served.options.base_path.as_ref()));
    match cookie.and_then(|cookie| HeaderValue::from_str(&cookie).ok()) {
        Some(cookie) => Ok(Some(cookie)),
        None if uri.path().contains("/api/") => Err(Box::new(ApiError::no_session().into_response())),
        None => Err(Box::new(assets::no_session())),
    }
}

/// Returns the token in the address of the first page, which alone takes one.
fn token<'a>(base_path: &str, method: &Method, uri: &'a Uri) -> Option<&'a str> {
    if *method != Method::GET || uri.path().strip_prefix(base_path) != Some("/") {
        return None;
    }
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

/// Refuses what changes a table where that is not allowed.
pub(crate) async fn demand_write(State(served): State<Shared>, request: Request, next: Next) -> Response {
    if served.options.allow_write { next.run(request).await } else { ApiError::read_only().into_response() }
}
