//! Changes of a row.

use bytes::Bytes;

use crate::cell::{Cell, CellKind, CellTooLarge, CellWriter, LATEST};
use crate::proto;
use crate::proto::mutation_proto::{Durability as ProtoDurability, MutationType};

/// A change of one row: a put, delete, increment or append. It is atomic.
///
/// Cells are kept in wire format. A cell that is too large is reported when the mutation is sent.
///
/// ```
/// # use keystride_hbase::Mutation;
/// let put = Mutation::put("row1").value("cf", "a", "v1").value_at("cf", "b", 1_400_657_685_457, "v2");
/// let delete = Mutation::delete("row1").column("cf", "a");
/// assert_eq!(put.cell_count(), 2);
/// ```
#[derive(Debug, Clone)]
pub struct Mutation {
    kind: MutationType,
    row: Bytes,
    cells: CellWriter,
    cell_count: u32,
    /// Boxed because most mutations have none of it, and many are kept in memory at once.
    rare: Option<Box<RareFields>>,
}

/// Settings that few mutations have.
#[derive(Debug, Clone, Default)]
struct RareFields {
    /// Timestamp of a delete of the whole row.
    ts: Option<i64>,
    durability: Durability,
    attributes: Vec<proto::NameBytesPair>,
    nonce: Option<u64>,
    refused: Option<CellTooLarge>,
}

/// When a server acknowledges a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Durability {
    /// The table's setting.
    #[default]
    TableDefault,
    /// Does not write the WAL; the change is lost if the server crashes.
    SkipWal,
    /// Writes the WAL asynchronously, after acknowledging.
    AsyncWal,
    /// Writes the WAL to the file system before acknowledging.
    SyncWal,
    /// Writes the WAL and forces it to disk before acknowledging.
    FsyncWal,
}

impl Mutation {
    fn new(kind: MutationType, row: &[u8]) -> Self {
        Self {
            kind,
            row: Bytes::copy_from_slice(row),
            cells: CellWriter::default(),
            cell_count: 0,
            rare: None,
        }
    }

    fn rare(&mut self) -> &mut RareFields {
        self.rare.get_or_insert_default()
    }

    /// A put.
    pub fn put(row: impl AsRef<[u8]>) -> Self {
        Self::new(MutationType::Put, row.as_ref())
    }

    /// A delete. It deletes the whole row unless columns or families are named.
    pub fn delete(row: impl AsRef<[u8]>) -> Self {
        Self::new(MutationType::Delete, row.as_ref())
    }

    /// An increment of 8-byte integers.
    pub fn increment(row: impl AsRef<[u8]>) -> Self {
        Self::new(MutationType::Increment, row.as_ref())
    }

    /// An append to existing values.
    pub fn append(row: impl AsRef<[u8]>) -> Self {
        Self::new(MutationType::Append, row.as_ref())
    }

    /// Adds a value with the server's timestamp. For an append, the bytes to append.
    #[must_use]
    pub fn value(
        self,
        family: impl AsRef<[u8]>,
        qualifier: impl AsRef<[u8]>,
        value: impl AsRef<[u8]>,
    ) -> Self {
        self.value_at(family, qualifier, LATEST, value)
    }

    /// Adds a value with the given timestamp. Writing it twice has the same effect as once, which makes retries safe.
    #[must_use]
    #[inline]
    pub fn value_at(
        self,
        family: impl AsRef<[u8]>,
        qualifier: impl AsRef<[u8]>,
        ts: i64,
        value: impl AsRef<[u8]>,
    ) -> Self {
        self.cell(family.as_ref(), qualifier.as_ref(), ts, CellKind::Put, value.as_ref())
    }

    /// Adds `amount` to a column. For increments.
    #[must_use]
    pub fn amount(self, family: impl AsRef<[u8]>, qualifier: impl AsRef<[u8]>, amount: i64) -> Self {
        self.value(family, qualifier, amount.to_be_bytes())
    }

    /// Deletes all versions of a column. For deletes.
    #[must_use]
    pub fn column(self, family: impl AsRef<[u8]>, qualifier: impl AsRef<[u8]>) -> Self {
        self.delete_marker(CellKind::DeleteColumn, family, qualifier, LATEST)
    }

    /// Deletes all columns of a family. For deletes.
    #[must_use]
    pub fn family(self, family: impl AsRef<[u8]>) -> Self {
        self.delete_marker(CellKind::DeleteFamily, family, [], LATEST)
    }

    /// Adds a delete marker of any kind. For deletes. Markers of a family have no qualifier. A [`CellKind::Delete`]
    /// with [`LATEST`] makes the server look up the newest version, which is slow.
    #[must_use]
    pub fn delete_marker(
        self,
        kind: CellKind,
        family: impl AsRef<[u8]>,
        qualifier: impl AsRef<[u8]>,
        ts: i64,
    ) -> Self {
        self.cell(family.as_ref(), qualifier.as_ref(), ts, kind, &[])
    }

    /// Deletes only versions with timestamps up to `ts`. For deletes of a whole row.
    #[must_use]
    pub fn up_to(mut self, ts: i64) -> Self {
        self.rare().ts = Some(ts);
        self
    }

    /// When the server acknowledges the change.
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Self {
        self.rare().durability = durability;
        self
    }

