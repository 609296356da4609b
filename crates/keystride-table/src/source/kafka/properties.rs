//! How brokers are reached: a file of properties, as Kafka's own clients read it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::properties_text::{jaas_option, properties_of};

/// How brokers are reached, from a file such as `client.properties`. Its passwords are shown nowhere.
///
/// The properties are those of Kafka's Java clients, and of librdkafka where these differ: `security.protocol`,
/// `sasl.mechanism`, `sasl.jaas.config` or `sasl.username` and `sasl.password`, `ssl.truststore.location` (of type PEM),
/// `ssl.truststore.certificates` or `ssl.ca.location`, `client.id` and `group.id`.
///
/// ```
/// # use keystride_table::source::kafka::KafkaProperties;
/// let text = "security.protocol=SASL_SSL\nsasl.mechanism=SCRAM-SHA-512\nsasl.username=bob\nsasl.password=secret\n";
/// let properties: KafkaProperties = text.parse()?;
/// assert!(properties.tls.is_some() && !format!("{properties:?}").contains("secret"));
/// # Ok::<(), keystride_table::source::kafka::PropertiesError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KafkaProperties {
    /// Who logs in, if somebody does.
    pub sasl: Option<Sasl>,
    /// How connections are encrypted, if they are.
    pub tls: Option<Tls>,
    /// What the client is called in the brokers' logs.
    pub client_id: Option<String>,
    /// The group under which offsets are published for monitors.
    pub group_id: Option<String>,
    /// The names of properties that were read and mean nothing here.
    pub unused: Vec<String>,
}

/// A login.
#[derive(Clone, PartialEq, Eq)]
pub struct Sasl {
    /// How the password is proved.
    pub mechanism: SaslMechanism,
    /// The name.
    pub user: String,
    /// The password.
    pub password: String,
}

/// How a password is proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaslMechanism {
    /// It is sent.
    Plain,
    /// SCRAM with SHA-256.
    ScramSha256,
    /// SCRAM with SHA-512.
    ScramSha512,
}

/// Which certificates of brokers are trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tls {
    /// Those of the system's authorities.
    System,
    /// Those of the authorities in a PEM file.
    File(PathBuf),
    /// Those of these authorities, in PEM.
    Pem(String),
}

/// Properties that can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PropertiesError {
    /// A value is none of those that are known.
    #[error("{name} = {found}: it can be {known}")]
    Unknown {
        /// The property.
        name: &'static str,
        /// Its value.
        found: String,
        /// The values that are known.
        known: &'static str,
    },
    /// A property is missing.
    #[error("{what} needs {needs}")]
    Missing {
        /// What needs it.
        what: &'static str,
        /// The property.
        needs: &'static str,
    },
    /// A store of certificates in Java's formats.
    #[error(
        "{name} is no PEM file: write its certificates with keytool -list -rfc -keystore FILE, and name that file in \
         ssl.ca.location"
    )]
    NotPem {
        /// The property.
        name: &'static str,
    },
    /// Certificates of clients.
    #[error("{name}: certificates of clients are not supported; log in with SASL")]
    ClientCertificate {
        /// The property.
        name: &'static str,
    },
    /// Brokers would not be checked.
    #[error(
        "ssl.endpoint.identification.algorithm = \"\": the names of brokers are always checked; leave it out"
    )]
    UncheckedNames,
    /// A line is no property.
    #[error("line {line}: expected name=value")]
    Line {
        /// The line, counted from 1.
        line: usize,
    },
}

impl KafkaProperties {
    fn of(mut found: BTreeMap<String, String>) -> Result<Self, PropertiesError> {
        for name in ["ssl.keystore.location", "ssl.keystore.certificate.chain", "ssl.certificate.location"] {
            if found.contains_key(name) {
                return Err(PropertiesError::ClientCertificate { name });
            }
        }
        let protocol = found.remove("security.protocol").unwrap_or_else(|| "PLAINTEXT".to_owned());
        let (has_tls, has_sasl) = match protocol.to_uppercase().as_str() {
            "PLAINTEXT" => (false, false),
            "SSL" => (true, false),
            "SASL_PLAINTEXT" => (false, true),
            "SASL_SSL" => (true, true),
            _ => {
                let known = "PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL";
                return Err(PropertiesError::Unknown { name: "security.protocol", found: protocol, known });
            }
        };
        let (sasl, tls) = (take_sasl(&mut found), take_tls(&mut found));
        let [client_id, group_id] = ["client.id", "group.id"].map(|name| found.remove(name));
        // Java's clients name their brokers there; here an address does.
        found.remove("bootstrap.servers");
        Ok(Self {
            sasl: if has_sasl { Some(sasl?) } else { None },
            tls: if has_tls { Some(tls?) } else { None },
            client_id,
            group_id,
            unused: found.into_keys().collect(),
        })
    }
}

