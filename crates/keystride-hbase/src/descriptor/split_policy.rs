//! Split policies of regions.

use std::fmt;

use super::DescriptorError;
use super::attributes::{Attributes, read, write};

/// The policy by which a table's regions split.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SplitPolicy {
    /// No automatic splits.
    Disabled,
    /// When a store exceeds the table's maximum file size.
    ConstantSize,
    /// Like `ConstantSize`, but earlier while a server has few of the table's regions.
    IncreasingToUpperBound,
    /// Like `ConstantSize`, but earlier while a server has only one of the table's regions. HBase's default.
    Stepping,
    /// Never between rows with the same first bytes.
    KeyPrefix {
        /// The length of the prefix in bytes.
        length: u32,
    },
    /// Never between rows that are equal up to a delimiter.
    DelimitedKeyPrefix {
        /// The delimiter.
        delimiter: String,
    },
    /// When many requests to a region are blocked.
    Busy,
    /// Another class, by its fully qualified name.
    Other(String),
}

const CLASS: &str = "SPLIT_POLICY";
const LENGTH: &str = "KeyPrefixRegionSplitPolicy.prefix_length";
const DELIMITER: &str = "DelimitedKeyPrefixRegionSplitPolicy.delimiter";
const PACKAGE: &str = "org.apache.hadoop.hbase.regionserver.";

impl SplitPolicy {
    pub(super) fn read(attributes: &Attributes, of: &str) -> Result<Option<Self>, DescriptorError> {
        let Some(class) = read::<String>(attributes, CLASS, &of)? else { return Ok(None) };
        let missing = |name| DescriptorError::Missing { of: of.to_owned(), name, needed_by: CLASS };
        Ok(Some(match class.strip_prefix(PACKAGE) {
            Some("DisabledRegionSplitPolicy") => Self::Disabled,
            Some("ConstantSizeRegionSplitPolicy") => Self::ConstantSize,
            Some("IncreasingToUpperBoundRegionSplitPolicy") => Self::IncreasingToUpperBound,
            Some("SteppingSplitPolicy") => Self::Stepping,
            Some("BusyRegionSplitPolicy") => Self::Busy,
            Some("KeyPrefixRegionSplitPolicy") => {
                let length = read(attributes, LENGTH, &of)?.ok_or_else(|| missing(LENGTH))?;
                Self::KeyPrefix { length }
            }
            Some("DelimitedKeyPrefixRegionSplitPolicy") => {
                let delimiter = read(attributes, DELIMITER, &of)?.ok_or_else(|| missing(DELIMITER))?;
                Self::DelimitedKeyPrefix { delimiter }
            }
            _ => Self::Other(class),
        }))
    }

    /// Sets the class and its settings, and removes those of other policies.
    pub(super) fn write(policy: Option<&Self>, attributes: &mut Attributes) {
        let (length, delimiter) = match policy {
            Some(Self::KeyPrefix { length }) => (Some(length), None),
            Some(Self::DelimitedKeyPrefix { delimiter }) => (None, Some(delimiter)),
            _ => (None, None),
        };
        write(attributes, CLASS, policy.map(|policy| policy as &dyn fmt::Display));
        write(attributes, LENGTH, length.map(|length| length as &dyn fmt::Display));
        write(attributes, DELIMITER, delimiter.map(|delimiter| delimiter as &dyn fmt::Display));
    }
}

impl fmt::Display for SplitPolicy {
    /// The fully qualified name of its Java class.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Disabled => "DisabledRegionSplitPolicy",
            Self::ConstantSize => "ConstantSizeRegionSplitPolicy",
            Self::IncreasingToUpperBound => "IncreasingToUpperBoundRegionSplitPolicy",
            Self::Stepping => "SteppingSplitPolicy",
            Self::KeyPrefix { .. } => "KeyPrefixRegionSplitPolicy",
            Self::DelimitedKeyPrefix { .. } => "DelimitedKeyPrefixRegionSplitPolicy",
            Self::Busy => "BusyRegionSplitPolicy",
            Self::Other(class) => return f.write_str(class),
        };
        write!(f, "{PACKAGE}{name}")
    }
}
