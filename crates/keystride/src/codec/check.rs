//! Checks that the rows a key is decoded to have exactly its bytes.

use super::decode::DecodedKey;
use super::encode::KeyEncoder;
use super::error::{KeyDecodeError, KeyDecodeFault, KeyError};
use super::key_codec::KeyCodec;
use super::read_value::read_number_part;
use crate::design::{BucketInput, BucketPart, Field, FieldPart, Part, TimeText, floor_number};
use crate::value::Row;

impl KeyCodec {
    /// Encodes every part again from the values that were read and compares the bytes; parts whose input is not fully
    /// known are skipped.
    pub(super) fn check_bytes(&self, key: &[u8], decoded: &DecodedKey) -> Result<(), KeyDecodeError> {
        let mut encoder = self.encoder();
        let in_key = self.design().fields_in_key();
        for (index, part) in self.design().parts.iter().enumerate() {
            let span = decoded.spans[index].clone();
            match part {
                Part::Field(part) => {
                    let bytes = &key[span.clone()];
                    let why = if in_key[self.design().source_of(part.field)] {
                        written_otherwise(index, bytes, &decoded.row, &mut encoder)
                    } else {
                        let fields = &self.design().fields;
                        within_a_period(part, &fields[part.field], bytes)
                            .filter(|_| !is_of_no_value(index, bytes, fields, &mut encoder))
                    };
                    if let Some(why) = why {
                        let fault = KeyDecodeFault::NotAValue { found: bytes.to_vec(), why: why.to_owned() };
                        return Err(self.error(index, span.start, fault));
                    }
                }
                Part::Bucket(part) => self.check_bucket(index, part, key, decoded, &mut encoder)?,
                Part::Text(_) => {}
            }
        }
        Ok(())
    }

    fn check_bucket(
        &self,
        index: usize,
        part: &BucketPart,
        key: &[u8],
        decoded: &DecodedKey,
        encoder: &mut KeyEncoder,
    ) -> Result<(), KeyDecodeError> {
        if !part.is_computed() || !self.gives_back_input_of(part) {
            return Ok(());
        }
        let span = decoded.spans[index].clone();
        let computed = match &part.of {
            BucketInput::Rest => super::bucket::of_rest(part, &key[span.end..]),
            BucketInput::Items(_) => encoder.bucket_of(part, &decoded.row),
        };
        let fault = match computed {
            Ok(computed) if part.prefix(computed) == key[span.clone()] => return Ok(()),
            Ok(computed) => KeyDecodeFault::OtherBucket { computed },
            Err(cause) => KeyDecodeFault::NoBucket { cause: Box::new(cause) },
        };
        Err(self.error(index, span.start, fault))
    }

    /// Whether the key contains everything that the bucket is computed from.
    fn gives_back_input_of(&self, part: &BucketPart) -> bool {
        let in_key = self.design().fields_in_key();
        let spread = part.spread.iter().flat_map(|spread| &spread.by);
        part.of.items().iter().chain(spread).all(|item| in_key[self.design().source_of(item.field)])
    }
}

/// Compares the bytes of a field part with those that the row gives; returns why they are not the same.
fn written_otherwise(
    index: usize,
    bytes: &[u8],
    row: &Row,
    encoder: &mut KeyEncoder,
) -> Option<&'static str> {
    let mut expected = Vec::new();
    match encoder.encode_part(index, row, &mut expected) {
        Err(KeyError::Missing { .. }) => None,
        Ok(()) if expected == bytes => None,
        Ok(()) | Err(_) => Some("its values are written in other bytes"),
    }
}

/// Whether a row without values has these bytes: those of a default, which need not be like any value.
fn is_of_no_value(index: usize, bytes: &[u8], fields: &[Field], encoder: &mut KeyEncoder) -> bool {
    let mut of_nothing = Vec::new();
    encoder.encode_part(index, &Row::new(fields.len()), &mut of_nothing).is_ok() && of_nothing == bytes
}

