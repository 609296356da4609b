//! The versions of HBase that can be started.

use std::fmt;
use std::str::FromStr;

use crate::HarnessError;

/// What Maven is asked for.
const POM: &str = include_str!("../pom.xml");
/// The same for other versions, of the parts that all have; the version stands in it once.
const OTHER_POM: &str = include_str!("../other-versions.pom.xml");
const USUAL: &str = "2.6.1-hadoop3";

/// A version of HBase as it is published, such as `1.4.14` or `2.5.10-hadoop3`.
///
/// ```
/// # use keystride_hbase_harness::HBaseVersion;
/// let old: HBaseVersion = "1.4.14".parse()?;
/// assert!(!old.is_found_by_rpc());
/// assert_eq!(HBaseVersion::default().to_string(), "2.6.1-hadoop3");
/// # Ok::<(), keystride_hbase_harness::HarnessError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HBaseVersion {
    text: String,
}

impl HBaseVersion {
    /// Whether its master says where the cluster is; before 2.4 only ZooKeeper does.
    pub fn is_found_by_rpc(&self) -> bool {
        let mut numbers = self.text.split(['.', '-']).map_while(|number| number.parse::<u32>().ok());
        (numbers.next(), numbers.next()) >= (Some(2), Some(4))
    }

    pub(crate) fn pom(&self) -> String {
        match &*self.text {
            USUAL => POM.into(),
            other => OTHER_POM.replacen(USUAL, other, 1),
        }
    }
}

impl Default for HBaseVersion {
    /// The one that tests use.
    fn default() -> Self {
        Self { text: USUAL.into() }
    }
}

impl FromStr for HBaseVersion {
    type Err = HarnessError;

    fn from_str(text: &str) -> Result<Self, HarnessError> {
        let is_part = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if text.split(['.', '-']).all(is_part) {
            Ok(Self { text: text.into() })
        } else {
            Err(HarnessError::NoVersion { found: text.into() })
        }
    }
}

impl fmt::Display for HBaseVersion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_stands_in_its_pom() {
        let version: HBaseVersion = "3.0.0-alpha-4".parse().unwrap();
        assert!(version.pom().contains("<hbase.version>3.0.0-alpha-4</hbase.version>"));
        assert!(!version.pom().contains(USUAL));
        assert!("1.4.14</x>".parse::<HBaseVersion>().is_err() && "".parse::<HBaseVersion>().is_err());
    }

    #[test]
    fn masters_are_asked_from_2_4_on() {
        let by_rpc = |text: &str| text.parse::<HBaseVersion>().unwrap().is_found_by_rpc();
        assert!(!["1.2.12", "1.7.2", "2.1.10", "2.2.7"].into_iter().any(by_rpc));
        assert!(["2.4.18", "2.5.10-hadoop3", "2.10.0", "3.0.0-alpha-4"].into_iter().all(by_rpc));
    }
}
