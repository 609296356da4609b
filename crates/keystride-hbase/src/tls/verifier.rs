//! Certificate verification.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

use super::HostNames;

/// Verifies like rustls, with two exceptions: host names are optional, and a server may present a trusted certificate
/// itself even if it is an authority's, as `openssl req -x509` makes them. Java's client accepts those too.
#[derive(Debug)]
pub(super) struct Verifier {
    pub(super) roots: Arc<RootCertStore>,
    /// The certificates from the options. The system's are never a server's own.
    pub(super) given: Vec<CertificateDer<'static>>,
    pub(super) host_names: HostNames,
    pub(super) algorithms: WebPkiSupportedAlgorithms,
}

impl Verifier {
    fn verify_trust(
        &self,
        shown: &CertificateDer<'_>,
        parsed: &ParsedCertificate<'_>,
        above: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<(), Error> {
        let outcome =
            verify_server_cert_signed_by_trust_anchor(parsed, &self.roots, above, now, self.algorithms.all);
        match outcome {
            // Its validity period was checked before.
            Err(error) if is_authority(&error) && self.given.contains(shown) => Ok(()),
            outcome => outcome,
        }
    }
}

/// rustls has no variant of its own for this error of webpki.
fn is_authority(error: &Error) -> bool {
    match error {
        Error::InvalidCertificate(CertificateError::Other(error)) => {
            error.0.to_string() == "CaUsedAsEndEntity"
        }
        _ => false,
    }
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let parsed = ParsedCertificate::try_from(end_entity)?;
        self.verify_trust(end_entity, &parsed, intermediates, now)?;
        match self.host_names {
            HostNames::Checked => verify_server_name(&parsed, server_name)?,
            HostNames::DangerouslyUnchecked => {}
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, dss, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, dss, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
