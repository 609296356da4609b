//! Reads a source's texts as values of a design, with everything that is the same for every row worked out once.

use std::ops::Range;

use super::read::{Reading, read_short};
use super::{Row, Value, ValueError, short_number};
use crate::design::{Design, Field, FieldKind, StringKind, TimeKind, TimeText};
use crate::time::{Pattern, Zone};

/// Reads the texts of a source as values of a design's fields: the same values as [`Design::read_value`], only faster.
///
/// ```
/// # use keystride::{Design, Row, Value, value::ValueReader};
/// let design = Design::from_toml(
///     "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n\
///      city = { type = \"string\" }\n[key]\nparts = [{ field = \"id\" }]",
/// )?;
/// let reader = ValueReader::new(&design);
/// let mut row = Row::new(design.fields().len());
/// row.begin("7,Qingdao");
/// reader.read_parts(&mut row, &[0, 1], &[1, 9], 1).map_err(|(_, error)| error)?;
/// assert_eq!((row.get(0), row.get(1)), (Some(Value::Int(7)), Some(Value::Text("Qingdao"))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ValueReader {
    /// For each field, a bit for each length below [`LONG`] at which any text at all is a value.
    plain_lens: Vec<u64>,
    fields: Vec<FieldReader>,
    nulls: Nulls,
}

#[derive(Debug, Clone)]
struct FieldReader {
    usual: Usual,
    field: Field,
    takes_any_number: bool,
}

/// Stands in the `fields` of [`ValueReader::read_parts`] for a part to skip.
pub const NO_FIELD: usize = usize::MAX;

/// The check that most texts of a field pass. A default that is not a value never passes it.
#[derive(Debug, Clone)]
enum Usual {
    /// A string within its limits.
    Text(StringKind),
    /// Exactly `len` ASCII digits.
    Digits { len: usize },
    /// A short number within these limits.
    Int { least: i64, most: i64 },
    /// A time in this pattern and zone, within these limits.
    Time { pattern: Pattern, zone: Zone, least: i64, most: i64 },
    /// There is no simple check.
    None,
}

/// The texts that mean that there is no value.
#[derive(Debug, Clone)]
struct Nulls {
    texts: Vec<String>,
    /// A bit for each length that one of the texts has, see [`len_bit`].
    lens: u64,
}

impl ValueReader {
    /// Creates a reader of a design's fields.
    pub fn new(design: &Design) -> Self {
        let nulls = Nulls::new(design.input.null.clone());
        let reader = |(index, field): (usize, &Field)| FieldReader {
            usual: Usual::of(&field.kind),
            field: field.clone(),
            takes_any_number: design.takes_any_number(index),
        };
        let fields: Vec<FieldReader> = design.fields.iter().enumerate().map(reader).collect();
        let plain_lens = fields.iter().map(|field| field.usual.plain_lens(&nulls)).collect();
        Self { plain_lens, fields, nulls }
    }

    /// Whether a text is one of `[input] null`.
    #[inline]
    pub fn is_null(&self, text: &str) -> bool {
        self.nulls.hold(text)
    }

