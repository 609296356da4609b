//! Encoding Multis.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use prost::encoding::uint64;

use super::put_cells::PutCells;
use super::region_part::RegionPart;
use crate::cell::{CellTooLarge, CellWriter};
use crate::conn::Body;
use crate::region::Located;
use crate::wait::About;
use crate::{Get, Mutation};

/// Java's default for `hbase.client.write.buffer`.
pub(super) const MAX_BYTES: usize = 2 << 20;

/// Actions, each on one row.
///
/// They are encoded when they are sent, and again if they have to be sent again, such as after a region moved.
pub trait Actions: Send + Sync {
    /// The number of actions.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row key of an action.
    fn row(&self, at: usize) -> &[u8];

    /// Encodes an action.
    ///
    /// # Errors
    ///
    /// [`CellTooLarge`] for an action that can't be encoded.
    fn write(&self, at: usize, out: &mut ActionWriter<'_>) -> Result<(), CellTooLarge>;
}

/// A request to one server while it is being encoded.
#[derive(Debug, Default)]
pub(super) struct Multi {
    pub(super) parts: Vec<RegionPart>,
    /// Atomic groups come after all other actions, and so do their cells.
    atomic: Vec<RegionPart>,
    cells: CellWriter,
    atomic_cells: CellWriter,
    action_bytes: usize,
    nonce_group: Option<u64>,
    /// Number of actions so far.
    action_count: usize,
    expected: usize,
}

/// Encodes one action.
#[derive(Debug)]
pub struct ActionWriter<'a> {
    multi: &'a mut Multi,
    /// The place of the action in the batch.
    place: u32,
    nonces: Nonces,
}

/// Nonces, by which servers recognize repeated increments and appends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nonces {
    group: u64,
    /// The nonce of the first action; the others follow. A mutation's own nonce takes precedence.
    first: u64,
}

impl Nonces {
    pub(super) fn new(group: u64) -> Self {
        Self { group, first: fastrand::u64(1..u64::MAX - u64::from(u32::MAX)) }
    }
}

impl Multi {
    /// A request for about this many actions.
    pub(super) fn of_about(actions: usize) -> Self {
        Self { expected: actions, ..Self::default() }
    }

    /// The next actions, about this many, are for another region.
    pub(super) fn begin_region(&mut self, located: &Arc<Located>, actions: usize) {
        self.parts.push(RegionPart::new(located, false, actions));
    }

    /// Encodes an action. On an error nothing is written.
    pub(super) fn write(
        &mut self,
        actions: &impl Actions,
        place: u32,
        nonces: Nonces,
    ) -> Result<(), CellTooLarge> {
        let marks = (self.cells.len(), self.atomic_cells.len(), self.atomic.len());
        let bytes = self.parts.last().map_or(0, RegionPart::byte_count);
        self.action_count += 1;
        let mut out = ActionWriter { multi: self, place, nonces };
        actions.write(place as usize, &mut out).inspect_err(|_| {
            self.cells.truncate(marks.0);
            self.atomic_cells.truncate(marks.1);
            self.atomic.truncate(marks.2);
        })?;
        let parts = self.parts.last().into_iter().chain(&self.atomic[marks.2..]);
        self.action_bytes += parts.map(RegionPart::byte_count).sum::<usize>() - bytes;
        if self.action_count == SAMPLE {
            self.make_room();
        }
        Ok(())
    }

    /// Reserves capacity for all cells, estimated from those so far: growing would copy them.
    fn make_room(&mut self) {
        let each = self.cells.len() / SAMPLE;
        let more = each.saturating_mul(self.expected.saturating_sub(SAMPLE));
        self.cells.make_room(more.min(MAX_BYTES));
    }

    /// The number of actions so far, including those that could not be encoded.
    pub(super) fn action_count(&self) -> usize {
        self.action_count
    }

    /// The approximate size so far, in bytes.
    pub(super) fn byte_count(&self) -> usize {
        self.cells.len() + self.atomic_cells.len() + self.action_bytes
    }

    /// The parts in the order of the message, and their cells.
    pub(super) fn finish(mut self) -> (MultiBody, Bytes) {
        let mut cells = self.cells;
        cells.extend(self.atomic_cells.as_bytes());
        self.parts.append(&mut self.atomic);
        self.parts.retain(|part| !part.places.is_empty());
        (MultiBody { parts: self.parts, nonce_group: self.nonce_group }, cells.into_bytes())
    }
}

