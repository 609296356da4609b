//! Names by which a browser may ask. A page of another site can make its own name lead to this machine (DNS rebinding);
//! the browser then sends that name.

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};

use crate::served::Served;

const LOOPBACK: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// Whether the request names a host that is this console's.
pub(super) fn is_known_host(served: &Served, headers: &HeaderMap) -> bool {
    // One that is named twice may be read as the one here, and as the other elsewhere.
    let mut hosts = headers.get_all(HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
    host.to_str().is_ok_and(|host| is_known(served, host))
}

/// Whether the page that asks is one of this console's: `None` if the browser does not say.
pub(super) fn is_own_origin(served: &Served, headers: &HeaderMap) -> Option<bool> {
    let origin = headers.get(ORIGIN)?;
    let host = origin
        .to_str()
        .ok()
        .and_then(|origin| origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")));
    Some(host.is_some_and(|host| is_known(served, host)))
}

fn is_known(served: &Served, host: &str) -> bool {
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') => (name, Some(port)),
        _ => (host, None),
    };
    let is_port = port.map_or(80, |port| port.parse().unwrap_or(0)) == served.address.port();
    // No name can be made to lead to it: it is a number.
    let is_own = host.parse() == Ok(served.address);
    // A proxy has a port of its own.
    let is_allowed = served.options.allowed_hosts.iter().any(|allowed| {
        allowed.eq_ignore_ascii_case(host) || (!allowed.contains(':') && allowed.eq_ignore_ascii_case(name))
    });
    is_allowed || is_own || (is_port && LOOPBACK.iter().any(|loopback| loopback.eq_ignore_ascii_case(name)))
}
