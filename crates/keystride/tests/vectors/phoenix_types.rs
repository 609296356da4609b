use std::fmt::Debug;
use std::str::FromStr;

use keystride::key::{Float, SignedInteger, SortOrder, phoenix};
use serde_json::Value;

use crate::both_orders::check_both_orders;
use crate::fields::{f32_bits, f64_bits, number, of_bits, text};
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
        "BINARY" => Outcome::NotApplicable("BINARY is not a type of the design file"),
        "TIMESTAMP" | "UNSIGNED_TIMESTAMP" => {
            Outcome::NotApplicable("TIMESTAMP is not a type of the design file")
        }
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
    if text(vector, "value") == "-0.0" {
        assert!(phoenix::encode_unsigned_float(&mut Vec::new(), value, SortOrder::Ascending).is_err());
        return Outcome::NotApplicable("-0.0 would sort behind all unsigned floats, so it is refused");
    }
    let encode = |out: &mut Vec<u8>, order| phoenix::encode_unsigned_float(out, value, order);
    let decode = |bytes: &[u8], order| {
        phoenix::decode_unsigned_float::<T>(bytes, order).map(|(value, len)| (to_bits(value), len))
    };
    check_both_orders(vector, &to_bits(value), encode, decode)
}

/// Ascending as `PDataType` has it; descending as a row key does, which it has not.
fn boolean(vector: &Value) -> Outcome {
    let value = text(vector, "value") == "true";
    let mut ours = Vec::new();
    phoenix::encode_boolean(&mut ours, value, SortOrder::Ascending);
    let read = phoenix::decode_boolean(&ours, SortOrder::Ascending);
    match same(&(ours, read), &(hex(vector, "asc"), Ok((value, 1)))) {
        Outcome::Passed => {
            Outcome::NotApplicable("DESC BOOLEAN in a key is not what PDataType.toBytes gives")
        }
        failed => failed,
    }
}

fn varchar(vector: &Value) -> Outcome {
    let value = text(vector, "value");
    if value.contains('\0') {
        assert!(phoenix::encode_varchar(&mut Vec::new(), value, SortOrder::Ascending).is_err());
        return Outcome::NotApplicable("a VARCHAR that holds its own end is refused");
    }
    let encode = |out: &mut Vec<u8>, order| phoenix::encode_varchar(out, value, order);
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
    let value = text(vector, "value");
    let width = vector["length"].as_u64().and_then(|len| usize::try_from(len).ok()).expect("a length");
    if value.ends_with(' ') {
        return Outcome::NotApplicable("CHAR loses a trailing blank, so the value is refused");
    }
    let encode = |out: &mut Vec<u8>, order| phoenix::encode_char(out, value, width, order);
    let decode = |bytes: &[u8], order| {
        let mut read = Vec::new();
        phoenix::decode_char(bytes, width, order, &mut read).map(|len| (read, len))
    };
    check_both_orders(vector, &value.as_bytes().to_vec(), encode, decode)
}
