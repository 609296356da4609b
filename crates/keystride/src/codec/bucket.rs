//! Computes the bucket of a row, from its fields, from a supplied number or from the rest of the key.

use super::defaulted_design::DefaultedDesign;
use super::derive::{held_text, value_of};
use super::error::{KeyError, KeyFault};
use super::scratch::Scratch;
use crate::design::{BucketPart, Expr, FieldKind, Spread};
use crate::escape::to_escaped;
use crate::hash::{BucketCount, BucketHash, BucketRule, ItemsHash, Placement, hbasewd};
use crate::value::{Row, Value, write_text};

/// Returns the bucket of a row under a part that is computed from fields or from a supplied number.
pub(super) fn of_items(
    base: &DefaultedDesign,
    part: &BucketPart,
    row: &Row,
    supplied: u64,
    scratch: &mut Scratch,
) -> Result<u32, KeyError> {
    match part.hash.rule() {
        BucketRule::Supplied(hash) => inside(hash(supplied, part.count)),
        BucketRule::Number(hash) => {
            of_number(base, &part.of.items()[0], row, scratch, |number| hash(number, part.count))
        }
        BucketRule::Items(hash) => of_hashed(base, part, hash, row, scratch),
    }
}

fn of_hashed(
    base: &DefaultedDesign,
    part: &BucketPart,
    hash: ItemsHash,
    row: &Row,
    scratch: &mut Scratch,
) -> Result<u32, KeyError> {
    let items = part.of.items();
    if part.spread.is_none()
        && let Some(placement) = of_held_texts(base, hash, part.count, items, row)
    {
        return number(part, placement);
    }
    write_items(base, hash, items, row, scratch)?;
    let placement = of_bytes(hash, part.count, scratch);
    match &part.spread {
        Some(spread) => spread_bucket(base, part, hash, spread, placement, row, scratch),
        None => number(part, placement),
    }
}

/// Returns the bucket of texts that can be hashed where they lie in the row; `None` where bytes must be built first.
fn of_held_texts(
    base: &DefaultedDesign,
    hash: ItemsHash,
    count: BucketCount,
    items: &[Expr],
    row: &Row,
) -> Option<Placement> {
    match (hash, items) {
        (ItemsHash::Joined(hash) | ItemsHash::Concatenated(hash), [item]) => {
            held_text(base, item, row).map(|text| hash(text.as_bytes(), count))
        }
        (ItemsHash::Texts(hash), items) => {
            let mut all_held = true;
            let mut texts = items.iter().map_while(|item| {
                let text = held_text(base, item, row);
                all_held &= text.is_some();
                text
            });
            let placement = hash(&mut texts, count);
            all_held.then_some(placement)
        }
        _ => None,
    }
}

/// Returns the bucket of the bytes that follow the part.
pub(crate) fn of_rest(part: &BucketPart, rest: &[u8]) -> Result<u32, KeyError> {
    // A design that hashes the rest by anything but its bytes is refused.
    let BucketRule::Items(hash) = part.hash.rule() else { return Ok(0) };
    let placement = match hash {
        ItemsHash::Joined(hash) | ItemsHash::Concatenated(hash) => hash(rest, part.count),
        ItemsHash::Texts(hash) => match std::str::from_utf8(rest) {
            Ok(text) => hash(&mut [text].into_iter(), part.count),
            Err(_) => return Err(KeyError::RestIsNoText { bytes: to_escaped(rest) }),
        },
    };
    number(part, placement)
}

fn of_number(
    base: &DefaultedDesign,
    item: &Expr,
    row: &Row,
    scratch: &mut Scratch,
    hash: impl FnOnce(i128) -> Placement,
) -> Result<u32, KeyError> {
    match value_of(base, item, row, &mut scratch.derived)? {
        Value::Int(number) => inside(hash(number)),
        // A design whose item is neither a whole number nor a time is refused.
        _ => Ok(0),
    }
}

