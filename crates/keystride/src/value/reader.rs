//! Reading a source's texts as a design's values, with what does not change from row to row worked out once.

use std::ops::Range;

use super::read::{Reading, read_short};
use super::{Row, Value, ValueError};
use crate::design::{Design, Field, FieldKind};

/// Reads the texts of a source as values of a design's fields, as [`Design::read_value`] does, only sooner.
///
/// ```
/// # use keystride::{Design, Row, Value, value::ValueReader};
/// let design = Design::from_toml(
///     "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n\
///      city = { type = \"string\" }\n[key]\nparts = [{ field = \"id\" }]",
/// )?;
/// let reader = ValueReader::new(&design);
/// let mut row = Row::new(design.fields.len());
/// row.begin("7,Qingdao");
/// reader.read_part(&mut row, 0, 0..1)?;
/// reader.read_part(&mut row, 1, 2..9)?;
/// assert_eq!((row.get(0), row.get(1)), (Some(Value::Int(7)), Some(Value::Text("Qingdao"))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ValueReader {
    fields: Vec<FieldReader>,
    nulls: Nulls,
}

#[derive(Debug, Clone)]
struct FieldReader {
    usual: Usual,
    field: Field,
}

/// What makes most texts of a field values. A default that is no value is never among these texts.
#[derive(Debug, Clone, Copy)]
enum Usual {
    /// So many bytes, whatever they are.
    Text { least: usize, most: usize },
    /// Up to 18 characters that are a number in these limits.
    Int { least: i64, most: i64 },
    /// Nothing simple.
    None,
}

/// The texts that mean that there is no value.
#[derive(Debug, Clone)]
struct Nulls {
    texts: Vec<String>,
    /// A bit for each length that one of them has, the last for all that are longer.
    lens: u64,
}

impl ValueReader {
    /// A reader of a design's fields.
    pub fn new(design: &Design) -> Self {
        let fields = design.fields.iter().cloned();
        let fields = fields.map(|field| FieldReader { usual: Usual::of(&field.kind), field });
        Self { fields: fields.collect(), nulls: Nulls::new(design.input.null.clone()) }
    }

    /// Whether a text is one of `[input] null`.
    #[inline]
    pub fn is_null(&self, text: &str) -> bool {
        self.nulls.hold(text)
    }

    /// Reads a part of the record that [`Row::begin`] took, given in bytes, into slot `field` of `row`. A text stays
    /// where it is in the record.
    ///
    /// # Errors
    ///
    /// [`ValueError`] when it is no value of the field.
    ///
    /// # Panics
    ///
    /// When the part is not one of the record, or cuts a character; of a text when its value is asked for.
    #[inline]
    pub fn read_part(&self, row: &mut Row, field: usize, part: Range<usize>) -> Result<(), ValueError> {
        // Most texts are values by their length alone: they need not be looked at.
        if self.nulls.may_hold(part.len()) && self.is_null(&row.texts[part.clone()]) {
            row.set_absent(field);
            return Ok(());
        }
        let reader = &self.fields[field];
        match reader.usual {
            Usual::Text { least, most } if (least..=most).contains(&part.len()) => {
                row.set_part(field, part);
                Ok(())
            }
            Usual::Int { least, most } => match read_short(&row.texts[part.clone()]) {
                Some(number) if (least..=most).contains(&number) => {
                    row.set_int(field, number.into());
                    Ok(())
                }
                _ => reader.read_other(row, field, part),
            },
            _ => reader.read_other(row, field, part),
        }
    }
}

impl FieldReader {
    /// The same for texts that are not as usual.
    fn read_other(&self, row: &mut Row, field: usize, part: Range<usize>) -> Result<(), ValueError> {
        let text = &row.texts[part.clone()];
        if self.field.is_absence(text) {
            row.set_absent(field);
            return Ok(());
        }
        match self.field.kind.read(text)? {
            Reading::Text => row.set_part(field, part),
            Reading::Value(value) => row.set(field, value),
            Reading::Bytes(bytes) => row.set(field, Value::Bytes(&bytes)),
        }
        Ok(())
    }
}

impl Nulls {
    fn new(texts: Vec<String>) -> Self {
        let lens = texts.iter().fold(0, |lens, text| lens | len_bit(text.len()));
        Self { texts, lens }
    }

    /// Whether there may be one of so many bytes.
    #[inline]
    fn may_hold(&self, len: usize) -> bool {
        self.lens & len_bit(len) != 0
    }

    #[inline]
    fn hold(&self, text: &str) -> bool {
        self.may_hold(text.len()) && (text.is_empty() || self.texts.iter().any(|null| null == text))
    }
}

#[inline]
fn len_bit(len: usize) -> u64 {
    1 << len.min(63)
}

impl Usual {
    fn of(kind: &FieldKind) -> Self {
        match kind {
            FieldKind::String(kind) if kind.alphabet.is_none() => {
                Self::Text { least: kind.min_len, most: kind.max_len }
            }
            FieldKind::Int(kind) => match (i64::try_from(kind.min), i64::try_from(kind.max)) {
                (Ok(least), Ok(most)) => Self::Int { least, most },
                _ => Self::None,
            },
            _ => Self::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FIELDS: &str = "a = { type = \"string\", max_len = 4, default = \"longer\" }\n\
        b = { type = \"string\", max_len = 3, alphabet = \"a-c\", default = \"-\" }\n\
        c = { type = \"digits\", len = 2 }\nd = { type = \"i32\", default = \"1\" }\ne = { type = \"f64\" }\n\
        f = { type = \"bool\" }\ng = { type = \"bytes\", input = \"hex\" }\nh = { type = \"uuid\" }\n\
        i = { type = \"time\", format = \"yyyyMM\" }\nj = { type = \"time\", unit = \"ms\" }\n";

    fn design() -> Design {
        let toml = format!(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n{FIELDS}\
             [key]\nparts = [{{ field = \"c\" }}]\n[input]\nnull = [\"\", \"NULL\", \"--\"]"
        );
        Design::from_toml(&toml).unwrap()
    }

    const KNOWN: [&str; 14] =
        ["", "NULL", "--", "-", "longer", "abc", "1", "07", "-12", "true", "2.5", "202004", "é", "ab"];

    fn text() -> impl Strategy<Value = String> {
        let uuid = Just("abababab-abab-4bab-8bab-abababababab".to_owned());
        prop_oneof![prop::sample::select(&KNOWN[..]).prop_map(String::from), uuid, "[a-d0-9é-]{0,7}"]
    }

    proptest! {
        #[test]
        fn parts_of_a_record_are_read_as_their_texts_are(texts in prop::collection::vec(text(), 10)) {
            let design = design();
            let reader = ValueReader::new(&design);
            let (mut row, mut expected) = (Row::new(10), Row::new(10));
            row.begin(&texts.join(","));
            let mut at = 0;
            for (field, text) in texts.iter().enumerate() {
                let part = at..at + text.len();
                at = part.end + 1;
                let read = reader.read_part(&mut row, field, part);
                prop_assert_eq!(read, design.read_value(&mut expected, field, text), "{}", text);
            }
            prop_assert_eq!(row, expected);
        }
    }
}
