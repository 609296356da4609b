//! Names by which a browser may ask. A page of another site can make its own name lead to this machine (DNS rebinding);
//! the browser then sends that name.

use std::net::Ipv6Addr;
use std::str::FromStr;

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};

use crate::served::Served;

const LOOPBACK: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// A name of a proxy, or of this machine, by which browsers may ask: with any port, or with one alone.
///
/// ```
/// # use keystride_console::AllowedHost;
/// assert!("keys.example.com:8443".parse::<AllowedHost>().is_ok());
/// assert!("https://keys.example.com".parse::<AllowedHost>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedHost {
    name: String,
    port: Option<u16>,
}

/// A text that is not the name of a host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{found}\" is not the name of a host: write one such as keys.example.com, or keys.example.com:8443 for one port"
)]
pub struct InvalidHost {
    found: String,
}

impl FromStr for AllowedHost {
    type Err = InvalidHost;

    fn from_str(text: &str) -> Result<Self, InvalidHost> {
        let invalid = || InvalidHost { found: text.to_owned() };
        let (name, port) = name_and_port(text);
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let number = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        let is_name = match number {
            Some(number) => number.parse::<Ipv6Addr>().is_ok(),
            None => !name.is_empty() && name.chars().all(is_of_name),
        };
        let port = port.map(str::parse).transpose().map_err(|_| invalid())?;
        if is_name { Ok(Self { name: name.to_owned(), port }) } else { Err(invalid()) }
    }
}

impl AllowedHost {
    fn allows(&self, name: &str, port: Option<&str>) -> bool {
        // Browsers leave the usual ports out.
        let is_port = |own: u16| port.map_or(own == 80 || own == 443, |port| port.parse() == Ok(own));
        self.name.eq_ignore_ascii_case(name) && self.port.is_none_or(is_port)
    }
}

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
    let (name, port) = name_and_port(host);
    let is_port = port.map_or(80, |port| port.parse().unwrap_or(0)) == served.address.port();
    // No name can be made to lead to it: it is a number.
    let is_own = host.parse() == Ok(served.address);
    // A proxy has a port of its own.
    let is_allowed = served.options.allowed_hosts.iter().any(|allowed| allowed.allows(name, port));
    is_allowed || is_own || (is_port && LOOPBACK.iter().any(|loopback| loopback.eq_ignore_ascii_case(name)))
}

fn name_and_port(host: &str) -> (&str, Option<&str>) {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') => (name, Some(port)),
        _ => (host, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_host_is_not_allowed_as_one() {
        for name in
            ["keys.example", "keys.example:8443", "k", "10.0.0.7", "[::1]", "[2001:db8::7]:80", "a_b-c.d"]
        {
            assert!(name.parse::<AllowedHost>().is_ok(), "{name}");
        }
        for name in [
            "",
            ":80",
            "https://keys.example",
            "keys.example/keys",
            "keys.example:",
            "keys.example:port",
            "keys.example:65536",
            "*.example",
            "a b",
            "a,b",
            "ann@keys.example",
            "::1",
            "[::1",
            "[keys.example]",
        ] {
            assert!(name.parse::<AllowedHost>().is_err(), "{name}");
        }
    }

    #[test]
    fn a_usual_port_is_the_one_that_browsers_leave_out() {
        let allows = |allowed: &str, host: &str| {
            let (name, port) = name_and_port(host);
            allowed.parse::<AllowedHost>().unwrap().allows(name, port)
        };
        assert!(allows("keys.example:443", "keys.example") && allows("keys.example:443", "keys.example:443"));
        assert!(
            !allows("keys.example:443", "keys.example:8443") && !allows("keys.example:8443", "keys.example")
        );
        assert!(allows("[::1]", "[::1]:9") && allows("keys.example", "KEYS.example:9"));
    }
}
