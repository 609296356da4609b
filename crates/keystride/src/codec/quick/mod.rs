//! The usual parts of a key, written one after the other without a look at the design: literal bytes, texts as they
//! are, whole numbers and epochs in decimal digits, buckets of texts.
//!
//! [`QuickPart`]s write what the general way writes, or give up where a row is not a usual one (a value is absent or
//! refused, a number is negative, the key is long), and the general way begins again. No error is made here.

mod bucket;
mod cuts;
mod digits;
mod number;
mod remainder;
mod room;
#[cfg(test)]
mod tests;

use bucket::QuickBucket;
use cuts::CutBucket;
use number::QuickNumber;
use room::{ROOM, Room};

use super::prefixes::Prefixes;
use crate::design::{BucketPart, Design, Encoding, End, Field, FieldKind, FieldPart, Part, Steps};
use crate::value::{CHUNK, Row};

/// A part of a run, and the literal bytes right after it: those of a bucket are its own.
#[derive(Debug)]
pub(super) struct QuickPart {
    kind: Kind,
    then: [u8; 8],
    then_len: usize,
}

/// The number of the variant is kept apart, which is sooner read than one among other values.
#[derive(Debug)]
#[repr(u8)]
enum Kind {
    Literal(Vec<u8>),
    /// The text in a slot of the row.
    Text(usize),
    /// The same, which may not hold the byte that ends it.
    TextBefore(usize, u8),
    Number(QuickNumber),
    Bucket(QuickBucket),
    CutBucket(CutBucket),
}

/// Appends a run of parts; `false`, and `out` is as it was, when a part gives up or nothing is to be written.
#[inline]
pub(super) fn append(parts: &[QuickPart], row: &Row, supplied: u64, out: &mut Vec<u8>) -> bool {
    !parts.is_empty() && append_some(parts, row, supplied, out)
}

/// It stands apart from the general way, as it needs all the processor's registers.
#[inline(never)]
fn append_some(parts: &[QuickPart], row: &Row, supplied: u64, out: &mut Vec<u8>) -> bool {
    let start = out.len();
    out.extend_from_slice(&[0; ROOM]);
    let Some(bytes) = out.last_chunk_mut() else { return false };
    let mut room = Room::new(bytes);
    for part in parts {
        if part.write(row, supplied, &mut room).is_none() {
            out.truncate(start);
            return false;
        }
    }
    let len = room.len();
    out.truncate(start + len);
    len > 0
}

impl QuickPart {
    /// The part at `index` of the design, whose literal bytes are `literal`; `None` when it is no usual one.
    pub(super) fn of(design: &Design, index: usize, literal: &[u8]) -> Option<Self> {
        let kind = match &design.parts[index] {
            Part::Text(_) if literal.len() > ROOM / 2 => None,
            Part::Text(_) => Some(Kind::Literal(literal.to_vec())),
            Part::Field(part) => Kind::of_field(part, &design.fields[part.field], &design.layout[index].end),
            Part::Bucket(part) => Kind::of_bucket(part, design),
        };
        kind.map(|kind| Self { kind, then: [0; 8], then_len: 0 })
    }

    /// Takes a part after it into it, which is possible for one short literal.
    pub(super) fn join(&mut self, after: Self) -> Option<Self> {
        let is_taken = match &after.kind {
            Kind::Literal(bytes) if after.then_len == 0 => self.end_with(bytes),
            _ => false,
        };
        if is_taken { None } else { Some(after) }
    }

    /// Puts literal bytes behind the part; `false` where there is no room for them.
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
            // The bytes of a bucket end with the literal ones.
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

    /// Those of a bucket, which end with the literal bytes behind it.
    fn prefixes(&mut self) -> Option<&mut Prefixes> {
        match self {
            Self::Bucket(bucket) => Some(&mut bucket.prefixes),
            Self::CutBucket(bucket) => Some(&mut bucket.prefixes),
            Self::Literal(_) | Self::Text(_) | Self::TextBefore(..) | Self::Number(_) => None,
        }
    }

    fn of_field(part: &FieldPart, field: &Field, end: &End) -> Option<Self> {
        if field.from.is_some() || has_unusual_steps(&part.steps) {
            return None;
        }
        match (&field.kind, end) {
            (FieldKind::Int(_) | FieldKind::Time(_), end) => {
                QuickNumber::of(part, field, end).map(Self::Number)
            }
            _ if part.steps.reverse => None,
            (FieldKind::String(_) | FieldKind::Digits { .. }, End::Before(terminator)) => {
                let &[byte] = terminator.as_slice() else { return None };
                Some(Self::TextBefore(part.field, byte))
            }
            (FieldKind::String(_) | FieldKind::Digits { .. }, _) => Some(Self::Text(part.field)),
            _ => None,
        }
    }
}

/// Steps other than those of decimal numbers.
fn has_unusual_steps(steps: &Steps) -> bool {
    let is_plain = matches!(steps.encoding, Encoding::Plain | Encoding::Text);
    !is_plain || steps.floor.is_some() || steps.hash.is_some() || steps.escape || steps.invert
}
