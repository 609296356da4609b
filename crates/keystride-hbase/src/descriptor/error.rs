//! Errors of reading descriptors.

use crate::{FamilyName, NameError, TableName};

/// Why a descriptor, or a setting in it, can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DescriptorError {
    /// A name that HBase refuses.
    #[error(transparent)]
    Name(#[from] NameError),
    /// An invalid value of a setting.
    #[error("{name} of {of} can't be {value:?}: {reason}")]
    Setting {
        /// The table or family.
        of: String,
        /// The attribute, or the configuration key.
        name: String,
        /// Its value, escaped.
        value: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A required setting is missing.
    #[error("{of} has no {name}, which {needed_by} needs")]
    Missing {
        /// The table or family.
        of: String,
        /// The missing setting.
        name: &'static str,
        /// The setting that requires it.
        needed_by: &'static str,
    },
    /// A table without a name, or a snapshot without a table.
    #[error("the server's {what} has no {part}")]
    Incomplete {
        /// The kind of descriptor.
        what: &'static str,
        /// The missing part.
        part: &'static str,
    },
    /// Two families with the same name.
    #[error("table {table} has family {family} twice")]
    FamilyTwice {
        /// The table.
        table: TableName,
        /// The family.
        family: FamilyName,
    },
    /// An unknown kind of snapshot.
    #[error("snapshot {snapshot:?} has unknown kind {code}")]
    SnapshotKind {
        /// The snapshot.
        snapshot: String,
        /// HBase's number for the kind.
        code: i32,
    },
}
