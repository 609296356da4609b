use std::fmt::Debug;
use std::str::FromStr;

use keystride::key::ordered_bytes::{self, Decimal, Fixed, Numeric};
use keystride::key::{DecodeError, EncodeError, SortOrder};
use serde_json::Value;

use crate::both_orders::check_both_orders;
use crate::fields::{f32_bits, f64_bits, is_refused, number, of_bits, text};
use crate::tally::{Outcome, check_file, from_hex, hex, same, to_hex};

const BLOB_VAR: Outcome = Outcome::NotApplicable("blob-var does not keep the order, so no design can say it");

const BEYOND: Outcome = Outcome::NotApplicable("a number of 10^2,000,000,000 or more is refused");

#[test]
fn values_have_the_bytes_of_ordered_bytes_and_struct() {
    check_file("ordered-bytes.json", |vector| match text(vector, "type") {
        "null" => null(vector),
        "int8" => fixed::<i8>(vector),
        "int16" => fixed::<i16>(vector),
        "int32" => fixed::<i32>(vector),
        "int64" => fixed::<i64>(vector),
        "float32" => float::<f32>(vector, f32_bits),
        "float64" => float::<f64>(vector, f64_bits),
        "numeric" => numeric(vector),
        "string" => string(vector),
        "blobcopy" => blob_copy(vector),
        "blob" => BLOB_VAR,
        "struct" => structure(vector),
        other => Outcome::Failed(format!("unknown type {other}")),
    });
}

fn null(vector: &Value) -> Outcome {
    let encode = |out: &mut Vec<u8>, order| {
        ordered_bytes::encode_null(out, order);
        Ok(())
    };
    let decode = |bytes: &[u8], order| ordered_bytes::decode_null(bytes, order).map(|len| ((), len));
    check_both_orders(vector, &(), encode, decode)
}

fn fixed<T: Fixed + FromStr<Err: Debug> + PartialEq + Debug>(vector: &Value) -> Outcome {
    let value: T = number(vector, "value");
    let encode = |out: &mut Vec<u8>, order| {
        ordered_bytes::encode_fixed(out, value, order);
        Ok(())
    };
    check_both_orders(vector, &value, encode, ordered_bytes::decode_fixed)
}

fn float<T: Fixed>(vector: &Value, to_bits: impl Fn(T) -> u64) -> Outcome {
    let value = of_bits::<T>(vector);
    let encode = |out: &mut Vec<u8>, order| {
        ordered_bytes::encode_fixed(out, value, order);
        Ok(())
    };
    let decode = |bytes: &[u8], order| {
        ordered_bytes::decode_fixed::<T>(bytes, order).map(|(value, len)| (to_bits(value), len))
    };
    check_both_orders(vector, &to_bits(value), encode, decode)
}

fn numeric(vector: &Value) -> Outcome {
    let value = match (text(vector, "via"), text(vector, "value")) {
        ("double", "-Infinity") => Numeric::NegativeInfinity,
        ("double", "Infinity") => Numeric::PositiveInfinity,
        ("double", "NaN") => Numeric::NaN,
        ("long", _) => number::<i64>(vector, "value").into(),
        (_, text) if Decimal::parse(text.as_bytes()).is_err() => {
            let is_written = vector["asc"].is_string() || vector["desc"].is_string();
            return if is_written { BEYOND } else { Outcome::Passed };
        }
        (_, text) => decimal(text),
    };
    let encode = |out: &mut Vec<u8>, order| {
        ordered_bytes::encode_numeric(out, value, order);
        Ok(())
    };
    check_both_orders(vector, &value, encode, ordered_bytes::decode_numeric)
}

fn string(vector: &Value) -> Outcome {
    let value = text(vector, "value");
    let encode = |out: &mut Vec<u8>, order| ordered_bytes::encode_string(out, value, order);
    let decode = |bytes: &[u8], order| {
        let mut read = Vec::new();
        ordered_bytes::decode_string(bytes, order, &mut read).map(|len| (read, len))
    };
    check_both_orders(vector, &value.as_bytes().to_vec(), encode, decode)
}

fn blob_copy(vector: &Value) -> Outcome {
    let value = hex(vector, "value");
    let encode = |out: &mut Vec<u8>, order| ordered_bytes::encode_blob_copy(out, &value, order);
    let decode = |bytes: &[u8], order| {
        let mut read = Vec::new();
        ordered_bytes::decode_blob_copy(bytes, order, &mut read).map(|len| (read, len))
    };
    check_both_orders(vector, &value, encode, decode)
}

/// Fields one after another, trailing nulls left out.
fn structure(vector: &Value) -> Outcome {
    let fields: Vec<Field> = vector["fields"].as_array().expect("fields").iter().map(Field::of).collect();
    if fields.iter().any(|field| field.kind == "blob") {
        return BLOB_VAR;
    }
    if is_refused(vector) {
        return refused_struct(&fields);
    }
    let values: Vec<_> = fields.iter().map(|field| field.value.map(str::to_owned)).collect();
    let theirs = hex(vector, "bytes");
    if fields.iter().rev().skip_while(|field| field.value.is_none()).skip(1).any(Field::has_no_end) {
        let encoded = same(&encode_struct(&fields), &Ok(theirs));
        return encoded.but("an ascending blob-copy has no end, so it stands last");
    }
    same(&(encode_struct(&fields), decode_struct(&fields, &theirs)), &(Ok(theirs), Ok(values)))
}

