//! Which values of a column are null.

use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer};

/// A bit for each value up to the last null, lowest bit first, set for nulls.
#[derive(Debug, Default)]
pub(super) struct Nulls {
    words: Vec<u64>,
}

const BITS: usize = u64::BITS as usize;

impl Nulls {
    /// Marks `count` values, beginning with number `first`, as null.
    pub(super) fn mark(&mut self, first: usize, count: usize) {
        let end = first + count;
        if self.words.len() * BITS < end {
            self.words.resize(end.div_ceil(BITS), 0);
        }
        let mut next = first;
        while next < end {
            let bit = next % BITS;
            let marked = (BITS - bit).min(end - next);
            self.words[next / BITS] |= (u64::MAX >> (BITS - marked)) << bit;
            next += marked;
        }
    }

    /// Takes the validity of `len` values; `None` if all are valid.
    pub(super) fn take(&mut self, len: usize) -> Option<NullBuffer> {
        if self.words.is_empty() {
            return None;
        }
        let mut words = std::mem::take(&mut self.words);
        words.resize(len.div_ceil(BITS), 0);
        // Arrow's bits are in the order of bytes, and set for values that are valid.
        for word in &mut words {
            *word = (!*word).to_le();
        }
        Some(NullBuffer::new(BooleanBuffer::new(Buffer::from_vec(words), 0, len)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Marks the values of `runs`, takes the validity of `len`, and returns the numbers of the nulls.
    fn nulls_of(nulls: &mut Nulls, runs: &[(usize, usize)], len: usize) -> Vec<usize> {
        for (first, count) in runs {
            nulls.mark(*first, *count);
        }
        let valid = nulls.take(len).unwrap();
        assert_eq!(valid.len(), len);
        (0..len).filter(|&at| valid.is_null(at)).collect()
    }

    #[test]
    fn runs_of_any_length_are_null_and_all_else_is_not() {
        let mut nulls = Nulls::default();
        assert_eq!(nulls_of(&mut nulls, &[(0, 1)], 1), [0]);
        assert_eq!(nulls_of(&mut nulls, &[(63, 2)], 130), [63, 64]);
        assert_eq!(
            nulls_of(&mut nulls, &[(2, 0), (5, 1), (64, 64)], 128),
            [vec![5], (64..128).collect()].concat()
        );
        assert_eq!(nulls_of(&mut nulls, &[(60, 140)], 300), (60..200).collect::<Vec<_>>());
        assert_eq!(nulls_of(&mut nulls, &[(64, 2), (5, 2), (6, 1)], 128), [5, 6, 64, 65]);
        assert_eq!(nulls.take(64), None, "what was taken is gone");
    }
}
