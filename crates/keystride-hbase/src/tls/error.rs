//! TLS errors.

use rustls::{CertificateError, Error as RustlsError};

/// Why there is no TLS connection. Retrying does not help.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TlsError {
    /// A PEM file can't be read or parsed.
    #[error("{pem} can't be read: {reason}")]
    Unreadable {
        /// The file.
        pem: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A PEM file does not contain what it should.
    #[error("{pem} contains no {wanted} between -----BEGIN and -----END lines")]
    Nothing {
        /// The file.
        pem: String,
        /// What it should contain.
        wanted: &'static str,
    },
    /// The system has no trusted certificates.
    #[error("the system has no trusted certificates{reason}: name some")]
    NoSystemRoots {
        /// What went wrong, if anything.
        reason: String,
    },
    /// The client's certificate and key don't match, or are of an unsupported kind.
    #[error("the client's certificate and key can't be used: {reason}")]
    BadIdentity {
        /// What is wrong with them.
        reason: String,
    },
    /// An invalid host name.
    #[error("{host:?} is neither a host name nor an address")]
    BadHost {
        /// Its name.
        host: String,
    },
    /// The server's certificate was not issued by a trusted authority.
    #[error("its certificate is not trusted: {reason}; trust it, or the authority that signed it")]
    NotTrusted {
        /// What is wrong with it.
        reason: String,
    },
    /// The certificate has expired or is not yet valid.
    #[error("its certificate has expired or is not yet valid: {reason}")]
    NotOfThisTime {
        /// When it expired, or becomes valid.
        reason: String,
    },
    /// The server's certificate is for other hosts.
    #[error("its certificate does not name this host, but {}", list(.names))]
    OtherHost {
        /// The hosts it names.
        names: Vec<String>,
    },
    /// What the server answered is not TLS.
    #[error("it does not speak TLS on this port")]
    NotTls,
    /// The server refused the handshake.
    #[error("it refused the handshake with {alert}; it may require a client certificate, or another one")]
    Refused {
        /// The TLS alert.
        alert: String,
    },
    /// Another error.
    #[error("{reason}")]
    Handshake {
        /// The message of rustls.
        reason: String,
    },
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "no host at all".into() } else { names.join(", ") }
}

impl From<&RustlsError> for TlsError {
    fn from(error: &RustlsError) -> Self {
        match error {
            RustlsError::InvalidCertificate(error) => of_certificate(error),
            RustlsError::InvalidMessage(_) => Self::NotTls,
            RustlsError::AlertReceived(alert) => Self::Refused { alert: format!("{alert:?}") },
            other => Self::Handshake { reason: other.to_string() },
        }
    }
}

fn of_certificate(error: &CertificateError) -> TlsError {
    use CertificateError as Bad;
    let reason = error.to_string();
    match error {
        Bad::NotValidForNameContext { presented, .. } => {
            TlsError::OtherHost { names: presented.iter().map(|name| plain_name(name)).collect() }
        }
        Bad::Expired | Bad::ExpiredContext { .. } | Bad::NotValidYet | Bad::NotValidYetContext { .. } => {
            TlsError::NotOfThisTime { reason }
        }
        Bad::UnknownIssuer => TlsError::NotTrusted { reason: "no trusted authority signed it".into() },
        _ => TlsError::NotTrusted { reason },
    }
}

/// rustls writes `DnsName("rs1.example.org")` and `IpAddress(10.0.0.1)`.
fn plain_name(name: &str) -> String {
    let inner = name.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
    inner.unwrap_or(name).trim_matches('"').to_owned()
}
