//! A fast path for the common parts of a key, which are written one after another without consulting the design:
//! literal bytes, texts as they are, whole numbers and epochs in decimal digits, buckets of texts.
//!
//! A [`QuickPart`] writes the same bytes as the general path, or gives up on a row that is out of the ordinary (a value
//! is absent or rejected, a number is negative, the key is long); the general path then starts over. Errors are never
//! reported from here.

mod bucket;
mod cuts;
mod digits;
mod number;
mod remainder;
mod room;
mod run;
#[cfg(test)]
mod tests;

use bucket::QuickBucket;
use cuts::CutBucket;
use number::QuickNumber;
use room::{ROOM, Room};
pub(super) use run::QuickRun;

use super::prefixes::Prefixes;
use super::quick_values::QuickValues;
use crate::design::{BucketPart, Design, End, Field, FieldPart, Part};
use crate::value::{CHUNK, Row};

/// A part of a run, with the literal bytes that follow it; a bucket includes them in its own bytes.
#[derive(Debug)]
pub(super) struct QuickPart {
    kind: Kind,
    then: [u8; 8],
    then_len: usize,
}

/// `repr(u8)` keeps the discriminant in a byte of its own, which is faster to read than a niche in other values.
#[derive(Debug)]
#[repr(u8)]
enum Kind {
    Literal(Vec<u8>),
    /// The text in a slot of the row.
    Text(usize),
    /// As `Text`, for a text that must not contain the byte that ends it.
    TextBefore(usize, u8),
    Number(QuickNumber),
    Bucket(QuickBucket),
    CutBucket(CutBucket),
}

impl QuickPart {
    /// Returns the quick form of the part at `index`, whose literal bytes are `literal`; `None` when it has none.
    pub(super) fn of(design: &Design, index: usize, literal: &[u8]) -> Option<Self> {
        let kind = match &design.parts[index] {
            Part::Text(_) if literal.len() > ROOM / 2 => None,
            Part::Text(_) => Some(Kind::Literal(literal.to_vec())),
            Part::Field(part) => Kind::of_field(part, &design.fields[part.field], &design.layout[index].end),
            Part::Bucket(part) => Kind::of_bucket(part, design),
        };
        kind.map(|kind| Self { kind, then: [0; 8], then_len: 0 })
    }

    /// Merges the part that follows into this one if it is one short literal; otherwise returns it.
    pub(super) fn join(&mut self, after: Self) -> Option<Self> {
        let is_taken = match &after.kind {
            Kind::Literal(bytes) if after.then_len == 0 => self.end_with(bytes),
            _ => false,
        };
        if is_taken { None } else { Some(after) }
    }

    /// Appends literal bytes to the part; returns `false` if they do not fit.
    fn end_with(&mut self, bytes: &[u8]) -> bool {
        if let Some(prefixes) = self.kind.prefixes() {
            return prefixes.end_with(bytes);
        }
        let is_room = self.then_len == 0 && bytes.len() <= 8;
        if is_room {
            self.then[..bytes.len()].copy_from_slice(bytes);
            self.then_len = bytes.len();
        }
        is_room
    }

    #[inline]
    fn write(&self, row: &Row, supplied: u64, room: &mut Room<'_>) -> Option<()> {
        match &self.kind {
            Kind::Text(field) => match row.text_chunk(*field)? {
                (chunk, len) if len <= CHUNK => {
                    return room.put_chunk((chunk, len), (self.then, self.then_len));
                }
                _ => room.put_text(row.text_bytes(*field)?)?,
            },
            Kind::Number(number) => number.write(row, room)?,
            Kind::Literal(bytes) => room.put_text(bytes)?,
            Kind::TextBefore(field, end) => {
                room.put_text(row.text_bytes(*field).filter(|text| !text.contains(end))?)?;
            }
            // The bytes of a bucket include the literal that follows it.
            Kind::Bucket(bucket) => return bucket.write(row, supplied, room),
            Kind::CutBucket(bucket) => return bucket.write(row, room),
        }
        if self.then_len == 0 { Some(()) } else { room.put(self.then, self.then_len) }
    }
}

impl Kind {
    fn of_bucket(part: &BucketPart, design: &Design) -> Option<Self> {
        let of_cuts = CutBucket::of(part, design).map(Self::CutBucket);
        of_cuts.or_else(|| QuickBucket::of(part, design).map(Self::Bucket))
    }

    /// Returns the prefixes of a bucket, to which a following literal can be appended.
    fn prefixes(&mut self) -> Option<&mut Prefixes> {
        match self {
            Self::Bucket(bucket) => Some(&mut bucket.prefixes),
            Self::CutBucket(bucket) => Some(&mut bucket.prefixes),
            Self::Literal(_) | Self::Text(_) | Self::TextBefore(..) | Self::Number(_) => None,
        }
    }

    fn of_field(part: &FieldPart, field: &Field, end: &End) -> Option<Self> {
        let steps = &part.steps;
        if field.from.is_some() || steps.hash.is_some() || steps.escape || steps.invert {
            return None;
        }
        let values = QuickValues::of_part(part, field);
        if values.decimal().is_some() {
            return QuickNumber::of(part, &values, end).map(Self::Number);
        }
        match end {
            _ if steps.reverse || !values.is_text_as_it_is() => None,
            End::Before(terminator) => {
                let &[byte] = terminator.as_slice() else { return None };
                Some(Self::TextBefore(part.field, byte))
            }
            _ => Some(Self::Text(part.field)),
        }
    }
}
