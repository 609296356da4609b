//! The characters that a text field may hold.

use std::fmt;

/// The ASCII characters a text field may hold, written as single characters and ranges: `0-9a-f`, `A-Za-z_`, `-.`.
///
/// A `-` at either end stands for itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Alphabet {
    bits: u128,
    /// The characters as runs, if there are few: many bytes at once can be compared with these.
    runs: Option<[Run; RUNS]>,
}

/// Enough for `0-9A-Za-z_`.
const RUNS: usize = 4;

/// Consecutive characters: the first, and how many follow it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Run {
    first: u8,
    more: u8,
}

impl Alphabet {
    /// Parses the written form; `None` when it is empty, not printable ASCII, or has a range that runs backwards.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        if bytes.is_empty() || !bytes.iter().all(|byte| (b' '..=b'~').contains(byte)) {
            return None;
        }
        let mut bits = 0u128;
        let mut at = 0;
        while at < bytes.len() {
            let (first, last, taken) = match &bytes[at..] {
                [first, b'-', last, ..] => (*first, *last, 3),
                rest => (rest[0], rest[0], 1),
            };
            if first > last {
                return None;
            }
            bits = (first..=last).fold(bits, |bits, byte| bits | 1 << byte);
            at += taken;
        }
        Some(Self { bits, runs: runs(bits) })
    }

    /// Returns the alphabet of some characters; `None` when there are none, or one is not printable ASCII.
    pub(crate) fn of(mut chars: impl Iterator<Item = char>) -> Option<Self> {
        let bits = chars.try_fold(0u128, |bits, char| {
            u8::try_from(char).ok().filter(|byte| (b' '..=b'~').contains(byte)).map(|byte| bits | 1 << byte)
        })?;
        (bits != 0).then(|| Self { bits, runs: runs(bits) })
    }

    /// Whether `byte` is one of the characters.
    #[inline]
    pub fn contains(self, byte: u8) -> bool {
        // A shift of 64 bits is one instruction, a shift of 128 bits takes several.
        let half = if byte < 64 { self.bits & u128::from(u64::MAX) } else { self.bits >> 64 };
        let half = u64::try_from(half).unwrap_or_default();
        byte < 128 && half >> (byte & 63) & 1 == 1
    }

    /// Whether all of `bytes` are in the alphabet.
    #[inline]
    pub fn contains_all(self, bytes: &[u8]) -> bool {
        match self.runs {
            // Without an early exit, the compiler can check sixteen bytes at a time.
            Some(runs) => bytes
                .iter()
                .fold(true, |all, &byte| all & runs.iter().fold(false, |any, run| any | run.contains(byte))),
            None => bytes.iter().all(|&byte| self.contains(byte)),
        }
    }

    /// Returns the alphabet of texts in lower case.
    #[must_use]
    pub fn lower_case(self) -> Self {
        let bits = self.bytes().fold(0, |bits, byte| bits | 1 << byte.to_ascii_lowercase());
        Self { bits, runs: runs(bits) }
    }

    /// Returns the characters, ascending.
    pub fn bytes(self) -> impl Iterator<Item = u8> {
        (0..128u8).filter(move |byte| self.contains(*byte))
    }

    /// Returns the number of characters.
    pub fn len(self) -> usize {
        self.bits.count_ones() as usize
    }

    /// Always `false`: an alphabet has at least one character.
    pub fn is_empty(self) -> bool {
        false
    }
}

impl Run {
    #[inline]
    fn contains(self, byte: u8) -> bool {
        byte.wrapping_sub(self.first) <= self.more
    }
}

/// Returns the characters as runs, padded by repeating one; `None` when there are too many.
fn runs(bits: u128) -> Option<[Run; RUNS]> {
    let (mut runs, mut end) = ([Run { first: 0, more: 0 }; RUNS], 0);
    for at in 0..RUNS {
        runs[at] = match run_from(bits, end) {
            Some(run) => run,
            None => *runs[..at].last()?,
        };
        end = u32::from(runs[at].first) + u32::from(runs[at].more) + 1;
    }
    if run_from(bits, end).is_some() { None } else { Some(runs) }
}

/// Returns the first run that begins at `from` or later.
fn run_from(bits: u128, from: u32) -> Option<Run> {
    let first = from + bits.checked_shr(from).filter(|rest| *rest != 0)?.trailing_zeros();
    let more = (bits >> first).trailing_ones() - 1;
    Some(Run { first: first.try_into().ok()?, more: more.try_into().ok()? })
}

impl fmt::Display for Alphabet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.contains(b'-') {
            f.write_str("-")?;
        }
        let mut rest = self.bytes().filter(|byte| *byte != b'-').peekable();
        while let Some(first) = rest.next() {
            let mut last = first;
            while rest.next_if_eq(&(last + 1)).is_some() {
                last += 1;
            }
            match last - first {
                0 => write!(f, "{}", char::from(first))?,
                1 => write!(f, "{}{}", char::from(first), char::from(last))?,
                _ => write!(f, "{}-{}", char::from(first), char::from(last))?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Alphabet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Alphabet({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_single_characters_make_an_alphabet() {
        let hex = Alphabet::parse("0-9a-f").unwrap();
        assert_eq!(hex.len(), 16);
        assert!(hex.contains(b'f') && !hex.contains(b'g') && !hex.contains(b'-'));
        assert_eq!(Alphabet::parse("a-").unwrap().bytes().collect::<Vec<_>>(), *b"-a");
        assert_eq!(Alphabet::parse("z-a"), None);
        assert_eq!(Alphabet::parse(""), None);
    }

    #[test]
    fn many_bytes_are_of_an_alphabet_when_each_is() {
        for text in
            ["0-9", "0-9a-f", "x", "-a-c", "A-Za-z0-9", "A-Za-z0-9_", "-A-Za-z0-9_", " -~", "aceg", "acegi"]
        {
            let alphabet = Alphabet::parse(text).unwrap();
            for byte in 0..=255 {
                let bytes = [alphabet.bytes().collect::<Vec<_>>().repeat(3), vec![byte]].concat();
                assert_eq!(alphabet.contains_all(&bytes), alphabet.contains(byte), "{text} {byte}");
            }
            assert!(alphabet.contains_all(b""));
        }
    }

    #[test]
    fn its_text_reads_back_as_itself() {
        for text in ["0-9a-f", "-a-c", "A", "ab", "-"] {
            let alphabet = Alphabet::parse(text).unwrap();
            assert_eq!(alphabet.to_string(), text);
        }
    }

    #[test]
    fn texts_in_lower_case_have_the_small_letters_of_the_capitals() {
        let lower = |text: &str| Alphabet::parse(text).unwrap().lower_case().to_string();
        for (text, expected) in [("A-Ca-d0", "0a-d"), ("X_", "_x"), ("0-9", "0-9"), ("-A-Z", "-a-z")] {
            assert_eq!(lower(text), expected);
            assert_eq!(Alphabet::parse(text).unwrap().lower_case(), Alphabet::parse(expected).unwrap());
        }
    }
}
