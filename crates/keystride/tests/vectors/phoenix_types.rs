use std::fmt::Debug;
use std::str::FromStr;

use keystride::key::{DecodeError, EncodeError, Float, SignedInteger, SortOrder, phoenix};
use serde_json::Value;

use crate::both_orders::check_both_orders;
use crate::fields::{f32_bits, f64_bits, number, of_bits, text};
use crate::recipe::{Recipe, Refused};
use crate::tally::{Outcome, check_file, hex, same};

#[test]
fn single_values_have_phoenix_s_bytes() {
    check_file("phoenix-types.json", |vector| match text(vector, "type") {
        "TINYINT" => signed::<i8>(vector),
        "SMALLINT" => signed::<i16>(vector),
        "INTEGER" => signed::<i32>(vector),
        "BIGINT" | "DATE" | "TIME" => signed::<i64>(vector),
        "UNSIGNED_TINYINT" => unsigned::<i8>(vector),
        "UNSIGNED_SMALLINT" => unsigned::<i16>(vector),
        "UNSIGNED_INT" => unsigned::<i32>(vector),
        "UNSIGNED_LONG" | "UNSIGNED_DATE" | "UNSIGNED_TIME" => unsigned::<i64>(vector),
        "FLOAT" => float::<f32>(vector, f32_bits),
        "DOUBLE" => float::<f64>(vector, f64_bits),
        "UNSIGNED_FLOAT" => unsigned_float::<f32>(vector, f32_bits),
        "UNSIGNED_DOUBLE" => unsigned_float::<f64>(vector, f64_bits),
        "BOOLEAN" => boolean(vector),
        "VARCHAR" => varchar(vector),
        "VARBINARY" => varbinary(vector),
        "CHAR" => padded_char(vector),
        "BINARY" => binary(vector),
        "TIMESTAMP" => timestamp(
            vector,
            |out, ms, order| {
                phoenix::encode_int(out, ms, order);
                Ok(())
            },
            phoenix::decode_int,
        ),
        "UNSIGNED_TIMESTAMP" => timestamp(vector, phoenix::encode_unsigned, phoenix::decode_unsigned),
        "DECIMAL" => Outcome::NotApplicable("DECIMAL is not a type of the design file"),
        other => Outcome::Failed(format!("unknown type {other}")),
    });
}

fn signed<T: SignedInteger + FromStr<Err: Debug> + PartialEq + Debug>(vector: &Value) -> Outcome {
    let value: T = number(vector, "value");
    let encode = |out: &mut Vec<u8>, order| {
        phoenix::encode_int(out, value, order);
        Ok(())
    };
    check_both_orders(vector, &value, encode, phoenix::decode_int)
}

fn unsigned<T: SignedInteger + FromStr<Err: Debug> + PartialEq + Debug>(vector: &Value) -> Outcome {
    let value: T = number(vector, "value");
    let encode = |out: &mut Vec<u8>, order| phoenix::encode_unsigned(out, value, order);
    check_both_orders(vector, &value, encode, phoenix::decode_unsigned)
}

fn float<T: Float>(vector: &Value, to_bits: impl Fn(T) -> u64) -> Outcome {
    let value = of_bits::<T>(vector);
    let encode = |out: &mut Vec<u8>, order| {
        phoenix::encode_float(out, value, order);
        Ok(())
    };
    let decode = |bytes: &[u8], order| {
        phoenix::decode_float::<T>(bytes, order).map(|(value, len)| (to_bits(value), len))
    };
    check_both_orders(vector, &to_bits(value), encode, decode)
}

fn unsigned_float<T: Float>(vector: &Value, to_bits: impl Fn(T) -> u64) -> Outcome {
    let value = of_bits::<T>(vector);
    let encode = |out: &mut Vec<u8>, order| phoenix::encode_unsigned_float(out, value, order);
    match text(vector, "value") {
        "-0.0" => {
            let reason = "-0.0 would sort behind all unsigned floats, so it is refused";
            return refused(encode, EncodeError::Negative, reason);
        }
        // `Bytes.putFloat` keeps its sign, `Bytes.putDouble` does not.
        "NaN" if value.has_sign() && size_of::<T>() == size_of::<f32>() => {
            let reason = "an UNSIGNED_FLOAT keeps the sign of a NaN, so that one is refused";
            return refused(encode, EncodeError::Negative, reason);
        }
        _ => {}
    }
    let decode = |bytes: &[u8], order| {
        phoenix::decode_unsigned_float::<T>(bytes, order).map(|(value, len)| (to_bits(value), len))
    };
    check_both_orders(vector, &to_bits(value), encode, decode)
}

/// Milliseconds as a DATE has them, and the nanoseconds below one as an `UNSIGNED_INT`.
fn timestamp(
    vector: &Value,
    encode_ms: impl Fn(&mut Vec<u8>, i64, SortOrder) -> Result<(), EncodeError>,
    decode_ms: impl Fn(&[u8], SortOrder) -> Result<(i64, usize), DecodeError>,
) -> Outcome {
    let (ms, nanos) = text(vector, "value").split_once('+').expect("milliseconds and nanoseconds");
    let value: (i64, i32) = (ms.parse().expect("a long"), nanos.parse().expect("an int"));
    let encode = |out: &mut Vec<u8>, order| {
        encode_ms(out, value.0, order)?;
        phoenix::encode_unsigned(out, value.1, order)
    };
    let decode = |bytes: &[u8], order| {
        let (ms, len) = decode_ms(bytes, order)?;
        phoenix::decode_unsigned(&bytes[len..], order).map(|(nanos, rest)| ((ms, nanos), len + rest))
    };
    check_both_orders(vector, &value, encode, decode)
}