/// Writes each item into `scratch.items`, joined the way the hash expects: the item's default bytes, or its text for a
/// hash of texts.
fn write_items(
    base: &DefaultedDesign,
    hash: ItemsHash,
    items: &[Expr],
    row: &Row,
    scratch: &mut Scratch,
) -> Result<(), KeyError> {
    let (of_texts, is_joined) = (matches!(hash, ItemsHash::Texts(_)), matches!(hash, ItemsHash::Joined(_)));
    let Scratch { derived, items: bytes, ends, .. } = scratch;
    bytes.clear();
    ends.clear();
    for (index, item) in items.iter().enumerate() {
        if is_joined && index > 0 {
            bytes.push(0);
        }
        let field = &base.design.fields[item.field];
        let value = value_of(base, item, row, derived)?;
        let written = match value {
            Value::Uuid(_) if of_texts => {
                write_text(value, &field.kind, bytes).map_err(Box::<KeyFault>::from)
            }
            value => write_default(value, &field.kind, bytes),
        };
        written.map_err(|cause| KeyError::Field { field: field.name.clone(), cause })?;
        ends.push(bytes.len());
    }
    Ok(())
}

/// Writes the default key bytes of a value; floats, which have no text form in keys, are written big-endian.
fn write_default(value: Value<'_>, kind: &FieldKind, out: &mut Vec<u8>) -> Result<(), Box<KeyFault>> {
    match value {
        Value::F32(number) => super::number::be(number, out),
        Value::F64(number) => super::number::be(number, out),
        Value::Uuid(bytes) => out.extend_from_slice(&bytes),
        value => write_text(value, kind, out)?,
    }
    Ok(())
}

fn of_bytes(hash: ItemsHash, count: BucketCount, scratch: &Scratch) -> Placement {
    let Scratch { items, ends, .. } = scratch;
    match hash {
        ItemsHash::Joined(hash) | ItemsHash::Concatenated(hash) => hash(items, count),
        ItemsHash::Texts(hash) => {
            let mut start = 0;
            let mut texts = ends.iter().map(|&end| {
                // The bytes of a text come from `write_text`, which writes UTF-8.
                let text = std::str::from_utf8(&items[start..end]).unwrap_or_default();
                start = end;
                text
            });
            hash(&mut texts, count)
        }
    }
}

/// Returns the number of buckets of the row's value, if it is a hot one. Hot values are declared as texts.
pub(super) fn hot_buckets(
    base: &DefaultedDesign,
    part: &BucketPart,
    spread: &Spread,
    row: &Row,
    scratch: &mut Scratch,
) -> Result<Option<BucketCount>, KeyError> {
    let [item] = part.of.items() else { return Ok(None) };
    let field = &base.design.fields[item.field];
    let Scratch { derived, items: text, .. } = scratch;
    let value = value_of(base, item, row, derived)?;
    text.clear();
    let written = write_text(value, &field.kind, text).map_err(Box::<KeyFault>::from);
    written.map_err(|cause| KeyError::Field { field: field.name.clone(), cause })?;
    Ok(spread.buckets_of(text))
}

/// Returns the bucket of a hot value: its own bucket shifted by `hash(by) mod k`.
fn spread_bucket(
    base: &DefaultedDesign,
    part: &BucketPart,
    hash: ItemsHash,
    spread: &Spread,
    placement: Placement,
    row: &Row,
    scratch: &mut Scratch,
) -> Result<u32, KeyError> {
    let Some(k) = hot_buckets(base, part, spread, row, scratch)? else { return number(part, placement) };
    let bucket = inside(placement)?;
    write_items(base, hash, &spread.by, row, scratch)?;
    let step = inside(of_bytes(hash, k, scratch))?;
    Ok((bucket + step) % part.count.get())
}

/// Returns the number written into the key. Only `HBaseWD` can write a number that is not a bucket: the byte that its
/// release 0.1.0 writes.
fn number(part: &BucketPart, placement: Placement) -> Result<u32, KeyError> {
    match placement {
        Placement::Outside(_) if part.hash == BucketHash::HbaseWd => {
            Ok(hbasewd::prefix_byte(placement).into())
        }
        Placement::Bucket(_) | Placement::Outside(_) => inside(placement),
    }
}

fn inside(placement: Placement) -> Result<u32, KeyError> {
    match placement {
        Placement::Bucket(bucket) => Ok(bucket.into()),
        Placement::Outside(prefix) => Err(KeyError::OutsideBuckets { prefix }),
    }
}
