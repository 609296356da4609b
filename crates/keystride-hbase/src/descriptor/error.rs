//! What can't be read in a descriptor.

use crate::{FamilyName, NameError, TableName};

/// Why a descriptor, or a setting in it, can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DescriptorError {
    /// A name that HBase would refuse.
    #[error(transparent)]
    Name(#[from] NameError),
    /// A setting has a value it can't have.
    #[error("{name} of {of} can't be {value:?}: {reason}")]
    Setting {
        /// The table or family.
        of: String,
        /// The attribute, or the key in the configuration.
        name: String,
        /// Its value, escaped.
        value: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A setting that another one needs is not there.
    #[error("{of} has no {name}, which {needed_by} needs")]
    Missing {
        /// The table or family.
        of: String,
        /// The setting that is not there.
        name: &'static str,
        /// The one that needs it.
        needed_by: &'static str,
    },
    /// A table without a name, or a snapshot without a table.
    #[error("the server's {what} has no {part}")]
    Incomplete {
        /// What was to be read.
        what: &'static str,
        /// What it lacks.
        part: &'static str,
    },
    /// Two families of one name.
    #[error("table {table} has family {family} twice")]
    FamilyTwice {
        /// The table.
        table: TableName,
        /// The family.
        family: FamilyName,
    },
    /// A kind of snapshot this client does not know.
    #[error("snapshot {snapshot:?} is of unknown kind {code}")]
    SnapshotKind {
        /// The snapshot.
        snapshot: String,
        /// HBase's number of the kind.
        code: i32,
    },
}
