//! A fast builder for text columns.

use std::str::from_utf8;
use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray};
use arrow_buffer::{Buffer, OffsetBuffer};

use super::nulls::Nulls;

/// Texts and nulls. Texts are added as bytes and validated as UTF-8 many at a time, which is far faster than
/// validating each one.
#[derive(Debug)]
pub(super) struct Texts {
    /// The bytes of all texts, followed by unspecified bytes.
    bytes: Vec<u8>,
    /// The start of each text, and the end of the last one.
    bounds: Vec<i32>,
    nulls: Nulls,
    /// Number of values that are known to be UTF-8 or null.
    known: usize,
    /// The buffer of the texts taken last, which is reused if their column has been dropped by then.
    lent: Option<Buffer>,
}

/// Short texts are copied as a chunk of this size, whatever their length, which requires no function call.
const CHUNK: usize = 16;

impl Texts {
    pub(super) fn new() -> Self {
        Self { bytes: Vec::new(), bounds: vec![0], nulls: Nulls::default(), known: 0, lent: None }
    }

    /// Adds the text in the first `len` bytes of `onward`; the bytes after it are ignored.
    #[inline]
    pub(super) fn append(&mut self, onward: &[u8], len: usize) {
        let end = self.end();
        match (onward.first_chunk::<CHUNK>(), self.bytes.get_mut(end..end + CHUNK)) {
            (Some(chunk), Some(room)) if len <= CHUNK => room.copy_from_slice(chunk),
            _ => self.copy(&onward[..len]),
        }
        self.bounds.push(bound(end + len));
    }

    /// Copies a text that is long, for which there is no space yet, or which lies at the end of its buffer.
    #[inline(never)]
    fn copy(&mut self, text: &[u8]) {
        if self.bytes.is_empty() {
            self.bytes = self.lent.take().and_then(|lent| lent.into_vec().ok()).unwrap_or_default();
        }
        let end = self.end();
        let needed = end + text.len() + CHUNK;
        if self.bytes.len() < needed {
            self.bytes.resize(needed / 2 * 3, 0);
        }
        self.bytes[end..][..text.len()].copy_from_slice(text);
    }

    pub(super) fn append_nulls(&mut self, count: usize) {
        self.nulls.mark(self.len(), count);
        self.bounds.resize(self.bounds.len() + count, bound(self.end()));
    }

    /// Returns the number of values.
    #[inline]
    fn len(&self) -> usize {
        self.bounds.len() - 1
    }

    /// Returns the end of the last text.
    #[inline]
    fn end(&self) -> usize {
        self.bounds.last().map_or(0, |&end| place(end))
    }

    /// Whether all values are UTF-8. Values found to be valid are not checked again.
    pub(super) fn are_utf8(&mut self) -> bool {
        let bounds = &self.bounds[self.known..];
        let first = place(bounds[0]);
        let bytes = &self.bytes[first..self.end()];
        let are_whole =
            |texts: &str| bounds.iter().all(|&bound| texts.is_char_boundary(place(bound) - first));
        let are_utf8 = bytes.is_ascii() || from_utf8(bytes).is_ok_and(are_whole);
        if are_utf8 {
            self.known = self.len();
        }
        are_utf8
    }

    /// Takes all values as a column. The memory of their bytes is reused for further values if the column has been
    /// dropped by then.
    ///
    /// # Panics
    ///
    /// When [they are not UTF-8](Self::are_utf8).
    pub(super) fn take(&mut self) -> ArrayRef {
        let valid = self.nulls.take(self.len());
        let all = Buffer::from_vec(std::mem::take(&mut self.bytes));
        let bytes = all.slice_with_length(0, self.end());
        if !all.is_empty() {
            self.lent = Some(all);
        }
        let mut next = Vec::with_capacity(self.bounds.len());
        next.push(0);
        let bounds = OffsetBuffer::new(std::mem::replace(&mut self.bounds, next).into());
        self.known = 0;
        let texts = StringArray::try_new(bounds, bytes, valid);
        Arc::new(texts.expect("texts are known to be UTF-8 before they are taken"))
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
        for _ in 0..2 {
            append(&mut texts, "ä".as_bytes());
            assert!(texts.are_utf8());
        }
        drop(texts.take());
        // The two halves of a character are not valid texts.
        append(&mut texts, &"ä".as_bytes()[..1]);
        assert!(!texts.are_utf8() && !texts.are_utf8());
        append(&mut texts, &"ä".as_bytes()[1..]);
        assert!(!texts.are_utf8());
    }

    #[test]
    fn memory_of_a_column_that_is_gone_is_filled_again() {
        let mut texts = Texts::new();
        append(&mut texts, b"first");
        let place = texts.bytes.as_ptr();
        drop(texts.take());
        texts.append_nulls(3);
        drop(texts.take());
        append(&mut texts, b"again");
        assert_eq!(texts.bytes.as_ptr(), place);
        let held = texts.take();
        append(&mut texts, b"other");
        assert_ne!(texts.bytes.as_ptr(), place);
        assert_eq!(held.as_string::<i32>().value(0), "again");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

        #[test]
        fn what_was_added_is_taken(
            runs in prop::collection::vec(prop::collection::vec(prop::option::of(("[a-zä]{0,40}", 0..20usize)), 0..60), 1..4),
        ) {
            let mut texts = Texts::new();
            let expected = |run: &[Option<(String, usize)>]| {
                run.iter().map(|value| value.as_ref().map(|(text, _)| text.clone())).collect::<StringArray>()
            };
            let mut held = Vec::new();
            for run in &runs {
                for value in run {
                    match value {
                        Some((text, more)) => texts.append(&[text.as_bytes(), &vec![0xff; *more]].concat(), text.len()),
                        None => texts.append_nulls(1),
                    }
                }
                prop_assert!(texts.are_utf8());
                let taken = texts.take();
                prop_assert_eq!(taken.as_string::<i32>(), &expected(run));
                match run.len() % 3 {
                    0 => held.push((taken, run)),
                    1 => texts = Texts::new(),
                    _ => {}
                }
            }
            for (taken, run) in held {
                prop_assert_eq!(taken.as_string::<i32>(), &expected(run), "what is held stays as it was");
            }
        }
    }
}
