//! Listeners that ask for TLS, a password, or both: certificates, users, and the clients that know them.

use std::path::{Path, PathBuf};

use super::KafkaClient;
use super::node::{Listener, Ports};
use super::properties::{Properties, owned};
use crate::{HarnessError, tls};

/// Where Kafka's secure listeners are, and what clients need for them.
///
/// ```no_run
/// # use keystride_hbase_harness::{Broker, BrokerOptions, Secure};
/// let broker = Broker::start(&BrokerOptions { secure: true, ..BrokerOptions::default() })?;
/// let secure = broker.secure().expect("asked for");
/// let bob = secure.sasl_ssl_client("SCRAM-SHA-512", Secure::BOB);
/// bob.create_topic("flights", 1, &[])?;
/// # Ok::<(), keystride_hbase_harness::HarnessError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Secure {
    ssl: String,
    sasl_ssl: String,
    sasl_plaintext: String,
    certificate: PathBuf,
    truststore: PathBuf,
    keystore: PathBuf,
}

impl Secure {
    /// Who logs in by PLAIN: the name and the password.
    pub const ALICE: (&str, &str) = ("alice", "alice-secret");
    /// Who logs in by SCRAM-SHA-256 and SCRAM-SHA-512: the name and the password.
    pub const BOB: (&str, &str) = ("bob", "bob-secret");
    /// Of the truststore.
    pub const TRUSTSTORE_PASSWORD: &str = tls::PASSWORD;

    /// The bootstrap address of TLS without a password, of each broker, with commas between.
    pub fn ssl(&self) -> &str {
        &self.ssl
    }

    /// The same of TLS with a password.
    pub fn sasl_ssl(&self) -> &str {
        &self.sasl_ssl
    }

    /// The same of a password without TLS.
    pub fn sasl_plaintext(&self) -> &str {
        &self.sasl_plaintext
    }

    /// The PEM file of the authority that signed the brokers' certificate.
    pub fn certificate(&self) -> &Path {
        &self.certificate
    }

    /// The same as Java reads it: a PKCS12 store.
    pub fn truststore(&self) -> &Path {
        &self.truststore
    }

    /// Java's client that speaks TLS.
    pub fn ssl_client(&self) -> KafkaClient {
        self.with_truststore(KafkaClient::new(&self.ssl)).with_property("security.protocol", "SSL")
    }

    /// Java's client that speaks TLS and logs in: the mechanism as Kafka spells it, the name and the password.
    pub fn sasl_ssl_client(&self, mechanism: &str, login: (&str, &str)) -> KafkaClient {
        let client = self.with_truststore(KafkaClient::new(&self.sasl_ssl));
        with_login(client, mechanism, login).with_property("security.protocol", "SASL_SSL")
    }

    /// Java's client that logs in without TLS.
    pub fn sasl_plaintext_client(&self, mechanism: &str, login: (&str, &str)) -> KafkaClient {
        let client = KafkaClient::new(&self.sasl_plaintext);
        with_login(client, mechanism, login).with_property("security.protocol", "SASL_PLAINTEXT")
    }

    /// Makes the certificates in `folder`, for brokers on these ports.
    pub(crate) fn make(nodes: &[Ports], folder: &Path) -> Result<Self, HarnessError> {
        let bootstrap = |listener| {
            let addresses: Vec<String> = nodes.iter().filter_map(|ports| ports.secure(listener)).collect();
            addresses.join(",")
        };
        make_certificates(folder)?;
        Ok(Self {
            ssl: bootstrap(Listener::Ssl),
            sasl_ssl: bootstrap(Listener::SaslSsl),
            sasl_plaintext: bootstrap(Listener::SaslPlaintext),
            certificate: folder.join("ca.pem"),
            truststore: folder.join("truststore.p12"),
            keystore: folder.join("keystore.p12"),
        })
    }

    /// What every broker is told.
    pub(crate) fn properties(&self) -> Properties {
        let mut properties = owned(&[
            ("ssl.keystore.type", "PKCS12"),
            ("ssl.keystore.location", &self.keystore.display().to_string()),
            ("ssl.keystore.password", tls::PASSWORD),
            ("sasl.enabled.mechanisms", "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512"),
        ]);
        let (alice, secret) = Self::ALICE;
        let plain = format!("{} user_{alice}=\"{secret}\";", module("PLAIN"));
        for listener in ["sasl_ssl", "sasl_plaintext"] {
            let name = |mechanism| format!("listener.name.{listener}.{mechanism}.sasl.jaas.config");
            properties.push((name("plain"), plain.clone()));
            for mechanism in ["scram-sha-256", "scram-sha-512"] {
                properties.push((name(mechanism), format!("{};", module("SCRAM"))));
            }
        }
        properties
    }

    fn with_truststore(&self, client: KafkaClient) -> KafkaClient {
        client
            .with_property("ssl.truststore.type", "PKCS12")
            .with_property("ssl.truststore.location", self.truststore.display())
            .with_property("ssl.truststore.password", Self::TRUSTSTORE_PASSWORD)
    }
}

/// Arguments of the program that makes a node's store: bob is a record in it.
pub(crate) fn format_arguments() -> Vec<String> {
    let (bob, secret) = Secure::BOB;
    let user = |bits| ["--add-scram".to_owned(), format!("SCRAM-SHA-{bits}=[name={bob},password={secret}]")];
    [256, 512].map(user).concat()
}

fn with_login(client: KafkaClient, mechanism: &str, (user, password): (&str, &str)) -> KafkaClient {
    let login = format!("{} username=\"{user}\" password=\"{password}\";", module(mechanism));
    client.with_property("sasl.mechanism", mechanism).with_property("sasl.jaas.config", login)
}

/// Java's class that knows the mechanism, and that it must agree.
fn module(mechanism: &str) -> String {
    let class = match mechanism {
        "PLAIN" => "plain.PlainLoginModule",
        _ => "scram.ScramLoginModule",
    };
    format!("org.apache.kafka.common.security.{class} required")
}

/// An authority that signs a certificate for `localhost` and 127.0.0.1, and then forgets its key.
fn make_certificates(folder: &Path) -> Result<(), HarnessError> {
    let keys = ["-keystore", "keystore.p12", "-storetype", "PKCS12", "-storepass", tls::PASSWORD];
    let trusted = ["-keystore", "truststore.p12", "-storetype", "PKCS12", "-storepass", tls::PASSWORD];
    let pair = ["-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1", "-validity", "3650"];
    let authority = ["-alias", "ca", "-dname", "CN=authority", "-ext", "bc:c"];
    let broker = ["-alias", "broker", "-dname", "CN=localhost", "-signer", "ca"];
    let names = ["-ext", "SAN=dns:localhost,ip:127.0.0.1"];
    let keytool = |arguments: &[&[&str]]| tls::keytool(folder, &arguments.concat());
    keytool(&[&pair, &authority, &keys])?;
    keytool(&[&["-exportcert", "-rfc", "-alias", "ca", "-file", "ca.pem"], &keys])?;
    keytool(&[&pair, &broker, &names, &keys])?;
    // With two keys in the store, brokers might show the authority's.
    keytool(&[&["-delete", "-alias", "ca"], &keys])?;
    keytool(&[&["-importcert", "-noprompt", "-alias", "ca", "-file", "ca.pem"], &trusted])
}
