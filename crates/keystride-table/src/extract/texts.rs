//! A column of texts, put together with few steps for each.

use std::str::from_utf8;
use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer};

/// Texts, and nulls. They come as bytes: whether these are UTF-8 is asked of many at once, which takes far less time than
/// to ask it of each.
#[derive(Debug)]
pub(super) struct Texts {
    /// Those of all texts, and bytes of no meaning behind them.
    bytes: Vec<u8>,
    /// Where each text begins, and the last one ends.
    bounds: Vec<i32>,
    /// A bit a value, the lowest of a byte first: 1 for a text, 0 for a null; nulls at the end may be missing.
    present: Vec<u8>,
    /// How many values are no nulls.
    count: usize,
    /// So many values are known to be UTF-8, or null.
    known: usize,
}

/// Short texts are copied as so many bytes, whatever their length: that takes no call.
const CHUNK: usize = 16;

impl Texts {
    pub(super) fn new() -> Self {
        Self { bytes: Vec::new(), bounds: vec![0], present: Vec::new(), count: 0, known: 0 }
    }

    /// Adds the text that is the first `len` bytes of `onward`; what follows it there may be anything.
    #[inline]
    pub(super) fn append(&mut self, onward: &[u8], len: usize) {
        let end = self.end();
        match (onward.first_chunk::<CHUNK>(), self.bytes.get_mut(end..end + CHUNK)) {
            (Some(chunk), Some(room)) if len <= CHUNK => room.copy_from_slice(chunk),
            _ => self.copy(&onward[..len]),
        }
        self.note_present(self.len());
        self.bounds.push(bound(end + len));
    }

    /// Copies a text that is long, has no room yet, or lies at the end of its memory.
    #[inline(never)]
    fn copy(&mut self, text: &[u8]) {
        let end = self.end();
        let needed = end + text.len() + CHUNK;
        if self.bytes.len() < needed {
            self.bytes.resize(needed / 2 * 3, 0);
        }
        self.bytes[end..][..text.len()].copy_from_slice(text);
    }

    #[inline]
    fn note_present(&mut self, value: usize) {
        let (byte, bit) = (value / 8, 1 << (value % 8));
        if self.present.len() <= byte {
            self.present.resize(byte + CHUNK, 0);
        }
        self.present[byte] |= bit;
        self.count += 1;
    }

    pub(super) fn append_nulls(&mut self, count: usize) {
        self.bounds.resize(self.bounds.len() + count, bound(self.end()));
    }

    /// How many values there are.
    #[inline]
    fn len(&self) -> usize {
        self.bounds.len() - 1
    }

    /// Where the last text ends.
    #[inline]
    fn end(&self) -> usize {
        self.bounds.last().map_or(0, |&end| place(end))
    }

    /// Whether all values are UTF-8. What was found to be is not looked at again.
    pub(super) fn are_utf8(&mut self) -> bool {
        let bounds = &self.bounds[self.known..];
        let first = place(bounds[0]);
        let are_utf8 = from_utf8(&self.bytes[first..self.end()])
            .is_ok_and(|texts| bounds.iter().all(|&bound| texts.is_char_boundary(place(bound) - first)));
        if are_utf8 {
            self.known = self.len();
        }
        are_utf8
    }

    /// All values; the memory they took is kept for those to come.
    ///
    /// # Panics
    ///
    /// When [they are not UTF-8](Self::are_utf8).
    pub(super) fn take(&mut self) -> ArrayRef {
        let (bytes, nulls) = (Buffer::from(&self.bytes[..self.end()]), self.take_nulls());
        let mut next = Vec::with_capacity(self.bounds.len());
        next.push(0);
        let bounds = OffsetBuffer::new(std::mem::replace(&mut self.bounds, next).into());
        self.known = 0;
        let texts = StringArray::try_new(bounds, bytes, nulls);
        Arc::new(texts.expect("texts are known to be UTF-8 before they are taken"))
    }

    /// Lets go of the memory that is kept, when there are no values.
    pub(super) fn release(&mut self) {
        if self.len() == 0 {
            *self = Self::new();
        }
    }

    fn take_nulls(&mut self) -> Option<NullBuffer> {
        let (mut present, count) = (std::mem::take(&mut self.present), std::mem::take(&mut self.count));
        present.resize(self.len().div_ceil(8), 0);
        let present = BooleanBuffer::new(present.into(), 0, self.len());
        (count < self.len()).then(|| NullBuffer::new(present))
    }
}

#[inline]
fn bound(place: usize) -> i32 {
    i32::try_from(place).expect("texts that wait are far below 2 GiB")
}

#[inline]
fn place(bound: i32) -> usize {
    usize::try_from(bound).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;
    use proptest::prelude::*;

    use super::*;

    fn append(texts: &mut Texts, bytes: &[u8]) {
        texts.append(bytes, bytes.len());
    }

    #[test]
    fn texts_are_utf8_each_on_its_own() {
        let mut texts = Texts::new();
        assert!(texts.are_utf8());
        append(&mut texts, "ä".as_bytes());
        assert!(texts.are_utf8());
        // Two halves of a letter are none.
        append(&mut texts, &"ä".as_bytes()[..1]);
        assert!(!texts.are_utf8());
        append(&mut texts, &"ä".as_bytes()[1..]);
        assert!(!texts.are_utf8());
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

        #[test]
        fn what_was_added_is_taken(
            runs in prop::collection::vec(prop::collection::vec(prop::option::of(("[a-zä]{0,40}", 0..20usize)), 0..60), 1..4),
        ) {
            let mut texts = Texts::new();
            for run in runs {
                for value in &run {
                    match value {
                        Some((text, more)) => texts.append(&[text.as_bytes(), &vec![0xff; *more]].concat(), text.len()),
                        None => texts.append_nulls(1),
                    }
                }
                prop_assert!(texts.are_utf8());
                let (taken, expected) = (texts.take(), run.iter().map(|value| value.as_ref().map(|(text, _)| text.as_str())));
                prop_assert!(taken.as_string::<i32>().iter().eq(expected));
                if run.len() % 2 == 0 {
                    texts.release();
                }
            }
        }
    }
}
