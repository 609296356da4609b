//! The values of a column in a row group, decoded from its pages some rows at a time.

use std::sync::Arc;

use arrow_array::types::{ArrowPrimitiveType, Float16Type};
use arrow_schema::DataType;
use parquet::basic::Type;
use parquet::column::page::PageReader;
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType as Physical, DoubleType, FixedLenByteArray,
    FixedLenByteArrayType, FloatType, Int32Type, Int64Type, Int96, Int96Type,
};
use parquet::errors::ParquetError;
use parquet::schema::types::ColumnDescPtr;

use super::super::typed::{Precision, TypedValue};
use super::cells::{Cells, nanos_of};
use super::pages::PageMeter;

/// Consecutive rows of a column.
#[derive(Debug, Default)]
pub(super) struct Stretch {
    pub(super) rows: usize,
    /// Length of the longest text or byte string.
    pub(super) longest: usize,
    cells: Cells,
    /// For each row, the place of its value among the cells, or [`NULL`]; `None` if no row is null.
    places: Option<Vec<u32>>,
}

const NULL: u32 = u32::MAX;

/// Limits of a stretch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) rows: usize,
    /// Size of the values, and of the pages that they lie in, all but the last.
    pub(super) bytes: u64,
}

/// Decodes a column of a row group.
pub(super) trait Decode: Send {
    /// Decodes further rows; fewer than the limits allow if their page ends, and none only at the end.
    fn decode(&mut self, limits: Limits) -> Result<Stretch, ParquetError>;
}

struct Decoder<T: Physical, F> {
    reader: ColumnReaderImpl<T>,
    meter: Arc<PageMeter>,
    is_nullable: bool,
    to_cells: F,
}

/// Decodes a column that has nothing but nulls, without reading it.
struct Nulls;

impl Stretch {
    /// Returns the value of a row, unless it is null.
    pub(super) fn value(&self, row: usize) -> Option<TypedValue<'_>> {
        let place = match &self.places {
            None => row,
            Some(places) => usize::try_from(places[row]).ok().filter(|_| places[row] != NULL)?,
        };
        Some(self.cells.value(place))
    }
}

/// Creates the decoder of a column of the type `found`.
pub(super) fn decoder(
    found: &DataType,
    column: &ColumnDescPtr,
    pages: Box<dyn PageReader>,
    meter: Arc<PageMeter>,
) -> Box<dyn Decode> {
    let source = Source { column, pages, meter };
    let (found, is_unsigned) = (found.clone(), found.is_unsigned_integer());
    match column.physical_type() {
        _ if found == DataType::Null => Box::new(Nulls),
        Type::BOOLEAN => source.decoder::<BoolType>(|bools| Ok(Cells::Bools(bools))),
        Type::INT32 => source.decoder::<Int32Type>(move |ints| Ok(of_i32(ints, &found))),
        Type::INT64 if is_unsigned => source.decoder::<Int64Type>(|ints| Ok(Cells::Unsigned(unsigned(ints)))),
        Type::INT64 => source.decoder::<Int64Type>(move |ints| Ok(of_i64(ints, &found))),
        Type::INT96 => source.decoder::<Int96Type>(|times| Ok(Cells::Nanos(nanos(&times)))),
        Type::FLOAT => {
            source.decoder::<FloatType>(|floats| Ok(Cells::Floats(each(floats), Precision::Single)))
        }
        Type::DOUBLE => source.decoder::<DoubleType>(|floats| Ok(Cells::Floats(floats, Precision::Double))),
        Type::BYTE_ARRAY => source.decoder::<ByteArrayType>(move |bytes| of_bytes(bytes, &found)),
        Type::FIXED_LEN_BYTE_ARRAY => {
            source.decoder::<FixedLenByteArrayType>(move |bytes| of_bytes(each(bytes), &found))
        }
    }
}

/// What a decoder reads from.
struct Source<'a> {
    column: &'a ColumnDescPtr,
    pages: Box<dyn PageReader>,
    meter: Arc<PageMeter>,
}

