//! Encodes one field part of the key: the encoding of its value, followed by the steps on bytes.

use super::defaulted_design::DefaultedDesign;
use super::derive::value_of;
use super::error::{KeyError, KeyFault};
use super::quick_values::QuickValues;
use super::read_value::read_field;
use super::scratch::Scratch;
use super::transform;
use super::write_value::write_value;
use crate::design::{End, Expr, Field, FieldPart, Part, Steps};
use crate::key::SortOrder;
use crate::value::{Row, Value};

/// A field part, with everything worked out that does not depend on the row.
#[derive(Debug)]
pub(super) struct FieldOp {
    /// Index of the field in the design.
    field: usize,
    steps: Steps,
    values: QuickValues,
    /// Whether the slot of the field may not hold the value, as that is computed from another field's.
    is_derived: bool,
    /// Whether any step remains once the value is written.
    has_more_steps: bool,
    /// Whether the bytes of the part are those of the value.
    is_read: bool,
}

impl FieldOp {
    /// Compiles the part of `field` that ends at `end`.
    pub(super) fn of(part: &FieldPart, field: &Field, end: &End) -> Self {
        let values = QuickValues::of_part(part, field);
        let is_checked = matches!(end, End::Before(terminator) if values.may_hold(terminator));
        let has_steps_on_bytes = has_steps_on_bytes(&part.steps);
        Self {
            field: part.field,
            steps: part.steps.clone(),
            values,
            is_derived: field.from.is_some(),
            has_more_steps: is_checked || has_steps_on_bytes,
            is_read: !has_steps_on_bytes && *end != End::Unmarked,
        }
    }

    /// Reads the part if it is a usual value.
    pub(super) fn read<'b>(&self, bytes: &'b [u8]) -> Option<Value<'b>> {
        if self.is_read { self.values.read(bytes) } else { None }
    }

    /// Appends the part at `index` of the design for a row, without its terminator.
    pub(super) fn encode(
        &self,
        base: &DefaultedDesign,
        index: usize,
        row: &Row,
        scratch: &mut Scratch,
        out: &mut Vec<u8>,
    ) -> Result<(), KeyError> {
        let start = out.len();
        if self.is_derived || !self.values.write(row, self.field, out) {
            return self.encode_other(base, index, row, scratch, out);
        }
        if self.has_more_steps { self.finish(base, index, start, &mut scratch.value, out) } else { Ok(()) }
    }

    /// Like `encode`, for a value that is absent, derived or unusual.
    fn encode_other(
        &self,
        base: &DefaultedDesign,
        index: usize,
        row: &Row,
        scratch: &mut Scratch,
        out: &mut Vec<u8>,
    ) -> Result<(), KeyError> {
        let Scratch { derived, value: spare, .. } = scratch;
        let value = value_of(base, &Expr::field(self.field), row, derived)?;
        self.encode_value(base, index, value, spare, out)
    }

    /// Appends a value of the part's field, of any type.
    pub(super) fn encode_value(
        &self,
        base: &DefaultedDesign,
        index: usize,
        value: Value<'_>,
        spare: &mut Vec<u8>,
        out: &mut Vec<u8>,
    ) -> Result<(), KeyError> {
        let start = out.len();
        let field = &base.design.fields[self.field];
        write_value(value, &self.steps, &field.kind, out).map_err(|cause| refused(field, cause))?;
        self.finish(base, index, start, spare, out)
    }

    /// Applies the steps on bytes to the value at `out[start..]`.
    fn finish(
        &self,
        base: &DefaultedDesign,
        index: usize,
        start: usize,
        spare: &mut Vec<u8>,
        out: &mut Vec<u8>,
    ) -> Result<(), KeyError> {
        let field = &base.design.fields[self.field];
        transform::apply(&self.steps, &field.kind, start, spare, out);
        if let End::Before(_) = base.design.layout[index].end {
            check_terminator(base, index, &out[start..]).map_err(|cause| refused(field, cause))?;
        }
        if self.steps.invert && !self.steps.encodes_descending() {
            SortOrder::Descending.apply(&mut out[start..]);
        }
        Ok(())
    }

    /// Returns the bytes of the part at `index` when the value is absent, if a default is written that is not itself a
    /// value: that of the part's own field, or that of the field it is computed from if the result is not a value
    /// either.
    pub(super) fn absence(&self, base: &DefaultedDesign, index: usize) -> Option<Vec<u8>> {
        let design = &base.design;
        let Part::Field(part) = &design.parts[index] else { return None };
        let defaulted = design.defaulted(part.field);
        let field = &design.fields[defaulted];
        field.default.as_deref().filter(|default| field.is_absence(default))?;
        let is_own = defaulted == part.field;
        let mut bytes = Vec::new();
        let mut nothing = Row::new(design.fields.len());
        self.encode(base, index, &nothing, &mut Scratch::default(), &mut bytes).ok()?;
        (is_own || read_field(design, index, part, &bytes, &mut nothing).is_err()).then_some(bytes)
    }
}

fn has_steps_on_bytes(steps: &Steps) -> bool {
    steps.reverse || steps.hash.is_some() || steps.escape || steps.invert
}

#[cold]
fn refused(field: &Field, cause: Box<KeyFault>) -> KeyError {
    KeyError::Field { field: field.name.clone(), cause }
}

/// Checks that the first occurrence of the terminator in value + terminator is the terminator itself.
fn check_terminator(base: &DefaultedDesign, index: usize, value: &[u8]) -> Result<(), Box<KeyFault>> {
    let Some(Part::Text(text)) = base.design.parts.get(index + 1) else { return Ok(()) };
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

/// Returns where `terminator` begins in `value` + `terminator`, if that is before the end of the value.
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
    use crate::Design;

    /// Returns the key of `v` = 61 in hex under these steps.
    fn key_of(kind: &str, steps: &str) -> Vec<u8> {
        let text = format!(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nv = {{ type = \"{kind}\" }}\n\
             [key]\nparts = [ {{ field = \"v\", as = \"ordered-bytes\", {steps} }} ]\n"
        );
        let design = Design::from_toml(&text).unwrap();
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
        // Without a digest, the descending form is HBase's own, with its end mark.
        assert_eq!(key_of("bytes", "desc = \"invert\""), b"\xc7\x9e\xff");
    }

    #[test]
    fn a_varchar_of_phoenix_is_reversed_by_characters() {
        let reversed = |steps: &str| {
            let design = Design::from_toml(&format!(
                "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nv = {{ type = \"string\" }}\n\
                 [key]\nparts = [ {{ field = \"v\", {steps} }} ]\n"
            ));
            let codec = crate::KeyCodec::new(design.unwrap());
            let mut row = Row::new(1);
            row.set(0, Value::Text("é中"));
            let mut key = Vec::new();
            codec.encoder().encode(&row, &mut key).unwrap();
            assert_eq!(codec.decode(&key).unwrap().row, row);
            key
        };
        assert_eq!(reversed("as = \"phoenix\", reverse = true"), "中é".as_bytes());
        assert_eq!(reversed("reverse = true"), "中é".as_bytes());
    }

    #[test]
    fn a_terminator_may_begin_inside_the_value() {
        assert_eq!(first_occurrence(b"a|", b"||"), Some(1));
        assert_eq!(first_occurrence(b"a|b", b"||"), None);
        assert_eq!(first_occurrence(b"ab", b"||"), None);
        assert_eq!(first_occurrence(b"x||y", b"||"), Some(1));
    }
}
