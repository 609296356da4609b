//! A SIMD search for line ends and delimiters, for lines of short fields.

use fearless_simd::{Level, Simd, SimdBase, SimdMask, dispatch, u8x64};

/// Maximum offset in a line at which a block is searched. This limits the memory for the positions of delimiters.
const LONGEST_LINE: usize = 1 << 16;

/// Number of positions written before checking whether there are more.
const AT_ONCE: usize = 8;

/// Finds lines without quotes, 64 bytes at a time, using the vector instructions that the processor supports.
///
/// If fields are short, a search that restarts after each delimiter is slow, even with wider vectors, and so is a
/// branch per delimiter, which can't be predicted. Therefore positions are extracted from bit masks, [`AT_ONCE`] at a
/// time without branching.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineCutter {
    level: Level,
    delimiter: u8,
}

/// A line without quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line {
    /// Number of bytes before the LF that ends it.
    pub(super) len: usize,
    /// Number of delimiters.
    pub(super) delimiters: usize,
}

impl LineCutter {
    pub(super) fn new(delimiter: u8) -> Self {
        Self { level: Level::new(), delimiter }
    }

    /// Finds the line at the start of `bytes`, and writes the ascending positions of its delimiters to the start of
    /// `places`, which is left with space for at least one more. Returns `None`, with unspecified contents of
    /// `places`, if the line contains a quote, is too long, or does not end.
    pub(super) fn cut(self, bytes: &[u8], places: &mut Vec<usize>) -> Option<Line> {
        dispatch!(self.level, simd => cut(simd, self.delimiter, bytes, places))
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "compiled once per vector level at the dispatch")]
fn cut<S: Simd>(simd: S, delimiter: u8, bytes: &[u8], places: &mut Vec<usize>) -> Option<Line> {
    let (mut start, mut count) = (0, 0);
    while start <= LONGEST_LINE {
        let rest = bytes.get(start..)?;
        let last;
        let block = match rest.first_chunk::<64>() {
            Some(block) => block,
            None => {
                last = last_block(rest)?;
                &last
            }
        };
        let block = u8x64::from_slice(simd, block);
        let mask = |byte| block.simd_eq(u8x64::splat(simd, byte)).to_bitmask();
        let line_ends = mask(b'\n');
        // All bits below the lowest set one, or all bits if none is set.
        let of_line = line_ends.wrapping_sub(1) & !line_ends;
        if mask(b'"') & of_line != 0 {
            return None;
        }
        if places.len() < count + 64 + AT_ONCE {
            places.resize(count + 64 + AT_ONCE, 0);
        }
        count += write_places(mask(delimiter) & of_line, start, &mut places[count..]);
        if line_ends != 0 {
            return Some(Line { len: start + line_ends.trailing_zeros() as usize, delimiters: count });
        }
        start += 64;
    }
    None
}

/// Pads the last bytes, fewer than a block, with zeros, which come after the end of the line. Returns `None` if no
/// line ends in them.
#[inline(never)]
fn last_block(rest: &[u8]) -> Option<[u8; 64]> {
    let mut block = [0; 64];
    block[..rest.len()].copy_from_slice(rest);
    rest.contains(&b'\n').then_some(block)
}

/// Writes the position of each set bit to the start of `places`, and returns their number.
#[inline(always)]
#[expect(clippy::inline_always, reason = "compiled once per vector level at the dispatch")]
fn write_places(mut mask: u64, start: usize, places: &mut [usize]) -> usize {
    let count = mask.count_ones() as usize;
    let mut at = 0;
    while at < count {
        let places: &mut [usize; AT_ONCE] =
            places[at..].first_chunk_mut().expect("there is room for places behind the last");
        for place in places {
            *place = start + mask.trailing_zeros() as usize;
            mask &= mask.wrapping_sub(1);
        }
        at += AT_ONCE;
    }
    count
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the result of a simple search.
    fn plainly(bytes: &[u8], delimiter: u8) -> Option<(usize, Vec<usize>)> {
        let len = bytes.iter().position(|byte| *byte == b'\n')?;
        let places = memchr::memchr_iter(delimiter, &bytes[..len]).collect();
        (!bytes[..len].contains(&b'"')).then_some((len, places))
    }

    proptest! {
        #[test]
        fn lines_are_those_of_a_plain_search(
            bytes in prop::collection::vec(
                prop_oneof![6 => Just(b','), 1 => Just(b'\n'), 200 => Just(b'-'), 20 => any::<u8>()],
                0..300,
            ),
            delimiter in prop_oneof![Just(b','), Just(0), Just(b'\t')],
        ) {
            let expected = plainly(&bytes, delimiter);
            for level in [Level::new(), Level::baseline()] {
                let mut places = Vec::new();
                let line = LineCutter { level, delimiter }.cut(&bytes, &mut places);
                let found = line.map(|line| (line.len, places[..line.delimiters].to_vec()));
                prop_assert_eq!(&found, &expected);
                prop_assert!(line.is_none_or(|line| line.delimiters < places.len()));
            }
        }
    }

    #[test]
    fn a_line_as_long_as_may_be_is_found_and_no_longer_one() {
        let cutter = LineCutter::new(b',');
        for (len, is_found) in [(LONGEST_LINE, true), (LONGEST_LINE + 64, false)] {
            let line = [&vec![b','; len][..], b"\n"].concat();
            let found = cutter.cut(&line, &mut Vec::new());
            assert_eq!(found, is_found.then_some(Line { len, delimiters: len }));
        }
    }
}
