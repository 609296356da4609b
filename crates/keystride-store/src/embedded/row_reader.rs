//! Reading whole rows: the entries of a row are combined over all families that a read needs.

use fjall::{Iter, Keyspace, Readable, Snapshot, UserKey, UserValue};
use keystride::KeyRange;

use super::engine::engine_error;
use super::entry::{self, EntryKey, EntryLayout, Layout};
use super::row_code;
use crate::cell::Cell;
use crate::flat::CellBlock;
use crate::sink::Sink;
use crate::visible::View;
use crate::{FamilyName, Order, StoreError};

/// Iterates over the rows of a range, or reads single rows, and holds the current row.
pub(super) struct RowReader {
    snapshot: Snapshot,
    order: Order,
    /// Sorted by name.
    families: Vec<FamilyReader>,
    row: Vec<u8>,
    /// The code of the row, kept for its room.
    code: Vec<u8>,
    entries: Vec<Entry>,
    layout: Layout,
}

/// Position of a read in one family.
struct FamilyReader {
    name: FamilyName,
    keyspace: Keyspace,
    view: View,
    entries: Option<Iter>,
    /// The first entry after those of the current row.
    head: Option<(UserKey, UserValue)>,
}

/// An entry of the current row.
struct Entry {
    /// Index among the families of the reader.
    family: usize,
    ts: i64,
    value: UserValue,
    /// Where its cells are, once [`RowReader::lay_out`] has parsed them.
    layout: EntryLayout,
}

impl RowReader {
    pub(super) fn new(
        snapshot: Snapshot,
        order: Order,
        families: impl IntoIterator<Item = (FamilyName, Keyspace, View)>,
    ) -> Self {
        let families = families.into_iter().map(|(name, keyspace, view)| FamilyReader {
            name,
            keyspace,
            view,
            entries: None,
            head: None,
        });
        Self {
            snapshot,
            order,
            families: families.collect(),
            row: Vec::new(),
            code: Vec::new(),
            entries: Vec::new(),
            layout: Layout::default(),
        }
    }

    /// Moves to the beginning of a range, or to its end if the order is descending.
    pub(super) fn open(&mut self, range: &KeyRange) -> Result<(), StoreError> {
        let [mut start, mut stop] = [Vec::new(), Vec::new()];
        row_code::encode(range.start(), &mut start);
        if let Some(key) = range.stop() {
            row_code::encode(key, &mut stop);
        }
        for family in &mut self.families {
            family.entries = Some(match range.stop() {
                Some(_) => self.snapshot.range(&family.keyspace, start.as_slice()..stop.as_slice()),
                None => self.snapshot.range(&family.keyspace, start.as_slice()..),
            });
            family.advance(self.order)?;
        }
        Ok(())
    }

    /// Reads the next row of the range and returns whether there was one.
    pub(super) fn next_row(&mut self) -> Result<bool, StoreError> {
        let is_there = self.next_entries()?;
        self.lay_out()?;
        Ok(is_there)
    }

    /// Reads the next row of the range only as far as needed to return whether anything of it is visible; `None` after the
    /// last row.
    pub(super) fn next_is_visible(&mut self) -> Result<Option<bool>, StoreError> {
        if !self.next_entries()? {
            return Ok(None);
        }
        if self.is_plain() {
            let shows = |entry: &Entry| self.families[entry.family].view.shows_alone(entry.ts);
            return Ok(Some(self.entries.iter().any(shows)));
        }
        self.lay_out()?;
        Ok(Some(!self.visible_cells().is_empty()))
    }

    /// Collects the entries of the next row, and returns whether there was one.
    fn next_entries(&mut self) -> Result<bool, StoreError> {
        self.begin_row();
        let mut code = std::mem::take(&mut self.code);
        code.clear();
        let is_there = self.next_code()?.is_some_and(|next| {
            code.extend_from_slice(next);
            true
        });
        if is_there {
            self.gather(&code)?;
            row_code::decode(&code, &mut self.row)?;
        }
        self.code = code;
        Ok(is_there)
    }

