//! The bytes that parts of the key may have.

use super::byte_set::ByteSet;
use crate::KeyCodec;
use crate::design::{FieldKind, FieldPart, HashStep, HashTake, Part};

/// Returns the bytes that a hash may have.
pub(super) fn hash_bytes(hash: HashStep) -> ByteSet {
    match hash.take {
        HashTake::Bytes(_) => ByteSet::ALL,
        HashTake::Hex(_) => ByteSet::of(b"0123456789abcdef".iter().copied()),
    }
}

/// Returns the bytes that may occur at each position of the values of a part of fixed width.
pub(super) fn value_positions(kind: &FieldKind, part: &FieldPart, width: usize) -> Vec<ByteSet> {
    const HYPHENS: [usize; 4] = [8, 13, 18, 23];
    let mut positions = vec![value_bytes(kind, part); width];
    if matches!(kind, FieldKind::Uuid { .. }) && part.steps.is_text(kind) {
        for position in HYPHENS {
            positions[position] = ByteSet::of(*b"-");
        }
        if part.steps.reverse {
            positions.reverse();
        }
    }
    positions
}

/// Returns the bytes that a part of the key may have, and perhaps some more.
pub(super) fn part_bytes(codec: &KeyCodec, index: usize) -> ByteSet {
    let design = codec.design();
    let part = match &design.parts[index] {
        Part::Text(_) => return ByteSet::of(codec.text_bytes(index).iter().copied()),
        Part::Bucket(part) => return ByteSet::of(part.numbers().flat_map(|number| part.prefix(number))),
        Part::Field(part) => part,
    };
    let values = match part.steps.hash {
        _ if part.steps.escape => ByteSet::ALL,
        Some(hash) => hash_bytes(hash),
        None => value_bytes(&design.fields[part.field].kind, part),
    };
    let values = if matches!(design.fields[part.field].kind, FieldKind::Uuid { .. }) {
        values.with(b'-')
    } else {
        values
    };
    let values = if part.steps.invert { values.complemented() } else { values };
    codec.absence(index).map_or(values, |absence| values.union(ByteSet::of(absence.iter().copied())))
}

/// Returns the bytes that may occur in the values of a part.
pub(super) fn value_bytes(kind: &FieldKind, part: &FieldPart) -> ByteSet {
    if !part.steps.is_text(kind) {
        return ByteSet::ALL;
    }
    match kind {
        FieldKind::String(text) => match text.alphabet {
            Some(alphabet) => ByteSet::of(alphabet.bytes()),
            // These bytes do not occur in UTF-8.
            None => ByteSet::of((0..=255).filter(|byte| !matches!(byte, 0xc0 | 0xc1 | 0xf5..=0xff))),
        },
        FieldKind::Digits { .. } => ByteSet::of(b'0'..=b'9'),
        FieldKind::Bool => ByteSet::of(*b"01"),
        FieldKind::Uuid { .. } => ByteSet::of(*b"0123456789abcdef"),
        FieldKind::Int(int) if int.min >= 0 => ByteSet::of(b'0'..=b'9'),
        FieldKind::Int(_) => ByteSet::of(b'0'..=b'9').with(b'-'),
        FieldKind::Time(time) if time.text_is_digits() || part.steps.desc.is_some() => {
            ByteSet::of(b'0'..=b'9')
        }
        FieldKind::Time(time) if time.text_is_ascii() => ByteSet::of(b' '..=b'~'),
        FieldKind::Time(_) => ByteSet::ALL,
        FieldKind::Float(_) | FieldKind::Bytes { .. } => ByteSet::ALL,
    }
}
