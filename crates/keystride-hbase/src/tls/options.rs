//! What a user says of TLS.

use std::fmt;
use std::path::PathBuf;

/// How servers are spoken to over TLS, 1.2 or 1.3, which HBase has from 2.6 on (`hbase.server.netty.tls.enabled`).
///
/// TLS only hides what is said and proves who the server is; who the user is, is told as without it.
///
/// ```
/// # use keystride_hbase::{ClientOptions, Pem, TlsOptions};
/// let tls = TlsOptions { trusted: vec![Pem::File("/etc/hbase/ca.pem".into())], ..TlsOptions::default() };
/// let options = ClientOptions::from_env().with(|options| options.tls = Some(tls));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TlsOptions {
    /// Certificates that are trusted: those of servers, or of authorities that signed them. Without any, those that
    /// the system trusts.
    pub trusted: Vec<Pem>,
    /// What the client shows to servers that ask for it (`hbase.server.netty.tls.client.auth.mode`, by default they
    /// do).
    pub identity: Option<ClientIdentity>,
    /// Whether a server's certificate must name its host.
    pub host_names: HostNames,
}

/// A client's certificate and its key, for servers that let in only clients they know.
///
/// Unless told otherwise (`hbase.server.netty.tls.verify.client.hostname`) they also want the certificate to name the
/// client's host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientIdentity {
    /// The certificate, then those of the authorities above it, without the topmost.
    pub certificates: Pem,
    /// Its private key: PKCS #8, PKCS #1 or SEC 1, not encrypted.
    pub key: Pem,
}

/// Whether a server's certificate must name its host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HostNames {
    /// It must: the name by which hbase:meta or the cluster's address calls the server, as DNS name or IP address
    /// among its subject alternative names. Its common name does not count.
    #[default]
    Checked,
    /// It need not: **any** holder of **any** certificate that is trusted can pass for any server. Only for clusters
    /// whose certificates name no hosts, and together with [`TlsOptions::trusted`] that trusts nothing else.
    DangerouslyUnchecked,
}

/// Certificates or a key in PEM, `-----BEGIN ...`.
#[derive(Clone, PartialEq, Eq)]
pub enum Pem {
    /// A file, read when the client is made.
    File(PathBuf),
    /// The text itself.
    Bytes(Vec<u8>),
}

/// Without the bytes: they may be a key.
impl fmt::Debug for Pem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pem({self})")
    }
}

/// Where it is from.
impl fmt::Display for Pem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Bytes(bytes) => write!(f, "PEM of {} bytes", bytes.len()),
        }
    }
}
