use std::fmt;
use std::net::SocketAddr;
use std::str::FromStr;

use axum::http::{HeaderMap, HeaderName};

/// The header by which a proxy on this machine names the user whom it lets in. A request that has it needs no session.
///
/// ```
/// # use keystride_console::TrustedHeader;
/// assert_eq!("X-Forwarded-User".parse::<TrustedHeader>()?.to_string(), "x-forwarded-user");
/// assert!("User-Agent".parse::<TrustedHeader>().is_err());
/// # Ok::<(), keystride_console::InvalidTrustedHeader>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustedHeader(HeaderName);

/// A text that names no header for users.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidTrustedHeader {
    /// It is not the name of a header.
    #[error("\"{found}\" is not the name of a header: write one such as X-Forwarded-User")]
    NotAName {
        /// The text.
        found: String,
    },
    /// The header is there whoever asks.
    #[error(
        "{found} is sent for everybody: name a header that only the proxy sets, such as X-Forwarded-User"
    )]
    SentByAll {
        /// Its name.
        found: String,
    },
}

/// Who asks, by the name that a proxy knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct User(String);

/// What browsers send without being told, and what proxies say of every request.
const SENT_BY_ALL: [&str; 25] = [
    "accept",
    "authorization",
    "cache-control",
    "connection",
    "cookie",
    "date",
    "dnt",
    "expect",
    "forwarded",
    "host",
    "keep-alive",
    "origin",
    "pragma",
    "priority",
    "range",
    "referer",
    "te",
    "transfer-encoding",
    "upgrade",
    "upgrade-insecure-requests",
    "user-agent",
    "via",
    "x-keystride",
    "x-real-ip",
    "x-request-id",
];
const BEGINNINGS: [&str; 7] =
    ["accept-", "access-control-", "content-", "if-", "proxy-", "sec-", "x-requested-"];
/// Where a request came from; `x-forwarded-user` and the like say who sent it.
const FORWARDED: [&str; 7] = ["by", "for", "host", "port", "prefix", "proto", "server"];

impl FromStr for TrustedHeader {
    type Err = InvalidTrustedHeader;

    fn from_str(text: &str) -> Result<Self, InvalidTrustedHeader> {
        let not_a_name = |_| InvalidTrustedHeader::NotAName { found: text.to_owned() };
        let name: HeaderName = text.parse().map_err(not_a_name)?;
        let word = name.as_str();
        let is_sent_by_all = SENT_BY_ALL.contains(&word)
            || BEGINNINGS.iter().any(|beginning| word.starts_with(beginning))
            || word.strip_prefix("x-forwarded-").is_some_and(|rest| FORWARDED.contains(&rest));
        if is_sent_by_all {
            return Err(InvalidTrustedHeader::SentByAll { found: text.to_owned() });
        }
        Ok(Self(name))
    }
}

impl TrustedHeader {
    /// Returns the user whom a request names, if it comes from this machine. One that names two may have one of them from
    /// the user and one from the proxy, so it names none.
    pub(super) fn user(&self, peer: SocketAddr, headers: &HeaderMap) -> Option<User> {
        let mut values = headers.get_all(&self.0).iter();
        let (Some(value), None) = (values.next(), values.next()) else { return None };
        let name = String::from_utf8_lossy(value.as_bytes()).trim().to_owned();
        (peer.ip().to_canonical().is_loopback() && !name.is_empty()).then_some(User(name))
    }
}

impl fmt::Display for TrustedHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str())
    }
}

impl fmt::Display for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_that_everybody_sends_are_refused() {
        for name in ["X-Forwarded-User", "Remote-User", "x-auth-request-email", "Tailscale-User-Login"] {
            assert!(name.parse::<TrustedHeader>().is_ok(), "{name}");
        }
        for name in ["Host", "cookie", "X-Keystride", "X-Forwarded-For", "Accept-Language", "Sec-Fetch-Site"]
        {
            let refused = name.parse::<TrustedHeader>();
            assert_eq!(refused, Err(InvalidTrustedHeader::SentByAll { found: name.to_owned() }));
        }
        for name in ["", " ", "x forwarded", "X-Forwarded-User: ann", "用户"] {
            let refused = name.parse::<TrustedHeader>();
            assert_eq!(refused, Err(InvalidTrustedHeader::NotAName { found: name.to_owned() }));
        }
    }

    #[test]
    fn only_this_machine_names_users() {
        let header: TrustedHeader = "X-Forwarded-User".parse().unwrap();
        let headers = HeaderMap::from_iter([(header.0.clone(), "ann".parse().unwrap())]);
        let user = |peer: &str| header.user(peer.parse().unwrap(), &headers);
        for peer in ["127.0.0.1:1", "127.8.8.8:1", "[::1]:1", "[::ffff:127.0.0.1]:1"] {
            assert_eq!(user(peer), Some(User("ann".to_owned())), "{peer}");
        }
        for peer in
            ["192.0.2.1:1", "10.0.0.1:1", "0.0.0.0:1", "[::]:1", "[2001:db8::1]:1", "[::ffff:192.0.2.1]:1"]
        {
            assert_eq!(user(peer), None, "{peer}");
        }
    }
}
