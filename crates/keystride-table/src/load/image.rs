//! Encoding of a load's rows, before it is decided whether they are stored.

use std::collections::BTreeMap;

use keystride::design::{OtherColumns, Part};
use keystride::hash::{BucketHash, xxh3_64};
use keystride::{KeyCodec, Row};
use keystride_store::{ColumnNames, DEFAULT_MAX_CELL_BYTES, MutationBatch, MutationError, PutCell};
use xxhash_rust::xxh3::{xxh3_64_with_seed, xxh3_128};

use crate::cells::{RowError, RowImage, RowImager};
use crate::source::RecordSource;

/// Encodes the rows of a load.
#[derive(Debug)]
pub(super) struct Imager {
    rows: RowImager,
    others: Others,
    supply: Supply,
}

/// The columns that belong to no field.
#[derive(Debug)]
struct Others {
    /// Index of the family they are stored in, if they are stored.
    family: Option<usize>,
    /// Their numbers, assigned in order of first occurrence.
    numbers: BTreeMap<String, u32>,
}

/// A digest that distinguishes rows: 128 bits for the key and 64 for the cells. Among a billion rows, the probability
/// that two keys collide is about 10⁻²¹.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct RowDigest {
    pub(super) key: u128,
    pub(super) cells: u64,
}

/// How the number is chosen for buckets that do not depend on the row. A row gets the same number when the load is
/// repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Supply {
    Nothing,
    Counted,
    Scattered,
}

impl Imager {
    pub(super) fn new(codec: &KeyCodec) -> Self {
        let family = match codec.design().columns().other {
            OtherColumns::Store(family) => Some(family),
            OtherColumns::Error | OtherColumns::Drop => None,
        };
        let others = Others { family, numbers: BTreeMap::new() };
        Self { rows: RowImager::new(codec), others, supply: Supply::of(codec) }
    }

    pub(super) fn columns(&self) -> &ColumnNames {
        self.rows.columns()
    }

    /// Encodes the current row, record `record` of the load. After an error, the contents of the image are unspecified.
    pub(super) fn encode(
        &mut self,
        row: &Row,
        source: &dyn RecordSource,
        record: u64,
        load_ms: i64,
        image: &mut RowImage,
    ) -> Result<(), RowError> {
        if let Some(number) = self.supply.number(record) {
            self.rows.supply(number);
        }
        self.rows.encode(row, load_ms, image)?;
        self.add_others(source, image)?;
        self.rows.mark_if_empty(image)?;
        Ok(check(image, self.columns())?)
    }

    /// Encodes the key and the time of a row to be deleted.
    pub(super) fn encode_deleted(
        &mut self,
        row: &Row,
        load_ms: i64,
        image: &mut RowImage,
    ) -> Result<(), RowError> {
        self.rows.encode_key(row, image)?;
        image.stamp_ms = self.rows.stamp(row, load_ms)?;
        Ok(())
    }

    /// Adds the columns that belong to no field, ordered by their numbers whatever their order in the source.
    fn add_others(&mut self, source: &dyn RecordSource, image: &mut RowImage) -> Result<(), RowError> {
        let Self { rows, others: Others { family: Some(family), numbers }, .. } = self else {
            return Ok(());
        };
        let mut number_of = |name: &str| -> Result<u32, RowError> {
            if let Some(number) = numbers.get(name) {
                return Ok(*number);
            }
            let number = rows.add_column(*family, name)?;
            numbers.insert(name.to_owned(), number);
            Ok(number)
        };
        let found = source.others().into_iter().map(|(name, text)| Ok((number_of(name)?, text)));
        let mut found = found.collect::<Result<Vec<(u32, &str)>, RowError>>()?;
        found.sort_unstable();
        for (column, text) in found {
            image.values.extend_from_slice(text.as_bytes());
            image.end_cell(column as usize)?;
        }
        Ok(())
    }
}

/// Checks that a store accepts the row. For most rows a coarse check of the limits suffices; the others are put into
/// a temporary batch.
fn check(image: &RowImage, columns: &ColumnNames) -> Result<(), MutationError> {
    const SHORT: usize = 127;
    let is_small = image.key.len() + image.values.len() + 2 * SHORT <= DEFAULT_MAX_CELL_BYTES;
    if is_small && columns.longest() <= SHORT && image.stamp_ms >= 0 {
        return Ok(());
    }
    image.put(columns, &mut MutationBatch::new())
}

impl RowDigest {
    pub(super) fn of(image: &RowImage) -> Self {
        let mixed = image.cells.iter().fold(image.stamp_ms.cast_unsigned(), |mixed, cell| mix(mixed, *cell));
        Self { key: xxh3_128(&image.key), cells: xxh3_64_with_seed(&image.values, mixed) }
    }

    /// Returns the digest of a row that is deleted, which no row with cells has.
    pub(super) fn of_deleted(image: &RowImage) -> Self {
        Self { key: xxh3_128(&image.key), cells: Self::DELETED }
    }

    /// Whether it is that of a row that is deleted.
    pub(super) fn is_deleted(self) -> bool {
        self.cells == Self::DELETED
    }

    const DELETED: u64 = u64::MAX;

    /// Returns a digest of the key and the cells in one word.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "half of the key's digest is enough beside the cells'"
    )]
    pub(super) fn short(self) -> u64 {
        self.key as u64 ^ self.cells
    }
}

impl Supply {
    fn of(codec: &KeyCodec) -> Self {
        let buckets = codec.design().parts().iter().filter_map(|part| match part {
            Part::Bucket(bucket) => Some(bucket.hash),
            Part::Field(_) | Part::Text(_) => None,
        });
        buckets.fold(Self::Nothing, |supply, hash| match hash {
            BucketHash::Random => Self::Scattered,
            BucketHash::RoundRobin if supply == Self::Nothing => Self::Counted,
            _ => supply,
        })
    }

    /// Returns the number for a record, if one is needed.
    fn number(self, record: u64) -> Option<u64> {
        match self {
            Self::Nothing => None,
            Self::Counted => Some(record),
            Self::Scattered => Some(xxh3_64(&record.to_be_bytes())),
        }
    }
}

/// Multiplying by an odd number and xoring with a right shift are both invertible, so once two digests differ they
/// still differ after mixing in equal cells.
fn mix(mixed: u64, cell: PutCell) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let product = (mixed ^ (u64::from(cell.column) << 32 | u64::from(cell.end))).wrapping_mul(ODD);
    product ^ product >> 29
}
