use std::sync::Arc;

use super::CodecPlan;
use super::derive::value_of;
use super::error::{KeyError, KeyFault};
use super::{bucket, number, transform};
use crate::design::{BucketInput, BucketPart, Encoding, End, Expr, FieldKind, FieldPart, Part, Steps};
use crate::key::{SortOrder, check_len, ordered_bytes, phoenix};
use crate::value::{Row, Value, write_text};

/// Encodes rows, one after the other, into the caller's buffer. It allocates nothing once its own buffers have grown.
#[derive(Debug)]
pub struct KeyEncoder {
    plan: Arc<CodecPlan>,
    /// A number for buckets that are not a function of the row.
    supplied: u64,
    scratch: Scratch,
}

/// Buffers used again for every row.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The text of a derived value.
    pub(super) derived: Vec<u8>,
    /// The bytes a bucket is computed from, and where each item ends.
    pub(super) items: Vec<u8>,
    pub(super) ends: Vec<usize>,
    /// A value before its last steps.
    pub(super) value: Vec<u8>,
    /// Where in the key each bucket of the rest stands.
    rest: Vec<(usize, usize)>,
}

impl KeyEncoder {
    pub(super) fn new(plan: Arc<CodecPlan>) -> Self {
        Self { plan, supplied: 0, scratch: Scratch::default() }
    }

    /// The number that `random` and `round-robin` buckets of the next rows are taken from: bucket = number mod count.
    /// The caller draws it or counts it, as this crate knows neither chance nor a counter.
    pub fn supply(&mut self, number: u64) {
        self.supplied = number;
    }

    /// Appends the key of `row` to `out`; on an error `out` is as it was.
    ///
    /// # Errors
    ///
    /// [`KeyError`] when the row can't have a key under this design.
    pub fn encode(&mut self, row: &Row, out: &mut Vec<u8>) -> Result<(), KeyError> {
        let start = out.len();
        let done = self.encode_parts(row, start, out);
        if done.is_err() {
            out.truncate(start);
        }
        done
    }

    /// The bucket of a row under the bucket part at `index` of the design, where it is a function of fields.
    ///
    /// # Errors
    ///
    /// [`KeyError`] as [`KeyEncoder::encode`] has it.
    pub(crate) fn bucket_of(&mut self, part: &BucketPart, row: &Row) -> Result<u32, KeyError> {
        bucket::of_items(&self.plan, part, row, self.supplied, &mut self.scratch)
    }

    /// Appends the bytes of one field part to `out`, its terminator not included.
    pub(crate) fn encode_part(&mut self, index: usize, row: &Row, out: &mut Vec<u8>) -> Result<(), KeyError> {
        let Self { plan, scratch, .. } = self;
        match &plan.design.parts[index] {
            Part::Field(part) => encode_field(plan, index, part, row, scratch, out),
            Part::Text(_) | Part::Bucket(_) => Ok(()),
        }
    }

    /// The same for a value of the part's field.
    pub(crate) fn encode_value(
        &mut self,
        index: usize,
        value: Value<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), KeyError> {
        let Self { plan, scratch, .. } = self;
        match &plan.design.parts[index] {
            Part::Field(part) => encode_value(plan, index, part, value, &mut scratch.value, out),
            Part::Text(_) | Part::Bucket(_) => Ok(()),
        }
    }

    fn encode_parts(&mut self, row: &Row, start: usize, out: &mut Vec<u8>) -> Result<(), KeyError> {
        let Self { plan, supplied, scratch } = self;
        scratch.rest.clear();
        for (index, part) in plan.design.parts.iter().enumerate() {
            match part {
                Part::Text(_) => out.extend_from_slice(&plan.texts[index]),
                Part::Field(part) => encode_field(plan, index, part, row, scratch, out)?,
                Part::Bucket(part) if part.of == BucketInput::Rest => scratch.rest.push((index, out.len())),
                Part::Bucket(part) => {
                    let number = bucket::of_items(plan, part, row, *supplied, scratch)?;
                    part.write(number, out);
                }
            }
        }
        while let Some((index, at)) = scratch.rest.pop() {
            if let Part::Bucket(part) = &plan.design.parts[index] {
                let number = bucket::of_rest(part, &out[at..])?;
                insert_bucket(part, number, at, &mut scratch.value, out);
            }
        }
        Ok(check_len(out.len() - start)?)
    }
}

