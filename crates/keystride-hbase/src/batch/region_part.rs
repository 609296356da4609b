//! Encoding the actions of one region as a `RegionAction`.

use std::sync::Arc;

use bytes::{BufMut, BytesMut};
use prost::Message;
use prost::encoding::{
    WireType, encode_key, encode_varint, encoded_len_varint, key_len, message, uint32, uint64,
};

use crate::proto;
use crate::proto::mutation_proto::MutationType;
use crate::region::Located;

/// The encoded actions of one region.
#[derive(Debug)]
pub(super) struct RegionPart {
    pub(super) located: Arc<Located>,
    /// The place of each action in the batch.
    pub(super) places: Vec<u32>,
    pub(super) is_atomic: bool,
    /// Field 3 of `RegionAction`, repeated.
    actions: Vec<u8>,
}

/// Keys of fields of `RegionAction`, `Action` and `MutationProto`.
const ACTION: u8 = 3 << 3 | WireType::LengthDelimited as u8;
const INDEX: u8 = 1 << 3 | WireType::Varint as u8;
const MUTATION: u8 = 2 << 3 | WireType::LengthDelimited as u8;
const ROW: u8 = 1 << 3 | WireType::LengthDelimited as u8;
const KIND: u8 = 2 << 3 | WireType::Varint as u8;
const CELL_COUNT: u8 = 8 << 3 | WireType::Varint as u8;

/// Up to these, all lengths in a put's message have one byte, and its index has two.
const SHORT_ROW: u8 = 100;
const SHORT_INDEX: u16 = 0x3fff;

/// Approximate size of an action; for a put, without its cells.
const USUAL_BYTES: usize = 48;

impl RegionPart {
    /// A part with capacity for this many actions.
    pub(super) fn new(located: &Arc<Located>, is_atomic: bool, actions: usize) -> Self {
        Self {
            located: Arc::clone(located),
            places: Vec::with_capacity(actions),
            is_atomic,
            actions: Vec::with_capacity(actions * USUAL_BYTES),
        }
    }

    /// Size of its actions in bytes.
    pub(super) fn byte_count(&self) -> usize {
        self.actions.len()
    }

    /// Adds a get.
    pub(super) fn add_get(&mut self, place: u32, get: proto::Get) {
        let action = proto::Action { index: Some(self.next_index()), get: Some(get), ..Default::default() };
        message::encode(3, &action, &mut self.actions);
        self.places.push(place);
    }

    /// Adds a mutation.
    pub(super) fn add_mutation(&mut self, place: u32, mutation: &proto::MutationProto) {
        let out = self.begin_mutation(place, mutation.encoded_len());
        mutation.encode(out).expect("a Vec grows");
    }

    /// Adds a put, whose cells are elsewhere.
    #[inline]
    pub(super) fn add_put(&mut self, place: u32, row: &[u8], cell_count: u32) {
        let index = u16::try_from(self.places.len());
        match (index, u8::try_from(row.len()), u8::try_from(cell_count)) {
            (Ok(index @ ..=SHORT_INDEX), Ok(row_len @ ..=SHORT_ROW), Ok(cell_count @ ..=0x7f)) => {
                self.places.push(place);
                self.put_short(index, row, row_len, cell_count);
            }
            _ => self.add_long_put(place, row, cell_count),
        }
    }

    /// A put whose lengths have one byte, as nearly all do. Fewer pieces are faster to write.
    #[inline]
    fn put_short(&mut self, index: u16, row: &[u8], row_len: u8, cell_count: u8) {
        let index_len = 1 + u8::from(index > 0x7f);
        let mutation_len = 2 + row_len + 4;
        let out = &mut self.actions;
        out.reserve(16 + row.len());
        out.extend_from_slice(&[ACTION, 1 + index_len + 2 + mutation_len, INDEX]);
        push_varint(index.into(), out);
        out.extend_from_slice(&[MUTATION, mutation_len, ROW, row_len]);
        out.extend_from_slice(row);
        out.extend_from_slice(&[KIND, MutationType::Put as u8, CELL_COUNT, cell_count]);
    }

