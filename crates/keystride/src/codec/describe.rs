//! Describes the parts of a key for people.

use std::ops::Range;

use super::decode::part_end;
use super::error::{Fault, KeyDecodeError, KeyDecodeFault};
use super::key_codec::KeyCodec;
use super::read_value::read_number_part;
use crate::design::{BucketPart, Design, End, Expr, Part, TimeStyle};
use crate::escape::to_shown;
use crate::plan::Literal;
use crate::{Row, Value};

/// One part of a key, described for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribedPart {
    /// What it is.
    pub kind: PartKind,
    /// Its byte range in the key.
    pub span: Range<usize>,
    /// The value, if the key contains it; of a period, its start.
    pub value: Option<Literal>,
    /// The steps applied to it, in the words of the design file; empty for none.
    pub note: String,
}

/// What a part of a key is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    /// Literal bytes.
    Text,
    /// A field, by its index in the design.
    Field(usize),
    /// A salt.
    Bucket,
}

impl DescribedPart {
    /// Returns the text of the value of a field; `None` also for a time that its pattern can't write.
    pub fn value_text(&self, design: &Design, style: &TimeStyle) -> Option<String> {
        let PartKind::Field(field) = self.kind else { return None };
        let field = &design.fields[field];
        let text = style.text_in_key(field, self.value.as_ref()?.as_value(&field.kind)?)?;
        Some(to_shown(text.as_bytes()))
    }
}

impl PartKind {
    /// Returns the name of a field, or else `text` or `bucket`.
    pub fn name(self, design: &Design) -> &str {
        match self {
            Self::Text => "text",
            Self::Bucket => "bucket",
            Self::Field(field) => &design.fields[field].name,
        }
    }
}

/// What is known about a key when only its first bytes are given, such as the bound of a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribedPrefix {
    /// The parts that are complete.
    pub parts: Vec<DescribedPart>,
    /// The part that the bytes end in, with those of its bytes that are given; `None` when they end between two parts.
    pub begun: Option<(PartKind, Vec<u8>)>,
}

impl KeyCodec {
    /// Splits the first bytes of a key into parts, as far as they go. Accepts any bytes.
    pub fn describe_prefix(&self, prefix: &[u8]) -> DescribedPrefix {
        let mut row = Row::new(self.design().fields.len());
        let mut described = DescribedPrefix { parts: Vec::new(), begun: None };
        let mut at = 0;
        for (index, part) in self.design().parts.iter().enumerate() {
            if at == prefix.len() {
                break;
            }
            let Ok(end) = self.read_prefix_part(index, prefix, at, &mut row) else {
                let kind = self.describe_part(part, at..at, prefix, &row).kind;
                described.begun = Some((kind, prefix[at..].to_vec()));
                break;
            };
            described.parts.push(self.describe_part(part, at..end, prefix, &row));
            at = end;
        }
        described
    }

    /// Returns where the part that starts at `at` ends; a part that runs to the end of the key may continue past the
    /// prefix.
    fn read_prefix_part(
        &self,
        index: usize,
        prefix: &[u8],
        at: usize,
        row: &mut Row,
    ) -> Result<usize, Fault> {
        if matches!(self.design().layout[index].end, End::KeyEnd | End::FromKeyEnd(_)) {
            return Err((0, KeyDecodeFault::Unmarked));
        }
        let end = part_end(self, index, prefix, at)?;
        self.read_part(index, &prefix[at..end], row)?;
        Ok(end)
    }

    /// Splits a key into its parts.
    ///
    /// # Errors
    ///
    /// [`KeyDecodeError`] where the bytes stop being a key of the design.
    pub fn describe(&self, key: &[u8]) -> Result<Vec<DescribedPart>, KeyDecodeError> {
        let decoded = self.decode(key)?;
        let parts = self.design().parts.iter().zip(decoded.spans);
        Ok(parts.map(|(part, span)| self.describe_part(part, span, key, &decoded.row)).collect())
    }

