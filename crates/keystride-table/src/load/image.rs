//! A row as the bytes that are stored of it, before it is decided whether it is.

use std::collections::BTreeMap;

use keystride::design::{FieldKind, OtherColumns, Part};
use keystride::hash::{BucketHash, xxh3_64};
use keystride::time::Unit;
use keystride::{KeyCodec, KeyEncoder, Row, Value};
use keystride_store::{DEFAULT_MAX_CELL_BYTES, MAX_QUALIFIER_LEN, MutationBatch, MutationError};
use xxhash_rust::xxh3::{xxh3_64_with_seed, xxh3_128};

use crate::cells::{ROW_MARK, RowError};
use crate::input::InputReader;

/// The key and the cells of a row, in buffers that are used again for other rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct RowImage {
    pub(super) key: Vec<u8>,
    pub(super) stamp_ms: i64,
    /// The values of all cells, one after the other.
    pub(super) values: Vec<u8>,
    pub(super) cells: Vec<ImageCell>,
}

/// Makes images of rows.
#[derive(Debug)]
pub(super) struct Imager {
    codec: KeyCodec,
    encoder: KeyEncoder,
    columns: ColumnNames,
    /// The family of columns that no field names, where they are stored.
    others: Option<Vec<u8>>,
    supply: Supply,
}

/// A cell: which column, and where its value ends; it begins where the one before it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ImageCell {
    pub(super) column: u32,
    pub(super) end: u32,
}

/// Families and qualifiers by number: the design's columns, the mark of a row without cells, then the columns that no
/// field names as they are met.
#[derive(Debug, Default)]
pub(super) struct ColumnNames {
    names: Vec<(Vec<u8>, Vec<u8>)>,
    others: BTreeMap<String, u32>,
    longest: usize,
}

/// What tells rows apart: 128 bits of a key, and 64 of cells. Two keys of a billion rows are taken for one with a
/// chance of 10⁻²¹.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowDigest {
    pub(super) key: u128,
    pub(super) cells: u64,
}

/// Where the number comes from for buckets that are not a function of the row: the same for a row when the load is
/// repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Supply {
    Nothing,
    Counted,
    Scattered,
}

impl Imager {
    pub(super) fn new(codec: &KeyCodec) -> Self {
        let design = codec.design();
        let family = |index: usize| design.table.families[index].name.clone().into_bytes();
        let columns = design.columns.cells.iter();
        let mut names: Vec<_> =
            columns.map(|column| (family(column.family), column.qualifier.clone().into_bytes())).collect();
        names.push((family(ROW_MARK.0), ROW_MARK.1.as_bytes().to_vec()));
        let others = match design.columns.other {
            OtherColumns::Store(index) => Some(family(index)),
            OtherColumns::Error | OtherColumns::Drop => None,
        };
        let longest = names.iter().map(|(_, qualifier)| qualifier.len()).max().unwrap_or(0);
        let columns = ColumnNames { names, others: BTreeMap::new(), longest };
        Self { codec: codec.clone(), encoder: codec.encoder(), columns, others, supply: Supply::of(codec) }
    }

    pub(super) fn columns(&self) -> &ColumnNames {
        &self.columns
    }

    /// Makes the image of the row at hand, record `record` of the load. On an error it is of no row.
    pub(super) fn encode(
        &mut self,
        row: &Row,
        source: &InputReader,
        record: u64,
        load_ms: i64,
        image: &mut RowImage,
    ) -> Result<(), RowError> {
        image.clear();
        self.supply.give(&mut self.encoder, record);
        self.encoder.encode(row, &mut image.key)?;
        image.stamp_ms = cell_time(&self.codec, row)?.unwrap_or(load_ms);
        let design = self.codec.design();
        for (index, column) in design.columns.cells.iter().enumerate() {
            if design.encode_cell(column, row, &mut image.values)? {
                image.end_cell(index)?;
            }
        }
        if self.others.is_some() {
            self.add_others(source, image)?;
        }
        if image.cells.is_empty() {
            image.end_cell(self.codec.design().columns.cells.len())?;
        }
        Ok(self.columns.check(image)?)
    }

    /// Adds the columns that no field names, in the order of their numbers whatever their order in the source.
    fn add_others(&mut self, source: &InputReader, image: &mut RowImage) -> Result<(), RowError> {
        let (columns, family) = (&mut self.columns, self.others.as_deref().unwrap_or_default());
        let number = |(name, text)| (columns.number_of_other(family, name), text);
        let mut found: Vec<(u32, &str)> = source.others().map(number).collect();
        found.sort_unstable();
        for (column, text) in found {
            image.values.extend_from_slice(text.as_bytes());
            image.end_cell(column as usize)?;
        }
        Ok(())
    }
}

impl RowImage {
    pub(super) fn digest(&self) -> RowDigest {
        let mixed = self.cells.iter().fold(self.stamp_ms.cast_unsigned(), |mixed, cell| mix(mixed, *cell));
        RowDigest { key: xxh3_128(&self.key), cells: xxh3_64_with_seed(&self.values, mixed) }
    }

