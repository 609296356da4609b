//! Connections to brokers.

use std::time::Duration;

use krafka::auth::{AuthConfig, TlsConfig};
use krafka::{Kafka, KrafkaError};

use super::properties::{Sasl, SaslMechanism, Tls};
use super::{KafkaProperties, TopicAddress};
use crate::source::topic::TopicError;

/// How long connecting to a broker may take, and how old what is known of topics may be.
const WITHIN: Duration = Duration::from_secs(5);

/// Connects to the brokers.
pub(super) async fn connect(
    address: &TopicAddress,
    properties: &KafkaProperties,
) -> Result<Kafka, TopicError> {
    let mut builder = Kafka::builder(address.brokers())
        .client_id(properties.client_id.as_deref().unwrap_or("keystride"))
        .connect_timeout(WITHIN)
        .metadata_max_age(WITHIN);
    if let Some(security) = security(properties) {
        builder = builder.security(security);
    }
    builder.connect().await.map_err(|cause| client_error(address.brokers(), cause))
}

fn security(properties: &KafkaProperties) -> Option<AuthConfig> {
    let tls = properties.tls.as_ref().map(|tls| match tls {
        Tls::System => TlsConfig::new().with_native_roots(),
        Tls::File(path) => TlsConfig::new().with_ca_cert(path.to_string_lossy()),
        Tls::Pem(pem) => TlsConfig::new().with_ca_cert_pem(pem.as_bytes()),
    });
    let login = properties.sasl.as_ref().map(|Sasl { mechanism, user, password }| match mechanism {
        SaslMechanism::Plain => AuthConfig::sasl_plain(user, password),
        SaslMechanism::ScramSha256 => AuthConfig::sasl_scram_sha256(user, password),
        SaslMechanism::ScramSha512 => AuthConfig::sasl_scram_sha512(user, password),
    });
    match (login, tls) {
        (None, None) => None,
        (Some(login), None) => Some(login),
        (login, Some(tls)) => Some(login.unwrap_or_else(AuthConfig::plaintext).with_tls(tls)),
    }
}

/// Returns the error of a client: brokers that refuse are told apart.
pub(super) fn client_error(brokers: &str, cause: KrafkaError) -> TopicError {
    let is_denied = matches!(cause, KrafkaError::Auth { .. });
    let (brokers, cause) = (brokers.to_owned(), Box::new(cause));
    if is_denied { TopicError::Denied { brokers, cause } } else { TopicError::Client { brokers, cause } }
}
