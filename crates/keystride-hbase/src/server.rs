//! Names of servers.

use std::fmt;
use std::str::FromStr;

use crate::proto;

/// A server of a cluster: its address and its start code. A restarted server is another `ServerName`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServerName {
    /// Its host name, as the cluster knows it.
    pub host: Box<str>,
    /// Its port.
    pub port: u16,
    /// Its start time in ms since 1970.
    pub start_code: u64,
}

/// A server's address: `host:port`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostPort {
    /// A host name or an IP address.
    pub host: Box<str>,
    /// The port.
    pub port: u16,
}

/// Text that is not `host` or `host:port`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{found:?} is not a server address: use host or host:port")]
pub struct BadServer {
    /// The text.
    pub found: String,
}

impl ServerName {
    /// Its address.
    pub fn address(&self) -> HostPort {
        HostPort { host: self.host.clone(), port: self.port }
    }

    /// Parses `host,port,startcode`, the format in hbase:meta and znodes.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.rsplitn(3, ',');
        let start_code = parts.next()?.parse().ok()?;
        let port = parts.next()?.parse().ok()?;
        Some(Self { host: parts.next()?.into(), port, start_code })
    }

    pub(crate) fn from_proto(name: &proto::ServerName) -> Option<Self> {
        let port = u16::try_from(name.port()).ok().filter(|&port| port != 0)?;
        Some(Self { host: name.host_name.as_str().into(), port, start_code: name.start_code() })
    }

    pub(crate) fn to_proto(&self) -> proto::ServerName {
        proto::ServerName {
            host_name: self.host.to_string(),
            port: Some(self.port.into()),
            start_code: Some(self.start_code),
        }
    }
}

impl HostPort {
    /// Parses `host` or `host:port`. IPv6 addresses are in brackets.
    ///
    /// # Errors
    ///
    /// [`BadServer`].
    pub fn parse(text: &str, default_port: u16) -> Result<Self, BadServer> {
        let bad = || BadServer { found: text.into() };
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, port.parse().map_err(|_| bad())?),
            _ => (text, default_port),
        };
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        if host.is_empty() || host.contains(char::is_whitespace) {
            return Err(bad());
        }
        Ok(Self { host: host.into(), port })
    }
}

impl FromStr for HostPort {
    type Err = BadServer;

    /// Parses `host:port`, or `host` with the default port of masters, 16000.
    fn from_str(text: &str) -> Result<Self, BadServer> {
        Self::parse(text, 16_000)
    }
}

impl fmt::Display for HostPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            return write!(f, "[{}]:{}", self.host, self.port);
        }
        write!(f, "{}:{}", self.host, self.port)
    }
}

impl fmt::Debug for HostPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for ServerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.host, self.port, self.start_code)
    }
}

impl fmt::Debug for ServerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_read_with_and_without_a_port() {
        for (text, shown) in
            [("a", "a:16000"), ("a:1", "a:1"), ("[::1]:2", "[::1]:2"), ("[::1]", "[::1]:16000")]
        {
            assert_eq!(text.parse::<HostPort>().unwrap().to_string(), shown);
        }
        for text in ["", ":1", "a:b", "a:70000", "a b"] {
            assert!(text.parse::<HostPort>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_name_keeps_its_start_code() {
        let name = ServerName::parse("rs1,16020,1700000000000").unwrap();
        assert_eq!((name.port, name.start_code), (16_020, 1_700_000_000_000));
        assert_eq!(name.to_string(), "rs1,16020,1700000000000");
        assert_eq!(ServerName::parse("rs1,16020"), None);
    }
}