impl Source<'_> {
    fn decoder<T: Physical>(
        self,
        to_cells: impl Fn(Vec<T::T>) -> Result<Cells, ParquetError> + Send + 'static,
    ) -> Box<dyn Decode>
    where
        T::T: HeldBytes,
    {
        Box::new(Decoder::<T, _> {
            reader: ColumnReaderImpl::new(Arc::clone(self.column), self.pages),
            meter: self.meter,
            is_nullable: self.column.max_def_level() > 0,
            to_cells,
        })
    }
}

impl<T: Physical, F> Decode for Decoder<T, F>
where
    T::T: HeldBytes,
    F: Fn(Vec<T::T>) -> Result<Cells, ParquetError> + Send,
{
    fn decode(&mut self, limits: Limits) -> Result<Stretch, ParquetError> {
        let (mut values, mut levels) = (Vec::new(), Vec::new());
        let (mut rows, mut held_bytes) = (0, 0);
        while rows < limits.rows && held_bytes <= limits.bytes {
            let is_next_page = self.meter.values_left() == 0;
            if is_next_page && rows > 0 {
                // The values hold the page that ends here.
                held_bytes += self.meter.page_bytes();
                if held_bytes > limits.bytes {
                    break;
                }
            }
            let (before, pages) = (values.len(), self.meter.pages());
            let most = self.step(limits.bytes.saturating_sub(held_bytes)).min(limits.rows - rows);
            let (read, ..) = self.reader.read_records(most, Some(&mut levels), None, &mut values)?;
            self.meter.take(read as u64);
            rows += read;
            if self.meter.is_delta() {
                held_bytes += values[before..].iter().map(T::T::held_bytes).sum::<u64>();
            }
            if read == 0 && self.meter.pages() == pages {
                break;
            }
        }
        let has_nulls = self.is_nullable && values.len() < rows;
        let places = has_nulls.then(|| places(&levels, values.len())).transpose()?;
        let cells = (self.to_cells)(values)?;
        Ok(Stretch { rows, longest: cells.longest(), cells, places })
    }
}

impl<T: Physical, F> Decoder<T, F> {
    /// Returns how many rows can be decoded without knowing more: those of the current page, or the first of the next.
    /// Where each value may be as long as its page, it is only as many as fit into `bytes`.
    fn step(&self, bytes: u64) -> usize {
        let left = usize::try_from(self.meter.values_left()).unwrap_or(usize::MAX).max(1);
        let fit = bytes / self.meter.page_bytes().max(1);
        if self.meter.is_delta() { left.min(usize::try_from(fit).unwrap_or(usize::MAX).max(1)) } else { left }
    }
}

impl Decode for Nulls {
    fn decode(&mut self, limits: Limits) -> Result<Stretch, ParquetError> {
        let rows = limits.rows;
        Ok(Stretch { rows, places: Some(vec![NULL; rows]), ..Stretch::default() })
    }
}

/// What a value takes that was unpacked on its own.
trait HeldBytes {
    fn held_bytes(&self) -> u64 {
        0
    }
}

impl HeldBytes for bool {}
impl HeldBytes for i32 {}
impl HeldBytes for i64 {}
impl HeldBytes for Int96 {}
impl HeldBytes for f32 {}
impl HeldBytes for f64 {}

impl HeldBytes for ByteArray {
    fn held_bytes(&self) -> u64 {
        self.len() as u64
    }
}

impl HeldBytes for FixedLenByteArray {
    fn held_bytes(&self) -> u64 {
        self.len() as u64
    }
}

/// Returns the place of each row's value. A column that is no list has the levels 0, for null, and 1.
fn places(levels: &[i16], values: usize) -> Result<Vec<u32>, ParquetError> {
    let mut next = 0;
    let mut places = Vec::with_capacity(levels.len());
    for level in levels {
        places.push(if *level == 0 { NULL } else { next });
        next += u32::from(*level != 0);
    }
    if levels.iter().any(|level| !matches!(level, 0 | 1)) || next as usize != values {
        return Err(ParquetError::General("what tells nulls from values is damaged".to_owned()));
    }
    Ok(places)
}

