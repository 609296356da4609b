/// A set of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ByteSet([u64; 4]);

impl ByteSet {
    pub(crate) const EMPTY: Self = Self([0; 4]);
    pub(crate) const ALL: Self = Self([u64::MAX; 4]);

    pub(crate) fn of(bytes: impl IntoIterator<Item = u8>) -> Self {
        bytes.into_iter().fold(Self::EMPTY, Self::with)
    }

    pub(crate) fn with(mut self, byte: u8) -> Self {
        self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
        self
    }

    pub(crate) fn without(mut self, byte: u8) -> Self {
        self.0[usize::from(byte >> 6)] &= !(1 << (byte & 63));
        self
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    /// Returns the complements of the bytes.
    pub(crate) fn complemented(self) -> Self {
        Self(std::array::from_fn(|word| self.0[3 - word].reverse_bits()))
    }

    pub(crate) fn contains(self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
    }

    /// Returns the smallest byte of the set that is not below `from`.
    pub(crate) fn first_from(self, from: u8) -> Option<u8> {
        let word = usize::from(from >> 6);
        let above = self.0[word] & u64::MAX << (from & 63);
        let later = (word + 1..4).map(|word| (word, self.0[word]));
        let (word, bits) = std::iter::once((word, above)).chain(later).find(|(_, bits)| *bits != 0)?;
        u8::try_from(word * 64 + bits.trailing_zeros() as usize).ok()
    }

    pub(crate) fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_byte_from_another_on_and_complements_agree_with_a_search() {
        let sets = [&[][..], &[0], &[255], &[0, 63, 64, 127, 128, 191, 192, 255], b"0123456789|", &[65, 200]];
        for bytes in sets {
            let set = ByteSet::of(bytes.iter().copied());
            for from in 0..=255 {
                let expected = bytes.iter().copied().find(|byte| *byte >= from);
                assert_eq!(set.first_from(from), expected, "{bytes:?} from {from}");
                assert_eq!(set.complemented().contains(from), bytes.contains(&!from), "{bytes:?}, {from}");
            }
        }
    }

    #[test]
    fn a_set_holds_what_was_put_in_and_not_taken_out() {
        let set = ByteSet::of(*b"\x00a\xff").without(b'a').with(b'b').without(b'c');
        assert_eq!((0..=255).filter(|byte| set.contains(*byte)).collect::<Vec<u8>>(), b"\x00b\xff");
        assert_eq!([set.len(), set.union(ByteSet::of(*b"bc")).len(), ByteSet::ALL.len()], [3, 4, 256]);
        assert_eq!(set.complemented(), ByteSet::of([0x00, !b'b', 0xff]));
    }
}
