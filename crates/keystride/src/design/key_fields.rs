//! The fields from which keys are computed.

use std::collections::BTreeSet;

use super::{BucketPart, Design, Part};

impl Design {
    /// Fields from which the key and its buckets are computed, in step with `fields`.
    pub fn fields_for_key(&self) -> Vec<bool> {
        let needed = self.key_fields();
        (0..self.fields.len()).map(|field| needed.contains(&field)).collect()
    }

    /// Returns the source fields that determine a key.
    pub fn key_fields(&self) -> BTreeSet<usize> {
        let of_part = |part: &Part| match part {
            Part::Text(_) => BTreeSet::new(),
            Part::Field(part) => BTreeSet::from([self.source_of(part.field)]),
            Part::Bucket(part) => self.bucket_fields(part),
        };
        self.parts.iter().flat_map(of_part).collect()
    }

    /// Returns the source fields that determine a bucket, apart from those of the rest of the key.
    pub fn bucket_fields(&self, part: &BucketPart) -> BTreeSet<usize> {
        let spread = part.spread.iter().flat_map(|spread| &spread.by);
        part.of.items().iter().chain(spread).map(|item| self.source_of(item.field)).collect()
    }

    /// Returns the source field behind a field: the field itself, or the one it is derived from.
    pub fn source_of(&self, field: usize) -> usize {
        self.fields[field].from.as_ref().map_or(field, |expr| expr.field)
    }

    /// Returns the field whose default a key has of `field` in a row without a value: a derived field's own default is
    /// that of rows whose source has none.
    pub(crate) fn defaulted(&self, field: usize) -> usize {
        let source = self.source_of(field);
        if self.fields[source].default.is_some() { source } else { field }
    }
}
