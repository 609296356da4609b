//! What stored bytes are compared with, and how.

use std::fmt;

use bytes::Bytes;

use super::Regex;
use super::java_object::{JavaObject, class};
use crate::proto;
use crate::proto::bit_comparator::BitwiseOp;

/// A given value, and the way to compare stored bytes with it.
///
/// ```
/// # use keystride_hbase::{Comparator, Compare, Filter};
/// let small = Filter::value(Compare::Less, Comparator::long(1_000));
/// let logins = Filter::row(Compare::Equal, Comparator::substring("login"));
/// # let _ = (small, logins);
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Comparator(JavaObject);

/// How [`Comparator::bits`] joins two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BitJoin {
    /// Bits set in both.
    And,
    /// Bits set in either.
    Or,
    /// Bits set in just one.
    Xor,
}

impl Comparator {
    /// Byte by byte, unsigned; the shorter of two is less when the longer starts with it. `BinaryComparator`.
    pub fn binary(value: impl AsRef<[u8]>) -> Self {
        let comparable = comparable(value.as_ref());
        Self(JavaObject::new(class!("BinaryComparator"), &proto::BinaryComparator { comparable }))
    }

    /// Like [`Self::binary`], with no more of what is stored than `prefix` is long. `BinaryPrefixComparator`.
    pub fn binary_prefix(prefix: impl AsRef<[u8]>) -> Self {
        let comparable = comparable(prefix.as_ref());
        Self(JavaObject::new(class!("BinaryPrefixComparator"), &proto::BinaryPrefixComparator { comparable }))
    }

    /// Like [`Self::binary`], with the part of what is stored that starts at byte `offset` and is as long as `value`.
    /// `BinaryComponentComparator`.
    pub fn binary_component(value: impl AsRef<[u8]>, offset: u32) -> Self {
        let value = Bytes::copy_from_slice(value.as_ref());
        let message = proto::BinaryComponentComparator { value, offset };
        Self(JavaObject::new(class!("BinaryComponentComparator"), &message))
    }

    /// As numbers: what is stored is eight bytes, big-endian, signed. `LongComparator`.
    ///
    /// A stored value of fewer bytes ends the call with an error.
    pub fn long(value: i64) -> Self {
        let comparable = comparable(&value.to_be_bytes());
        Self(JavaObject::new(class!("LongComparator"), &proto::LongComparator { comparable }))
    }

    /// As decimal numbers, `unscaled` / 10^`scale`; what is stored is in the form of Java's `Bytes.toBytes(BigDecimal)`:
    /// the scale in four bytes, then the unscaled number, both big-endian. `BigDecimalComparator`.
    ///
    /// 1.5 is `big_decimal(15, 1)`, stored as `00 00 00 01 0f`.
    pub fn big_decimal(unscaled: i128, scale: i32) -> Self {
        let mut value = scale.to_be_bytes().to_vec();
        value.extend_from_slice(shortest(&unscaled.to_be_bytes()));
        let comparable = comparable(&value);
        Self(JavaObject::new(class!("BigDecimalComparator"), &proto::BigDecimalComparator { comparable }))
    }

    /// Equal if joining it with what is stored leaves a bit set; what is not as long as `value` is never equal.
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

    /// Equal if there is nothing at all: no cell has that, so in filters it is `NotEqual` to all. `NullComparator`.
    pub fn null() -> Self {
        Self(JavaObject::new(class!("NullComparator"), &proto::NullComparator {}))
    }

    /// Equal if the expression matches some part of it. `RegexStringComparator`.
    pub fn regex(regex: Regex) -> Self {
        let message = proto::RegexStringComparator {
            pattern: regex.pattern.into(),
            pattern_flags: regex.flags.bits(),
            charset: regex.text.charset().to_owned(),
            engine: Some(regex.engine.name().to_owned()),
        };
        Self(JavaObject::new(class!("RegexStringComparator"), &message))
    }

    /// Equal if it holds `text` somewhere, case apart. `SubstringComparator`.
    pub fn substring(text: &str) -> Self {
        let message = proto::SubstringComparator { substr: text.to_owned() };
        Self(JavaObject::new(class!("SubstringComparator"), &message))
    }

    /// A class of the cluster's own, by its full name, with the bytes its `parseFrom` takes.
    pub fn custom(class: &str, bytes: impl AsRef<[u8]>) -> Self {
        Self(JavaObject::custom(class, bytes.as_ref()))
    }

    /// A `BinaryComparator` without a value: what a condition compares with to ask whether a column is there.
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

/// A two's complement number without the bytes that only repeat its sign, like Java's `BigInteger.toByteArray`.
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
