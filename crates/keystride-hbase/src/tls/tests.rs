//! Handshakes with local servers and certificates of all kinds.

use std::io;
use std::sync::Arc;

use rcgen::{
    BasicConstraints, Certificate, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd,
};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::version::TLS12;
use rustls::{RootCertStore, ServerConfig};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::*;

type Authority = CertifiedIssuer<'static, KeyPair>;

fn authority(name: &str) -> Authority {
    let mut params = params(&[]);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, name);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

fn params(names: &[&str]) -> CertificateParams {
    CertificateParams::new(names.iter().map(ToString::to_string).collect::<Vec<_>>()).unwrap()
}

/// A certificate and its key.
struct Certified {
    certificate: Certificate,
    key: KeyPair,
}

fn signed_by(authority: &Authority, params: &CertificateParams) -> Certified {
    let key = KeyPair::generate().unwrap();
    Certified { certificate: params.signed_by(&key, authority).unwrap(), key }
}

fn signed_by_itself(params: &CertificateParams) -> Certified {
    let key = KeyPair::generate().unwrap();
    Certified { certificate: params.self_signed(&key).unwrap(), key }
}

fn pem(text: String) -> Pem {
    Pem::Bytes(text.into_bytes())
}

impl Certified {
    fn identity(&self) -> ClientIdentity {
        ClientIdentity { certificates: pem(self.certificate.pem()), key: pem(self.key.serialize_pem()) }
    }

    fn server(&self) -> ServerConfig {
        self.finish(server_builder().with_no_client_auth())
    }

    /// A server that requires a client certificate, HBase's default.
    fn server_for_known_clients(&self, authority: &Authority) -> ServerConfig {
        let mut roots = RootCertStore::empty();
        roots.add(authority.der().clone()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let verifier = WebPkiClientVerifier::builder_with_provider(roots.into(), provider).build().unwrap();
        self.finish(server_builder().with_client_cert_verifier(verifier))
    }

    fn finish(
        &self,
        builder: rustls::ConfigBuilder<ServerConfig, rustls::server::WantsServerCert>,
    ) -> ServerConfig {
        let chain =
            CertificateDer::pem_slice_iter(self.certificate.pem().as_bytes()).map(Result::unwrap).collect();
        let key = PrivateKeyDer::from_pem_slice(self.key.serialize_pem().as_bytes()).unwrap();
        builder.with_single_cert(chain, key).unwrap()
    }
}

/// TLS 1.2 as in HBase by default, where a server checks the client's certificate during the handshake.
fn server_builder() -> rustls::ConfigBuilder<ServerConfig, rustls::WantsVerifier> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    ServerConfig::builder_with_provider(provider).with_protocol_versions(&[&TLS12]).unwrap()
}

fn trusting(certificate: String) -> TlsOptions {
    TlsOptions { trusted: vec![pem(certificate)], ..TlsOptions::default() }
}

/// A handshake with `host`, then five bytes in each direction.
async fn speak(options: &TlsOptions, host: &str, server: ServerConfig) -> Result<(), HandshakeError> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let server = tokio::spawn(async move {
        let (stream, _) = listener.accept().await?;
        let mut stream = TlsAcceptor::from(Arc::new(server)).accept(stream).await?;
        let mut bytes = [0; 5];
        stream.read_exact(&mut bytes).await?;
        stream.write_all(&bytes).await?;
        stream.shutdown().await
    });
    let connector = Connector::new(options).map_err(HandshakeError::Tls)?;
    let mut stream = connector.connect(host, TcpStream::connect(address).await?).await?;
    stream.write_all(b"hello").await?;
    stream.flush().await?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await?;
    assert_eq!(bytes, b"hello");
    server.await.expect("it does not panic").map_err(HandshakeError::Io)
}