fn each<N, M: From<N>>(numbers: Vec<N>) -> Vec<M> {
    numbers.into_iter().map(M::from).collect()
}

fn unsigned(ints: Vec<i64>) -> Vec<u64> {
    ints.into_iter().map(i64::cast_unsigned).collect()
}

fn of_i32(ints: Vec<i32>, found: &DataType) -> Cells {
    match found {
        DataType::Date32 => Cells::Dates(ints),
        DataType::Decimal128(_, scale) => Cells::Decimals(each(ints), *scale),
        found if found.is_unsigned_integer() => {
            Cells::Ints(ints.into_iter().map(|int| i64::from(int.cast_unsigned())).collect())
        }
        _ => Cells::Ints(each(ints)),
    }
}

fn of_i64(ints: Vec<i64>, found: &DataType) -> Cells {
    match found {
        DataType::Timestamp(unit, _) => Cells::Times(ints, nanos_of(*unit)),
        DataType::Decimal128(_, scale) => Cells::Decimals(each(ints), *scale),
        _ => Cells::Ints(ints),
    }
}

fn of_bytes(bytes: Vec<ByteArray>, found: &DataType) -> Result<Cells, ParquetError> {
    match found {
        DataType::Decimal128(_, scale) => {
            let numbers: Option<Vec<i128>> = bytes.iter().map(|bytes| number(bytes.data())).collect();
            let numbers = numbers.ok_or_else(|| ParquetError::General("a decimal is too long".to_owned()))?;
            Ok(Cells::Decimals(numbers, *scale))
        }
        DataType::Float16 => {
            let half = |bytes: &ByteArray| match bytes.data() {
                [low, high] => Ok(half(u16::from(*high) << 8 | u16::from(*low))),
                _ => Err(ParquetError::General("a half float has other than two bytes".to_owned())),
            };
            let floats: Result<Vec<f64>, _> = bytes.iter().map(half).collect();
            Ok(Cells::Floats(floats?, Precision::Half))
        }
        _ => Ok(Cells::Bytes(bytes)),
    }
}

/// Returns a big-endian number in two's complement.
fn number(bytes: &[u8]) -> Option<i128> {
    const WIDTH: usize = size_of::<i128>();
    let fill = if bytes.first().is_some_and(|first| *first >= 0x80) { 0xFF } else { 0 };
    let mut wide = [fill; WIDTH];
    wide[WIDTH.checked_sub(bytes.len())?..].copy_from_slice(bytes);
    Some(i128::from_be_bytes(wide))
}

/// Returns the value of a half-precision float.
fn half(bits: u16) -> f64 {
    type Half = <Float16Type as ArrowPrimitiveType>::Native;
    Half::from_bits(bits).to_f64()
}

/// Returns nanoseconds since 1970-01-01T00:00 of times that are a Julian day and the nanoseconds of the day.
fn nanos(times: &[Int96]) -> Vec<i128> {
    const JULIAN_DAY_OF_1970: i128 = 2_440_588;
    const NANOS_PER_DAY: i128 = 86_400_000_000_000;
    let nanos = |time: &Int96| match *time.data() {
        [low, high, day] => {
            let day = i128::from(day.cast_signed()) - JULIAN_DAY_OF_1970;
            day * NANOS_PER_DAY + i128::from((u64::from(high) << 32 | u64::from(low)).cast_signed())
        }
        _ => 0,
    };
    times.iter().map(nanos).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_that_no_column_has_are_an_error() {
        assert_eq!(places(&[1, 0, 1], 2).unwrap(), [0, NULL, 1]);
        assert!(places(&[1, 2, 0], 1).is_err() && places(&[1, 1, 0], 1).is_err());
    }
}