    /// Makes the written cells expire after some milliseconds.
    #[must_use]
    pub fn time_to_live_ms(self, ms: i64) -> Self {
        self.attribute("_ttl", ms.to_be_bytes())
    }

    /// Whether an increment or append returns the new values; it does by default.
    #[must_use]
    pub fn return_results(self, wanted: bool) -> Self {
        self.attribute("_rr_", [if wanted { 0xff } else { 0 }])
    }

    /// Sets an attribute for the server and its coprocessors.
    #[must_use]
    pub fn attribute(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        let value = Some(Bytes::copy_from_slice(value.as_ref()));
        let attributes = &mut self.rare().attributes;
        attributes.retain(|attribute| attribute.name != name);
        attributes.push(proto::NameBytesPair { name: name.into(), value });
        self
    }

    #[inline]
    fn cell(mut self, family: &[u8], qualifier: &[u8], ts: i64, kind: CellKind, value: &[u8]) -> Self {
        let names = self.cells.names_at(0, self.row.len());
        let written = if self.cells.is_family(&names, family) {
            self.cells.push_sharing(&names, qualifier, ts, kind, value)
        } else {
            self.cells.push(&Cell { row: &self.row, family, qualifier, ts, kind, value, tags: &[] })
        };
        match written {
            Ok(()) => self.cell_count += 1,
            Err(error) => {
                self.rare().refused.get_or_insert(error);
            }
        }
        self
    }

    /// The row key.
    pub fn row(&self) -> &Bytes {
        &self.row
    }

    /// How many cells it writes.
    pub fn cell_count(&self) -> u32 {
        self.cell_count
    }

    /// Size of its cells in bytes.
    pub fn byte_count(&self) -> usize {
        self.cells.len()
    }

    /// The first cell that was too large, if any.
    pub(crate) fn too_large(&self) -> Result<(), CellTooLarge> {
        let refused = self.rare.as_ref().and_then(|rare| rare.refused.clone());
        refused.map_or(Ok(()), Err)
    }

    /// Checks whether it can be sent.
    pub(crate) fn check(&self) -> Result<(), crate::Error> {
        self.too_large()?;
        let reason = match self.kind {
            _ if self.row.is_empty() => "a row key can't be empty",
            MutationType::Delete => return Ok(()),
            _ if self.cell_count == 0 => "a mutation needs at least one cell",
            _ => return Ok(()),
        };
        Err(crate::Error::BadRequest { reason: reason.into() })
    }

    /// Whether making it twice differs from making it once.
    pub(crate) fn is_once_only(&self) -> bool {
        matches!(self.kind, MutationType::Append | MutationType::Increment)
    }

    /// Sets a nonce, by which servers recognize a repeated request.
    pub(crate) fn with_nonce(mut self) -> Self {
        if self.is_once_only() {
            self.rare().nonce.get_or_insert_with(|| fastrand::u64(1..));
        }
        self
    }

    /// Whether it is a put without any settings.
    pub(crate) fn is_plain_put(&self) -> bool {
        self.kind == MutationType::Put && self.rare.is_none()
    }

    pub(crate) fn cell_writer(&self) -> &CellWriter {
        &self.cells
    }

    pub(crate) fn into_cells(self) -> Bytes {
        self.cells.into_bytes()
    }

    /// The message without the cells.
    pub(crate) fn to_proto(&self) -> proto::MutationProto {
        let none = RareFields::default();
        let rare = self.rare.as_deref().unwrap_or(&none);
        let durability = match rare.durability {
            Durability::TableDefault => None,
            Durability::SkipWal => Some(ProtoDurability::SkipWal.into()),
            Durability::AsyncWal => Some(ProtoDurability::AsyncWal.into()),
            Durability::SyncWal => Some(ProtoDurability::SyncWal.into()),
            Durability::FsyncWal => Some(ProtoDurability::FsyncWal.into()),
        };
        proto::MutationProto {
            row: Some(self.row.clone()),
            mutate_type: Some(self.kind.into()),
            timestamp: rare.ts.map(i64::cast_unsigned),
            attribute: rare.attributes.clone(),
            durability,
            associated_cell_count: (self.cell_count > 0).then_some(self.cell_count.cast_signed()),
            nonce: rare.nonce,
            ..Default::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delete_of_the_whole_row_has_no_cells() {
        let message = Mutation::delete("r").up_to(7).to_proto();
        assert_eq!((message.associated_cell_count, message.timestamp), (None, Some(7)));
        assert!(Mutation::delete("r").check().is_ok() && Mutation::put("r").check().is_err());
    }

    #[test]
    fn only_what_counts_twice_gets_a_nonce() {
        assert!(Mutation::put("r").with_nonce().to_proto().nonce.is_none());
        let increment = Mutation::increment("r").amount("f", "q", 1).with_nonce();
        assert_eq!(increment.clone().with_nonce().to_proto().nonce, increment.to_proto().nonce);
    }

    #[test]
    fn a_row_that_is_too_long_is_reported_when_it_is_sent() {
        let put = Mutation::put(vec![0; 40_000]).value("f", "q", "v");
        assert!(matches!(put.check(), Err(crate::Error::TooLarge(_))));
    }
}
