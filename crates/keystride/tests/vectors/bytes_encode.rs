use std::fmt::Debug;
use std::str::FromStr;

use keystride::key::SortOrder::Ascending;
use keystride::key::{Number, binary};
use serde_json::Value;

use crate::fields::{number, of_bits, text};
use crate::tally::{Outcome, check_file, hex, same};

#[test]
fn numbers_are_written_and_read_as_bytes_to_bytes_has_them() {
    check_file("bytes-encode.json", |vector| match text(vector, "type") {
        "short" => integer::<i16>(vector),
        "int" => integer::<i32>(vector),
        "long" => integer::<i64>(vector),
        "float" => float::<f32>(vector, |value| value.to_bits().into()),
        "double" => float::<f64>(vector, f64::to_bits),
        "boolean" => boolean(vector),
        "String" => string(vector),
        "BigDecimal" => Outcome::NotApplicable("Bytes.toBytes(BigDecimal) is no encoding of the design file"),
        other => Outcome::Failed(format!("unknown type {other}")),
    });
}

fn integer<T: Number + FromStr<Err: Debug> + PartialEq + Debug>(vector: &Value) -> Outcome {
    let value: T = number(vector, "value");
    let mut ours = Vec::new();
    binary::encode_be(&mut ours, value, Ascending);
    let read = binary::decode_be::<T>(&hex(vector, "bytes"), Ascending);
    same(&(ours.clone(), read), &(hex(vector, "bytes"), Ok((value, ours.len()))))
}

/// The bits tell more than the text: Java keeps those of a NaN.
fn float<T: Number>(vector: &Value, to_bits: impl Fn(T) -> u64) -> Outcome {
    let value = of_bits::<T>(vector);
    let mut ours = Vec::new();
    binary::encode_be(&mut ours, value, Ascending);
    let read = binary::decode_be::<T>(&ours, Ascending).map(|(value, len)| (to_bits(value), len));
    let theirs = hex(vector, "bytes");
    same(&(ours, read), &(theirs.clone(), Ok((to_bits(value), theirs.len()))))
}

fn boolean(vector: &Value) -> Outcome {
    let value = vector["value"] == "true";
    let mut ours = Vec::new();
    binary::encode_bool(&mut ours, value, Ascending);
    same(&(binary::decode_bool(&ours, Ascending), ours), &(Ok((value, 1)), hex(vector, "bytes")))
}

/// A string field stands in a key as its UTF-8.
fn string(vector: &Value) -> Outcome {
    let Some(value) = vector["value"].as_str() else {
        return Outcome::NotApplicable("text with an unpaired surrogate is no UTF-8, so no field holds it");
    };
    let theirs = hex(vector, "bytes");
    same(&(value.as_bytes(), Ok(value)), &(&theirs, str::from_utf8(&theirs)))
}