fn insert_bucket(part: &BucketPart, number: u32, at: usize, prefix: &mut Vec<u8>, out: &mut Vec<u8>) {
    prefix.clear();
    part.write(number, prefix);
    let end = out.len();
    out.extend_from_slice(prefix);
    out[at..].rotate_right(prefix.len());
    debug_assert_eq!(out.len(), end + prefix.len());
}

/// Appends one field part: value, encoding, then the steps on bytes.
fn encode_field(
    plan: &CodecPlan,
    index: usize,
    part: &FieldPart,
    row: &Row,
    scratch: &mut Scratch,
    out: &mut Vec<u8>,
) -> Result<(), KeyError> {
    let expr = Expr { field: part.field, function: None };
    let Scratch { derived, value: spare, .. } = scratch;
    let value = value_of(plan, &expr, row, derived)?;
    encode_value(plan, index, part, value, spare, out)
}

fn encode_value(
    plan: &CodecPlan,
    index: usize,
    part: &FieldPart,
    value: Value<'_>,
    spare: &mut Vec<u8>,
    out: &mut Vec<u8>,
) -> Result<(), KeyError> {
    let field = &plan.design.fields[part.field];
    let start = out.len();
    let fail = |cause: Box<KeyFault>| KeyError::Field { field: field.name.clone(), cause };
    write_value(value, &part.steps, &field.kind, out).map_err(fail)?;
    transform::apply(&part.steps, &field.kind, start, spare, out);
    if let End::Before(_) = plan.design.layout[index].end {
        check_terminator(plan, index, &out[start..]).map_err(fail)?;
    }
    if part.steps.invert && !part.steps.encodes_descending() {
        SortOrder::Descending.apply(&mut out[start..]);
    }
    Ok(())
}

/// Appends a value through its encoding and what comes before it.
pub(super) fn write_value(
    value: Value<'_>,
    steps: &Steps,
    kind: &FieldKind,
    out: &mut Vec<u8>,
) -> Result<(), Box<KeyFault>> {
    if let Value::Int(value) = value {
        return number::write(value, steps, kind, out);
    }
    let order = if steps.encodes_descending() { SortOrder::Descending } else { SortOrder::Ascending };
    match (steps.encoding, value) {
        (Encoding::Be, Value::F32(number)) => number::be(number, out),
        (Encoding::Be, Value::F64(number)) => number::be(number, out),
        (Encoding::Be, Value::Bool(value)) => {
            crate::key::binary::encode_bool(out, value, SortOrder::Ascending);
        }
        (Encoding::Ordered, Value::F32(number)) => number::ordered(number, out),
        (Encoding::Ordered, Value::F64(number)) => number::ordered(number, out),
        (Encoding::Phoenix, value) => write_phoenix(value, out)?,
        (Encoding::OrderedBytes, value) => write_ordered_bytes(value, order, out)?,
        (_, Value::Uuid(bytes)) if steps.encoding == Encoding::Plain => out.extend_from_slice(&bytes),
        (_, value) => write_text(value, kind, out)?,
    }
    Ok(())
}

