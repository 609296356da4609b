//! The steps on bytes: `reverse`, `hash`, `escape`.

use crate::design::{FieldKind, HashStep, HashTake, Steps, Units};
use crate::key::{SortOrder, escape_nul};

const HEX: &[u8; 16] = b"0123456789abcdef";

/// Applies the steps to the value at `out[start..]`.
pub(super) fn apply(steps: &Steps, kind: &FieldKind, start: usize, spare: &mut Vec<u8>, out: &mut Vec<u8>) {
    if steps.reverse {
        reverse(&mut out[start..], steps.reversed_units(kind));
    }
    if let Some(step) = steps.hash {
        hash(step, start, out);
    }
    if steps.escape {
        spare.clear();
        spare.extend_from_slice(&out[start..]);
        out.truncate(start);
        escape_nul::encode(out, spare, SortOrder::Ascending);
    }
}

/// Reverses a value.
pub(super) fn reverse(value: &mut [u8], units: Units) {
    if units == Units::Characters && !value.is_ascii() {
        // Reversing the bytes of each character first, and then all bytes, keeps the characters intact.
        let mut start = 0;
        for at in 1..=value.len() {
            if value.get(at).is_none_or(|byte| byte & 0xc0 != 0x80) {
                value[start..at].reverse();
                start = at;
            }
        }
    }
    value.reverse();
}

fn hash(step: HashStep, start: usize, out: &mut Vec<u8>) {
    let digest = step.digest.of(&out[start..]);
    out.truncate(start);
    match step.take {
        HashTake::Bytes(count) => out.extend_from_slice(&digest.as_bytes()[..count]),
        HashTake::Hex(count) => {
            let digits = digest.as_bytes().iter().flat_map(|byte| [byte >> 4, byte & 15]);
            out.extend(digits.take(count).map(|digit| HEX[usize::from(digit)]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reversed(text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        reverse(&mut bytes, Units::Characters);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn texts_are_reversed_by_code_points() {
        assert_eq!(reversed("1234"), "4321");
        assert_eq!(reversed("aé中😀"), "😀中éa");
        assert_eq!(reversed(""), "");
    }
}
