use crate::design::BucketPart;

/// The precomputed bytes of each bucket of a part, together with a short literal that follows it.
#[derive(Debug)]
pub(super) struct Prefixes {
    /// The bytes of each bucket, in the first `width` of eight.
    words: Vec<[u8; 8]>,
    width: usize,
}

/// The largest number of buckets that are precomputed: 32 KiB of bytes.
const MOST: u32 = 4_096;

impl Prefixes {
    /// Precomputes the bytes of a part's buckets; `None` where there are more than [`MOST`] buckets, or their width is
    /// not fixed or exceeds eight bytes.
    pub(super) fn of(part: &BucketPart) -> Option<Self> {
        if !part.has_fixed_width() || part.count.get() > MOST {
            return None;
        }
        let words: Option<_> = (0..part.count.get()).map(|number| word(part.prefix(number))).collect();
        Some(Self { words: words?, width: part.width })
    }

    /// Appends these bytes to every bucket; returns `false`, and changes nothing, if that makes more than eight in all.
    pub(super) fn end_with(&mut self, bytes: &[u8]) -> bool {
        let width = self.width + bytes.len();
        let is_room = width <= 8;
        if is_room {
            self.words.iter_mut().for_each(|word| word[self.width..width].copy_from_slice(bytes));
            self.width = width;
        }
        is_room
    }

    /// Returns the width of every bucket with its literal, at most eight bytes.
    #[inline]
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Returns bucket `number`, padded with zeros on the right; `None` when there is no such bucket.
    #[inline]
    pub(super) fn get(&self, number: u32) -> Option<[u8; 8]> {
        self.words.get(number as usize).copied()
    }
}

fn word(mut bytes: Vec<u8>) -> Option<[u8; 8]> {
    let is_short = bytes.len() <= 8;
    bytes.resize(8, 0);
    bytes.try_into().ok().filter(|_| is_short)
}
