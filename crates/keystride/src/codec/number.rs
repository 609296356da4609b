//! Writes whole numbers and times through `floor`, `desc`, `as` and `pad`.

use super::error::KeyFault;
use crate::design::{
    Binary, Encoding, FieldKind, IntWidth, NumberDesc, Steps, TimeKind, TimeText, floor_number,
};
use crate::key::{EncodeError, Number, SignedInteger, SortOrder, binary, decimal, ordered_bytes, phoenix};
use crate::value::{Value, write_text};

/// Appends `number`, a value of `kind`, after its steps up to `pad`.
///
/// # Errors
///
/// Why the steps do not take the number.
pub fn write(number: i128, steps: &Steps, kind: &FieldKind, out: &mut Vec<u8>) -> Result<(), Box<KeyFault>> {
    let number = match (steps.floor, kind) {
        (Some(period), FieldKind::Time(time)) => floor_number(number, period, time),
        _ => number,
    };
    let number = match steps.desc {
        Some(desc) => descend(number, desc)?,
        None => number,
    };
    match steps.encoding {
        Encoding::Plain | Encoding::Text => write_as_text(number, steps, kind, out)?,
        Encoding::Be | Encoding::Ordered | Encoding::Phoenix => {
            write_binary(number, Binary::of(steps, kind), steps.encoding, out)?;
        }
        Encoding::OrderedBytes => write_ordered_bytes(number, steps, kind, out)?,
    }
    Ok(())
}

fn descend(number: i128, desc: NumberDesc) -> Result<i128, Box<KeyFault>> {
    let bound = desc.bound();
    if !(0..=bound).contains(&number) {
        return Err(EncodeError::OutOfRange { value: number, min: 0, max: bound }.into());
    }
    Ok(bound - number)
}

fn write_as_text(
    number: i128,
    steps: &Steps,
    kind: &FieldKind,
    out: &mut Vec<u8>,
) -> Result<(), Box<KeyFault>> {
    match (steps.pad.or(steps.desc.map(NumberDesc::digits)), kind) {
        (Some(width), _) => decimal::encode_padded(out, number, width)?,
        (None, FieldKind::Time(TimeKind { text: TimeText::Epoch(unit), .. })) => {
            write_epoch(number, unit.digits(), out)?;
        }
        (None, _) => write_text(Value::Int(number), kind, out)?,
    }
    Ok(())
}

fn write_epoch(number: i128, digits: usize, out: &mut Vec<u8>) -> Result<(), Box<KeyFault>> {
    let start = out.len();
    decimal::encode(out, number);
    check_epoch(number, out.len() - start, digits)
}

/// Checks that the text of an epoch, which has `len` characters, has the digits of its unit: no other number has a
/// text in keys.
pub(super) fn check_epoch(number: i128, len: usize, digits: usize) -> Result<(), Box<KeyFault>> {
    if number < 0 || len != digits {
        return Err(Box::new(KeyFault::EpochDigits { number, digits }));
    }
    Ok(())
}

/// Appends a number in the bytes of its type.
pub(super) fn write_binary(
    number: i128,
    binary: Binary,
    encoding: Encoding,
    out: &mut Vec<u8>,
) -> Result<(), EncodeError> {
    match binary {
        Binary::I32 => write_as(encoding, binary::narrow::<i32>(number)?, out),
        Binary::I64 => write_as(encoding, binary::narrow::<i64>(number)?, out),
        Binary::U32 if encoding == Encoding::Phoenix => phoenix_unsigned::<i32>(number, out)?,
        Binary::U32 => write_as(encoding, binary::narrow::<u32>(number)?, out),
        Binary::U64 if encoding == Encoding::Phoenix => phoenix_unsigned::<i64>(number, out)?,
        Binary::U64 => write_as(encoding, binary::narrow::<u64>(number)?, out),
    }
    Ok(())
}

/// Phoenix's `UNSIGNED_INT` and `UNSIGNED_LONG` are the non-negative values of a Java int and long.
fn phoenix_unsigned<N: SignedInteger>(number: i128, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    phoenix::encode_unsigned(out, binary::narrow::<N>(number)?, SortOrder::Ascending)
}

/// Phoenix writes integers as `ordered` does: big-endian with the sign bit flipped; unsigned ones are unchanged.
fn write_as<N: Number>(encoding: Encoding, number: N, out: &mut Vec<u8>) {
    if encoding == Encoding::Be { be(number, out) } else { ordered(number, out) }
}

pub(super) fn be<N: Number>(number: N, out: &mut Vec<u8>) {
    binary::encode_be(out, number, SortOrder::Ascending);
}

pub(super) fn ordered<N: Number>(number: N, out: &mut Vec<u8>) {
    binary::encode_ordered(out, number, SortOrder::Ascending);
}

fn write_ordered_bytes(
    number: i128,
    steps: &Steps,
    kind: &FieldKind,
    out: &mut Vec<u8>,
) -> Result<(), EncodeError> {
    let order = if steps.encodes_descending() { SortOrder::Descending } else { SortOrder::Ascending };
    match kind {
        FieldKind::Int(int) if int.width == IntWidth::I32 && steps.desc != Some(NumberDesc::LongMax) => {
            ordered_bytes::encode_fixed(out, binary::narrow::<i32>(number)?, order);
        }
        FieldKind::Int(int) if int.width == IntWidth::Int => {
            ordered_bytes::encode_numeric(out, binary::narrow::<i64>(number)?, order);
        }
        _ => ordered_bytes::encode_fixed(out, binary::narrow::<i64>(number)?, order),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{IntKind, binary_range};

    #[test]
    fn phoenix_has_no_unsigned_number_beyond_java_s_signed_ones() {
        let steps = Steps { encoding: Encoding::Phoenix, ..Steps::default() };
        for (width, most) in [(IntWidth::U32, i128::from(i32::MAX)), (IntWidth::U64, i64::MAX.into())] {
            let (min, max) = width.range();
            let kind = FieldKind::Int(IntKind { width, min, max });
            assert_eq!(binary_range(&steps, &kind), (0, most));
            assert!(write(most, &steps, &kind, &mut Vec::new()).is_ok());
            assert!(write(most + 1, &steps, &kind, &mut Vec::new()).is_err());
        }
    }
}
