//! The results of one region.

use bytes::Bytes;
use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};
use prost::{DecodeError, Message};

use crate::proto;

/// The message `RegionActionResult`.
///
/// Outcomes are decoded when they are needed: building and dropping a tree of them would take longer than all other
/// work on an answer.
#[derive(Debug)]
pub(super) struct RegionAnswer {
    message: Bytes,
    other_fields: OtherFields,
}

/// Its other fields.
#[derive(Clone, PartialEq, Message)]
struct OtherFields {
    #[prost(message, optional, tag = "2")]
    exception: Option<proto::NameBytesPair>,
    #[prost(bool, optional, tag = "3")]
    processed: Option<bool>,
}

/// An iterator over the outcomes, each a message `ResultOrException`.
#[derive(Debug)]
pub(super) struct Outcomes<'a> {
    left: &'a [u8],
}

const OUTCOME: u32 = 1;
/// Its key; the length after it has one byte.
const SHORT_OUTCOME: u8 = 1 << 3 | 2;

impl RegionAnswer {
    pub(super) fn decode(message: Bytes) -> Result<Self, DecodeError> {
        let (mut other_fields, mut left) = (OtherFields::default(), &message[..]);
        while !left.is_empty() {
            if take_short(&mut left).is_none() {
                let (tag, wire_type) = decode_key(&mut left)?;
                other_fields.merge_field(tag, wire_type, &mut left, DecodeContext::default())?;
            }
        }
        Ok(Self { message, other_fields })
    }

    /// The exception of the whole region.
    pub(super) fn exception(&self) -> Option<&proto::NameBytesPair> {
        self.other_fields.exception.as_ref()
    }

    /// Whether it has no result for any action.
    pub(super) fn is_silent(&self) -> bool {
        self.other_fields.processed.is_none() && self.outcomes().next().is_none()
    }

    pub(super) fn outcomes(&self) -> Outcomes<'_> {
        Outcomes { left: &self.message }
    }
}

impl<'a> Iterator for Outcomes<'a> {
    type Item = &'a [u8];

    /// An error ends the iterator; a decoded message has none.
    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        if let Some(outcome) = take_short(&mut self.left) {
            return Some(outcome);
        }
        while !self.left.is_empty() {
            let (tag, wire_type) = decode_key(&mut self.left).ok()?;
            if (tag, wire_type) == (OUTCOME, WireType::LengthDelimited) {
                let len = usize::try_from(decode_varint(&mut self.left).ok()?).ok()?;
                let (outcome, left) = self.left.split_at_checked(len)?;
                self.left = left;
                return Some(outcome);
            }
            skip_field(wire_type, tag, &mut self.left, DecodeContext::default()).ok()?;
        }
        None
    }
}

/// The next outcome if it is short, as nearly all are.
#[inline]
fn take_short<'a>(left: &mut &'a [u8]) -> Option<&'a [u8]> {
    let [SHORT_OUTCOME, len @ 0..=0x7f, rest @ ..] = *left else { return None };
    let (outcome, rest) = rest.split_at_checked(usize::from(*len))?;
    *left = rest;
    Some(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_found_whatever_stands_between_them() {
        let known = proto::RegionActionResult {
            result_or_exception: vec![
                proto::ResultOrException { index: Some(300), ..Default::default() },
                proto::ResultOrException::default(),
            ],
            ..Default::default()
        };
        // A varint with an unknown tag, before and between.
        let message = known.encode_to_vec();
        let (first, second) = message.split_at(5);
        let answer = RegionAnswer::decode([b"\x38\x05", first, b"\x38\x05", second].concat().into()).unwrap();
        assert_eq!(answer.outcomes().collect::<Vec<_>>(), [b"\x08\xac\x02".as_slice(), b""]);
        assert!(!answer.is_silent() && answer.exception().is_none());
    }

    #[test]
    fn an_answer_without_outcomes_is_silent_unless_processed_is_set() {
        assert!(RegionAnswer::decode(Bytes::new()).unwrap().is_silent());
        assert!(!RegionAnswer::decode(Bytes::from_static(b"\x18\x01")).unwrap().is_silent());
    }

    #[test]
    fn an_outcome_that_is_cut_is_an_error() {
        assert!(RegionAnswer::decode(Bytes::from_static(b"\x0a\x02\x08")).is_err());
    }
}
