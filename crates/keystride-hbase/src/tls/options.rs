//! TLS options.

use std::fmt;
use std::path::PathBuf;

/// TLS 1.2 or 1.3, which HBase supports since 2.6 (`hbase.server.netty.tls.enabled`).
///
/// TLS encrypts connections and authenticates servers. It does not authenticate the user.
///
/// ```
/// # use keystride_hbase::{ClientOptions, Pem, TlsOptions};
/// let tls = TlsOptions { trusted: vec![Pem::File("/etc/hbase/ca.pem".into())], ..TlsOptions::default() };
/// let options = ClientOptions::from_env().with(|options| options.tls = Some(tls));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TlsOptions {
    /// Trusted certificates, of servers or of certificate authorities. If empty, the system's.
    pub trusted: Vec<Pem>,
    /// The client's certificate, for servers that ask for one (`hbase.server.netty.tls.client.auth.mode`; by default
    /// they do).
    pub identity: Option<ClientIdentity>,
    /// Whether a server's certificate must name its host.
    pub host_names: HostNames,
}

/// A client certificate with its key, for servers that only accept known clients.
///
/// By default they also require that it names the client's host (`hbase.server.netty.tls.verify.client.hostname`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientIdentity {
    /// The certificate, then those of its intermediate authorities, without the root.
    pub certificates: Pem,
    /// Its private key: PKCS #8, PKCS #1 or SEC 1, not encrypted.
    pub key: Pem,
}

/// Whether a server's certificate must name its host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HostNames {
    /// It must: the host in hbase:meta or in the cluster's address must be among its subject alternative names, as a
    /// DNS name or an IP address. The common name does not count.
    #[default]
    Checked,
    /// It need not: **any** holder of **any** trusted certificate can impersonate any server. Only for clusters whose
    /// certificates name no hosts, and only with a [`TlsOptions::trusted`] that trusts nothing else.
    DangerouslyUnchecked,
}

/// Certificates or a key in PEM format, `-----BEGIN ...`.
#[derive(Clone, PartialEq, Eq)]
pub enum Pem {
    /// A file, read when the client is created.
    File(PathBuf),
    /// The text itself.
    Bytes(Vec<u8>),
}

/// Hides the bytes: they may be a key.
impl fmt::Debug for Pem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pem({self})")
    }
}

/// Its source.
impl fmt::Display for Pem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Bytes(bytes) => write!(f, "PEM of {} bytes", bytes.len()),
        }
    }
}