fn take_sasl(found: &mut BTreeMap<String, String>) -> Result<Sasl, PropertiesError> {
    const NAME: &str = "sasl.mechanism";
    let jaas = found.remove("sasl.jaas.config");
    let mut login = |name: &str, option: &str| {
        found.remove(name).or_else(|| jaas.as_deref().and_then(|jaas| jaas_option(jaas, option)))
    };
    let (user, password) = (login("sasl.username", "username"), login("sasl.password", "password"));
    let mechanism = found.remove(NAME).or_else(|| found.remove("sasl.mechanisms"));
    let known = "PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512";
    let mechanism = match mechanism.as_deref() {
        Some("PLAIN") => SaslMechanism::Plain,
        Some("SCRAM-SHA-256") => SaslMechanism::ScramSha256,
        Some("SCRAM-SHA-512") => SaslMechanism::ScramSha512,
        Some(found) => return Err(PropertiesError::Unknown { name: NAME, found: found.to_owned(), known }),
        None => return Err(PropertiesError::Missing { what: "SASL", needs: NAME }),
    };
    let needs = "sasl.jaas.config with username and password, or sasl.username and sasl.password";
    match (user, password) {
        (Some(user), Some(password)) => Ok(Sasl { mechanism, user, password }),
        _ => Err(PropertiesError::Missing { what: "SASL", needs }),
    }
}

/// How PEM files are named.
const PEM_ENDINGS: [&str; 2] = [".pem", ".crt"];

fn take_tls(found: &mut BTreeMap<String, String>) -> Result<Tls, PropertiesError> {
    const STORE: &str = "ssl.truststore.location";
    if found.remove("ssl.endpoint.identification.algorithm").is_some_and(|algorithm| algorithm.is_empty()) {
        return Err(PropertiesError::UncheckedNames);
    }
    let store_type = found.remove("ssl.truststore.type");
    let is_pem = |path: &str| {
        store_type.as_deref() == Some("PEM") || PEM_ENDINGS.iter().any(|ending| path.ends_with(ending))
    };
    let [store, pem, file] =
        [STORE, "ssl.truststore.certificates", "ssl.ca.location"].map(|name| found.remove(name));
    found.remove("ssl.truststore.password");
    match (pem, file, store) {
        (Some(pem), ..) => Ok(Tls::Pem(pem)),
        (None, Some(file), _) => Ok(Tls::File(file.into())),
        (None, None, Some(store)) if is_pem(&store) => Ok(Tls::File(store.into())),
        (None, None, Some(_)) => Err(PropertiesError::NotPem { name: STORE }),
        (None, None, None) => Ok(Tls::System),
    }
}

impl FromStr for KafkaProperties {
    type Err = PropertiesError;

    fn from_str(text: &str) -> Result<Self, PropertiesError> {
        Self::of(properties_of(text)?)
    }
}

impl fmt::Debug for Sasl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sasl")
            .field("mechanism", &self.mechanism)
            .field("user", &self.user)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn properties(text: &str) -> Result<KafkaProperties, PropertiesError> {
        text.parse()
    }

    #[test]
    fn javas_properties_are_read() {
        let found = properties(
            "# a comment\nsecurity.protocol : SASL_SSL\nsasl.mechanism = SCRAM-SHA-256\nsasl.jaas.config = \
             org.apache.kafka.common.security.scram.ScramLoginModule required \\\n   username=\"bo b\" \\\n   \
             password=\"a\\\\\"=;b\";\nssl.truststore.location=/etc/ca.pem\nretries=3\ngroup.id=loads\n",
        );
        let sasl = Sasl {
            mechanism: SaslMechanism::ScramSha256,
            user: "bo b".to_owned(),
            password: "a\"=;b".to_owned(),
        };
        let expected = KafkaProperties {
            sasl: Some(sasl),
            tls: Some(Tls::File("/etc/ca.pem".into())),
            client_id: None,
            group_id: Some("loads".to_owned()),
            unused: vec!["retries".to_owned()],
        };
        assert_eq!(found, Ok(expected));
        assert_eq!(properties(""), Ok(KafkaProperties::default()));
    }

    #[test]
    fn what_can_not_be_used_is_an_error() {
        for (text, message) in [
            ("security.protocol=TLS", "security.protocol = TLS: it can be PLAINTEXT"),
            ("security.protocol=SASL_SSL", "SASL needs sasl.mechanism"),
            ("security.protocol=SASL_SSL\nsasl.mechanism=GSSAPI", "it can be PLAIN, SCRAM"),
            (
                "security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\nsasl.username=a",
                "SASL needs sasl.jaas.config",
            ),
            ("security.protocol=SSL\nssl.truststore.location=a.p12", "is no PEM file"),
            ("security.protocol=SSL\nssl.keystore.location=a", "certificates of clients"),
            ("security.protocol=SSL\nssl.endpoint.identification.algorithm=", "always checked"),
            ("\nalone", "line 2"),
        ] {
            let error = properties(text).unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
