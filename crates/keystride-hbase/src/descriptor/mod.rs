//! Descriptors of tables, their families, namespaces, snapshots and replication peers.
//!
//! HBase keeps settings as pairs of bytes: upper-case names, and values as text. Descriptors here keep every pair that
//! a server sends, known or not, so reading, changing and writing back a descriptor loses nothing. Known settings have
//! methods. Start with [`TableDescriptor`].

mod attributes;
mod error;
mod family;
#[cfg(test)]
mod fuzz;
mod namespace;
mod peer;
mod snapshot;
mod split_policy;
mod table;
#[cfg(test)]
mod tests;
mod words;

pub use error::DescriptorError;
pub use family::FamilyDescriptor;
pub use namespace::NamespaceDescriptor;
pub use peer::{ReplicatedTables, ReplicationPeer, TableSelection};
pub use snapshot::{SnapshotDescriptor, SnapshotKind};
pub use split_policy::SplitPolicy;
pub use table::TableDescriptor;
pub use words::{
    BlockEncoding, Bloom, Compression, IndexEncoding, KeepDeletedCells, MemoryCompaction, MobPartition,
    ReplicationScope, TableDurability, UnknownWord,
};
