//! Exceptions sent by servers.

use std::fmt;
use std::time::Duration;

use super::Recovery;
use crate::error::recovery::recovery_of;
use crate::{HostPort, ServerName, proto};

/// A server's exception.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteError {
    /// Name of the Java class, with its package.
    pub class: Box<str>,
    /// Its message, followed by the Java stack trace.
    pub stack: Box<str>,
    /// Whether the server says not to retry.
    pub do_not_retry: bool,
    /// Whether the server says that it is overloaded.
    pub overloaded: bool,
    /// The server that sent it, once known.
    pub server: Option<HostPort>,
    /// The region it is about, escaped, once known.
    pub region: Option<Box<str>>,
    moved_to: Option<ServerName>,
}

impl RemoteError {
    pub(crate) fn from_header(exception: &proto::ExceptionResponse) -> Self {
        let port = u16::try_from(exception.port()).ok().filter(|&port| port != 0);
        let class = exception.exception_class_name();
        let stack = exception.stack_trace();
        let moved =
            exception.hostname.as_deref().zip(port).filter(|_| class.ends_with("RegionMovedException"));
        Self {
            moved_to: moved.map(|(host, port)| ServerName {
                host: host.into(),
                port,
                start_code: moved_to(stack).map_or(0, |to| to.start_code),
            }),
            class: class.into(),
            stack: stack.into(),
            do_not_retry: exception.do_not_retry(),
            overloaded: exception.server_overloaded(),
            server: None,
            region: None,
        }
    }

    /// Exceptions inside a Multi have a class and a text, but no flags.
    pub(crate) fn from_pair(pair: &proto::NameBytesPair) -> Self {
        let stack = String::from_utf8_lossy(pair.value());
        Self {
            moved_to: pair.name.ends_with("RegionMovedException").then(|| moved_to(&stack)).flatten(),
            class: pair.name.as_str().into(),
            stack: stack.into(),
            do_not_retry: false,
            overloaded: false,
            server: None,
            region: None,
        }
    }

    pub(crate) fn at(mut self, server: &HostPort) -> Self {
        self.server = Some(server.clone());
        self
    }

    /// Whether it is about the whole connection: `FatalConnectionException` and its subclasses.
    pub(crate) fn is_fatal(&self) -> bool {
        matches!(
            self.short_class(),
            "FatalConnectionException"
                | "BadAuthException"
                | "WrongVersionException"
                | "EmptyServiceNameException"
                | "UnknownServiceException"
                | "UnsupportedCellCodecException"
                | "UnsupportedCompressionCodecException"
                | "UnsupportedCryptoException"
        )
    }

    /// Name of the Java class without its package.
    pub fn short_class(&self) -> &str {
        short_class(&self.class)
    }

    /// Its message, without the class in front and the stack trace after it.
    pub fn message(&self) -> &str {
        let first = self.stack.split("\n\tat ").next().unwrap_or_default().trim_end();
        first.strip_prefix(&*self.class).map_or(first, |rest| rest.trim_start_matches([':', ' ']))
    }

    /// How to recover from it.
    pub fn recovery(&self) -> Recovery {
        recovery_of(self)
    }

    /// Where a moved region went, if the exception says so.
    pub(super) fn moved_to(&self) -> Option<&ServerName> {
        self.moved_to.as_ref()
    }

    /// How long the server asks to wait before the next attempt.
    pub(super) fn throttled_for(&self) -> Option<Duration> {
        parse_wait(self.message().split_once(" - wait ")?.1)
    }
}

/// Name of a Java class without its package.
pub(super) fn short_class(class: &str) -> &str {
    class.rsplit(['.', '$']).next().unwrap_or(class)
}

/// Reads `Region moved to: hostname=H port=P startCode=S. As of locationSeqNum=N.`
fn moved_to(text: &str) -> Option<ServerName> {
    let after = |name: &str, end: &[char]| {
        let rest = &text[text.find(name)? + name.len()..];
        Some(&rest[..rest.find(end)?])
    };
    Some(ServerName {
        host: after("hostname=", &[' '])?.into(),
        port: after("port=", &[' ', '.'])?.parse().ok()?,
        start_code: after("startCode=", &[' ', '.'])?.parse().ok()?,
    })
}

/// Parses `2hrs, 1min, 5sec, 20ms`; every part except the last is optional.
fn parse_wait(text: &str) -> Option<Duration> {
    let mut wait = Duration::ZERO;
    for part in text.split(", ") {
        let digits = part.find(|c: char| !c.is_ascii_digit())?;
        let count = part[..digits].parse().ok()?;
        let unit: &str = part[digits..].split(|c: char| !c.is_ascii_lowercase()).next()?;
        let more = match unit {
            "hr" | "hrs" => Duration::from_secs(count).checked_mul(3_600)?,
            "min" | "mins" => Duration::from_secs(count).checked_mul(60)?,
            "sec" | "secs" => Duration::from_secs(count),
            "ms" => return wait.checked_add(Duration::from_millis(count)),
            _ => return None,
        };
        wait = wait.checked_add(more)?;
    }
    None
}

impl std::error::Error for RemoteError {}

impl fmt::Display for RemoteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.short_class(), self.message().lines().next().unwrap_or_default())?;
        if let Some(server) = &self.server {
            write!(f, " (server {server}")?;
            if let Some(region) = &self.region {
                write!(f, ", region {region}")?;
            }
            f.write_str(")")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(class: &str, text: &str) -> RemoteError {
        let value = Some(text.to_owned().into());
        RemoteError::from_pair(&proto::NameBytesPair { name: class.into(), value })
    }

    #[test]
    fn a_moved_region_says_where_it_went() {
        let text = "org.x.RegionMovedException: Region moved to: hostname=rs2 port=16020 \
                    startCode=1700000000001. As of locationSeqNum=12.\n\tat a.b(C.java:1)";
        let error = pair("org.x.RegionMovedException", text);
        assert_eq!(error.moved_to().unwrap().to_string(), "rs2,16020,1700000000001");
        assert!(error.message().starts_with("Region moved to") && error.message().ends_with("Num=12."));
    }

    #[test]
    fn waits_are_read_in_all_their_forms() {
        for (text, ms) in [
            ("20ms", 20),
            ("5sec, 0ms", 5_000),
            ("1min, 5sec, 20ms", 65_020),
            ("2hrs, 1min, 5sec, 20ms", 7_265_020),
            ("1hr, 1ms", 3_600_001),
        ] {
            assert_eq!(parse_wait(text), Some(Duration::from_millis(ms)), "{text}");
        }
        assert_eq!(parse_wait("soon"), None);
    }

    #[test]
    fn a_wait_that_overflows_is_none() {
        let most = u64::MAX;
        for text in
            [format!("{most}sec, 1min, 0ms"), format!("{most}hrs, 0ms"), format!("1hr, {most}sec, 1ms")]
        {
            assert_eq!(parse_wait(&text), None, "{text}");
        }
    }
}