fn write_phoenix(value: Value<'_>, out: &mut Vec<u8>) -> Result<(), Box<KeyFault>> {
    // Phoenix's descending form is the complement, which is the last step of every part.
    let order = SortOrder::Ascending;
    match value {
        Value::Text(text) => phoenix::encode_varchar(out, text, order)?,
        Value::Bytes(bytes) => phoenix::encode_varbinary(out, bytes, order),
        Value::F32(number) => phoenix::encode_float(out, number, order),
        Value::F64(number) => phoenix::encode_float(out, number, order),
        Value::Bool(value) => phoenix::encode_boolean(out, value, order),
        Value::Int(_) | Value::Uuid(_) => {}
    }
    Ok(())
}

fn write_ordered_bytes(value: Value<'_>, order: SortOrder, out: &mut Vec<u8>) -> Result<(), Box<KeyFault>> {
    match value {
        Value::Text(text) => ordered_bytes::encode_string(out, text, order)?,
        Value::Bytes(bytes) => ordered_bytes::encode_blob_copy(out, bytes, order)?,
        Value::F32(number) => ordered_bytes::encode_fixed(out, number, order),
        Value::F64(number) => ordered_bytes::encode_fixed(out, number, order),
        Value::Int(_) | Value::Bool(_) | Value::Uuid(_) => {}
    }
    Ok(())
}

/// The first occurrence of the terminator in value + terminator must be the terminator itself.
fn check_terminator(plan: &CodecPlan, index: usize, value: &[u8]) -> Result<(), Box<KeyFault>> {
    let Some(Part::Text(text)) = plan.design.parts.get(index + 1) else { return Ok(()) };
    let terminator = text.bytes.as_slice();
    let found = match terminator {
        [byte] => value.contains(byte).then(|| value.iter().position(|other| other == byte)).flatten(),
        _ => first_occurrence(value, terminator),
    };
    match found {
        Some(at) => {
            Err(Box::new(KeyFault::Terminator { terminator: terminator.to_vec(), value: value.to_vec(), at }))
        }
        None => Ok(()),
    }
}

/// Where `terminator` begins in `value` + `terminator`, if that is before the value's end.
fn first_occurrence(value: &[u8], terminator: &[u8]) -> Option<usize> {
    (0..value.len()).find(|&at| {
        let head = &value[at..];
        let overlap = head.len().min(terminator.len());
        head[..overlap] == terminator[..overlap]
            && terminator[overlap..] == terminator[..terminator.len() - overlap]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key of `v` = 61 in hex under the steps.
    fn key_of(kind: &str, steps: &str) -> Vec<u8> {
        let text = format!(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nv = {{ type = \"{kind}\" }}\n\
             [key]\nparts = [ {{ field = \"v\", as = \"ordered-bytes\", {steps} }} ]\n"
        );
        let design = crate::Design::from_toml(&text).unwrap();
        let mut row = Row::new(1);
        design.read_value(&mut row, 0, "61").unwrap();
        let mut key = Vec::new();
        crate::KeyCodec::new(design).encoder().encode(&row, &mut key).unwrap();
        key
    }

    #[test]
    fn a_digest_of_ordered_bytes_is_complemented_last() {
        for kind in ["bytes", "string", "int", "i32", "f64"] {
            for take in ["bytes = 4", "hex = 8"] {
                let hash = format!("hash = {{ name = \"md5\", {take} }}");
                let complement: Vec<u8> = key_of(kind, &hash).iter().map(|byte| !byte).collect();
                assert_eq!(key_of(kind, &format!("{hash}, desc = \"invert\"")), complement, "{kind}");
            }
        }
        // Without a digest the descending form is HBase's own, with its end mark.
        assert_eq!(key_of("bytes", "desc = \"invert\""), b"\xc7\x9e\xff");
    }

    #[test]
    fn a_terminator_may_begin_inside_the_value() {
        assert_eq!(first_occurrence(b"a|", b"||"), Some(1));
        assert_eq!(first_occurrence(b"a|b", b"||"), None);
        assert_eq!(first_occurrence(b"ab", b"||"), None);
        assert_eq!(first_occurrence(b"x||y", b"||"), Some(1));
    }
}
