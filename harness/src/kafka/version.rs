//! The versions of Kafka that can be started.

use std::fmt;
use std::str::FromStr;

use crate::HarnessError;

/// What Maven is asked for; the version stands in it once.
const POM: &str = include_str!("../../kafka.pom.xml");
const USUAL: &str = "4.3.1";

/// A version of Kafka as it is published, such as `4.3.1` or `3.9.1`.
///
/// ```
/// # use keystride_hbase_harness::KafkaVersion;
/// let old: KafkaVersion = "3.9.1".parse()?;
/// assert_eq!(old.to_string(), "3.9.1");
/// assert_eq!(KafkaVersion::default().to_string(), "4.3.1");
/// # Ok::<(), keystride_hbase_harness::HarnessError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KafkaVersion {
    text: String,
}

impl KafkaVersion {
    /// Whether its brokers keep their topics in a ZooKeeper: before 3.3 they could do without for trials only.
    pub fn takes_zookeeper(&self) -> bool {
        let mut numbers = self.text.split('.').map_while(|number| number.parse::<u32>().ok());
        (numbers.next(), numbers.next()) < (Some(3), Some(3))
    }

    pub(crate) fn pom(&self) -> String {
        POM.replacen(USUAL, &self.text, 1)
    }
}

impl Default for KafkaVersion {
    /// The one that tests use.
    fn default() -> Self {
        Self { text: USUAL.into() }
    }
}

impl FromStr for KafkaVersion {
    type Err = HarnessError;

    fn from_str(text: &str) -> Result<Self, HarnessError> {
        let parts: Vec<&str> = text.split('.').collect();
        if parts.len() == 3 && parts.iter().all(|part| part.parse::<u32>().is_ok()) {
            Ok(Self { text: text.into() })
        } else {
            Err(HarnessError::NotAKafkaVersion { found: text.into() })
        }
    }
}

impl fmt::Display for KafkaVersion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kafka_version_stands_in_its_pom() {
        let version: KafkaVersion = "3.9.1".parse().unwrap();
        assert!(version.pom().contains("<kafka.version>3.9.1</kafka.version>"));
        assert!(!version.pom().contains(USUAL));
    }

    #[test]
    fn brokers_take_a_zookeeper_before_3_3() {
        let takes = |text: &str| text.parse::<KafkaVersion>().unwrap().takes_zookeeper();
        assert!(["2.8.2", "3.0.0", "3.2.3"].into_iter().all(takes));
        assert!(!["3.3.0", "3.10.0", "4.0.0", "10.2.0"].into_iter().any(takes));
    }

    #[test]
    fn what_is_not_three_numbers_is_not_a_kafka_version() {
        for text in ["", "4", "4.3", "4.3.1.0", "4.3.x", "4.3.1</x>", "../4.3"] {
            assert!(text.parse::<KafkaVersion>().is_err(), "{text}");
        }
    }
}