    /// Reads the row with this key, which may have no entries.
    pub(super) fn read_row(&mut self, key: &[u8]) -> Result<(), StoreError> {
        self.begin_row();
        let mut code = Vec::new();
        row_code::encode(key, &mut code);
        for family in &mut self.families {
            family.entries = Some(self.snapshot.prefix(&family.keyspace, &code));
            family.advance(self.order)?;
        }
        self.gather(&code)?;
        self.row.extend_from_slice(key);
        self.lay_out()
    }

    /// Returns the key of the current row.
    pub(super) fn key(&self) -> &[u8] {
        &self.row
    }

    /// Offers the row to a scan's batch.
    pub(super) fn offer(&self, sink: &mut Sink<'_>) -> Result<(), StoreError> {
        if !self.is_plain() {
            return sink.add(&self.row, self.visible_cells().iter().copied());
        }
        let live = |entry: &&Entry| self.families[entry.family].view.shows_alone(entry.ts);
        sink.add_blocks(&self.row, self.entries.iter().filter(live).map(|entry| self.block(entry)))
    }

    /// Returns the visible cells of the current row.
    pub(super) fn visible_cells(&self) -> Vec<Cell<'_>> {
        let mut visible = Vec::new();
        for entries in self.entries.chunk_by(|a, b| a.family == b.family) {
            let mut cells: Vec<_> = entries.iter().flat_map(|entry| self.block(entry).cells()).collect();
            // A stable sort: equal cells keep the order of their entries, latest written first.
            cells.sort_by(Cell::cmp_in_family);
            self.families[entries[0].family].view.keep_visible(&mut cells);
            visible.append(&mut cells);
        }
        visible
    }

    /// Whether no cell of the row can hide another: at most one entry per family and no delete markers. Most rows are
    /// like this and need no sorting.
    fn is_plain(&self) -> bool {
        self.entries.iter().all(|entry| entry::is_all_puts(&entry.value))
            && self.entries.windows(2).all(|pair| pair[0].family != pair[1].family)
    }

    fn block<'a>(&'a self, entry: &'a Entry) -> CellBlock<'a> {
        self.layout.block(&entry.layout, &self.families[entry.family].name, entry.ts, &entry.value)
    }

    fn begin_row(&mut self) {
        self.row.clear();
        self.entries.clear();
        self.layout.clear();
    }

    /// Returns the code of the next row over all families.
    fn next_code(&self) -> Result<Option<&[u8]>, StoreError> {
        let mut next = None;
        for (key, _) in self.families.iter().filter_map(|family| family.head.as_ref()) {
            let code = EntryKey::parse(key)?.row_code;
            next = Some(match (next, self.order) {
                (None, _) => code,
                (Some(other), Order::Ascending) => code.min(other),
                (Some(other), Order::Descending) => code.max(other),
            });
        }
        Ok(next)
    }

    /// Collects the entries of the row with this code, latest first.
    fn gather(&mut self, code: &[u8]) -> Result<(), StoreError> {
        for (place, family) in self.families.iter_mut().enumerate() {
            let first = self.entries.len();
            while let Some((ts, value)) = family.take(code, self.order)? {
                self.entries.push(Entry { family: place, ts, value, layout: EntryLayout::default() });
            }
            if self.order == Order::Descending {
                self.entries[first..].reverse();
            }
        }
        Ok(())
    }

    /// Parses the entries of the row.
    fn lay_out(&mut self) -> Result<(), StoreError> {
        for entry in &mut self.entries {
            entry.layout = self.layout.read(entry.family, &entry.value)?;
        }
        Ok(())
    }
}

impl FamilyReader {
    fn advance(&mut self, order: Order) -> Result<(), StoreError> {
        let next = self.entries.as_mut().and_then(|entries| match order {
            Order::Ascending => entries.next(),
            Order::Descending => entries.next_back(),
        });
        self.head = next.map(fjall::Guard::into_inner).transpose().map_err(engine_error("read a table"))?;
        Ok(())
    }

    /// Takes the head if it belongs to the row with this code.
    fn take(&mut self, code: &[u8], order: Order) -> Result<Option<(i64, UserValue)>, StoreError> {
        let Some((key, _)) = &self.head else { return Ok(None) };
        let key = EntryKey::parse(key)?;
        if key.row_code != code {
            return Ok(None);
        }
        let ts = key.ts;
        let taken = self.head.take().map(|(_, value)| (ts, value));
        self.advance(order)?;
        Ok(taken)
    }
}
