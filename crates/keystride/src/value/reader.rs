//! Reads a source's texts as values of a design, with everything that is the same for every row worked out once.

use std::ops::Range;

use super::read::Reading;
use super::{Row, Value, ValueError};
use crate::codec::quick_values::QuickValues;
use crate::design::{Design, Field, FieldKind, StringKind};

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
    /// Reads most texts of the field. A default that is not a value never is such a text.
    usual: QuickValues,
    field: Field,
    takes_any_number: bool,
}

/// Stands in the `fields` of [`ValueReader::read_parts`] for a part to skip.
pub const NO_FIELD: usize = usize::MAX;

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
            usual: QuickValues::of_source(&field.kind),
            field: field.clone(),
            takes_any_number: design.takes_any_number(index),
        };
        let fields: Vec<FieldReader> = design.fields.iter().enumerate().map(reader).collect();
        let plain_lens = fields.iter().map(|field| plain_lens(&field.usual, &nulls)).collect();
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
        match reader.usual.read_source(&row.texts[part.clone()]) {
            Some(Value::Text(_)) => row.set_part(field, part),
            Some(Value::Int(number)) => row.set_int(field, number),
            _ => return reader.read_other(row, field, part),
        }
        Ok(())
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

/// Returns the bits described at [`ValueReader::plain_lens`].
fn plain_lens(usual: &QuickValues, nulls: &Nulls) -> u64 {
    let Some(StringKind { min_len, max_len, .. }) = usual.plain_text() else { return 0 };
    let lens = (min_len..=max_len).take_while(|len| *len < LONG).filter(|len| !nulls.may_hold(*len));
    lens.fold(0, |lens, len| lens | len_bit(len))
}

/// Lengths from here on share one bit.
const LONG: usize = 63;

#[inline]
fn len_bit(len: usize) -> u64 {
    1 << len.min(LONG)
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