    /// Each cell's column and value.
    pub(super) fn cells(&self) -> impl Iterator<Item = (u32, &[u8])> {
        let mut start = 0;
        self.cells.iter().map(move |cell| {
            let end = cell.end as usize;
            (cell.column, &self.values[std::mem::replace(&mut start, end)..end])
        })
    }

    pub(super) fn cell_count(&self) -> usize {
        self.cells.len()
    }

    fn clear(&mut self) {
        self.key.clear();
        self.values.clear();
        self.cells.clear();
    }

    fn end_cell(&mut self, column: usize) -> Result<(), RowError> {
        let narrow = |number: usize| u32::try_from(number).map_err(|_| MutationError::BatchFull);
        self.cells.push(ImageCell { column: narrow(column)?, end: narrow(self.values.len())? });
        Ok(())
    }
}

impl RowDigest {
    /// Half of the key's digest.
    #[expect(clippy::cast_possible_truncation, reason = "half of it is asked for")]
    pub(super) fn short_key(self) -> u64 {
        self.key as u64
    }
}

impl ColumnNames {
    /// Family and qualifier.
    pub(super) fn name(&self, column: u32) -> (&[u8], &[u8]) {
        let (family, qualifier) = &self.names[column as usize];
        (family, qualifier)
    }

    /// Adds a row to a batch.
    pub(super) fn put(&self, image: &RowImage, batch: &mut MutationBatch) -> Result<(), MutationError> {
        image.cells().try_for_each(|(column, value)| {
            let (family, qualifier) = self.name(column);
            batch.put(&image.key, family, qualifier, image.stamp_ms, value)
        })
    }

    /// Bytes of a row as regions count them: its key once for each cell.
    pub(super) fn byte_count(&self, image: &RowImage) -> u64 {
        let names = image.cells.iter().map(|cell| self.len_of(cell.column)).sum::<usize>();
        (image.cells.len() * image.key.len() + names + image.values.len()) as u64
    }

    /// Whether a store takes the row. Most are so far from every bound that a glance will do; the others are put on
    /// trial.
    fn check(&self, image: &RowImage) -> Result<(), MutationError> {
        const ROOM: usize = 2 * MAX_QUALIFIER_LEN;
        let is_small = image.key.len() + image.values.len() + ROOM <= DEFAULT_MAX_CELL_BYTES;
        if is_small && self.longest <= MAX_QUALIFIER_LEN && image.stamp_ms >= 0 {
            return Ok(());
        }
        self.put(image, &mut MutationBatch::new())
    }

    fn len_of(&self, column: u32) -> usize {
        let (family, qualifier) = &self.names[column as usize];
        family.len() + qualifier.len()
    }

    fn number_of_other(&mut self, family: &[u8], name: &str) -> u32 {
        if let Some(&number) = self.others.get(name) {
            return number;
        }
        let number = u32::try_from(self.names.len()).expect("their names would fill the memory before");
        self.names.push((family.to_vec(), name.as_bytes().to_vec()));
        self.longest = self.longest.max(name.len());
        self.others.insert(name.to_owned(), number);
        number
    }
}

impl Supply {
    fn of(codec: &KeyCodec) -> Self {
        let buckets = codec.design().parts.iter().filter_map(|part| match part {
            Part::Bucket(bucket) => Some(bucket.hash),
            Part::Field(_) | Part::Text(_) => None,
        });
        buckets.fold(Self::Nothing, |supply, hash| match hash {
            BucketHash::Random => Self::Scattered,
            BucketHash::RoundRobin if supply == Self::Nothing => Self::Counted,
            _ => supply,
        })
    }

    fn give(self, encoder: &mut KeyEncoder, record: u64) {
        match self {
            Self::Nothing => {}
            Self::Counted => encoder.supply(record),
            Self::Scattered => encoder.supply(xxh3_64(&record.to_be_bytes())),
        }
    }
}

/// The milliseconds that a row's `cell_time` stamps its cells with.
fn cell_time(codec: &KeyCodec, row: &Row) -> Result<Option<i64>, RowError> {
    let design = codec.design();
    let Some(field) = design.columns.cell_time else { return Ok(None) };
    let Some(number) = time_ms(codec, field, row) else { return Ok(None) };
    let ms = i64::try_from(number).map(Some);
    ms.map_err(|_| RowError::Stamp { field: design.fields[field].name.clone(), number })
}

/// The time in a field as milliseconds since 1970.
pub(super) fn time_ms(codec: &KeyCodec, field: usize, row: &Row) -> Option<i128> {
    let (Some(Value::Int(number)), FieldKind::Time(time)) =
        (row.get(field), &codec.design().fields[field].kind)
    else {
        return None;
    };
    Some(Unit::Ms.of_nanos(number.saturating_mul(time.unit().nanos())))
}

/// Multiplication by an odd number and the shift lose nothing, so cells that differ once differ to the end.
fn mix(mixed: u64, cell: ImageCell) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let product = (mixed ^ (u64::from(cell.column) << 32 | u64::from(cell.end))).wrapping_mul(ODD);
    product ^ product >> 29
}
