//! Reads keys back to the fields they were made of.

use std::ops::Range;

use super::error::{Fault, KeyDecodeError, KeyDecodeFault};
use super::key_codec::KeyCodec;
use super::ops::Op;
use super::read_value::read_field;
use crate::Design;
use crate::design::{Base, BucketPart, Encoding, End, Part};
use crate::key::{SortOrder, escape_nul};
use crate::value::Row;

/// A key that has been decoded.
#[derive(Debug, Clone, PartialEq)]
pub struct DecodedKey {
    /// The values of the fields that the key contains; the others are absent.
    pub row: Row,
    /// The byte range of each part in the key, in the order of the design's parts.
    pub spans: Vec<Range<usize>>,
    /// The bucket of the first bucket part, or the number [outside](BucketPart::outside) its buckets.
    pub bucket: Option<u32>,
}

impl KeyCodec {
    /// Decodes a key to its fields, and checks that a row with these fields has exactly this key.
    ///
    /// # Errors
    ///
    /// [`KeyDecodeError`], which says where the bytes stop being a key of the design, and why.
    pub fn decode(&self, key: &[u8]) -> Result<DecodedKey, KeyDecodeError> {
        let mut decoded =
            DecodedKey { row: Row::new(self.design().fields.len()), spans: Vec::new(), bucket: None };
        self.decode_into(key, &mut decoded)?;
        self.check_bytes(key, &decoded)?;
        Ok(decoded)
    }

    /// Decodes a key without checking that a row with these fields has exactly this key, for keys that are known to come
    /// from this design. Reuses the buffers of `decoded`.
    ///
    /// # Errors
    ///
    /// [`KeyDecodeError`], as for [`KeyCodec::decode`].
    pub fn decode_into(&self, key: &[u8], decoded: &mut DecodedKey) -> Result<(), KeyDecodeError> {
        let parts = self.design().parts.len();
        let at = self.decode_parts(parts, key, decoded)?;
        match key.len() - at {
            0 => Ok(()),
            count => Err(self.error(parts - 1, at, KeyDecodeFault::LeftOver { count })),
        }
    }

    /// Like [`KeyCodec::decode_into`], for designs with a part whose end can't be found (ENC02): decodes the parts
    /// before the first such part, or the whole key if there is none. The fields that are left out are stored as cells;
    /// see [`Design::fields_in_key`].
    ///
    /// # Errors
    ///
    /// [`KeyDecodeError`], as for [`KeyCodec::decode`].
    pub fn decode_known_into(&self, key: &[u8], decoded: &mut DecodedKey) -> Result<(), KeyDecodeError> {
        match self.plan.unmarked {
            Some(unmarked) => self.decode_parts(unmarked, key, decoded).map(|_| ()),
            None => self.decode_into(key, decoded),
        }
    }

    /// Reads the first `count` parts, and returns where they end.
    fn decode_parts(
        &self,
        count: usize,
        key: &[u8],
        decoded: &mut DecodedKey,
    ) -> Result<usize, KeyDecodeError> {
        decoded.row.clear();
        decoded.spans.clear();
        decoded.bucket = None;
        let mut at = 0;
        for index in 0..count {
            let fail = |(within, fault)| self.error(index, at + within, fault);
            let end = part_end(self, index, key, at).map_err(fail)?;
            let bucket = self.read_part(index, &key[at..end], &mut decoded.row).map_err(fail)?;
            decoded.bucket = decoded.bucket.or(bucket);
            decoded.spans.push(at..end);
            at = end;
        }
        Ok(at)
    }

    /// Reads the bytes of one part: puts a field's value into its slot, and returns the number of a bucket.
    pub(super) fn read_part(&self, index: usize, bytes: &[u8], row: &mut Row) -> Result<Option<u32>, Fault> {
        match &self.design().parts[index] {
            Part::Text(_) => read_text(self.text_bytes(index), bytes).map(|()| None),
            Part::Bucket(part) => read_bucket(part, bytes).map(Some),
            Part::Field(part) if self.absence(index) == Some(bytes) => {
                row.set_absent(part.field);
                Ok(None)
            }
            Part::Field(part) => {
                let usual = if let Op::Field(op) = &self.plan.ops[index] { op.read(bytes) } else { None };
                match usual {
                    Some(value) => row.set(part.field, value),
                    None => read_field(self.design(), index, part, bytes, row)?,
                }
                Ok(None)
            }
        }
    }

    pub(super) fn error(&self, index: usize, at: usize, fault: KeyDecodeFault) -> KeyDecodeError {
        KeyDecodeError { at, part: self.design().part_name(index), fault }
    }
}

