//! A real HBase that only accepts TLS.

#![cfg(feature = "tls")]

use std::fs;
use std::path::Path;
use std::time::Duration;

use keystride_hbase::{
    CellCompression, Client, ClientIdentity, ClientOptions, Error, Get, HostNames, Pem, TableName, TlsError,
    TlsOptions,
};
use keystride_hbase_harness::{Address, Cluster, ClusterOptions, Site, Tls, quick};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

#[tokio::test(flavor = "multi_thread")]
async fn speaks_tls() -> Outcome {
    if quick("speaks_tls") {
        return Ok(());
    }
    let cluster = Cluster::start(&small(Site::new()))?;
    let address = cluster.address();
    let trusted = vec![Pem::File(address.certificate().ok_or("no certificate")?.into())];
    let trusting = TlsOptions { trusted, ..TlsOptions::default() };

    reads_meta(&client(address, Some(trusting.clone()))?).await?;
    let unchecked = TlsOptions { host_names: HostNames::DangerouslyUnchecked, ..trusting };
    reads_meta(&client(address, Some(unchecked))?).await?;
    is_not_trusted(&client(address, Some(TlsOptions::default()))?).await?;
    is_not_answered(&client(address, None)?).await;
    Ok(())
}

/// By default HBase requires a client certificate.
#[tokio::test(flavor = "multi_thread")]
async fn shows_its_own_certificate() -> Outcome {
    if quick("shows_its_own_certificate") {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let mut params = CertificateParams::new([])?;
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(params, KeyPair::generate()?)?;
    let (server_certificate, server_key) = signed_by(&authority, "localhost")?;
    // The client's certificate must name its host too: `hbase.server.netty.tls.verify.client.hostname`.
    let (certificate, key) = signed_by(&authority, "localhost")?;
    let stores = site_of_stores(folder.path(), &(server_certificate + &server_key), &authority.pem())?;
    let cluster = Cluster::start(&small(stores))?;

    let trusted = vec![Pem::File(folder.path().join("trusted.pem"))];
    let nobody = TlsOptions { trusted, ..TlsOptions::default() };
    let identity =
        ClientIdentity { certificates: Pem::Bytes(certificate.into()), key: Pem::Bytes(key.into()) };
    reads_meta(&client(cluster.address(), Some(TlsOptions { identity: Some(identity), ..nobody.clone() }))?)
        .await?;
    let error = client(cluster.address(), Some(nobody))?.cluster_id().await.unwrap_err();
    assert!(matches!(error, Error::Tls { error: TlsError::Refused { .. }, .. }), "{error}");
    assert!(error.to_string().contains("it may require a client certificate"), "{error}");
    Ok(())
}

/// A certificate for `name`, and its key, in PEM.
fn signed_by(authority: &CertifiedIssuer<'_, KeyPair>, name: &str) -> Outcome<(String, String)> {
    let key = KeyPair::generate()?;
    let certificate = CertificateParams::new([name.to_owned()])?.signed_by(&key, authority)?;
    Ok((certificate.pem(), key.serialize_pem()))
}

fn site_of_stores(folder: &Path, shown: &str, trusted: &str) -> Outcome<Site> {
    fs::write(folder.join("server.pem"), shown)?;
    fs::write(folder.join("trusted.pem"), trusted)?;
    Ok(Site::new()
        .with("hbase.server.netty.tls.client.auth.mode", "NEED")
        .with("hbase.rpc.tls.keystore.location", folder.join("server.pem").display())
        .with("hbase.rpc.tls.keystore.type", "PEM")
        .with("hbase.rpc.tls.keystore.password", "")
        .with("hbase.rpc.tls.truststore.location", folder.join("trusted.pem").display()))
}

fn small(site: Site) -> ClusterOptions {
    ClusterOptions { tls: Tls::On, ..ClusterOptions::small(site) }
}

fn client(address: &Address, tls: Option<TlsOptions>) -> Outcome<Client> {
    let options = ClientOptions::default().with(|options| {
        options.tls = tls;
        options.compression = CellCompression::Gzip;
        options.operation_timeout = Duration::from_mins(2);
        options.connect_timeout = Duration::from_secs(30);
    });
    Ok(Client::with_options(&format!("hbase+rpc://{}", address.master()).parse()?, options))
}

async fn reads_meta(client: &Client) -> Outcome {
    assert_eq!(client.cluster_id().await?.len(), 36);
    let meta: TableName = "hbase:meta".parse()?;
    let namespaces: TableName = "hbase:namespace".parse()?;
    let regions = client.regions(&namespaces).await?;
    let [(region, Some(server))] = &regions[..] else { panic!("{regions:?}") };
    assert_eq!(&*server.host, "localhost");
    let row = client.table(meta.clone()).get(&Get::new(region.name()).family("info")).await?;
    assert_eq!(row.value(b"info", b"state"), Some(&b"OPEN"[..]));
    Ok(())
}

/// The harness's certificate is not among the system's, if it has any. The call is not retried.
async fn is_not_trusted(client: &Client) -> Outcome {
    let error = client.cluster_id().await.expect_err("nobody signed it");
    let untrusted = matches!(
        error,
        Error::Tls { error: TlsError::NotTrusted { .. } | TlsError::NoSystemRoots { .. }, .. }
    );
    assert!(untrusted, "{error}");
    let error = client.regions(&"hbase:namespace".parse()?).await.expect_err("nobody signed it");
    assert!(matches!(error, Error::Tls { .. }), "{error}");
    assert_eq!(client.metrics().retries, 0);
    Ok(())
}

/// The server closes the connection, because it can't answer in plain text.
async fn is_not_answered(client: &Client) {
    let error = client.cluster_id().await.expect_err("it is not TLS");
    assert!(error.to_string().contains("before its first answer"), "{error}");
    assert!(error.to_string().contains("if they require TLS"), "{error}");
}
