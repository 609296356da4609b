//! A server that accepts connections and never answers.

#![cfg(feature = "tls")]

use std::time::Duration;

use keystride_hbase::{Client, ClientOptions, Pem, TlsOptions};
use tokio::net::TcpListener;

#[tokio::test]
async fn a_handshake_counts_in_the_connect_timeout() -> Result<(), Box<dyn std::error::Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("hbase+rpc://{}", listener.local_addr()?).parse()?;
    let certificate = rcgen::generate_simple_self_signed(["localhost".to_owned()])?.cert.pem();
    let tls = TlsOptions { trusted: vec![Pem::Bytes(certificate.into())], ..TlsOptions::default() };
    let connect_timeout = Duration::from_millis(50);
    let options = ClientOptions::default().with(|options| {
        options.tls = Some(tls);
        options.connect_timeout = connect_timeout;
    });
    let error = Client::with_options(&address, options).cluster_id().await.unwrap_err();
    assert!(error.to_string().contains("no answer within 50 ms"), "{error}");
    Ok(())
}