fn refused_struct(fields: &[Field]) -> Outcome {
    let is_null = |field: &Field| field.value.is_none() && field.kind.starts_with(['i', 'f']);
    match encode_struct(fields) {
        Err(_) => Outcome::Passed,
        Ok(_) if fields.iter().any(is_null) => {
            Outcome::NotApplicable("a null of fixed width, which Struct does not take")
        }
        Ok(ours) => Outcome::Failed(format!("ours {ours:02x?}")),
    }
}

fn encode_struct(fields: &[Field]) -> Result<Vec<u8>, EncodeError> {
    let written = fields.iter().rposition(|field| field.value.is_some()).map_or(0, |last| last + 1);
    let mut out = Vec::new();
    fields[..written].iter().try_for_each(|field| field.encode(&mut out))?;
    Ok(out)
}

fn decode_struct(fields: &[Field], bytes: &[u8]) -> Result<Vec<Option<String>>, DecodeError> {
    let mut rest = bytes;
    let mut values = Vec::new();
    for field in fields {
        let (value, len) = field.decode(rest)?;
        values.push(value);
        rest = &rest[len..];
    }
    assert!(rest.is_empty(), "{rest:02x?} is left");
    Ok(values)
}

struct Field<'a> {
    kind: &'a str,
    order: SortOrder,
    value: Option<&'a str>,
}

impl<'a> Field<'a> {
    fn of(field: &'a Value) -> Self {
        let order = if field["order"] == "DESC" { SortOrder::Descending } else { SortOrder::Ascending };
        Self { kind: text(field, "type"), order, value: field["value"].as_str() }
    }

    fn has_no_end(&self) -> bool {
        self.kind == "blobcopy" && self.order == SortOrder::Ascending && self.value.is_some()
    }

    fn encode(&self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        match (self.kind, self.value) {
            (_, None) => ordered_bytes::encode_null(out, self.order),
            ("int8", Some(int)) => ordered_bytes::encode_fixed::<i8>(out, parsed(int), self.order),
            ("int16", Some(int)) => ordered_bytes::encode_fixed::<i16>(out, parsed(int), self.order),
            ("int32", Some(int)) => ordered_bytes::encode_fixed::<i32>(out, parsed(int), self.order),
            ("int64", Some(int)) => ordered_bytes::encode_fixed::<i64>(out, parsed(int), self.order),
            ("float32", Some(float)) => ordered_bytes::encode_fixed::<f32>(out, parsed(float), self.order),
            ("float64", Some(float)) => ordered_bytes::encode_fixed::<f64>(out, parsed(float), self.order),
            ("numeric", Some(text)) => ordered_bytes::encode_numeric(out, decimal(text), self.order),
            ("string", Some(text)) => ordered_bytes::encode_string(out, text, self.order)?,
            ("blobcopy", Some(hex)) => ordered_bytes::encode_blob_copy(out, &from_hex(hex), self.order)?,
            (other, _) => panic!("unknown type {other}"),
        }
        Ok(())
    }

    /// The value in the vector's text; null when nothing is left.
    fn decode(&self, bytes: &[u8]) -> Result<(Option<String>, usize), DecodeError> {
        if bytes.is_empty() {
            return Ok((None, 0));
        }
        if let Ok(len) = ordered_bytes::decode_null(bytes, self.order) {
            return Ok((None, len));
        }
        let (value, len) = self.decode_value(bytes)?;
        Ok((Some(value), len))
    }

    /// The vector's own text where it names the number that was read: a number has several texts.
    fn told<T: Copy + Debug>(
        &self,
        read: Result<(T, usize), DecodeError>,
        named: impl Fn(&str) -> T,
        is_same: impl Fn(T, T) -> bool,
    ) -> Result<(String, usize), DecodeError> {
        let (value, len) = read?;
        let text = self.value.filter(|text| is_same(named(text), value));
        Ok((text.map_or_else(|| format!("{value:?}"), str::to_owned), len))
    }

    fn decode_value(&self, bytes: &[u8]) -> Result<(String, usize), DecodeError> {
        let mut read = Vec::new();
        match self.kind {
            "int8" => shown(ordered_bytes::decode_fixed::<i8>(bytes, self.order)),
            "int16" => shown(ordered_bytes::decode_fixed::<i16>(bytes, self.order)),
            "int32" => shown(ordered_bytes::decode_fixed::<i32>(bytes, self.order)),
            "int64" => shown(ordered_bytes::decode_fixed::<i64>(bytes, self.order)),
            "float32" => self.told(ordered_bytes::decode_fixed(bytes, self.order), parsed, |a, b| {
                f32_bits(a) == f32_bits(b)
            }),
            "float64" => self.told(ordered_bytes::decode_fixed(bytes, self.order), parsed, |a, b| {
                f64_bits(a) == f64_bits(b)
            }),
            "numeric" => self.told(ordered_bytes::decode_numeric(bytes, self.order), decimal, |a, b| a == b),
            "string" => {
                let len = ordered_bytes::decode_string(bytes, self.order, &mut read)?;
                Ok((String::from_utf8(read).expect("decoded as UTF-8"), len))
            }
            "blobcopy" => {
                let len = ordered_bytes::decode_blob_copy(bytes, self.order, &mut read)?;
                Ok((to_hex(&read), len))
            }
            other => panic!("unknown type {other}"),
        }
    }
}

/// The number of a text.
fn decimal(text: &str) -> Numeric {
    Decimal::parse(text.as_bytes()).expect("a decimal").into()
}

fn parsed<T: FromStr<Err: Debug>>(int: &str) -> T {
    int.parse().expect("an integer of the type")
}

fn shown<T: ToString>(read: Result<(T, usize), DecodeError>) -> Result<(String, usize), DecodeError> {
    read.map(|(int, len)| (int.to_string(), len))
}
