//! Reads the bytes of a field part back to its value.

use std::borrow::Cow;

use super::error::{Fault, KeyDecodeFault};
use super::transform;
use crate::Design;
use crate::design::{
    Binary, Encoding, End, FieldKind, FieldPart, FloatKind, IntWidth, NumberDesc, Steps, TimeText,
    binary_range,
};
use crate::key::{
    DecodeError, DecodeFault, Number, SortOrder, binary, decimal, escape_nul, ordered_bytes, phoenix,
};
use crate::value::{Row, Value, has_version};

/// Reads a field part into the row; a part from which the value can't be recovered is skipped.
pub(super) fn read_field(
    design: &Design,
    index: usize,
    part: &FieldPart,
    bytes: &[u8],
    row: &mut Row,
) -> Result<(), Fault> {
    if part.steps.hash.is_some() || part.steps.floor.is_some() || design.layout[index].end == End::Unmarked {
        return Ok(());
    }
    let field = &design.fields[part.field];
    let mut plain = plain_bytes(&part.steps, bytes)?;
    if part.steps.reverse {
        transform::reverse(plain.to_mut(), part.steps.reversed_units(&field.kind));
    }
    read_plain(&field.kind, &part.steps, &plain, part.field, row).map_err(|why| why.into_fault(bytes))
}

/// Returns the number that a part's bytes stand for, if its steps preserve it.
pub(crate) fn read_number_part(steps: &Steps, kind: &FieldKind, bytes: &[u8]) -> Option<i128> {
    let plain = plain_bytes(steps, bytes).ok()?;
    read_number(kind, steps, &plain).ok()
}

/// Reads a value that has no step other than its encoding.
pub(super) fn read_cell_value(
    kind: &FieldKind,
    steps: &Steps,
    bytes: &[u8],
    field: usize,
    row: &mut Row,
) -> Result<(), Fault> {
    read_plain(kind, steps, bytes, field, row).map_err(|why| why.into_fault(bytes))
}

/// Returns the number of bytes of an `OrderedBytes` value, which marks its own end.
pub(super) fn ordered_bytes_width(design: &Design, part: &FieldPart, rest: &[u8]) -> Result<usize, Fault> {
    let order = sort_order(&part.steps);
    let width = match &design.fields[part.field].kind {
        FieldKind::String(_) => ordered_bytes::decode_string(rest, order, &mut Vec::new()),
        FieldKind::Bytes { .. } => ordered_bytes::decode_blob_copy(rest, order, &mut Vec::new()),
        _ => ordered_bytes::decode_numeric(rest, order).map(|(_, width)| width),
    };
    width.map_err(|error| (error.at, error.into()))
}

/// Returns the bytes of a field part as they were before `escape` and `invert`.
fn plain_bytes<'a>(steps: &Steps, bytes: &'a [u8]) -> Result<Cow<'a, [u8]>, Fault> {
    if !steps.escape && !steps.invert {
        return Ok(Cow::Borrowed(bytes));
    }
    let order = if steps.invert { SortOrder::Descending } else { SortOrder::Ascending };
    let mut plain = Vec::with_capacity(bytes.len());
    if steps.escape {
        escape_nul::decode(bytes, order, &mut plain).map_err(|error| (error.at, error.into()))?;
    } else {
        plain.extend_from_slice(bytes);
        if !steps.encodes_descending() {
            order.apply(&mut plain);
        }
    }
    Ok(Cow::Owned(plain))
}

enum Why {
    Encoding(DecodeError),
    NoValue(String),
}

impl Why {
    fn into_fault(self, bytes: &[u8]) -> Fault {
        match self {
            Self::Encoding(error) => (error.at, error.into()),
            Self::NoValue(why) => (0, KeyDecodeFault::NotAValue { found: bytes.to_vec(), why }),
        }
    }
}

impl From<DecodeError> for Why {
    fn from(error: DecodeError) -> Self {
        Self::Encoding(error)
    }
}