/// Returns why the bytes of a part of periods are not the start of one. A text of a pattern may tell less than the start,
/// and is not checked, nor is what is reversed.
fn within_a_period(part: &FieldPart, field: &Field, bytes: &[u8]) -> Option<&'static str> {
    let time = field.time().filter(|_| part.steps.hash.is_none() && !part.steps.reverse)?;
    if part.steps.is_text(&field.kind) && matches!(time.text, TimeText::Pattern(_)) {
        return None;
    }
    // What is rounded down last need not be the start of the other period.
    let period = part.steps.floor.or(field.derived_period())?;
    let number = read_number_part(&part.steps, &field.kind, bytes)?;
    let is_inside = floor_number(number, period, time) != number;
    is_inside.then_some("it is not the start of a period")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Design;

    fn codec(bucket: &str) -> KeyCodec {
        let design = format!(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
             v = {{ type = \"string\", alphabet = \"a-z\", default = \"-\" }}\n\
             [key]\nparts = [{{ {bucket}, of = [\"v\"], width = 1 }}, {{ field = \"v\" }}]"
        );
        KeyCodec::new(Design::from_toml(&design).unwrap())
    }

    fn refused(bucket: &str, key: &[u8]) -> String {
        codec(bucket).decode(key).unwrap_err().to_string()
    }

    #[test]
    fn a_key_in_another_bucket_than_its_rows_is_refused() {
        const BUCKET: &str = "bucket = 6, hash = \"java-string\"";
        // Java's hash of "ab" is 31 · 97 + 98.
        assert_eq!(codec(BUCKET).decode(b"3ab").unwrap().bucket, Some(3));
        assert_eq!(refused(BUCKET, b"2ab"), "at byte 0, bucket: a row with these values belongs to bucket 3");
        // A row without a value is in the bucket of the default "-", byte 45.
        assert_eq!(codec(BUCKET).decode(b"3-").unwrap().row, Row::new(1));
        assert_eq!(refused(BUCKET, b"2-"), "at byte 0, bucket: a row with these values belongs to bucket 3");
    }

    #[test]
    fn a_key_whose_row_has_no_bucket_is_refused() {
        const BUCKET: &str = "bucket = 6, hash = \"java-string\"";
        let why = "at byte 0, bucket: a row with these values has no bucket: SLT01: ";
        assert!(refused(BUCKET, b"0polygenelubricants").starts_with(why));
    }

    #[test]
    fn parts_of_a_field_that_the_key_has_are_compared_with_it() {
        let refused = |fields: &str, parts: &str, key: &str| {
            let design = Design::from_toml(&format!(
                "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n{fields}\n[key]\nparts = [ {parts} ]"
            ));
            KeyCodec::new(design.unwrap()).decode(key.as_bytes()).err().map(|error| error.to_string())
        };
        let text = "v = { type = \"string\", max_len = 9 }\nd = { from = \"left(v,2)\" }";
        let hashed = "{ field = \"v\", hash = { name = \"crc32\", hex = 4 } }, { field = \"v\" }";
        assert_eq!(refused(text, hashed, "3524abc"), None);
        assert!(refused(text, hashed, "0000abc").is_some());
        let derived = "{ field = \"d\" }, { text = \"!\" }, { field = \"v\" }";
        assert_eq!(refused(text, derived, "ab!abc"), None);
        assert!(refused(text, derived, "xy!abc").is_some());
        let time = "t = { type = \"time\", unit = \"s\" }\nday = { from = \"floor(t,1d)\" }";
        for parts in
            ["{ field = \"t\", floor = \"1d\" }, { field = \"t\" }", "{ field = \"day\" }, { field = \"t\" }"]
        {
            assert_eq!(refused(time, parts, "15861312001586176496"), None);
            assert!(refused(time, parts, "11111111111586176496").is_some());
        }
        for part in ["{ field = \"t\", floor = \"1d\" }", "{ field = \"day\" }"] {
            assert_eq!(refused(time, part, "1586131200"), None);
            assert!(
                refused(time, part, "1586176496")
                    .is_some_and(|why| why.ends_with("not the start of a period"))
            );
        }
        let default = "t = { type = \"time\", unit = \"s\" }\nday = { from = \"floor(t,1d)\", default = \"9999999999\" }";
        assert_eq!(refused(default, "{ field = \"day\" }", "9999999999"), None);
        let bytes = "b = { type = \"bytes\", len = 2 }";
        assert!(refused(bytes, "{ field = \"b\", as = \"ordered-bytes\" }", "8abc").is_some());
        assert_eq!(refused(bytes, "{ field = \"b\", as = \"ordered-bytes\" }", "8ab"), None);
    }

    #[test]
    fn the_key_of_a_row_is_a_key_whatever_its_periods_are_written_in() {
        let steps = [
            "",
            ", pad = 12",
            ", pad = 12, reverse = true",
            ", desc = 9999999999",
            ", desc = \"long-max\", reverse = true",
            ", as = \"be\"",
            ", as = \"be\", reverse = true",
            ", as = \"ordered\", desc = \"invert\"",
            ", as = \"ordered-bytes\"",
        ];
        let parts =
            ["\"t\", floor = \"1mo\"", "\"week\"", "\"week\", floor = \"1mo\"", "\"week\", floor = \"4h\""];
        for (part, step) in parts.into_iter().flat_map(|part| steps.map(|step| (part, step))) {
            let design = Design::from_toml(&format!(
                "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
                 t = {{ type = \"time\", unit = \"s\" }}\nweek = {{ from = \"floor(t,7d)\" }}\n\
                 [key]\nparts = [ {{ field = {part}{step} }} ]"
            ));
            let codec = KeyCodec::new(design.unwrap());
            let mut row = Row::new(2);
            codec.design().read_value(&mut row, 0, "1586176496").unwrap();
            let mut key = Vec::new();
            codec.encoder().encode(&row, &mut key).unwrap();
            assert!(codec.decode(&key).is_ok(), "{part}{step}: {key:?}");
        }
    }
}
