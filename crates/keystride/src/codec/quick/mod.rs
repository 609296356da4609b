//! The usual parts of a key, written one after the other without a look at the design: literal bytes, texts as they
//! are, whole numbers and epochs in decimal digits, buckets of texts.
//!
//! [`QuickPart`]s write what the general way writes, or give up where a row is not a usual one (a value is absent or
//! refused, a number is negative, the key is long), and the general way begins again. No error is made here.

mod bucket;
mod digits;
mod number;
mod room;

use bucket::QuickBucket;
use number::QuickNumber;
use room::{ROOM, Room};

use crate::design::{Design, Encoding, End, Field, FieldKind, FieldPart, Part, Steps};
use crate::value::Row;

/// A part of a run.
#[derive(Debug)]
pub(super) enum QuickPart {
    Byte(u8),
    Literal(Vec<u8>),
    /// The text in a slot of the row.
    Text(usize),
    /// The same, which may not hold the byte that ends it.
    TextBefore(usize, u8),
    Number(QuickNumber),
    Bucket(QuickBucket),
}

/// Appends a run of parts; `false`, and `out` is as it was, when a part gives up.
#[inline]
pub(super) fn append(parts: &[QuickPart], row: &Row, supplied: u64, out: &mut Vec<u8>) -> bool {
    let start = out.len();
    out.extend_from_slice(&[0; ROOM]);
    let mut room = Room::new(&mut out[start..]);
    let done = parts.iter().try_for_each(|part| part.write(row, supplied, &mut room));
    let len = if done.is_some() { room.len() } else { 0 };
    out.truncate(start + len);
    done.is_some()
}

impl QuickPart {
    /// The part at `index` of the design, whose literal bytes are `literal`; `None` when it is no usual one.
    pub(super) fn of(design: &Design, index: usize, literal: &[u8]) -> Option<Self> {
        match (&design.parts[index], literal) {
            (Part::Text(_), &[byte]) => Some(Self::Byte(byte)),
            (Part::Text(_), bytes) => (bytes.len() <= ROOM / 2).then(|| Self::Literal(bytes.to_vec())),
            (Part::Field(part), _) => {
                Self::of_field(part, &design.fields[part.field], &design.layout[index].end)
            }
            (Part::Bucket(part), _) => QuickBucket::of(part, design).map(Self::Bucket),
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

    #[inline]
    fn write(&self, row: &Row, supplied: u64, room: &mut Room<'_>) -> Option<()> {
        match self {
            Self::Byte(byte) => room.put_byte(*byte),
            Self::Literal(bytes) => room.put_text(bytes),
            Self::Text(field) => room.put_text(row.text_bytes(*field)?),
            Self::TextBefore(field, end) => {
                let text = row.text_bytes(*field)?;
                if text.contains(end) { None } else { room.put_text(text) }
            }
            Self::Number(number) => number.write(row, room),
            Self::Bucket(bucket) => bucket.write(row, supplied, room),
        }
    }
}

/// Steps other than those of decimal numbers.
fn has_unusual_steps(steps: &Steps) -> bool {
    let is_plain = matches!(steps.encoding, Encoding::Plain | Encoding::Text);
    !is_plain || steps.floor.is_some() || steps.hash.is_some() || steps.escape || steps.invert
}
