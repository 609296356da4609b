//! Random changes of messages.

use std::ops::Range;

use fastrand::Rng;

use super::fields;

/// Generates inputs: some are random bytes, most are messages with a few changes. Equal seeds give equal inputs.
#[derive(Debug)]
pub(super) struct Mutator<'a> {
    random: Rng,
    corpus: &'a [Vec<u8>],
    /// How many lengths of two bytes precede the first message of an input.
    lengths: usize,
}

/// Changes don't grow an input beyond this size.
const MAX_BYTES: usize = 1 << 16;

/// Values at which lengths and counts overflow.
const EXTREMES: [u64; 14] = [
    0,
    1,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    i64::MAX.cast_unsigned(),
    1 << 63,
    u64::MAX,
];

impl<'a> Mutator<'a> {
    pub(super) fn new(corpus: &'a [Vec<u8>], lengths: usize, seed: u64) -> Self {
        Self { random: Rng::with_seed(seed), corpus, lengths }
    }

    /// Overwrites `input` with the next input.
    pub(super) fn next(&mut self, input: &mut Vec<u8>) {
        input.clear();
        if self.random.u8(..32) == 0 {
            let len = self.random.usize(..300);
            input.extend((0..len).map(|_| self.random.u8(..)));
            return;
        }
        input.extend_from_slice(self.message());
        let mut changes = 1;
        while changes < 8 && self.random.bool() {
            changes += 1;
        }
        for _ in 0..changes {
            if self.random.bool() || self.change_field(input).is_none() {
                self.change(input);
            }
        }
        input.truncate(MAX_BYTES);
    }

    /// Changes a field of the first message, and the length before it. `None` if there is no message.
    fn change_field(&mut self, input: &mut Vec<u8>) -> Option<()> {
        let start = 2 * self.lengths;
        let head = input.get(..start)?;
        let len = head.last_chunk().map_or(input.len(), |len| usize::from(u16::from_be_bytes(*len)));
        let message = input.get(start..)?.get(..len)?;
        let (mut random, left) = (self.random.fork(), message.len());
        let mut bytes = |random: &mut Rng, bytes: &mut Vec<u8>| {
            Self { random: random.fork(), ..*self }.change(bytes);
        };
        let mut number = |random: &mut Rng| number(random, left);
        let changed = fields::change(&mut random, message, &mut number, &mut bytes)?;
        let grown = u16::try_from(changed.len()).ok()?.wrapping_sub(u16::try_from(len).ok()?);
        for length in input[..start].as_chunks_mut().0 {
            *length = u16::from_be_bytes(*length).wrapping_add(grown).to_be_bytes();
        }
        input.splice(start..start + len, changed);
        self.random = random;
        Some(())
    }

    fn message(&mut self) -> &'a [u8] {
        &self.corpus[self.random.usize(..self.corpus.len())]
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let at = self.random.usize(..=input.len());
        let Some(&byte) = input.get(at) else { return self.insert(input, at) };
        match self.random.u8(..13) {
            0 | 1 => input[at] ^= 1 << self.random.u8(..8),
            2 => input[at] = self.random.u8(..),
            3 => input[at] = byte.wrapping_add(self.random.u8(..5)).wrapping_sub(2),
            4 => input.truncate(at),
            5 => self.insert(input, at),
            6 => self.remove(input, at),
            7 => self.put_number(input, at),
            8 => self.put_varint(input, at),
            9 => self.lengthen(input, at),
            10 => self.repeat(input, at),
            11 => self.put_digits(input, at),
            _ => self.cross(input, at),
        }
    }

    fn range(&mut self, len: usize) -> Range<usize> {
        let start = self.random.usize(..=len);
        start..self.random.usize(start..=len.min(start + 64))
    }

    fn insert(&mut self, input: &mut Vec<u8>, at: usize) {
        let len = self.random.usize(1..20);
        let bytes: Vec<u8> = (0..len).map(|_| self.random.u8(..)).collect();
        input.splice(at..at, bytes);
    }

    fn remove(&mut self, input: &mut Vec<u8>, at: usize) {
        let end = self.random.usize(at..=input.len().min(at + 64));
        input.drain(at..end);
    }

    fn repeat(&mut self, input: &mut Vec<u8>, at: usize) {
        let range = self.range(input.len());
        let bytes = input[range].to_vec();
        input.splice(at..at, bytes);
    }

    /// Joins the start of the input and the end of another message, or inserts a part of another message.
    fn cross(&mut self, input: &mut Vec<u8>, at: usize) {
        let other = self.message();
        if self.random.bool() {
            let from = self.random.usize(..=other.len());
            input.truncate(at);
            input.extend_from_slice(&other[from..]);
        } else {
            let range = self.range(other.len());
            input.splice(at..at, other[range].iter().copied());
        }
    }

    /// Writes a number of 1 to 8 bytes.
    fn put_number(&mut self, input: &mut [u8], at: usize) {
        let left = input.len() - at;
        let number = number(&mut self.random, left).to_be_bytes();
        let width = [1, 2, 4, 4, 8][self.random.usize(..5)].min(left);
        input[at..at + width].copy_from_slice(&number[8 - width..]);
    }

    /// Writes a number as a Protobuf varint, replacing one that may be there.
    fn put_varint(&mut self, input: &mut Vec<u8>, at: usize) {
        let mut varint = Vec::new();
        prost::encoding::encode_varint(number(&mut self.random, input.len() - at), &mut varint);
        let end =
            input[at..].iter().position(|byte| byte & 0x80 == 0).map_or(input.len(), |len| at + len + 1);
        input.splice(at..end, varint);
    }

    /// Writes a number in digits, replacing the digits that follow.
    fn put_digits(&mut self, input: &mut Vec<u8>, at: usize) {
        let Some(start) = input[at..].iter().position(u8::is_ascii_digit).map(|first| at + first) else {
            return;
        };
        let len = input[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let digits = number(&mut self.random, 0).to_string();
        input.splice(start..start + len, digits.into_bytes());
    }

    /// Inserts bytes after a possible one-byte length, and adds their count to it.
    fn lengthen(&mut self, input: &mut Vec<u8>, at: usize) {
        let len = self.random.u8(1..20);
        let bytes: Vec<u8> = (0..len).map(|_| self.random.u8(..)).collect();
        let longer = input[at].wrapping_add(len);
        input.splice(at..=at, std::iter::once(longer).chain(bytes));
    }
}

/// An extreme number, or one close to the remaining length.
fn number(random: &mut Rng, left: usize) -> u64 {
    if random.bool() {
        return EXTREMES[random.usize(..EXTREMES.len())];
    }
    (left as u64).wrapping_add(random.u64(..20)).wrapping_sub(12)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_deterministic_and_hardly_any_repeats() {
        let corpus = [b"\x08\x01\x12\x03abc".to_vec(), b"a longer message of the same decoder".to_vec()];
        let made = || {
            let mut mutator = Mutator::new(&corpus, 0, 7);
            let mut input = Vec::new();
            let mut all = Vec::new();
            for _ in 0..1_000 {
                mutator.next(&mut input);
                all.push(input.clone());
            }
            all
        };
        let mut all = made();
        assert_eq!(all, made());
        all.sort();
        all.dedup();
        assert!(all.len() > 800, "{}", all.len());
    }
}