fn read_plain(kind: &FieldKind, steps: &Steps, bytes: &[u8], field: usize, row: &mut Row) -> Result<(), Why> {
    if kind.is_number() {
        let number = read_number(kind, steps, bytes)?;
        return set_number(number, kind, field, row);
    }
    match steps.encoding {
        Encoding::Be | Encoding::Ordered | Encoding::Phoenix => read_binary(kind, steps, bytes, field, row),
        Encoding::OrderedBytes => read_ordered_bytes(kind, steps, bytes, field, row),
        Encoding::Plain | Encoding::Text => read_text(kind, steps, bytes, field, row),
    }
}

fn read_text(kind: &FieldKind, steps: &Steps, bytes: &[u8], field: usize, row: &mut Row) -> Result<(), Why> {
    match kind {
        FieldKind::Bytes { .. } => set_bytes(kind, bytes, field, row),
        FieldKind::Uuid { version } if steps.encoding == Encoding::Plain => match bytes.try_into() {
            Ok(uuid) if has_version(uuid, *version) => {
                row.set(field, Value::Uuid(uuid));
                Ok(())
            }
            Ok(_) => Err(Why::NoValue("it is no UUID of the declared version".to_owned())),
            Err(_) => Err(Why::NoValue("a UUID has 16 bytes".to_owned())),
        },
        _ => {
            let text = std::str::from_utf8(bytes).map_err(|_| Why::NoValue("it is not UTF-8".to_owned()))?;
            row.read(field, kind, text).map_err(|error| Why::NoValue(error.to_string()))
        }
    }
}

fn set_bytes(kind: &FieldKind, bytes: &[u8], field: usize, row: &mut Row) -> Result<(), Why> {
    match kind {
        FieldKind::Bytes { len: Some(len), .. } if *len != bytes.len() => {
            Err(Why::NoValue(format!("{} bytes instead of {len}", bytes.len())))
        }
        _ => {
            row.set(field, Value::Bytes(bytes));
            Ok(())
        }
    }
}

fn set_number(number: i128, kind: &FieldKind, field: usize, row: &mut Row) -> Result<(), Why> {
    let (min, max) = kind.number_range().unwrap_or((i128::MIN, i128::MAX));
    if !(min..=max).contains(&number) {
        return Err(Why::NoValue(format!("{number} is out of range: {min} to {max}")));
    }
    row.set(field, Value::Int(number));
    Ok(())
}

fn read_number(kind: &FieldKind, steps: &Steps, bytes: &[u8]) -> Result<i128, Why> {
    let number = match steps.encoding {
        Encoding::Be | Encoding::Ordered | Encoding::Phoenix => read_binary_number(kind, steps, bytes)?,
        Encoding::OrderedBytes => read_ordered_number(kind, steps, bytes)?,
        Encoding::Plain | Encoding::Text => read_text_number(kind, steps, bytes)?,
    };
    Ok(steps.desc.map_or(number, |desc| desc.bound() - number))
}

fn read_text_number(kind: &FieldKind, steps: &Steps, bytes: &[u8]) -> Result<i128, Why> {
    if steps.pad.is_some() || steps.desc.is_some() {
        return Ok(decimal::parse_padded(bytes, bytes.len())?.0);
    }
    if let FieldKind::Time(time) = kind
        && let TimeText::Pattern(pattern) = &time.text
    {
        let ms = pattern.read(bytes, &time.zone).map_err(|error| Why::NoValue(error.to_string()))?;
        return Ok(ms.into());
    }
    Ok(decimal::parse_shortest(bytes)?)
}

fn read_binary_number(kind: &FieldKind, steps: &Steps, bytes: &[u8]) -> Result<i128, DecodeError> {
    fn read<N: Number + Into<i128>>(encoding: Encoding, bytes: &[u8]) -> Result<i128, DecodeError> {
        let (number, _) = if encoding == Encoding::Be {
            binary::decode_be::<N>(bytes, SortOrder::Ascending)?
        } else {
            binary::decode_ordered::<N>(bytes, SortOrder::Ascending)?
        };
        Ok(number.into())
    }
    let number = match Binary::of(steps, kind) {
        Binary::I32 => read::<i32>(steps.encoding, bytes)?,
        Binary::I64 => read::<i64>(steps.encoding, bytes)?,
        Binary::U32 => read::<u32>(steps.encoding, bytes)?,
        Binary::U64 => read::<u64>(steps.encoding, bytes)?,
    };
    // Of Phoenix's unsigned numbers, not all that fit the bytes are written.
    let (_, most) = binary_range(steps, kind);
    if number > most { Err(DecodeError { at: 0, fault: DecodeFault::OutOfRange }) } else { Ok(number) }
}

