//! Quick forms of buckets that need no bytes built: those of a supplied number, and hashes of texts in the row.

use super::remainder::Remainder;
use super::room::Room;
use crate::codec::prefixes::Prefixes;
use crate::design::{BucketInput, BucketPart, Design, Expr, Function};
use crate::hash::{BucketCount, BucketHash, BucketRule, ItemsHash, Placement, java};
use crate::value::Row;

/// A bucket of a supplied number, or of texts that are hashed where they lie in the row.
#[derive(Debug)]
pub(in crate::codec) struct QuickBucket {
    count: BucketCount,
    by_count: Remainder,
    rule: Rule,
    items: Vec<Item>,
    pub(super) prefixes: Prefixes,
}

#[derive(Debug, Clone, Copy)]
enum Rule {
    Supplied,
    /// A hash of the bytes of its single item.
    Bytes(fn(&[u8], BucketCount) -> Placement),
    JavaString,
    JavaXor,
}

/// A text of the row, or its first or last ASCII characters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub(super) field: usize,
    pub(super) cut: Cut,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Cut {
    Whole,
    Left(usize),
    Right(usize),
}

impl QuickBucket {
    /// Returns the quick form of a part; `None` where bytes must be built before they are hashed, there are too many
    /// buckets, or hot values are spread.
    pub(super) fn of(part: &BucketPart, design: &Design) -> Option<Self> {
        let BucketInput::Items(items) = &part.of else { return None };
        if part.spread.is_some() {
            return None;
        }
        let items: Option<_> = items.iter().map(|item| Item::of(item, design)).collect();
        Some(Self {
            count: part.count,
            by_count: Remainder::new(part.count.get()),
            rule: Rule::of(part)?,
            items: items?,
            prefixes: Prefixes::of(part)?,
        })
    }

    #[inline]
    pub(super) fn write(&self, row: &Row, supplied: u64, room: &mut Room<'_>) -> Option<()> {
        let number = match self.rule {
            Rule::Supplied => self.by_count.of_wide(supplied),
            Rule::Bytes(hash) => {
                hash(self.items.first()?.whole_characters(row)?, self.count).bucket()?.into()
            }
            Rule::JavaString => self.java_bucket(row, java::ascii_hash_code)?,
            Rule::JavaXor => {
                self.java_bucket(row, |hash, text| Some(hash ^ java::ascii_hash_code(0, text)?))?
            }
        };
        room.put(self.prefixes.get(number)?, self.prefixes.width())
    }

    #[inline]
    fn java_bucket(&self, row: &Row, next: impl Fn(i32, &[u8]) -> Option<i32>) -> Option<u32> {
        self.by_count.of_java(self.items.iter().try_fold(0, |hash, item| next(hash, item.bytes(row)?))?)
    }
}

impl Rule {
    fn of(part: &BucketPart) -> Option<Self> {
        match (part.hash, part.hash.rule()) {
            (BucketHash::JavaString, _) => Some(Self::JavaString),
            (BucketHash::JavaXor, _) => Some(Self::JavaXor),
            (_, BucketRule::Supplied(_)) => Some(Self::Supplied),
            (_, BucketRule::Items(ItemsHash::Joined(hash) | ItemsHash::Concatenated(hash)))
                if part.of.items().len() == 1 =>
            {
                Some(Self::Bytes(hash))
            }
            _ => None,
        }
    }
}

impl Item {
    pub(super) fn of(item: &Expr, design: &Design) -> Option<Self> {
        let cut = match item.function {
            None => Cut::Whole,
            Some(Function::Left(count)) => Cut::Left(count),
            Some(Function::Right(count)) => Cut::Right(count),
            Some(_) => return None,
        };
        design.fields[item.field].from.is_none().then_some(Self { field: item.field, cut })
    }

    /// Returns the bytes of the item if the cut is ASCII; `None` where it is not, or the text is too short.
    #[inline]
    fn whole_characters(self, row: &Row) -> Option<&[u8]> {
        let bytes = self.bytes(row)?;
        (matches!(self.cut, Cut::Whole) || bytes.is_ascii()).then_some(bytes)
    }

    /// Returns as many bytes as the cut has UTF-16 units; they are the right ones only if all of them are ASCII.
    #[inline]
    fn bytes(self, row: &Row) -> Option<&[u8]> {
        let text = row.text_bytes(self.field)?;
        match self.cut {
            Cut::Whole => Some(text),
            Cut::Left(count) => text.get(..count),
            Cut::Right(count) => text.get(text.len().checked_sub(count)?..),
        }
    }
}
