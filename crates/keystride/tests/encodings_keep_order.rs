//! Each encoding of one value, ascending and descending: decoding undoes encoding, and bytes sort as values do.

use std::cmp::Ordering;
use std::fmt::Debug;

use keystride::key::ordered_bytes::{self, Decimal, Fixed, Numeric};
use keystride::key::{
    DecodeError, EncodeError, Float, Integer, Number, SignedInteger, SortOrder, binary, decimal, descending,
    escape_nul, phoenix,
};
use proptest::prelude::*;

/// Byte strings whose zeros, escapes and ends collide often.
fn awkward_bytes() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![Just(0x00), Just(0x01), Just(0x02), Just(0xfe), Just(0xff), any::<u8>()];
    prop::collection::vec(byte, 0..12)
}

/// Integers, the small and the extreme ones more often than by chance.
fn integers() -> impl Strategy<Value = i64> {
    prop_oneof![any::<i64>(), -300..300_i64, any::<i8>().prop_map(|low| i64::MIN ^ i64::from(low))]
}

/// Writes two values and reads the first back; the bytes compare as `expected`, whatever follows them.
fn check<T: PartialEq + Debug>(
    values: [&T; 2],
    expected: Ordering,
    encode: impl Fn(&mut Vec<u8>, &T, SortOrder),
    decode: impl Fn(&[u8], SortOrder) -> Result<(T, usize), DecodeError>,
) {
    for order in [SortOrder::Ascending, SortOrder::Descending] {
        let [mut first, mut second] = values.map(|value| {
            let mut out = Vec::new();
            encode(&mut out, value, order);
            out
        });
        let len = first.len();
        if expected.is_ne() {
            first.extend_from_slice(&[0xff, 0x00]);
            second.extend_from_slice(&[0x00, 0xff]);
        }
        let sorted = match order {
            SortOrder::Ascending => expected,
            SortOrder::Descending => expected.reverse(),
        };
        assert_eq!(first.cmp(&second), sorted, "{values:?} {order:?}: {first:02x?} {second:02x?}");
        let (value, read) = decode(&first, order).expect("own bytes are read");
        assert_eq!((&value, read), (values[0], len), "{order:?}: {first:02x?}");
    }
}

fn check_fixed<T: Number + PartialEq + Debug>(a: T, b: T, expected: Ordering) {
    check(
        [&a, &b],
        expected,
        |out, &value, order| binary::encode_ordered(out, value, order),
        binary::decode_ordered,
    );
}

fn check_ordered_bytes<T: Fixed + PartialEq + Debug>(a: T, b: T, expected: Ordering) {
    let encode = |out: &mut Vec<u8>, value: &T, order| ordered_bytes::encode_fixed(out, *value, order);
    check([&a, &b], expected, encode, ordered_bytes::decode_fixed);
}

fn check_signed<T: SignedInteger + Fixed + Ord + Debug>(a: T, b: T) {
    check_fixed(a, b, a.cmp(&b));
    check_ordered_bytes(a, b, a.cmp(&b));
    let encode = |out: &mut Vec<u8>, value: &T, order| phoenix::encode_int(out, *value, order);
    check([&a, &b], a.cmp(&b), encode, phoenix::decode_int);
    check_unsigned_half(a, b);
}

fn check_unsigned_half<T: SignedInteger + Ord + Debug>(a: T, b: T) {
    let mut out = Vec::new();
    let encoded = phoenix::encode_unsigned(&mut out, a, SortOrder::Ascending);
    assert_eq!(encoded.is_ok(), a.into() >= 0);
    if encoded.is_ok() && b.into() >= 0 {
        let encode = |out: &mut Vec<u8>, value: &T, order| {
            phoenix::encode_unsigned(out, *value, order).expect("no sign");
        };
        check([&a, &b], a.cmp(&b), encode, phoenix::decode_unsigned);
    }
}

fn check_float<T: Float + Fixed + PartialEq + Debug>(a: T, b: T, expected: Ordering) {
    check_fixed(a, b, expected);
    check_ordered_bytes(a, b, expected);
    let encode = |out: &mut Vec<u8>, value: &T, order| phoenix::encode_float(out, *value, order);
    check([&a, &b], expected, encode, phoenix::decode_float);
    if !a.has_sign() && !b.has_sign() {
        let encode = |out: &mut Vec<u8>, value: &T, order| {
            phoenix::encode_unsigned_float(out, *value, order).expect("no sign");
        };
        check([&a, &b], expected, encode, phoenix::decode_unsigned_float);
    }
}

