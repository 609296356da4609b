//! The certificate of a cluster that speaks TLS.

use std::path::{Path, PathBuf};

use crate::{HarnessError, Site, Tool};

/// Whether the cluster's servers speak TLS.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tls {
    /// Plain connections.
    #[default]
    Off,
    /// TLS and nothing else on the same ports, with a certificate that signs itself; clients need none.
    On,
}

/// Of every key store that the harness makes.
pub(crate) const PASSWORD: &str = "keystride";

/// Makes a key pair for `localhost` and 127.0.0.1 and returns its certificate, as PEM.
pub(crate) fn make_certificate(folder: &Path) -> Result<PathBuf, HarnessError> {
    let store =
        ["-alias", "hbase", "-keystore", "server.p12", "-storetype", "PKCS12", "-storepass", PASSWORD];
    let pair = ["-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1", "-validity", "3650"];
    let names = ["-dname", "CN=localhost", "-ext", "SAN=dns:localhost,ip:127.0.0.1"];
    keytool(folder, &[&pair[..], &names, &store].concat())?;
    keytool(folder, &[&["-exportcert", "-rfc", "-file", "server.pem"][..], &store].concat())?;
    Ok(folder.join("server.pem"))
}

pub(crate) fn keytool(folder: &Path, arguments: &[&str]) -> Result<(), HarnessError> {
    // A Java machine's statistics would stay in /tmp if it were killed.
    Tool::Keytool.run(&[&["-J-XX:-UsePerfData"][..], arguments].concat(), folder).map(drop)
}

/// What servers need for TLS: they are each other's clients too.
pub(crate) fn server_site(folder: &Path, certificate: &Path) -> Site {
    client_site(certificate)
        .with("hbase.server.netty.tls.enabled", true)
        .with("hbase.server.netty.tls.supportplaintext", false)
        .with("hbase.server.netty.tls.client.auth.mode", "NONE")
        .with("hbase.rpc.tls.keystore.location", folder.join("server.p12").display())
        .with("hbase.rpc.tls.keystore.type", "PKCS12")
        .with("hbase.rpc.tls.keystore.password", PASSWORD)
}

/// What Java's client needs to trust the certificate.
pub(crate) fn client_site(certificate: &Path) -> Site {
    Site::new()
        .with("hbase.client.netty.tls.enabled", true)
        .with("hbase.rpc.tls.truststore.location", certificate.display())
        .with("hbase.rpc.tls.truststore.type", "PEM")
}