/// Descending as a row key has it: every byte complemented. `PDataType` alone gives the other value's ascending byte
/// instead, which is none of ours.
fn boolean(vector: &Value) -> Outcome {
    let value = text(vector, "value") == "true";
    for (order, mask) in [(SortOrder::Ascending, 0x00), (SortOrder::Descending, 0xff)] {
        let mut ours = Vec::new();
        phoenix::encode_boolean(&mut ours, value, order);
        let theirs: Vec<u8> = hex(vector, "asc").iter().map(|byte| byte ^ mask).collect();
        let read = phoenix::decode_boolean(&ours, order);
        if (&ours, &read) != (&theirs, &Ok((value, 1))) {
            return Outcome::Failed(format!("{order:?}: ours {ours:02x?}, read {read:?}"));
        }
    }
    let descending = hex(vector, "desc");
    let read = phoenix::decode_boolean(&descending, SortOrder::Descending).is_ok();
    same(&(descending, read), &(vec![u8::from(!value)], false))
}

fn varchar(vector: &Value) -> Outcome {
    let value = text(vector, "value");
    let encode = |out: &mut Vec<u8>, order| phoenix::encode_varchar(out, value, order);
    if let Some(at) = value.find('\0') {
        let reason = "a VARCHAR that holds its own end is refused";
        return refused(encode, EncodeError::ZeroByte { at }, reason);
    }
    let decode = |bytes: &[u8], order| {
        let mut read = Vec::new();
        phoenix::decode_varchar(bytes, order, &mut read).map(|len| (read, len))
    };
    check_both_orders(vector, &value.as_bytes().to_vec(), encode, decode)
}

fn varbinary(vector: &Value) -> Outcome {
    let value = hex(vector, "value");
    let encode = |out: &mut Vec<u8>, order| {
        phoenix::encode_varbinary(out, &value, order);
        Ok(())
    };
    let decode = |bytes: &[u8], order| {
        let mut read = Vec::new();
        let len = phoenix::decode_varbinary(bytes, order, &mut read);
        Ok((read, len))
    };
    check_both_orders(vector, &value, encode, decode)
}

fn padded_char(vector: &Value) -> Outcome {
    let (value, width) = (text(vector, "value"), length(vector));
    let encode = |out: &mut Vec<u8>, order| phoenix::encode_char(out, value, width, order);
    if value.is_ascii() && value.len() > width {
        let reason = "a value longer than its CHAR is refused, as Phoenix's statements refuse it";
        return refused(encode, EncodeError::TooLong { len: value.len(), width }, reason);
    }
    if value.is_ascii() && value.ends_with(' ') {
        let reason = "CHAR loses a trailing blank, so the value is refused";
        return refused(encode, EncodeError::TrailingBlank, reason);
    }
    let decode = |bytes: &[u8], order| {
        let mut read = Vec::new();
        phoenix::decode_char(bytes, width, order, &mut read).map(|len| (read, len))
    };
    check_both_orders(vector, &value.as_bytes().to_vec(), encode, decode)
}

/// A BINARY is a field of bytes of the same length, which pads none.
fn binary(vector: &Value) -> Outcome {
    let (value, width) = (text(vector, "value"), length(vector));
    for (field, desc) in [("asc", ""), ("desc", ", desc = \"invert\"")] {
        let kind = format!("v = {{ type = \"bytes\", input = \"hex\", len = {width} }}");
        let recipe = Recipe::new(&kind, &format!("{{ field = \"v\"{desc} }}"));
        let theirs = hex(vector, field);
        let read = recipe.decode(&theirs).ok();
        match recipe.key(&[value]) {
            Err(Refused::Value(_)) if value.len() != 2 * width => {}
            ours if (&ours, &read) == (&Ok(theirs), &recipe.row(&[value]).ok()) => {}
            ours => return Outcome::Failed(format!("{field}: ours {ours:02x?}, read {read:?}")),
        }
    }
    if value.len() == 2 * width {
        return Outcome::Passed;
    }
    Outcome::NotApplicable("BINARY: a field of bytes has its length, nothing is padded")
}

fn length(vector: &Value) -> usize {
    vector["length"].as_u64().and_then(|len| usize::try_from(len).ok()).expect("a length")
}

/// A value that Phoenix takes and keystride refuses in both orders.
fn refused(
    encode: impl Fn(&mut Vec<u8>, SortOrder) -> Result<(), EncodeError>,
    why: EncodeError,
    reason: &'static str,
) -> Outcome {
    let ours = [SortOrder::Ascending, SortOrder::Descending].map(|order| encode(&mut Vec::new(), order));
    same(&ours, &[Err(why), Err(why)]).but(reason)
}