/// Returns where the part that starts at `at` ends.
pub(crate) fn part_end(codec: &KeyCodec, index: usize, key: &[u8], at: usize) -> Result<usize, Fault> {
    let rest = &key[at..];
    let short = |needed| (rest.len(), KeyDecodeFault::TooShort { found: rest.len(), needed });
    match &codec.design().layout[index].end {
        End::Fixed(width) if rest.len() >= *width => Ok(at + width),
        End::Fixed(width) => Err(short(*width)),
        End::Before(terminator) => match find(rest, terminator) {
            Some(width) => Ok(at + width),
            None => Err((rest.len(), KeyDecodeFault::NoTerminator { terminator: terminator.clone() })),
        },
        End::KeyEnd => Ok(key.len()),
        End::FromKeyEnd(after) if rest.len() >= *after => Ok(key.len() - after),
        End::FromKeyEnd(after) => Err(short(*after)),
        End::Own => own_end(codec.design(), index, rest).map(|width| at + width),
        End::Unmarked => Err((0, KeyDecodeFault::Unmarked)),
    }
}

fn own_end(design: &Design, index: usize, rest: &[u8]) -> Result<usize, Fault> {
    let part = match &design.parts[index] {
        Part::Field(part) => part,
        Part::Bucket(part) => return Ok(bucket_width(part, rest)),
        Part::Text(text) => return Ok(text.bytes.len()),
    };
    if part.steps.encoding == Encoding::OrderedBytes && !part.steps.escape {
        return super::read_value::ordered_bytes_width(design, part, rest);
    }
    let order = if part.steps.invert { SortOrder::Descending } else { SortOrder::Ascending };
    escape_nul::decode(rest, order, &mut Vec::new()).map_err(|error| (error.at, error.into()))
}

/// Returns the width of a bucket whose declared width is too narrow for the largest ones: the longest run of digits
/// that is a bucket.
fn bucket_width(part: &BucketPart, rest: &[u8]) -> usize {
    let most = BucketPart::needed_width(part.count, part.base).max(part.width).min(rest.len());
    let is_bucket = |width: &usize| {
        read_number(part.base, &rest[..*width])
            .is_some_and(|number| number < part.count.get() && part.prefix(number) == rest[..*width])
    };
    (part.width..=most).rev().find(is_bucket).unwrap_or(part.width.min(rest.len()))
}

fn read_text(expected: &[u8], found: &[u8]) -> Result<(), Fault> {
    if found == expected { Ok(()) } else { Err((0, KeyDecodeFault::OtherText { found: found.to_vec() })) }
}

fn read_bucket(part: &BucketPart, bytes: &[u8]) -> Result<u32, Fault> {
    match read_number(part.base, bytes) {
        // Too narrow a bucket is not padded further.
        Some(number) if part.holds(number) && (part.has_fixed_width() || part.prefix(number) == bytes) => {
            Ok(number)
        }
        _ => Err((0, KeyDecodeFault::NotABucket { found: bytes.to_vec(), count: part.count.get() })),
    }
}

fn read_number(base: Base, bytes: &[u8]) -> Option<u32> {
    let digits = |radix| {
        bytes.iter().try_fold(0u32, |number, &byte| {
            let digit = char::from(byte).to_digit(radix).filter(|_| !byte.is_ascii_uppercase())?;
            number.checked_mul(radix)?.checked_add(digit)
        })
    };
    match base {
        Base::Decimal => digits(10),
        Base::Hex => digits(16),
        Base::Byte => {
            bytes.iter().try_fold(0u32, |number, &byte| number.checked_mul(256)?.checked_add(byte.into()))
        }
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    match wanted {
        [byte] => bytes.iter().position(|other| other == byte),
        _ => bytes.windows(wanted.len()).position(|window| window == wanted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_too_narrow_ends_where_parts_of_one_width_begin() {
        let design = Design::from_toml(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nn = { type = \"u32\" }\n\
             k = { type = \"digits\", len = 2 }\n\
             [key]\nparts = [{ bucket = 16, hash = \"mod\", of = [\"n\"], width = 1 }, { field = \"k\" }]",
        );
        let codec = KeyCodec::new(design.unwrap());
        let bucket_of = |key: &[u8]| codec.decode(key).map(|decoded| decoded.bucket);
        assert_eq!(bucket_of(b"104"), Ok(Some(1)));
        assert_eq!(bucket_of(b"1004"), Ok(Some(10)));
        assert!(bucket_of(b"0104").is_err() && bucket_of(b"1604").is_err() && bucket_of(b"04").is_err());
    }
}
