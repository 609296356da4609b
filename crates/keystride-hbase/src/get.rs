//! What to read of a row.

use bytes::Bytes;

use crate::{Filter, TimeRange, proto};

/// The cells that a get or a scan reads: all of them unless families or columns are named.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Selection {
    columns: Vec<proto::Column>,
    max_versions: Option<u32>,
    cells_per_family: Option<u32>,
    family_offset: Option<u32>,
    cache_blocks: Option<bool>,
    time_range: Option<TimeRange>,
    filter: Option<Filter>,
    attributes: Vec<proto::NameBytesPair>,
}

/// A get of one row.
///
/// ```
/// # use keystride_hbase::Get;
/// let get = Get::new("row1").column("cf", "a").versions(3);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Get {
    row: Bytes,
    selection: Selection,
}

impl Selection {
    /// All cells.
    pub fn all() -> Self {
        Self::default()
    }

    /// Adds all columns of a family.
    #[must_use]
    pub fn family(mut self, family: impl AsRef<[u8]>) -> Self {
        let family = Bytes::copy_from_slice(family.as_ref());
        self.columns.retain(|column| column.family != family);
        self.columns.push(proto::Column { family, qualifier: Vec::new() });
        self
    }

    /// Adds a column. A family that was added as a whole stays whole.
    #[must_use]
    pub fn column(mut self, family: impl AsRef<[u8]>, qualifier: impl AsRef<[u8]>) -> Self {
        let qualifier = Bytes::copy_from_slice(qualifier.as_ref());
        match self.columns.iter_mut().find(|column| column.family == family.as_ref()) {
            Some(column) if column.qualifier.is_empty() => {}
            Some(column) => column.qualifier.push(qualifier),
            None => {
                let family = Bytes::copy_from_slice(family.as_ref());
                self.columns.push(proto::Column { family, qualifier: vec![qualifier] });
            }
        }
        self
    }

    /// The maximum number of versions of a column, by default 1. The family must keep as many.
    #[must_use]
    pub fn versions(mut self, count: u32) -> Self {
        // Servers read a Java int: a larger number would be negative and return nothing.
        self.max_versions = Some(count.min(i32::MAX.unsigned_abs()));
        self
    }

    /// Only cells with timestamps in this range.
    #[must_use]
    pub fn time_range(mut self, range: TimeRange) -> Self {
        self.time_range = Some(range);
        self
    }

    /// Only rows and cells that pass a filter.
    #[must_use]
    pub fn filter(mut self, filter: Filter) -> Self {
        self.filter = Some(filter);
        self
    }

    /// At most `count` cells of each family of a row, after the first `skipped`.
    #[must_use]
    pub fn cells_per_family(mut self, count: u32, skipped: u32) -> Self {
        self.cells_per_family = Some(count);
        self.family_offset = Some(skipped);
        self
    }

    /// Whether the server caches the blocks that it reads; it does by default.
    #[must_use]
    pub fn cache_blocks(mut self, cache: bool) -> Self {
        self.cache_blocks = Some(cache);
        self
    }

    /// Sets an attribute for the server's coprocessors.
    #[must_use]
    pub fn attribute(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        let value = Some(Bytes::copy_from_slice(value.as_ref()));
        self.attributes.push(proto::NameBytesPair { name: name.into(), value });
        self
    }

    pub(crate) fn to_get(&self, row: Bytes) -> proto::Get {
        proto::Get {
            row,
            column: self.columns.clone(),
            attribute: self.attributes.clone(),
            filter: self.filter.as_ref().map(Filter::to_proto),
            time_range: self.time_range.map(TimeRange::to_proto),
            max_versions: self.max_versions,
            cache_blocks: self.cache_blocks,
            store_limit: self.cells_per_family,
            store_offset: self.family_offset,
            ..Default::default()
        }
    }

    pub(crate) fn to_scan(&self) -> proto::Scan {
        proto::Scan {
            column: self.columns.clone(),
            attribute: self.attributes.clone(),
            filter: self.filter.as_ref().map(Filter::to_proto),
            time_range: self.time_range.map(TimeRange::to_proto),
            max_versions: self.max_versions,
            cache_blocks: self.cache_blocks,
            store_limit: self.cells_per_family,
            store_offset: self.family_offset,
            ..Default::default()
        }
    }
}

impl Get {
    /// A get of a whole row.
    pub fn new(row: impl AsRef<[u8]>) -> Self {
        Self { row: Bytes::copy_from_slice(row.as_ref()), selection: Selection::all() }
    }

    /// Replaces the selection of cells.
    #[must_use]
    pub fn select(mut self, selection: Selection) -> Self {
        self.selection = selection;
        self
    }

    /// Adds all columns of a family.
    #[must_use]
    pub fn family(mut self, family: impl AsRef<[u8]>) -> Self {
        self.selection = self.selection.family(family);
        self
    }

    /// Adds a column.
    #[must_use]
    pub fn column(mut self, family: impl AsRef<[u8]>, qualifier: impl AsRef<[u8]>) -> Self {
        self.selection = self.selection.column(family, qualifier);
        self
    }

    /// The maximum number of versions of a column, by default 1.
    #[must_use]
    pub fn versions(mut self, count: u32) -> Self {
        self.selection = self.selection.versions(count);
        self
    }

    /// The row key.
    pub fn row(&self) -> &Bytes {
        &self.row
    }

    pub(crate) fn to_proto(&self) -> proto::Get {
        self.selection.to_get(self.row.clone())
    }
}