fn refusal(outcome: Result<(), HandshakeError>) -> TlsError {
    match outcome {
        Err(HandshakeError::Tls(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_a_trusted_authority_signed_is_trusted() {
    let authority = authority("ours");
    let options = trusting(authority.pem());
    for host in ["rs1.example.org", "rs1.example.org.", "127.0.0.1"] {
        let shown = signed_by(&authority, &params(&["rs1.example.org", "127.0.0.1"]));
        speak(&options, host, shown.server()).await.unwrap();
    }
}

#[tokio::test]
async fn a_certificate_that_signs_itself_is_trusted_if_it_is_given() {
    for is_ca in [IsCa::NoCa, IsCa::ExplicitNoCa, IsCa::Ca(BasicConstraints::Unconstrained)] {
        let mut params = params(&["localhost"]);
        params.is_ca = is_ca;
        let shown = signed_by_itself(&params);
        let options = trusting(shown.certificate.pem());
        speak(&options, "localhost", shown.server())
            .await
            .unwrap_or_else(|error| panic!("{is_ca:?}: {error:?}"));
        // Another certificate with the same name is not trusted.
        let error = refusal(speak(&options, "localhost", signed_by_itself(&params).server()).await);
        assert!(matches!(error, TlsError::NotTrusted { .. }), "{is_ca:?}: {error}");
    }
}

#[tokio::test]
async fn another_authority_is_not_trusted() {
    let shown = signed_by(&authority("theirs"), &params(&["localhost"]));
    let error = refusal(speak(&trusting(authority("ours").pem()), "localhost", shown.server()).await);
    let text = "its certificate is not trusted: no trusted authority signed it; trust it, or the authority that \
                signed it";
    assert_eq!(error.to_string(), text);
}

#[tokio::test]
async fn a_certificate_of_another_host_says_whose_it_is() {
    let authority = authority("ours");
    let shown = signed_by(&authority, &params(&["rs1.example.org", "10.0.0.1"]));
    let error = refusal(speak(&trusting(authority.pem()), "localhost", shown.server()).await);
    assert_eq!(error.to_string(), "its certificate does not name this host, but rs1.example.org, 10.0.0.1");
    let shown = signed_by(&authority, &params(&[]));
    let error = refusal(speak(&trusting(authority.pem()), "localhost", shown.server()).await);
    assert_eq!(error.to_string(), "its certificate does not name this host, but no host at all");
}

#[tokio::test]
async fn without_host_names_trust_is_still_needed() {
    let ours = authority("ours");
    let options = TlsOptions { host_names: HostNames::DangerouslyUnchecked, ..trusting(ours.pem()) };
    let shown = signed_by(&ours, &params(&["rs1.example.org"]));
    speak(&options, "localhost", shown.server()).await.unwrap();
    let shown = signed_by(&authority("theirs"), &params(&["localhost"]));
    let error = refusal(speak(&options, "localhost", shown.server()).await);
    assert!(matches!(error, TlsError::NotTrusted { .. }), "{error}");
}

#[tokio::test]
async fn a_certificate_whose_time_is_over_is_refused() {
    for is_ca in [IsCa::NoCa, IsCa::Ca(BasicConstraints::Unconstrained)] {
        let mut params = params(&["localhost"]);
        params.is_ca = is_ca;
        params.not_before = date_time_ymd(2000, 1, 1);
        params.not_after = date_time_ymd(2001, 1, 1);
        let shown = signed_by_itself(&params);
        let options = trusting(shown.certificate.pem());
        let error = refusal(speak(&options, "localhost", shown.server()).await);
        assert!(matches!(error, TlsError::NotOfThisTime { .. }), "{error}");
    }
}

#[tokio::test]
async fn a_server_that_wants_to_know_its_clients_is_shown_a_certificate() {
    let authority = authority("ours");
    let server = || {
        let shown = signed_by(&authority, &params(&["localhost"]));
        shown.server_for_known_clients(&authority)
    };
    let nobody = trusting(authority.pem());
    let error = refusal(speak(&nobody, "localhost", server()).await);
    assert!(matches!(error, TlsError::Refused { .. }), "{error}");
    let identity = Some(signed_by(&authority, &params(&["client"])).identity());
    speak(&TlsOptions { identity, ..nobody }, "localhost", server()).await.unwrap();
}

#[tokio::test]
async fn a_server_without_tls_differs_from_one_that_closes() {
    let connector = Connector::new(&trusting(authority("ours").pem())).unwrap();
    let connect = async |answer: &'static [u8]| {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = tokio::spawn(async move {
            let mut stream = listener.accept().await.unwrap().0;
            stream.write_all(answer).await.unwrap();
            stream.shutdown().await.unwrap();
            // Reads to the end, otherwise the system would reset the connection.
            tokio::io::copy(&mut stream, &mut tokio::io::sink()).await
        });
        let outcome = connector.connect("localhost", TcpStream::connect(address).await.unwrap()).await;
        // The client may reset it too.
        drop(server.await.unwrap());
        outcome.map(drop).unwrap_err()
    };
    // HBase's answer: a frame for call -1.
    let failed = connect(b"\x00\x00\x00\x93\x91\x01\x08\xff\xff\xff\xff\x0f").await;
    assert!(matches!(failed, HandshakeError::Tls(TlsError::NotTls)), "{failed:?}");
    let failed = connect(b"").await;
    assert!(
        matches!(&failed, HandshakeError::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof),
        "{failed:?}"
    );
}

#[test]
fn unusable_pem_is_named_in_the_error() {
    let error_of = |options: &TlsOptions| Connector::new(options).unwrap_err().to_string();
    let missing = TlsOptions { trusted: vec![Pem::File("/nowhere/ca.pem".into())], ..TlsOptions::default() };
    assert!(
        error_of(&missing).starts_with("/nowhere/ca.pem can't be read: No such file"),
        "{}",
        error_of(&missing)
    );
    let text = "PEM of 5 bytes contains no certificate between -----BEGIN and -----END lines";
    assert_eq!(error_of(&trusting("hello".into())), text);

    let authority = authority("ours");
    let (one, other) = (signed_by(&authority, &params(&[])), signed_by(&authority, &params(&[])));
    let with = |key| TlsOptions {
        identity: Some(ClientIdentity { key, ..one.identity() }),
        ..trusting(authority.pem())
    };
    assert!(
        error_of(&with(pem(one.certificate.pem()))).contains("contains no private key that is not encrypted")
    );
    let error = error_of(&with(other.identity().key));
    assert!(error.starts_with("the client's certificate and key can't be used: "), "{error}");
}

#[test]
fn a_key_is_never_shown() {
    let shown = format!("{:?}", signed_by_itself(&params(&[])).identity());
    assert!(shown.contains("PEM of ") && !shown.contains("BEGIN"), "{shown}");
}
