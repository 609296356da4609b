//! Snapshots.

use super::DescriptorError;
use crate::name::check_qualifier;
use crate::proto::snapshot_description::Type;
use crate::{NameError, TableName, proto};

/// A snapshot of a table.
///
/// In a request, the fields that the master fills in are `None`.
///
/// ```
/// # use keystride_hbase::{SnapshotDescriptor, SnapshotKind, TableName};
/// let mut snapshot = SnapshotDescriptor::new("log-0521", TableName::new("ops:log")?)?;
/// snapshot.ttl_seconds = Some(7 * 86_400);
/// assert_eq!(snapshot.kind, SnapshotKind::Flush);
/// # Ok::<(), keystride_hbase::NameError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotDescriptor {
    name: Box<str>,
    /// The table.
    pub table: TableName,
    /// How it is taken.
    pub kind: SnapshotKind,
    /// When it was taken, in ms since 1970.
    pub created_ms: Option<i64>,
    /// Seconds until the master deletes it; `None` for the cluster's default, usually never.
    pub ttl_seconds: Option<u64>,
    /// The user who took it.
    pub owner: Option<String>,
    /// The version of the snapshot's layout on disk.
    pub version: Option<i32>,
    /// The table's maximum file size in bytes, which restored tables get.
    pub max_file_bytes: Option<u64>,
}

/// How a snapshot is taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum SnapshotKind {
    /// The table is online and is flushed first.
    #[default]
    Flush,
    /// The table is online and is not flushed: rows in memstores are left out.
    SkipFlush,
    /// The table is disabled.
    Disabled,
}

impl SnapshotDescriptor {
    /// A snapshot to be taken. Its name follows the rules of table names, without a namespace.
    ///
    /// # Errors
    ///
    /// [`NameError`] for a name that HBase refuses.
    pub fn new(name: &str, table: TableName) -> Result<Self, NameError> {
        check_qualifier("snapshot name", name, name)?;
        Ok(Self {
            name: name.into(),
            table,
            kind: SnapshotKind::default(),
            created_ms: None,
            ttl_seconds: None,
            owner: None,
            version: None,
            max_file_bytes: None,
        })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn to_proto(&self) -> proto::SnapshotDescription {
        proto::SnapshotDescription {
            name: self.name.to_string(),
            table: Some(self.table.to_string()),
            creation_time: self.created_ms,
            r#type: Some(self.kind.code()),
            version: self.version,
            owner: self.owner.clone(),
            // A number beyond Java's `long` means never.
            ttl: self.ttl_seconds.map(|seconds| i64::try_from(seconds).unwrap_or(i64::MAX)),
            max_file_size: self.max_file_bytes.map(|bytes| i64::try_from(bytes).unwrap_or(i64::MAX)),
        }
    }

    pub(crate) fn from_proto(snapshot: proto::SnapshotDescription) -> Result<Self, DescriptorError> {
        let incomplete = DescriptorError::Incomplete { what: "snapshot descriptor", part: "table" };
        let code = snapshot.r#type.unwrap_or(Type::Flush.into());
        let Some(kind) = SnapshotKind::from_code(code) else {
            return Err(DescriptorError::SnapshotKind { snapshot: snapshot.name, code });
        };
        Ok(Self {
            kind,
            created_ms: snapshot.creation_time.filter(|&time_ms| time_ms != 0),
            ttl_seconds: set(snapshot.ttl),
            owner: snapshot.owner,
            version: snapshot.version,
            max_file_bytes: set(snapshot.max_file_size),
            ..Self::new(&snapshot.name, TableName::new(&snapshot.table.ok_or(incomplete)?)?)?
        })
    }
}

impl SnapshotKind {
    fn code(self) -> i32 {
        let kind = match self {
            Self::Flush => Type::Flush,
            Self::SkipFlush => Type::Skipflush,
            Self::Disabled => Type::Disabled,
        };
        kind.into()
    }

    fn from_code(code: i32) -> Option<Self> {
        [Self::Flush, Self::SkipFlush, Self::Disabled].into_iter().find(|kind| kind.code() == code)
    }
}

/// Servers write 0 or -1 for "not set".
fn set(number: Option<i64>) -> Option<u64> {
    number.and_then(|number| u64::try_from(number).ok()).filter(|&number| number != 0)
}
