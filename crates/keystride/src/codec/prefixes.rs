use crate::design::BucketPart;

/// The bytes of each bucket of a part, and of a short literal behind it, made once.
#[derive(Debug)]
pub(super) struct Prefixes {
    /// In the first `width` of eight.
    words: Vec<[u8; 8]>,
    width: usize,
}

/// Buckets whose bytes are kept: 32 KiB of them.
const MOST: u32 = 4_096;

impl Prefixes {
    /// `None` where there are very many, or their width is not fixed.
    pub(super) fn of(part: &BucketPart) -> Option<Self> {
        if !part.has_fixed_width() || part.count.get() > MOST {
            return None;
        }
        let words: Option<_> = (0..part.count.get()).map(|number| word(part.prefix(number))).collect();
        Some(Self { words: words?, width: part.width })
    }

    /// Has every bucket end with these bytes; `false`, and nothing is changed, where that is more than eight in all.
    pub(super) fn end_with(&mut self, bytes: &[u8]) -> bool {
        let width = self.width + bytes.len();
        let is_room = width <= 8;
        if is_room {
            self.words.iter_mut().for_each(|word| word[self.width..width].copy_from_slice(bytes));
            self.width = width;
        }
        is_room
    }

    /// Bytes of every bucket and the literal, at most eight.
    #[inline]
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Bucket `number`, with zeros behind; `None` when there is no such bucket.
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
