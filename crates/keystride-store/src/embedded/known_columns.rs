//! A cache of parsed columns: most entries of a table have the same columns as earlier ones.

use std::ops::Range;

use crate::ColumnsId;

/// Recently parsed columns, looked up by the head of an entry's value.
#[derive(Debug, Default)]
pub(super) struct KnownColumns {
    /// By the number of columns, modulo [`COUNTS`].
    by_count: Vec<Vec<Known>>,
}

/// The columns of an entry without delete markers.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) id: ColumnsId,
    /// Index of the family among those being read.
    family: usize,
    /// The beginning of an entry's value, up to the lengths of its cells' values. No head is a prefix of another.
    pub(super) head: Vec<u8>,
    /// Range of the qualifiers in the head.
    pub(super) names: Range<usize>,
    /// Range of each qualifier within the qualifiers.
    pub(super) qualifiers: Vec<Range<u32>>,
}

/// Enough for tables of some dozens of columns of which each row has a subset.
const COUNTS: usize = 32;
const KNOWN_OF_A_COUNT: usize = 4;

impl KnownColumns {
    /// Returns the columns of an entry with this value, if they are known.
    pub(super) fn find(&self, family: usize, value: &[u8]) -> Option<&Known> {
        let known = self.by_count.get(place(value)?)?;
        known.iter().find(|known| known.family == family && value.starts_with(&known.head))
    }

    /// Adds columns to the cache, evicting others if it is full.
    pub(super) fn keep(
        &mut self,
        family: usize,
        head: &[u8],
        names: Range<usize>,
        qualifiers: impl Iterator<Item = Range<u32>>,
    ) -> Option<ColumnsId> {
        let place = place(head)?;
        self.by_count.resize_with(COUNTS, Vec::new);
        let known = &mut self.by_count[place];
        let id = ColumnsId::next();
        if known.len() < KNOWN_OF_A_COUNT {
            known.push(Known { id, family, head: head.to_vec(), names, qualifiers: qualifiers.collect() });
        } else {
            known[id.place_of(KNOWN_OF_A_COUNT)].replace(id, family, head, names, qualifiers);
        }
        Some(id)
    }
}

impl Known {
    fn replace(
        &mut self,
        id: ColumnsId,
        family: usize,
        head: &[u8],
        names: Range<usize>,
        qualifiers: impl Iterator<Item = Range<u32>>,
    ) {
        (self.id, self.family, self.names) = (id, family, names);
        self.head.clear();
        self.head.extend_from_slice(head);
        self.qualifiers.clear();
        self.qualifiers.extend(qualifiers);
    }
}

/// Returns the slot: the first byte of the cell count (which follows the byte that tells whether kinds are stored),
/// modulo [`COUNTS`].
fn place(value: &[u8]) -> Option<usize> {
    value.get(1).map(|&count| usize::from(count) % COUNTS)
}
