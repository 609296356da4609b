//! Columns of entries that were read before: most rows of a table repeat those of others.

use std::ops::Range;

use crate::ColumnsId;

/// The columns met lately, found by the head of an entry's value.
#[derive(Debug, Default)]
pub(super) struct KnownColumns {
    /// By the number of columns, as far as there is room for it.
    by_count: Vec<Vec<Known>>,
}

/// The columns of one entry without marks.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) id: ColumnsId,
    /// Place of the family among those that are read.
    family: usize,
    /// The entry's value up to the values of its cells. No head begins another.
    pub(super) head: Vec<u8>,
    /// Where the names lie in the head.
    pub(super) names: Range<usize>,
    /// Where each qualifier lies in the names.
    pub(super) qualifiers: Vec<Range<u32>>,
}

/// As many as tables of some dozens of columns, of which each row has some, come to.
const COUNTS: usize = 32;
const KNOWN_OF_A_COUNT: usize = 4;

impl KnownColumns {
    /// The columns of the entry with this value, if they are known.
    pub(super) fn find(&self, family: usize, value: &[u8]) -> Option<&Known> {
        let known = self.by_count.get(place(value)?)?;
        known.iter().find(|known| known.family == family && value.starts_with(&known.head))
    }

    /// Remembers columns, in place of others where there is no room.
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

/// The first byte of the count, which follows the one that tells the kinds.
fn place(value: &[u8]) -> Option<usize> {
    value.get(1).map(|&count| usize::from(count) % COUNTS)
}
