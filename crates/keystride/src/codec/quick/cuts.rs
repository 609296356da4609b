//! The quick form of `java-xor` over short cuts of texts, each held in one word.

use super::bucket::{Cut, Item};
use super::remainder::Remainder;
use super::room::Room;
use crate::codec::prefixes::Prefixes;
use crate::design::{BucketInput, BucketPart, Design};
use crate::hash::{BucketHash, java};
use crate::value::{Row, Side};

/// A `java-xor` bucket of the first or last few characters of texts; each cut fits in one word.
#[derive(Debug)]
pub(in crate::codec) struct CutBucket {
    cuts: Vec<ShortCut>,
    by_count: Remainder,
    pub(super) prefixes: Prefixes,
}

/// The first or last 1 to 8 characters of a text.
#[derive(Debug, Clone, Copy)]
struct ShortCut {
    field: usize,
    count: u32,
    from: Side,
    /// The number of bits of a word that are not part of the cut.
    others: u32,
}

impl CutBucket {
    /// Returns the quick form of a part; `None` for any other kind of bucket.
    pub(super) fn of(part: &BucketPart, design: &Design) -> Option<Self> {
        let BucketInput::Items(items) = &part.of else { return None };
        if part.hash != BucketHash::JavaXor || part.spread.is_some() {
            return None;
        }
        let cuts: Option<_> = items.iter().map(|item| ShortCut::of(Item::of(item, design)?)).collect();
        let by_count = Remainder::new(part.count.get());
        Some(Self { cuts: cuts?, by_count, prefixes: Prefixes::of(part)? })
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call would take the room out of its registers")]
    pub(super) fn write(&self, row: &Row, room: &mut Room<'_>) -> Option<()> {
        let mut cuts = self.cuts.iter();
        let hash = cuts.try_fold(0, |hash, cut| Some(hash ^ java::word_hash_code(cut.word(row)?)?))?;
        room.put(self.prefixes.get(self.by_count.of_java(hash)?)?, self.prefixes.width())
    }
}

impl ShortCut {
    fn of(item: Item) -> Option<Self> {
        let (count, from) = match item.cut {
            Cut::Whole => return None,
            Cut::Left(count) => (count, Side::Left),
            Cut::Right(count) => (count, Side::Right),
        };
        let count = u32::try_from(count).ok().filter(|count| (1..=8).contains(count))?;
        Some(Self { field: item.field, count, from, others: 64 - 8 * count })
    }

    /// Returns as many bytes as the cut has UTF-16 units, right-aligned in a word with the first byte highest. They are
    /// the right ones only if all of them are ASCII.
    #[inline]
    fn word(self, row: &Row) -> Option<u64> {
        Some(row.text_word(self.field, self.count, self.from)? >> self.others)
    }
}
