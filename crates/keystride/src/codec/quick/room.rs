//! The fixed-size buffer that quick forms write into.

use super::digits::{EIGHT_DIGITS, last_digits, shortest};
use crate::value::CHUNK;

/// A buffer for the quick parts of a key. A run of them checks the size of the output buffer only once, and writes
/// eight or sixteen bytes at a time; the next part overwrites the surplus.
#[derive(Debug)]
pub(super) struct Room<'a> {
    bytes: &'a mut [u8; ROOM],
    at: usize,
}

/// The size of a [`Room`] in bytes. Longer runs, and runs whose last write would extend past its end, are encoded part
/// by part.
pub(super) const ROOM: usize = 64 + CHUNK;

impl<'a> Room<'a> {
    pub(super) fn new(bytes: &'a mut [u8; ROOM]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Returns how many bytes have been written.
    pub(super) fn len(&self) -> usize {
        self.at
    }

    /// Writes the first `count` of eight bytes; `None` if the buffer is too short, as in all methods here.
    #[inline]
    pub(super) fn put(&mut self, word: [u8; 8], count: usize) -> Option<()> {
        *self.bytes.get_mut(self.at..)?.first_chunk_mut()? = word;
        self.at += count;
        Some(())
    }

    /// Writes the first `count` bytes of a chunk, at most its length, and the first `then_count` of eight bytes after
    /// them.
    #[inline]
    pub(super) fn put_chunk(
        &mut self,
        (chunk, count): (&[u8; CHUNK], usize),
        (then, then_count): ([u8; 8], usize),
    ) -> Option<()> {
        let window: &mut [u8; CHUNK + 8] = self.bytes.get_mut(self.at..)?.first_chunk_mut()?;
        *window.first_chunk_mut()? = *chunk;
        *window.get_mut(count..)?.first_chunk_mut()? = then;
        self.at += count + then_count;
        Some(())
    }

    #[inline]
    pub(super) fn put_text(&mut self, text: &[u8]) -> Option<()> {
        let end = self.at + text.len();
        self.bytes.get_mut(self.at..end)?.copy_from_slice(text);
        self.at = end;
        Some(())
    }

    /// Writes the shortest text of a number.
    #[inline]
    pub(super) fn put_shortest(&mut self, value: u64) -> Option<()> {
        if value < EIGHT_DIGITS {
            let (word, count) = shortest(value);
            return self.put(word, count);
        }
        let (high, low) = (value / EIGHT_DIGITS, value % EIGHT_DIGITS);
        if high < EIGHT_DIGITS {
            let (word, count) = shortest(high);
            self.put(word, count)?;
        } else {
            let (word, count) = shortest(high / EIGHT_DIGITS);
            self.put(word, count)?;
            self.put(last_digits(high % EIGHT_DIGITS, 8), 8)?;
        }
        self.put(last_digits(low, 8), 8)
    }

    /// Writes a number below 10^`width` in 1 to 24 digits.
    #[inline]
    pub(super) fn put_padded(&mut self, value: u64, width: usize) -> Option<()> {
        let (high, low) = (value / EIGHT_DIGITS, value % EIGHT_DIGITS);
        if width <= 8 {
            return self.put(last_digits(low, width), width);
        }
        if width <= 16 {
            self.put(last_digits(high, width - 8), width - 8)?;
        } else {
            self.put(last_digits(high / EIGHT_DIGITS, width - 16), width - 16)?;
            self.put(last_digits(high % EIGHT_DIGITS, 8), 8)?;
        }
        self.put(last_digits(low, 8), 8)
    }

    /// Returns what has been written since `start`.
    #[inline]
    pub(super) fn written_from(&mut self, start: usize) -> Option<&mut [u8]> {
        self.bytes.get_mut(start..self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Room<'_>) -> Option<()>) -> Option<String> {
        let mut bytes = [b'?'; ROOM];
        let mut room = Room::new(&mut bytes);
        write(&mut room)?;
        let len = room.len();
        Some(String::from_utf8(bytes[..len].to_vec()).unwrap())
    }

    #[test]
    fn numbers_have_the_digits_the_standard_library_gives_them() {
        let powers = (0..20).map(|power| 10_u64.pow(power));
        for value in powers.flat_map(|power| [power - 1, power, power + 1]).chain([u64::MAX]) {
            assert_eq!(written(|room| room.put_shortest(value)), Some(value.to_string()));
            for width in value.to_string().len()..=24 {
                assert_eq!(written(|room| room.put_padded(value, width)), Some(format!("{value:0width$}")));
            }
        }
    }

    #[test]
    fn texts_of_every_length_are_copied_until_room_is_short() {
        let text = "0123456789".repeat(13);
        for len in 0..=ROOM {
            assert_eq!(written(|room| room.put_text(&text.as_bytes()[..len])).as_deref(), Some(&text[..len]));
        }
        assert_eq!(written(|room| room.put_text(text.as_bytes())), None);
        assert_eq!(
            written(|room| room.put_text(&text.as_bytes()[..ROOM - 7]).and_then(|()| room.put_shortest(1))),
            None
        );
    }

    #[test]
    fn chunks_have_their_literal_behind_them_until_room_is_short() {
        let chunk = b"0123456789abcdef";
        for count in 0..=CHUNK {
            let text = written(|room| room.put_chunk((chunk, count), (*b"literal.", 8)));
            assert_eq!(text, Some(format!("{}literal.", &"0123456789abcdef"[..count])));
        }
        let behind = |len: usize| {
            written(|room| {
                room.put_text(&[b'-'; ROOM][..len]).and_then(|()| room.put_chunk((chunk, 1), ([0; 8], 0)))
            })
        };
        assert_eq!(behind(ROOM - CHUNK - 8).map(|text| text.len()), Some(ROOM - CHUNK - 7));
        assert_eq!(behind(ROOM - CHUNK - 7), None);
    }
}