    /// Reads the parts of the record that was passed to [`Row::begin`], each into the slot of its field in `fields`; a
    /// part without a field of the design is skipped. Each part ends at the byte offset in `ends`, and `gap` bytes separate it from the next. Texts stay where they
    /// are.
    ///
    /// # Errors
    ///
    /// The index of the first part that is not a value of its field, and the reason.
    ///
    /// # Panics
    ///
    /// When a part is outside the record or splits a character; for texts, possibly not before the value is read.
    #[inline]
    pub fn read_parts(
        &self,
        row: &mut Row,
        fields: &[usize],
        ends: &[usize],
        gap: usize,
    ) -> Result<(), (usize, ValueError)> {
        let mut start = 0;
        for (number, (&field, &end)) in fields.iter().zip(ends).enumerate() {
            let part = start..end;
            start = end + gap;
            let Some(plain_lens) = self.plain_lens.get(field) else { continue };
            // Most texts are values by their length alone and need not be examined.
            if plain_lens & len_bit(part.len()) != 0 {
                row.set_part(field, part);
            } else if part.is_empty() && self.nulls.may_hold(0) {
                row.set_absent(field);
            } else {
                self.read_looked_at(row, field, part).map_err(|error| (number, error))?;
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn read_looked_at(&self, row: &mut Row, field: usize, part: Range<usize>) -> Result<(), ValueError> {
        if self.nulls.may_hold(part.len()) && self.is_null(&row.texts[part.clone()]) {
            row.set_absent(field);
            return Ok(());
        }
        let reader = &self.fields[field];
        match &reader.usual {
            Usual::Int { least, most } => match row.short_number(part.clone()) {
                Some(number) if (*least..=*most).contains(&number) => {
                    row.set_int(field, number.into());
                    Ok(())
                }
                _ => reader.read_other(row, field, part),
            },
            Usual::Time { pattern, zone, least, most } => {
                match pattern.read(&row.texts.as_bytes()[part.clone()], zone) {
                    Ok(ms) if (*least..=*most).contains(&ms) => {
                        row.set_int(field, ms.into());
                        Ok(())
                    }
                    _ => reader.read_other(row, field, part),
                }
            }
            usual if usual.is_text(&row.texts.as_bytes()[part.clone()]) => {
                row.set_part(field, part);
                Ok(())
            }
            _ => reader.read_other(row, field, part),
        }
    }
}

impl Row {
    /// Reads a part of the record as a number.
    #[inline]
    fn short_number(&self, part: Range<usize>) -> Option<i64> {
        let bytes = self.texts.as_bytes().get(part.start..)?;
        short_number::read(bytes, part.len()).or_else(|| read_short(self.texts.get(part)?))
    }
}

impl FieldReader {
    /// Reads any text that did not pass the simple check.
    fn read_other(&self, row: &mut Row, field: usize, part: Range<usize>) -> Result<(), ValueError> {
        let text = &row.texts[part.clone()];
        if self.field.is_absence(text) {
            row.set_absent(field);
            return Ok(());
        }
        if let (FieldKind::Time(time), false) = (&self.field.kind, self.takes_any_number) {
            let fail = |cause| ValueError::Time { found: text.to_owned(), cause };
            time.check_day(text).map_err(fail)?;
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

    /// Whether one of the texts may have this length.
    #[inline]
    fn may_hold(&self, len: usize) -> bool {
        self.lens & len_bit(len) != 0
    }

    #[inline]
    fn hold(&self, text: &str) -> bool {
        self.may_hold(text.len()) && (text.is_empty() || self.texts.iter().any(|null| null == text))
    }
}

/// Lengths from here on share one bit.
const LONG: usize = 63;

#[inline]
fn len_bit(len: usize) -> u64 {
    1 << len.min(LONG)
}

impl Usual {
    fn of(kind: &FieldKind) -> Self {
        match kind {
            FieldKind::String(kind) => Self::Text(*kind),
            FieldKind::Digits { len } => Self::Digits { len: *len },
            FieldKind::Int(kind) => match (i64::try_from(kind.min), i64::try_from(kind.max)) {
                (Ok(least), Ok(most)) => Self::Int { least, most },
                _ => Self::None,
            },
            FieldKind::Time(TimeKind { text: TimeText::Pattern(pattern), zone, input: None, min, max }) => {
                match (i64::try_from(*min), i64::try_from(*max)) {
                    (Ok(least), Ok(most)) => {
                        Self::Time { pattern: pattern.clone(), zone: zone.clone(), least, most }
                    }
                    _ => Self::None,
                }
            }
            _ => Self::None,
        }
    }

    /// Returns the bits described at [`ValueReader::plain_lens`].
    fn plain_lens(&self, nulls: &Nulls) -> u64 {
        let Self::Text(StringKind { min_len, max_len, alphabet: None, .. }) = *self else { return 0 };
        let lens = (min_len..=max_len).take_while(|len| *len < LONG).filter(|len| !nulls.may_hold(*len));
        lens.fold(0, |lens, len| lens | len_bit(len))
    }

    /// Whether the bytes are a value that is stored as text.
    #[inline]
    fn is_text(&self, text: &[u8]) -> bool {
        match self {
            Self::Text(kind) => kind.holds(text),
            Self::Digits { len } => text.len() == *len && text.iter().all(u8::is_ascii_digit),
            Self::Int { .. } | Self::Time { .. } | Self::None => false,
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
        i = { type = \"time\", format = \"yyyyMM\" }\nj = { type = \"time\", unit = \"ms\" }\n\
        k = { type = \"time\", format = \"yyyyMMddHH\", zone = \"America/New_York\", min = \"2013031000\" }\n";

    fn design() -> Design {
        let toml = format!(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n{FIELDS}\
             [key]\nparts = [{{ field = \"c\" }}]\n[input]\nnull = [\"\", \"NULL\", \"--\"]"
        );
        Design::from_toml(&toml).unwrap()
    }

    const KNOWN: [&str; 18] = [
        "",
        "NULL",
        "--",
        "-",
        "longer",
        "abc",
        "1",
        "07",
        "-12",
        "true",
        "2.5",
        "202004",
        "é",
        "ab",
        "2013030923",
        "2013031002",
        "2013031003",
        "2013031025",
    ];

    fn text() -> impl Strategy<Value = String> {
        let uuid = Just("abababab-abab-4bab-8bab-abababababab".to_owned());
        prop_oneof![prop::sample::select(&KNOWN[..]).prop_map(String::from), uuid, "[a-d0-9é-]{0,7}"]
    }

    #[test]
    fn a_part_alone_is_read_as_its_text_is_by_every_field() {
        let design = design();
        let reader = ValueReader::new(&design);
        for field in 0..design.fields.len() {
            for text in
                KNOWN.into_iter().chain(["2147483648", "-2147483649", "999912", "2013031000", "abcde"])
            {
                let (mut row, mut expected) = (Row::new(11), Row::new(11));
                row.begin(text);
                let read = reader.read_parts(&mut row, &[field], &[text.len()], 1);
                assert_eq!(read.map_err(|(_, error)| error), design.read_value(&mut expected, field, text));
                assert_eq!(row, expected, "{text}");
            }
        }
    }

    proptest! {
        #[test]
        fn parts_of_a_record_are_read_as_their_texts_are(
            texts in prop::collection::vec(text(), 11),
            skipped in 0..20usize,
        ) {
            let design = design();
            let reader = ValueReader::new(&design);
            let (mut row, mut expected) = (Row::new(11), Row::new(11));
            row.begin(&texts.join(","));
            let mut at = 0;
            let ends: Vec<usize> = texts.iter().map(|text| {
                at += text.len() + 1;
                at - 1
            }).collect();
            let none = NO_FIELD;
            let targets: Vec<usize> =
                (0..texts.len()).map(|field| if field == skipped { none } else { field }).collect();
            let read = reader.read_parts(&mut row, &targets, &ends, 1);
            let mut fields = (0..texts.len()).filter(|field| *field != skipped);
            let expected_read = fields.try_for_each(|field| {
                design.read_value(&mut expected, field, &texts[field]).map_err(|error| (field, error))
            });
            prop_assert_eq!(read, expected_read, "{:?}", texts);
            prop_assert_eq!(row, expected);
        }
    }
}
