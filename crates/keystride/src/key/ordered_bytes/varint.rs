//! The variable-length integers of `SQLite4`, up to 32 bits: the first byte is the number itself, or determines how
//! many bytes follow.

use crate::key::{DecodeError, DecodeFault};

/// The smallest numbers that take two bytes, three bytes, and a length byte followed by three or four.
const TWO_BYTES: u32 = 241;
const THREE_BYTES: u32 = 2_288;
const THREE_MORE: u32 = 67_824;
const FOUR_MORE: u32 = 1 << 24;

/// Appends a number.
pub(super) fn push(out: &mut Vec<u8>, value: u32) {
    match value {
        0..TWO_BYTES => out.extend_from_slice(&value.to_be_bytes()[3..]),
        TWO_BYTES..THREE_BYTES => {
            let [.., high, low] = (value - 240).to_be_bytes();
            out.extend_from_slice(&[241 + high, low]);
        }
        THREE_BYTES..THREE_MORE => {
            let [.., high, low] = (value - THREE_BYTES).to_be_bytes();
            out.extend_from_slice(&[249, high, low]);
        }
        THREE_MORE..FOUR_MORE => {
            out.push(250);
            out.extend_from_slice(&value.to_be_bytes()[1..]);
        }
        FOUR_MORE.. => {
            out.push(251);
            out.extend_from_slice(&value.to_be_bytes());
        }
    }
}

/// Reads a number from the bytes that `next` returns. The inner error is for more than 32 bits, and for more bytes than
/// the number needs.
///
/// # Errors
///
/// The errors of `next`.
pub(super) fn read(
    mut next: impl FnMut() -> Result<u8, DecodeError>,
) -> Result<Result<u32, DecodeFault>, DecodeError> {
    let first = next()?;
    let mut big_endian = |count: u8| {
        (0..count).try_fold(0, |number, _| Ok::<u32, DecodeError>(number << 8 | u32::from(next()?)))
    };
    let (least, value) = match first {
        0..=240 => (0, first.into()),
        241..=248 => (TWO_BYTES, 240 + (u32::from(first - 241) << 8) + big_endian(1)?),
        249 => (THREE_BYTES, THREE_BYTES + big_endian(2)?),
        250 => (THREE_MORE, big_endian(3)?),
        251 => (FOUR_MORE, big_endian(4)?),
        252.. => return Ok(Err(DecodeFault::OutOfRange)),
    };
    Ok(if value < least { Err(DecodeFault::NotCanonical) } else { Ok(value) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back_in_their_order() {
        let ends = [TWO_BYTES, 496, THREE_BYTES, THREE_MORE, FOUR_MORE];
        let numbers = ends.into_iter().flat_map(|end| [end - 1, end, end + 1]).chain([u32::MAX]);
        let mut last = Vec::new();
        for number in [0].into_iter().chain(numbers) {
            let mut bytes = Vec::new();
            push(&mut bytes, number);
            assert!(bytes > last, "{number}");
            let mut rest = bytes.iter();
            assert_eq!(read(|| Ok(*rest.next().unwrap())), Ok(Ok(number)));
            assert_eq!(rest.len(), 0);
            last = bytes;
        }
    }
}