    fn describe_part(&self, part: &Part, span: Range<usize>, key: &[u8], row: &Row) -> DescribedPart {
        match part {
            Part::Text(_) => DescribedPart { kind: PartKind::Text, span, value: None, note: String::new() },
            Part::Bucket(bucket) => {
                let note = self.bucket_note(bucket, &key[span.clone()]);
                DescribedPart { kind: PartKind::Bucket, span, value: None, note }
            }
            Part::Field(part) => {
                let field = &self.design().fields[part.field];
                // Of a period the key has the start, which is none of the row's values.
                let value = match part.steps.floor {
                    Some(_) => read_number_part(&part.steps, &field.kind, &key[span.clone()]).map(Value::Int),
                    None => row.get(part.field),
                };
                let (kind, value) = (PartKind::Field(part.field), value.map(Literal::of));
                DescribedPart { kind, span, value, note: part.steps.to_string() }
            }
        }
    }

    fn bucket_note(&self, part: &BucketPart, bytes: &[u8]) -> String {
        let hash = part.hash.name();
        if !part.is_computed() {
            return hash.to_owned();
        }
        let of: Vec<String> = part.of.items().iter().map(|item| self.expr_text(item)).collect();
        let of = if part.of.is_rest() { "the rest".to_owned() } else { of.join(", ") };
        let is_outside = part.outside().is_some_and(|number| part.prefix(number) == bytes);
        let outside =
            if is_outside { ", outside the buckets as the hash is -2147483648 (SLT01)" } else { "" };
        format!("{hash} of {of}{outside}")
    }

    fn expr_text(&self, expr: &Expr) -> String {
        expr.to_text(&self.design().fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codec() -> KeyCodec {
        let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
                    user = { type = \"string\", max_len = 9, alphabet = \"a-z\" }\nts = { type = \"time\", unit = \"s\" }\n\
                    [key]\nparts = [{ bucket = 16, of = [\"user\"] }, { field = \"user\" }, { text = \"!\" }, \
                    { field = \"ts\", desc = 9999999999 }]";
        KeyCodec::new(Design::from_toml(toml).unwrap())
    }

    type Told = (Vec<Option<String>>, Option<(PartKind, Vec<u8>)>);

    fn told(prefix: &[u8]) -> Told {
        let described = codec().describe_prefix(prefix);
        let text = |part: &DescribedPart| part.value_text(codec().design(), &TimeStyle::default());
        (described.parts.iter().map(text).collect(), described.begun)
    }

    #[test]
    fn a_period_is_told_by_its_start() {
        let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nts = { type = \"time\", unit = \"s\" }\n\
                    [key]\nparts = [{ field = \"ts\", floor = \"1h\", as = \"be\", width = 4 }, { field = \"ts\", as = \"be\" }]";
        let codec = KeyCodec::new(Design::from_toml(toml).unwrap());
        let mut row = Row::new(1);
        row.set(0, Value::Int(1_718_150_401));
        let mut key = Vec::new();
        codec.encoder().encode(&row, &mut key).unwrap();
        let values: Vec<_> =
            codec.describe(&key).unwrap().into_iter().map(|part| part.value.unwrap()).collect();
        assert_eq!(values, [1_718_150_400, 1_718_150_401].map(Literal::Int));
    }

    #[test]
    fn a_bound_is_told_as_far_as_it_goes() {
        let user = || Some("ann".to_owned());
        assert_eq!(told(b""), (vec![], None));
        assert_eq!(told(b"0"), (vec![], Some((PartKind::Bucket, b"0".to_vec()))));
        assert_eq!(told(b"03"), (vec![None], None));
        let begun = Some((PartKind::Field(0), b"an".to_vec()));
        assert_eq!(told(b"03an"), (vec![None], begun));
        let begun = Some((PartKind::Field(1), b"8637".to_vec()));
        assert_eq!(told(b"03ann!8637"), (vec![None, user(), None], begun));
        let whole = vec![None, user(), None, Some("1362718800".to_owned())];
        assert_eq!(told(b"03ann!8637281199"), (whole, None));
    }

    #[test]
    fn bytes_that_no_key_begins_with_are_left_as_they_are() {
        assert_eq!(told(b"17x"), (vec![], Some((PartKind::Bucket, b"17x".to_vec()))));
    }
}
