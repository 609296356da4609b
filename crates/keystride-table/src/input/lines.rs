//! A SIMD search for line ends and delimiters, for lines of short fields.

use fearless_simd::{Level, Simd, SimdBase, SimdMask, dispatch, u8x64};

use super::dialect::Dialect;

/// Maximum offset in a line at which a block is searched. This limits the memory for the positions of delimiters.
const LONGEST_LINE: usize = 1 << 16;

/// Number of positions written before checking whether there are more.
const AT_ONCE: usize = 8;

/// Finds lines without quotes and escapes, 64 bytes at a time, using the vector instructions that the processor supports.
///
/// If fields are short, a search that restarts after each delimiter is slow, even with wider vectors, and so is a
/// branch per delimiter, which can't be predicted. Therefore positions are extracted from bit masks, [`AT_ONCE`] at a
/// time without branching.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineCutter {
    level: Level,
    dialect: Dialect,
}

/// A line without quotes and escapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line {
    /// Number of bytes before the LF that ends it.
    pub(super) len: usize,
    /// Number of delimiters.
    pub(super) delimiters: usize,
}

impl LineCutter {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self { level: Level::new(), dialect }
    }

    /// Finds the line at the start of `bytes`, and writes the ascending positions of its delimiters to the start of
    /// `places`, which is left with space for at least one more. Returns `None`, with unspecified contents of
    /// `places`, if the line contains a quote or an escape, is too long, or does not end.
    pub(super) fn cut(self, bytes: &[u8], places: &mut Vec<usize>) -> Option<Line> {
        dispatch!(self.level, simd => cut(simd, self.dialect, bytes, places))
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "compiled once per vector level at the dispatch")]
fn cut<S: Simd>(simd: S, dialect: Dialect, bytes: &[u8], places: &mut Vec<usize>) -> Option<Line> {
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
        let marks = dialect.quote.map_or(0, mask) | dialect.escape.map_or(0, mask);
        if marks & of_line != 0 {
            return None;
        }
        if places.len() < count + 64 + AT_ONCE {
            places.resize(count + 64 + AT_ONCE, 0);
        }
        count += write_places(mask(dialect.delimiter) & of_line, start, &mut places[count..]);
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

    fn plain(delimiter: u8) -> Dialect {
        Dialect { delimiter, quote: Some(b'"'), escape: None }
    }

    /// Returns the result of a simple search.
    fn plainly(bytes: &[u8], dialect: Dialect) -> Option<(usize, Vec<usize>)> {
        let len = bytes.iter().position(|byte| *byte == b'\n')?;
        let places = memchr::memchr_iter(dialect.delimiter, &bytes[..len]).collect();
        let is_mark = |byte: &u8| [dialect.quote, dialect.escape].contains(&Some(*byte));
        (!bytes[..len].iter().any(is_mark)).then_some((len, places))
    }

    proptest! {
        #[test]
        fn lines_are_those_of_a_plain_search(
            bytes in prop::collection::vec(
                prop_oneof![6 => Just(b','), 1 => Just(b'\n'), 200 => Just(b'-'), 20 => any::<u8>()],
                0..300,
            ),
            delimiter in prop_oneof![Just(b','), Just(0), Just(b'\t')],
            quote in prop_oneof![Just(Some(b'"')), Just(None)],
            escape in prop_oneof![Just(Some(b'\\')), Just(None)],
        ) {
            let dialect = Dialect { delimiter, quote, escape };
            let expected = plainly(&bytes, dialect);
            for level in [Level::new(), Level::baseline()] {
                let mut places = Vec::new();
                let line = LineCutter { level, dialect }.cut(&bytes, &mut places);
                let found = line.map(|line| (line.len, places[..line.delimiters].to_vec()));
                prop_assert_eq!(&found, &expected);
                prop_assert!(line.is_none_or(|line| line.delimiters < places.len()));
            }
        }
    }

    #[test]
    fn a_line_as_long_as_may_be_is_found_and_no_longer_one() {
        let cutter = LineCutter::new(plain(b','));
        for (len, is_found) in [(LONGEST_LINE, true), (LONGEST_LINE + 64, false)] {
            let line = [&vec![b','; len][..], b"\n"].concat();
            let found = cutter.cut(&line, &mut Vec::new());
            assert_eq!(found, is_found.then_some(Line { len, delimiters: len }));
        }
    }
}
