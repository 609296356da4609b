//! TLS handshakes.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::sync::Arc;

use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::{Error as PemError, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::verifier::Verifier;
use super::{ClientIdentity, Pem, TlsError, TlsOptions};

#[derive(Clone)]
pub(crate) struct Connector {
    inner: TlsConnector,
}

#[derive(Debug)]
pub(crate) enum HandshakeError {
    /// One side refused the other.
    Tls(TlsError),
    /// The connection broke.
    Io(io::Error),
}

impl Connector {
    pub(crate) fn new(options: &TlsOptions) -> Result<Self, TlsError> {
        let provider = Arc::new(ring::default_provider());
        let verifier = verifier(options, &provider)?;
        let builder = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("ring has cipher suites of both versions")
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier));
        let config = match &options.identity {
            None => builder.with_no_client_auth(),
            Some(ClientIdentity { certificates, key }) => builder
                .with_client_auth_cert(read_certificates(certificates)?, read_key(key)?)
                .map_err(|error| TlsError::BadIdentity { reason: error.to_string() })?,
        };
        Ok(Self { inner: TlsConnector::from(Arc::new(config)) })
    }

    /// Starts TLS with `host`. Nothing must have been sent before.
    pub(crate) async fn connect(
        &self,
        host: &str,
        stream: TcpStream,
    ) -> Result<TlsStream<TcpStream>, HandshakeError> {
        // Certificates name hosts without the trailing dot of an absolute name.
        let name = ServerName::try_from(host.trim_end_matches('.').to_owned());
        let name = name.map_err(|_| HandshakeError::Tls(TlsError::BadHost { host: host.into() }))?;
        self.inner.connect(name, stream).await.map_err(HandshakeError::from)
    }
}

impl From<io::Error> for HandshakeError {
    fn from(error: io::Error) -> Self {
        let tls = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()).map(TlsError::from);
        tls.map_or_else(|| Self::Io(error), Self::Tls)
    }
}

fn verifier(options: &TlsOptions, provider: &CryptoProvider) -> Result<Verifier, TlsError> {
    let mut roots = RootCertStore::empty();
    let mut given = Vec::new();
    for pem in &options.trusted {
        for certificate in read_certificates(pem)? {
            roots.add(certificate.clone()).map_err(|error| unreadable(pem, &error))?;
            given.push(certificate);
        }
    }
    if options.trusted.is_empty() {
        roots = system_roots()?;
    }
    Ok(Verifier {
        roots: Arc::new(roots),
        given,
        host_names: options.host_names,
        algorithms: provider.signature_verification_algorithms,
    })
}

/// The system's certificates, without those that can't be parsed.
fn system_roots() -> Result<RootCertStore, TlsError> {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(found.certs);
    if roots.is_empty() {
        let reason = found.errors.first().map_or_else(String::new, |error| format!(" ({error})"));
        return Err(TlsError::NoSystemRoots { reason });
    }
    Ok(roots)
}

fn read_certificates(pem: &Pem) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let bytes = read(pem)?;
    let certificates: Result<Vec<_>, PemError> = CertificateDer::pem_slice_iter(&bytes).collect();
    let certificates = certificates.map_err(|error| unreadable(pem, &error))?;
    if certificates.is_empty() {
        return Err(TlsError::Nothing { pem: pem.to_string(), wanted: "certificate" });
    }
    Ok(certificates)
}

fn read_key(pem: &Pem) -> Result<PrivateKeyDer<'static>, TlsError> {
    PrivateKeyDer::from_pem_slice(&read(pem)?).map_err(|error| match error {
        PemError::NoItemsFound => {
            TlsError::Nothing { pem: pem.to_string(), wanted: "private key that is not encrypted" }
        }
        error => unreadable(pem, &error),
    })
}

fn read(pem: &Pem) -> Result<Cow<'_, [u8]>, TlsError> {
    match pem {
        Pem::File(path) => std::fs::read(path).map(Cow::Owned).map_err(|error| unreadable(pem, &error)),
        Pem::Bytes(bytes) => Ok(Cow::Borrowed(bytes)),
    }
}

fn unreadable(pem: &Pem, reason: &impl ToString) -> TlsError {
    TlsError::Unreadable { pem: pem.to_string(), reason: reason.to_string() }
}

impl fmt::Debug for Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Connector")
    }
}