fn read_ordered_number(kind: &FieldKind, steps: &Steps, bytes: &[u8]) -> Result<i128, DecodeError> {
    let order = sort_order(steps);
    match kind {
        FieldKind::Int(int) if int.width == IntWidth::I32 && steps.desc != Some(NumberDesc::LongMax) => {
            ordered_bytes::decode_fixed::<i32>(bytes, order).map(|(number, _)| number.into())
        }
        FieldKind::Int(int) if int.width == IntWidth::Int => {
            let (numeric, _) = ordered_bytes::decode_numeric(bytes, order)?;
            let number = match numeric {
                ordered_bytes::Numeric::Finite(decimal) => decimal.to_integer(),
                _ => None,
            };
            number.ok_or(DecodeError { at: 0, fault: DecodeFault::OutOfRange })
        }
        _ => ordered_bytes::decode_fixed::<i64>(bytes, order).map(|(number, _)| number.into()),
    }
}

fn read_binary(
    kind: &FieldKind,
    steps: &Steps,
    bytes: &[u8],
    field: usize,
    row: &mut Row,
) -> Result<(), Why> {
    let order = SortOrder::Ascending;
    let phoenix = steps.encoding == Encoding::Phoenix;
    match kind {
        FieldKind::Float(float) => read_float(*float, steps.encoding, bytes, field, row)?,
        FieldKind::Bool if phoenix => row.set(field, Value::Bool(phoenix::decode_boolean(bytes, order)?.0)),
        FieldKind::Bool => row.set(field, Value::Bool(binary::decode_bool(bytes, order)?.0)),
        FieldKind::Bytes { .. } => set_bytes(kind, bytes, field, row)?,
        _ => read_text(kind, steps, bytes, field, row)?,
    }
    Ok(())
}

fn read_float(
    kind: FloatKind,
    encoding: Encoding,
    bytes: &[u8],
    field: usize,
    row: &mut Row,
) -> Result<(), DecodeError> {
    let order = SortOrder::Ascending;
    let value = match (kind, encoding) {
        (FloatKind::F32, Encoding::Be) => Value::F32(binary::decode_be(bytes, order)?.0),
        (FloatKind::F64, Encoding::Be) => Value::F64(binary::decode_be(bytes, order)?.0),
        (FloatKind::F32, Encoding::Phoenix) => Value::F32(phoenix::decode_float(bytes, order)?.0),
        (FloatKind::F64, Encoding::Phoenix) => Value::F64(phoenix::decode_float(bytes, order)?.0),
        (FloatKind::F32, _) => Value::F32(binary::decode_ordered(bytes, order)?.0),
        (FloatKind::F64, _) => Value::F64(binary::decode_ordered(bytes, order)?.0),
    };
    row.set(field, value);
    Ok(())
}

fn read_ordered_bytes(
    kind: &FieldKind,
    steps: &Steps,
    bytes: &[u8],
    field: usize,
    row: &mut Row,
) -> Result<(), Why> {
    let order = sort_order(steps);
    match kind {
        FieldKind::Float(FloatKind::F32) => {
            row.set(field, Value::F32(ordered_bytes::decode_fixed(bytes, order)?.0));
        }
        FieldKind::Float(FloatKind::F64) => {
            row.set(field, Value::F64(ordered_bytes::decode_fixed(bytes, order)?.0));
        }
        FieldKind::Bytes { .. } => {
            let mut blob = Vec::new();
            ordered_bytes::decode_blob_copy(bytes, order, &mut blob)?;
            set_bytes(kind, &blob, field, row)?;
        }
        _ => {
            let mut text = Vec::new();
            ordered_bytes::decode_string(bytes, order, &mut text)?;
            row.read(field, kind, std::str::from_utf8(&text).unwrap_or_default())
                .map_err(|error| Why::NoValue(error.to_string()))?;
        }
    }
    Ok(())
}

fn sort_order(steps: &Steps) -> SortOrder {
    if steps.invert { SortOrder::Descending } else { SortOrder::Ascending }
}