fn check_narrow<T: Integer + PartialEq + Debug>(value: i128) {
    match binary::narrow::<T>(value) {
        Ok(narrow) => assert_eq!(narrow.into(), value),
        Err(refused) => {
            let (min, max) = (T::LEAST.into(), T::GREATEST.into());
            assert!(!(min..=max).contains(&value));
            assert_eq!(refused, EncodeError::OutOfRange { value, min, max });
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn integers_sort_by_value_in_every_width(a in integers(), b in integers()) {
        check_signed(a, b);
        let [low_a, low_b] = [a, b].map(i64::to_be_bytes);
        check_signed(i32::from_be_bytes(low_a[4..].try_into()?), i32::from_be_bytes(low_b[4..].try_into()?));
        check_signed(i16::from_be_bytes(low_a[6..].try_into()?), i16::from_be_bytes(low_b[6..].try_into()?));
        check_signed(i8::from_be_bytes([low_a[7]]), i8::from_be_bytes([low_b[7]]));
        check_fixed(a.cast_unsigned(), b.cast_unsigned(), a.cast_unsigned().cmp(&b.cast_unsigned()));
    }

    #[test]
    fn floats_sort_in_total_order(a: u64, b: u64, c: u32, d: u32) {
        let (wide, narrow) = ([a, b].map(f64::from_bits), [c, d].map(f32::from_bits));
        if !wide.iter().any(|value| value.is_nan()) {
            check_float(wide[0], wide[1], wide[0].total_cmp(&wide[1]));
        }
        if !narrow.iter().any(|value| value.is_nan()) {
            check_float(narrow[0], narrow[1], narrow[0].total_cmp(&narrow[1]));
        }
    }

    #[test]
    fn floats_near_zero_sort_in_total_order(
        a in prop::num::f64::ZERO | prop::num::f64::SUBNORMAL | prop::num::f64::POSITIVE | prop::num::f64::NEGATIVE,
        b in prop::num::f64::ZERO | prop::num::f64::SUBNORMAL | prop::num::f64::POSITIVE | prop::num::f64::NEGATIVE,
    ) {
        check_float(a, b, a.total_cmp(&b));
    }

    #[test]
    fn booleans_sort_false_first(a: bool, b: bool) {
        let encode = |out: &mut Vec<u8>, value: &bool, order| binary::encode_bool(out, *value, order);
        check([&a, &b], a.cmp(&b), encode, binary::decode_bool);
        let encode = |out: &mut Vec<u8>, value: &bool, order| phoenix::encode_boolean(out, *value, order);
        check([&a, &b], a.cmp(&b), encode, phoenix::decode_boolean);
    }

    #[test]
    fn a_narrow_number_is_the_same_number(value in integers()) {
        check_narrow::<i32>(value.into());
        check_narrow::<u32>(value.into());
        check_narrow::<u64>(i128::from(value) * 2);
    }

    #[test]
    fn whole_numerics_sort_by_value(a in integers(), b in integers()) {
        let encode = |out: &mut Vec<u8>, value: &Numeric, order| ordered_bytes::encode_numeric(out, *value, order);
        check([&a.into(), &b.into()], a.cmp(&b), encode, ordered_bytes::decode_numeric);
        let (a, b) = (a.cast_unsigned(), b.cast_unsigned());
        check([&a.into(), &b.into()], a.cmp(&b), encode, ordered_bytes::decode_numeric);
        prop_assert_eq!(Decimal::from(a).to_integer(), Some(i128::from(a)));
    }

    #[test]
    fn broken_numerics_sort_by_value(a in integers(), b in integers(), x in -16..=0_i32, y in -16..=0_i32) {
        let encode = |out: &mut Vec<u8>, value: &Decimal, order| ordered_bytes::encode_numeric(out, *value, order);
        let decode = |bytes: &[u8], order| match ordered_bytes::decode_numeric(bytes, order)? {
            (Numeric::Finite(decimal), len) => Ok((decimal, len)),
            other => panic!("{other:?}"),
        };
        let [whole_a, whole_b] = [(a, x), (b, y)].map(|(value, power)| {
            i128::from(value) * 10_i128.pow(16_u32.saturating_add_signed(power))
        });
        let [a, b] = [(a, x), (b, y)].map(|(value, power)| Decimal::new(value.into(), power).unwrap());
        check([&a, &b], whole_a.cmp(&whole_b), encode, decode);
    }

    #[test]
    fn decimals_of_any_length_read_back_as_rounded(coefficient: i128, exponent in -650..650_i32) {
        let value = Decimal::new(coefficient, exponent).unwrap();
        let text = format!("{coefficient}E{exponent}");
        prop_assert_eq!(Decimal::parse(text.as_bytes()), Ok(value));
        let encode = |out: &mut Vec<u8>, value: &Numeric, order| ordered_bytes::encode_numeric(out, *value, order);
        check([&value.into(), &value.into()], Ordering::Equal, encode, ordered_bytes::decode_numeric);
    }

    #[test]
    fn escaped_bytes_sort_by_value(a in awkward_bytes(), b in awkward_bytes()) {
        let encode = |out: &mut Vec<u8>, value: &Vec<u8>, order| escape_nul::encode(out, value, order);
        let decode = |bytes: &[u8], order| {
            let mut out = Vec::new();
            escape_nul::decode(bytes, order, &mut out).map(|len| (out, len))
        };
        check([&a, &b], a.cmp(&b), encode, decode);
    }

    #[test]
    fn strings_sort_by_their_utf8(a in "[^\0]{0,6}", b in "[^\0]{0,6}") {
        let encode = |out: &mut Vec<u8>, value: &Vec<u8>, order| {
            ordered_bytes::encode_string(out, str::from_utf8(value).unwrap(), order).unwrap();
        };
        let decode = |bytes: &[u8], order| {
            let mut out = Vec::new();
            ordered_bytes::decode_string(bytes, order, &mut out).map(|len| (out, len))
        };
        let expected = a.cmp(&b);
        check([&a.into_bytes(), &b.into_bytes()], expected, encode, decode);
    }

    #[test]
    fn a_varchar_with_its_separator_sorts_by_its_utf8(a in "[^\0]{0,6}", b in "[^\0]{0,6}") {
        let separator = |order| match order {
            SortOrder::Ascending => 0x00,
            SortOrder::Descending => 0xff,
        };
        let encode = |out: &mut Vec<u8>, value: &Vec<u8>, order| {
            phoenix::encode_varchar(out, str::from_utf8(value).unwrap(), order).unwrap();
            out.push(separator(order));
        };
        let decode = |bytes: &[u8], order| {
            let mut out = Vec::new();
            let end = bytes.iter().position(|&byte| byte == separator(order)).unwrap();
            phoenix::decode_varchar(&bytes[..end], order, &mut out).map(|len| (out, len + 1))
        };
        let expected = a.cmp(&b);
        check([&a.into_bytes(), &b.into_bytes()], expected, encode, decode);
    }

    #[test]
    fn chars_of_one_width_sort_by_their_padded_text(a in "[!-~]{0,5}", b in "[!-~]{0,5}") {
        let encode = |out: &mut Vec<u8>, value: &Vec<u8>, order| {
            phoenix::encode_char(out, str::from_utf8(value).unwrap(), 5, order).unwrap();
        };
        let decode = |bytes: &[u8], order| {
            let mut out = Vec::new();
            phoenix::decode_char(bytes, 5, order, &mut out).map(|len| (out, len))
        };
        let expected = a.cmp(&b);
        check([&a.into_bytes(), &b.into_bytes()], expected, encode, decode);
    }

    #[test]
    fn last_bytes_of_a_key_sort_by_value(a in awkward_bytes(), b in awkward_bytes()) {
        for order in [SortOrder::Ascending, SortOrder::Descending] {
            let [mut first, mut second] = [Vec::new(), Vec::new()];
            let encoded = [
                ordered_bytes::encode_blob_copy(&mut first, &a, order),
                ordered_bytes::encode_blob_copy(&mut second, &b, order),
            ];
            let takes = |value: &[u8]| order == SortOrder::Ascending || !value.contains(&0);
            prop_assert_eq!(encoded.map(|result| result.is_ok()), [takes(&a), takes(&b)]);
            if encoded.iter().all(Result::is_ok) {
                let expected = if order == SortOrder::Ascending { a.cmp(&b) } else { b.cmp(&a) };
                prop_assert_eq!(first.cmp(&second), expected);
                let mut read = Vec::new();
                prop_assert_eq!(ordered_bytes::decode_blob_copy(&first, order, &mut read), Ok(first.len()));
                prop_assert_eq!(&read, &a);
            }
        }
    }

    #[test]
    fn decimal_text_reads_back_and_sorts_when_padded(a: i128, b in integers(), width in 19..24_usize) {
        let mut text = Vec::new();
        decimal::encode(&mut text, a);
        prop_assert_eq!(str::from_utf8(&text)?, a.to_string());
        prop_assert_eq!(decimal::parse_shortest(&text), Ok(a));
        let (a, b) = (a.unsigned_abs() >> 65, b.unsigned_abs() >> 1);
        let (a, b) = (i64::try_from(a)?, i64::try_from(b)?);
        let [mut first, mut second] = [Vec::new(), Vec::new()];
        decimal::encode_padded(&mut first, a, width)?;
        decimal::encode_padded(&mut second, b, width)?;
        prop_assert_eq!(first.cmp(&second), a.cmp(&b));
        prop_assert_eq!(decimal::parse_padded(&first, width), Ok((a.into(), width)));
        prop_assert_eq!(decimal::parse_i128(&first), Ok(a.into()));
    }

    #[test]
    fn numbers_turned_round_sort_backwards(a in integers(), b in integers(), bound: u64) {
        let turned = [a, b].map(descending::from_long_max);
        prop_assert_eq!(turned.map(|result| result.is_ok()), [a >= 0, b >= 0]);
        if let [Ok(first), Ok(second)] = turned {
            prop_assert_eq!(first.cmp(&second), b.cmp(&a));
            prop_assert_eq!(descending::from_long_max(first), Ok(a));
        }
        if let [Ok(first), Ok(second)] = [a, b].map(|value| descending::from_bound(value, bound)) {
            prop_assert_eq!(first.cmp(&second), b.cmp(&a));
            prop_assert_eq!(descending::from_bound(first, bound), Ok(a.cast_unsigned()));
        }
    }
}
