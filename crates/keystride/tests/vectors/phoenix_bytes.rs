//! The bytes of types that Phoenix has and no field of a design: the library's encoders make them, a design holds them.

use std::fmt::Debug;
use std::str::FromStr;

use keystride::key::SortOrder::Ascending;
use keystride::key::{DecodeError, EncodeError, Float, SignedInteger, phoenix};

/// What makes the ascending bytes of a value's text, or tells why there are none. It reads them back as well.
pub(crate) type Encoder = fn(&str) -> Result<Vec<u8>, String>;

/// The length of CHAR and BINARY columns in vectors.
pub(crate) const CHAR_LEN: usize = 4;

/// The encoder of a type that no field has.
pub(crate) fn encoder(kind: &str) -> Option<Encoder> {
    Some(match kind {
        "TINYINT" => signed::<i8>,
        "SMALLINT" => signed::<i16>,
        "UNSIGNED_TINYINT" => unsigned::<i8>,
        "UNSIGNED_SMALLINT" => unsigned::<i16>,
        "UNSIGNED_FLOAT" => unsigned_float::<f32>,
        "UNSIGNED_DOUBLE" => unsigned_float::<f64>,
        "CHAR" => char_of_four,
        _ => return None,
    })
}

fn signed<T: SignedInteger + FromStr<Err: Debug> + PartialEq + Debug>(text: &str) -> Result<Vec<u8>, String> {
    let value = parsed::<T>(text)?;
    let mut bytes = Vec::new();
    phoenix::encode_int(&mut bytes, value, Ascending);
    both_ways(Ok(()), bytes, &value, |bytes| phoenix::decode_int(bytes, Ascending))
}

fn unsigned<T: SignedInteger + FromStr<Err: Debug> + PartialEq + Debug>(
    text: &str,
) -> Result<Vec<u8>, String> {
    let value = parsed::<T>(text)?;
    let mut bytes = Vec::new();
    let encoded = phoenix::encode_unsigned(&mut bytes, value, Ascending);
    both_ways(encoded, bytes, &value, |bytes| phoenix::decode_unsigned(bytes, Ascending))
}

/// Compared as text, to which every NaN is the same.
fn unsigned_float<T: Float + FromStr<Err: Debug> + Debug>(text: &str) -> Result<Vec<u8>, String> {
    let value = parsed::<T>(text)?;
    let mut bytes = Vec::new();
    let encoded = phoenix::encode_unsigned_float(&mut bytes, value, Ascending);
    let decode = |bytes: &[u8]| {
        phoenix::decode_unsigned_float::<T>(bytes, Ascending).map(|(value, len)| (format!("{value:?}"), len))
    };
    both_ways(encoded, bytes, &format!("{value:?}"), decode)
}

fn char_of_four(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let encoded = phoenix::encode_char(&mut bytes, text, CHAR_LEN, Ascending);
    let decode = |bytes: &[u8]| {
        let mut read = Vec::new();
        phoenix::decode_char(bytes, CHAR_LEN, Ascending, &mut read).map(|len| (read, len))
    };
    both_ways(encoded, bytes, &text.as_bytes().to_vec(), decode)
}

fn parsed<T: FromStr<Err: Debug>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error| format!("{text:?}: {error:?}"))
}

/// The bytes of a value, which have to read back as it.
fn both_ways<T: PartialEq + Debug>(
    encoded: Result<(), EncodeError>,
    bytes: Vec<u8>,
    value: &T,
    decode: impl Fn(&[u8]) -> Result<(T, usize), DecodeError>,
) -> Result<Vec<u8>, String> {
    encoded.map_err(|refused| refused.to_string())?;
    let (read, len) = decode(&bytes).expect("bytes that an encoder made");
    assert_eq!((&read, len), (value, bytes.len()), "{bytes:02x?} read back");
    Ok(bytes)
}