impl ActionWriter<'_> {
    #[inline]
    fn part(&mut self) -> &mut RegionPart {
        self.multi.parts.last_mut().expect("a region was begun")
    }

    /// Adds a get.
    pub fn get(&mut self, get: &Get) {
        let place = self.place;
        self.part().add_get(place, get.to_proto());
    }

    /// Adds a mutation.
    ///
    /// # Errors
    ///
    /// The [`CellTooLarge`] that was recorded in the mutation.
    pub fn mutation(&mut self, mutation: &Mutation) -> Result<(), CellTooLarge> {
        if mutation.is_plain_put() {
            self.put_written(mutation.row(), mutation.cell_count(), mutation.cell_writer().as_bytes());
            return Ok(());
        }
        mutation.too_large()?;
        let mut message = mutation.to_proto();
        if mutation.is_once_only() {
            self.multi.nonce_group = Some(self.nonces.group);
            message.nonce.get_or_insert(self.nonces.first + u64::from(self.place));
        }
        self.multi.cells.extend(mutation.cell_writer().as_bytes());
        let place = self.place;
        self.part().add_mutation(place, &message);
        Ok(())
    }

    /// Adds an atomic group of mutations of one row.
    ///
    /// # Errors
    ///
    /// As [`Self::mutation`].
    pub fn row_mutations(&mut self, mutations: &[Mutation]) -> Result<(), CellTooLarge> {
        let located = Arc::clone(&self.part().located);
        let mut part = RegionPart::new(&located, true, mutations.len());
        for mutation in mutations {
            mutation.too_large()?;
            let message = mutation.to_proto();
            self.multi.atomic_cells.extend(mutation.cell_writer().as_bytes());
            part.add_mutation(self.place, &message);
        }
        self.multi.atomic.push(part);
        Ok(())
    }

    /// Adds a put whose cells are written directly, without a [`Mutation`].
    ///
    /// # Errors
    ///
    /// The error of `cells`.
    #[inline]
    pub fn put(
        &mut self,
        row: &[u8],
        cells: impl FnOnce(&mut PutCells<'_>) -> Result<(), CellTooLarge>,
    ) -> Result<(), CellTooLarge> {
        let cell_count = PutCells::write(row, &mut self.multi.cells, cells)?;
        let place = self.place;
        self.part().add_put(place, row, cell_count);
        Ok(())
    }

    /// Adds a put whose cells are already encoded.
    pub(crate) fn put_written(&mut self, row: &[u8], cell_count: u32, cells: &[u8]) {
        self.multi.cells.extend(cells);
        let place = self.place;
        self.part().add_put(place, row, cell_count);
    }
}

/// After this many actions their average size is known.
const SAMPLE: usize = 8;

/// The message of a Multi.
#[derive(Debug)]
pub(super) struct MultiBody {
    pub(super) parts: Vec<RegionPart>,
    nonce_group: Option<u64>,
}

impl MultiBody {
    /// The region that it is about, or the table if there are several.
    pub(super) fn about(&self) -> About {
        match &self.parts[..] {
            [part] => About::Region(Arc::clone(&part.located)),
            parts => parts
                .first()
                .map_or_else(About::default, |part| About::Table(part.located.region.table.clone())),
        }
    }

    /// The places of all its actions, without duplicates.
    pub(super) fn places(&self) -> Vec<u32> {
        let mut places: Vec<u32> = self.parts.iter().flat_map(|part| part.places.iter().copied()).collect();
        places.sort_unstable();
        places.dedup();
        places
    }
}

impl Body for MultiBody {
    fn len(&self) -> usize {
        let parts: usize = self.parts.iter().map(RegionPart::written_len).sum();
        parts + self.nonce_group.map_or(0, |group| uint64::encoded_len(2, &group))
    }

    fn write(&self, out: &mut BytesMut) {
        for part in &self.parts {
            part.write(out);
        }
        if let Some(group) = self.nonce_group {
            uint64::encode(2, &group, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use prost::Message;

    use super::*;
    use crate::cell::CellBlock;
    use crate::region::meta_region;
    use crate::{Operation, ServerName, proto};

    fn located() -> Arc<Located> {
        let server = ServerName { host: "rs".into(), port: 1, start_code: 1 };
        Arc::new(Located::new(meta_region(), server))
    }

    fn written(operations: &[Operation]) -> (proto::MultiRequest, Bytes) {
        let mut multi = Multi::default();
        multi.begin_region(&located(), 1);
        for place in 0..operations.len() {
            multi.write(&operations, u32::try_from(place).unwrap(), Nonces::new(7)).unwrap();
        }
        let (body, cells) = multi.finish();
        let mut out = BytesMut::new();
        body.write(&mut out);
        assert_eq!(out.len(), Body::len(&body));
        (proto::MultiRequest::decode(&out[..]).unwrap(), cells)
    }

    #[test]
    fn cells_of_groups_come_after_those_of_all_others() {
        let group = vec![Mutation::put("b").value("f", "q", "2"), Mutation::delete("b").column("f", "x")];
        let (request, cells) = written(&[
            Operation::from(Mutation::put("a").value("f", "q", "1")),
            Operation::Row(group),
            Operation::from(Mutation::increment("c").amount("f", "n", 1)),
            Operation::from(Get::new("d")),
        ]);
        assert_eq!(request.nonce_group, Some(7));
        let counts: Vec<usize> = request.region_action.iter().map(|part| part.action.len()).collect();
        assert_eq!(counts, [3, 2]);
        assert_eq!(request.region_action[1].atomic, Some(true));
        let cells = CellBlock::new(cells).take_all().unwrap();
        let rows: Vec<&[u8]> = CellBlock::cells(&cells).map(|cell| cell.row).collect();
        assert_eq!(rows, [b"a", b"c", b"b", b"b"]);
    }

    #[test]
    fn a_put_written_straight_is_the_same_message() {
        let mutation = Mutation::put("row").value("f", "q", "v");
        let mut multi = Multi::default();
        multi.begin_region(&located(), 1);
        let mut out = ActionWriter { multi: &mut multi, place: 0, nonces: Nonces::new(7) };
        out.put(b"row", |cells| cells.value(b"f", b"q", b"v")).unwrap();
        let (body, cells) = multi.finish();
        let mut bytes = BytesMut::new();
        body.write(&mut bytes);
        let straight = proto::MultiRequest::decode(&bytes[..]).unwrap();
        let action = &straight.region_action[0].action[0];
        assert_eq!(action.mutation, Some(mutation.to_proto()));
        assert_eq!((straight, cells), written(&[Operation::from(mutation)]));
    }
}
