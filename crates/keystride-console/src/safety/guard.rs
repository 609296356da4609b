use std::net::SocketAddr;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use keystride_advisor::lint::Language;

use super::hosts::{is_known_host, is_own_origin};
use super::{User, add_headers};
use crate::api::ApiError;
use crate::assets;
use crate::served::{Served, Shared};

/// What no form of another site can send.
const CHANGE_HEADER: &str = "x-keystride";

/// Why a request is answered.
enum Admission {
    /// It has the cookie of a session.
    Session,
    /// It begins a session; this sets the cookie.
    Begin(HeaderValue),
    /// A proxy that is trusted has let its user in.
    Proxy(User),
    /// It asks for what everybody may see.
    Public,
}

/// Answers a request if it may be answered.
pub(crate) async fn guard(State(served): State<Shared>, mut request: Request, next: Next) -> Response {
    let mut response = match check(&served, &request) {
        Ok(Admission::Session | Admission::Public) => next.run(request).await,
        Ok(Admission::Begin(cookie)) => {
            let mut response = next.run(request).await;
            response.headers_mut().insert(header::SET_COOKIE, cookie);
            response
        }
        Ok(Admission::Proxy(user)) => {
            request.extensions_mut().insert(user);
            next.run(request).await
        }
        Err(refusal) => *refusal,
    };
    add_headers(response.headers_mut());
    response
}

/// Checks a request.
fn check(served: &Served, request: &Request) -> Result<Admission, Box<Response>> {
    let (method, uri, headers) = (request.method(), request.uri(), request.headers());
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
    if let Some(user) = proxy_user(served, request) {
        return Ok(Admission::Proxy(user));
    }
    if served.sessions.knows(headers) {
        return Ok(Admission::Session);
    }
    let base_path = served.options.base_path.as_ref();
    let token = token(base_path, method, uri);
    let cookie = token.and_then(|token| served.sessions.begin(token, base_path));
    match cookie.and_then(|cookie| HeaderValue::from_str(&cookie).ok()) {
        Some(cookie) => Ok(Admission::Begin(cookie)),
        None if uri.path().contains("/api/") => Err(Box::new(ApiError::no_session().into_response())),
        None if assets::is_style_of_no_session(base_path, method, uri.path()) => Ok(Admission::Public),
        None => Err(Box::new(assets::no_session(language(served, headers)))),
    }
}

/// Returns the language of who has no session: that of the console or, if it has none, of the browser.
fn language(served: &Served, headers: &HeaderMap) -> Language {
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|languages| languages.to_str().ok());
    served.options.language.unwrap_or_else(|| assets::language_of(accepted.unwrap_or_default()))
}

/// Returns the user whom a proxy that is trusted has let in.
fn proxy_user(served: &Served, request: &Request) -> Option<User> {
    let ConnectInfo(peer) = request.extensions().get::<ConnectInfo<SocketAddr>>()?;
    served.options.trusted_header.as_ref()?.user(*peer, request.headers())
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
    if !served.options.allow_write {
        return ApiError::read_only().into_response();
    }
    let user = request.extensions().get::<User>().map(tracing::field::display);
    tracing::info!(method = %request.method(), path = request.uri().path(), user, "a change");
    next.run(request).await
}