    fn add_long_put(&mut self, place: u32, row: &[u8], cell_count: u32) {
        let cell_count = u64::from(cell_count);
        let len = key_len(1) + encoded_len_varint(row.len() as u64) + row.len();
        let out = self.begin_mutation(place, len + 2 + uint64::encoded_len(8, &cell_count));
        out.push(ROW);
        push_varint(row.len() as u64, out);
        out.extend_from_slice(row);
        out.extend_from_slice(&[KIND, MutationType::Put as u8, CELL_COUNT]);
        push_varint(cell_count, out);
    }

    /// Starts an action with a mutation of `mutation_len` bytes, which the caller appends.
    fn begin_mutation(&mut self, place: u32, mutation_len: usize) -> &mut Vec<u8> {
        let index = self.next_index();
        self.places.push(place);
        let len = uint32::encoded_len(1, &index)
            + key_len(2)
            + encoded_len_varint(mutation_len as u64)
            + mutation_len;
        let out = &mut self.actions;
        out.reserve(len + 8);
        out.push(ACTION);
        push_varint(len as u64, out);
        out.push(INDEX);
        push_varint(index.into(), out);
        out.push(MUTATION);
        push_varint(mutation_len as u64, out);
        out
    }

    fn next_index(&self) -> u32 {
        u32::try_from(self.places.len()).expect("places are counted in 32 bits")
    }

    /// Appends a `RegionAction`, field 1 of `MultiRequest`.
    pub(super) fn write(&self, out: &mut BytesMut) {
        encode_key(1, WireType::LengthDelimited, out);
        encode_varint(self.message_len() as u64, out);
        message::encode(1, &self.located.region.specifier(), out);
        if self.is_atomic {
            prost::encoding::bool::encode(2, &true, out);
        }
        out.put_slice(&self.actions);
    }

    /// The number of bytes that [`Self::write`] appends.
    pub(super) fn written_len(&self) -> usize {
        let len = self.message_len();
        key_len(1) + encoded_len_varint(len as u64) + len
    }

    fn message_len(&self) -> usize {
        let region = message::encoded_len(1, &self.located.region.specifier());
        region + if self.is_atomic { 2 } else { 0 } + self.actions.len()
    }
}

/// Appends a varint. Nearly all in an action have one or two bytes.
#[inline]
fn push_varint(value: u64, out: &mut Vec<u8>) {
    if let Ok(byte @ ..=0x7f) = u8::try_from(value) {
        out.push(byte);
    } else if let Ok(value @ ..=0x3fff) = u16::try_from(value) {
        let [high, low] = (value << 1).to_be_bytes();
        out.extend_from_slice(&[0x80 | low >> 1, high]);
    } else {
        encode_varint(value, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ServerName;
    use crate::region::meta_region;

    #[test]
    fn a_varint_is_encoded_as_by_the_library() {
        for value in [0, 1, 0x7f, 0x80, 0xff, 0x100, 0x1234, 0x3fff, 0x4000, 0xffff, 0x1_0000, u64::MAX] {
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            push_varint(value, &mut ours);
            encode_varint(value, &mut theirs);
            assert_eq!(ours, theirs);
        }
    }

    #[test]
    fn a_put_of_any_length_is_the_message_that_prost_writes() {
        let server = ServerName { host: "rs".into(), port: 1, start_code: 1 };
        let located = Arc::new(Located::new(meta_region(), server));
        let mut part = RegionPart::new(&located, false, 1);
        let mut wanted = Vec::new();
        let lens = [0, 1, 99, 100, 101, 127, 128, 300, 32_767];
        // Indices of one, two and three bytes.
        for at in 0..0x4100_u32 {
            let row = vec![b'r'; lens[at as usize % lens.len()]];
            let cell_count = [1, 127, 128, 70_000][at as usize % 4];
            part.add_put(at, &row, cell_count);
            let mutation = proto::MutationProto {
                row: Some(row.into()),
                mutate_type: Some(MutationType::Put.into()),
                associated_cell_count: Some(i32::try_from(cell_count).unwrap()),
                ..Default::default()
            };
            let action = proto::Action { index: Some(at), mutation: Some(mutation), ..Default::default() };
            message::encode(3, &action, &mut wanted);
        }
        assert!(part.actions == wanted);
    }
}
