//! Comparators.

use std::fmt;

use bytes::Bytes;

use super::Regex;
use super::java_object::{JavaObject, class};
use crate::proto;
use crate::proto::bit_comparator::BitwiseOp;

/// A given value, and how stored bytes are compared with it.
///
/// ```
/// # use keystride_hbase::{Comparator, Compare, Filter};
/// let small = Filter::value(Compare::Less, Comparator::long(1_000));
/// let logins = Filter::row(Compare::Equal, Comparator::substring("login"));
/// # let _ = (small, logins);
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Comparator(JavaObject);

/// How [`Comparator::bits`] combines two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BitJoin {
    /// Bits set in both.
    And,
    /// Bits set in either.
    Or,
    /// Bits set in exactly one.
    Xor,
}

impl Comparator {
    /// Compares unsigned bytes; a prefix is less than a longer value. `BinaryComparator`.
    pub fn binary(value: impl AsRef<[u8]>) -> Self {
        let comparable = comparable(value.as_ref());
        Self(JavaObject::new(class!("BinaryComparator"), &proto::BinaryComparator { comparable }))
    }

    /// Like [`Self::binary`], with only as many of the stored bytes as `prefix` has. `BinaryPrefixComparator`.
    pub fn binary_prefix(prefix: impl AsRef<[u8]>) -> Self {
        let comparable = comparable(prefix.as_ref());
        Self(JavaObject::new(class!("BinaryPrefixComparator"), &proto::BinaryPrefixComparator { comparable }))
    }

    /// Like [`Self::binary`], with the stored bytes from `offset` on, as many as `value` has.
    /// `BinaryComponentComparator`.
    pub fn binary_component(value: impl AsRef<[u8]>, offset: u32) -> Self {
        let value = Bytes::copy_from_slice(value.as_ref());
        let message = proto::BinaryComponentComparator { value, offset };
        Self(JavaObject::new(class!("BinaryComponentComparator"), &message))
    }

    /// Compares numbers; the stored value has eight bytes, big-endian, signed. `LongComparator`.
    ///
    /// A shorter stored value is an error.
    pub fn long(value: i64) -> Self {
        let comparable = comparable(&value.to_be_bytes());
        Self(JavaObject::new(class!("LongComparator"), &proto::LongComparator { comparable }))
    }

    /// Compares decimal numbers, `unscaled` / 10^`scale`. The stored value has the format of Java's
    /// `Bytes.toBytes(BigDecimal)`: the scale in four bytes, then the unscaled number, both big-endian.
    /// `BigDecimalComparator`.
    ///
    /// 1.5 is `big_decimal(15, 1)`, stored as `00 00 00 01 0f`.
    pub fn big_decimal(unscaled: i128, scale: i32) -> Self {
        let mut value = scale.to_be_bytes().to_vec();
        value.extend_from_slice(shortest(&unscaled.to_be_bytes()));
        let comparable = comparable(&value);
        Self(JavaObject::new(class!("BigDecimalComparator"), &proto::BigDecimalComparator { comparable }))
    }

    /// Equal if combining `value` with the stored bytes leaves a bit set. Values of different lengths are never equal.
    /// `BitComparator`.
    pub fn bits(value: impl AsRef<[u8]>, join: BitJoin) -> Self {
        let bitwise_op = match join {
            BitJoin::And => BitwiseOp::And,
            BitJoin::Or => BitwiseOp::Or,
            BitJoin::Xor => BitwiseOp::Xor,
        };
        let message =
            proto::BitComparator { comparable: comparable(value.as_ref()), bitwise_op: bitwise_op.into() };
        Self(JavaObject::new(class!("BitComparator"), &message))
    }

    /// Equal if there is no value. Every cell has one, so in filters it is always `NotEqual`. `NullComparator`.
    pub fn null() -> Self {
        Self(JavaObject::new(class!("NullComparator"), &proto::NullComparator {}))
    }

    /// Equal if the expression matches a part of the stored value. `RegexStringComparator`.
    pub fn regex(regex: Regex) -> Self {
        let message = proto::RegexStringComparator {
            pattern: regex.pattern.into(),
            pattern_flags: regex.flags.bits(),
            charset: regex.text.charset().to_owned(),
            engine: Some(regex.engine.name().to_owned()),
        };
        Self(JavaObject::new(class!("RegexStringComparator"), &message))
    }

    /// Equal if the stored value contains `text`, ignoring case. `SubstringComparator`.
    pub fn substring(text: &str) -> Self {
        let message = proto::SubstringComparator { substr: text.to_owned() };
        Self(JavaObject::new(class!("SubstringComparator"), &message))
    }

    /// A custom class by its fully qualified name, with the bytes for its `parseFrom`.
    pub fn custom(class: &str, bytes: impl AsRef<[u8]>) -> Self {
        Self(JavaObject::custom(class, bytes.as_ref()))
    }

    /// A `BinaryComparator` without a value, with which conditions test for absence.
    pub(super) fn nothing() -> Self {
        let comparable = proto::ByteArrayComparable { value: None };
        Self(JavaObject::new(class!("BinaryComparator"), &proto::BinaryComparator { comparable }))
    }

    pub(super) fn into_proto(self) -> proto::Comparator {
        proto::Comparator { name: self.0.class.into_owned(), serialized_comparator: Some(self.0.bytes) }
    }
}

impl fmt::Debug for Comparator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Comparator({:?})", self.0)
    }
}

fn comparable(value: &[u8]) -> proto::ByteArrayComparable {
    proto::ByteArrayComparable { value: Some(Bytes::copy_from_slice(value)) }
}

/// A two's complement number without redundant sign bytes, like Java's `BigInteger.toByteArray`.
fn shortest(mut number: &[u8]) -> &[u8] {
    while let [0x00, 0x00..=0x7f, ..] | [0xff, 0x80..=0xff, ..] = number {
        number = &number[1..];
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_as_short_as_javas() {
        let cases: [(i128, &[u8]); 8] = [
            (0, &[0]),
            (15, &[15]),
            (127, &[127]),
            (128, &[0, 128]),
            (-1, &[255]),
            (-128, &[128]),
            (-129, &[255, 127]),
            (256, &[1, 0]),
        ];
        for (number, bytes) in cases {
            assert_eq!(shortest(&number.to_be_bytes()), bytes, "{number}");
        }
        assert_eq!(shortest(&i128::MIN.to_be_bytes()).len(), 16);
    }

    #[test]
    fn a_comparator_shows_its_class_and_value() {
        assert_eq!(
            format!("{:?}", Comparator::binary("a")),
            r"Comparator(BinaryComparator \x0A\x03\x0A\x01a)"
        );
    }
}
