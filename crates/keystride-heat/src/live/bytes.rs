//! A column as bytes, to be kept in a file.

use super::column::Rates;
use super::{APPROX, Axis, AxisError, Cells, Column, Metric, UNKNOWN};

/// The version of the bytes, which is the first of them.
const VERSION: u8 = 1;

/// What the cells of a column are on.
const GAP: u8 = 0;
const SAME_AXIS: u8 = 1;
const OWN_AXIS: u8 = 2;

/// Flags of a metric: what follows it.
const HAS_RATE: u8 = 1;
const HAS_PEAK: u8 = 2;
const HAS_MOST: u8 = 4;

/// Bytes that are no column.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ColumnError {
    /// They begin with another version.
    #[error("version {found} of a column is not known; this program reads version {VERSION}")]
    Version {
        /// The version.
        found: u8,
    },
    /// They end too early.
    #[error("the column ends too early")]
    Short,
    /// There are more than a column has.
    #[error("{count} bytes follow the column")]
    Rest {
        /// How many.
        count: usize,
    },
    /// The boundaries are said to be those of the column before, but there is none.
    #[error("the column has the boundaries of the one before, and there is none")]
    NoAxis,
    /// Boundaries are none.
    #[error(transparent)]
    Axis(#[from] AxisError),
    /// A byte has a value that has no meaning there.
    #[error("byte {value:#04x} of the column has no meaning")]
    Unknown {
        /// The value.
        value: u8,
    },
}

impl Column {
    /// Appends the column as bytes, all numbers big-endian. Its boundaries are left out if `previous` are the same: those
    /// of a column that will be read before.
    pub fn write_to(&self, previous: Option<&Axis>, out: &mut Vec<u8>) {
        out.push(VERSION);
        out.extend_from_slice(&self.t0_ms.to_be_bytes());
        out.extend_from_slice(&self.t1_ms.to_be_bytes());
        match &self.cells {
            None => out.push(GAP),
            Some(cells) if previous == Some(cells.axis()) => {
                out.push(SAME_AXIS);
                cells.write_to(out);
            }
            Some(cells) => {
                out.push(OWN_AXIS);
                write_axis(cells.axis(), out);
                cells.write_to(out);
            }
        }
    }

    /// Reads a column that [`write_to`](Self::write_to) wrote, given the boundaries of the column before.
    ///
    /// ```
    /// # use keystride_heat::live::{Column, ColumnError};
    /// let mut bytes = Vec::new();
    /// Column::gap(1000, 2000).write_to(None, &mut bytes);
    /// assert_eq!(bytes, b"\x01\0\0\0\0\0\0\x03\xe8\0\0\0\0\0\0\x07\xd0\0");
    /// assert_eq!(Column::read_from(&bytes, None), Ok(Column::gap(1000, 2000)));
    /// assert_eq!(Column::read_from(&bytes[..9], None), Err(ColumnError::Short));
    /// ```
    ///
    /// # Errors
    ///
    /// [`ColumnError`] for other bytes.
    pub fn read_from(bytes: &[u8], previous: Option<&Axis>) -> Result<Self, ColumnError> {
        let mut reader = Reader { rest: bytes };
        let version = reader.byte()?;
        if version != VERSION {
            return Err(ColumnError::Version { found: version });
        }
        let [t0_ms, t1_ms] = [reader.i64()?, reader.i64()?];
        let cells = match reader.byte()? {
            GAP => None,
            SAME_AXIS => Some(reader.cells(previous.ok_or(ColumnError::NoAxis)?.clone())?),
            OWN_AXIS => {
                let axis = reader.axis()?;
                // Equal boundaries are kept once.
                let axis = previous.filter(|previous| **previous == axis).cloned().unwrap_or(axis);
                Some(reader.cells(axis)?)
            }
            value => return Err(ColumnError::Unknown { value }),
        };
        match reader.rest.len() {
            0 => Ok(Self { t0_ms, t1_ms, cells }),
            count => Err(ColumnError::Rest { count }),
        }
    }
}

impl Cells {
    fn write_to(&self, out: &mut Vec<u8>) {
        for rates in &self.rates {
            let Some(rates) = rates else {
                out.push(0);
                continue;
            };
            let has = |codes: &Option<Box<[u16]>>, flag| if codes.is_some() { flag } else { 0 };
            out.push(HAS_RATE | has(&rates.peak, HAS_PEAK) | has(&rates.most, HAS_MOST));
            write_numbers(&rates.rate, out);
            [&rates.peak, &rates.most].into_iter().flatten().for_each(|codes| write_numbers(codes, out));
        }
        write_numbers(&self.servers, out);
        out.extend_from_slice(&self.flags);
        out.push(u8::from(self.regions.is_some()));
        self.regions.iter().for_each(|regions| write_numbers(regions, out));
    }
}

fn write_axis(axis: &Axis, out: &mut Vec<u8>) {
    // An axis has less than 4 GiB.
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX).to_be_bytes();
    out.extend_from_slice(&number(axis.bound_count()));
    for bound in axis.bounds() {
        out.extend_from_slice(&number(bound.len()));
        out.extend_from_slice(bound);
    }
}

fn write_numbers(numbers: &[u16], out: &mut Vec<u8>) {
    out.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], ColumnError> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(ColumnError::Short)?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ColumnError> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(ColumnError::Short)?;
        self.rest = rest;
        Ok(*taken)
    }

    fn byte(&mut self) -> Result<u8, ColumnError> {
        Ok(self.array::<1>()?[0])
    }

    fn i64(&mut self) -> Result<i64, ColumnError> {
        Ok(i64::from_be_bytes(self.array()?))
    }

    fn count(&mut self) -> Result<usize, ColumnError> {
        usize::try_from(u32::from_be_bytes(self.array()?)).map_err(|_| ColumnError::Short)
    }

    fn axis(&mut self) -> Result<Axis, ColumnError> {
        // The count may be wrong; nothing is allocated for it.
        let bounds = (0..self.count()?).map(|_| {
            let len = self.count()?;
            self.take(len)
        });
        Ok(Axis::new(bounds.collect::<Result<Vec<_>, _>>()?)?)
    }

    fn cells(&mut self, axis: Axis) -> Result<Cells, ColumnError> {
        let count = axis.cell_count();
        let mut rates = [const { None }; Metric::COUNT];
        for rates in &mut rates {
            *rates = self.rates(count)?;
        }
        let servers = self.numbers(count)?;
        let flags: Box<[u8]> = self.take(count)?.into();
        if let Some(&value) = flags.iter().find(|&&flags| flags & !(APPROX | UNKNOWN) != 0) {
            return Err(ColumnError::Unknown { value });
        }
        let regions = match self.byte()? {
            0 => None,
            1 => Some(self.numbers(count)?),
            value => return Err(ColumnError::Unknown { value }),
        };
        Ok(Cells { axis, rates, servers, flags, regions })
    }

    fn rates(&mut self, count: usize) -> Result<Option<Rates>, ColumnError> {
        let has = self.byte()?;
        if has == 0 {
            return Ok(None);
        }
        if has & HAS_RATE == 0 || has & !(HAS_RATE | HAS_PEAK | HAS_MOST) != 0 {
            return Err(ColumnError::Unknown { value: has });
        }
        let rate = self.numbers(count)?;
        let peak = if has & HAS_PEAK == 0 { None } else { Some(self.numbers(count)?) };
        let most = if has & HAS_MOST == 0 { None } else { Some(self.numbers(count)?) };
        Ok(Some(Rates { rate, peak, most }))
    }

    fn numbers(&mut self, count: usize) -> Result<Box<[u16]>, ColumnError> {
        let bytes = self.take(count.checked_mul(2).ok_or(ColumnError::Short)?)?;
        Ok(bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::live::Cell;

    fn column() -> impl Strategy<Value = Column> {
        let cell =
            (prop::array::uniform3(0.0..1e6), prop::array::uniform3(0.0..1e6), 0..3_u16, 0..4_u8, 1..4_u16);
        let cell = cell.prop_map(|(rates, peaks, server, flags, regions)| Cell {
            rates,
            peaks,
            most: if regions == 1 { rates } else { peaks },
            server,
            flags,
            regions,
        });
        let keys = prop::collection::btree_set(prop::collection::vec(any::<u8>(), 1..5), 0..8);
        let cells = (keys, prop::collection::vec(cell, 9), prop::array::uniform3(any::<bool>()));
        let cells = cells.prop_map(|(keys, cells, counted)| {
            Cells::new(Axis::new(&keys).unwrap(), counted, &cells[..=keys.len()])
        });
        (any::<i64>(), any::<i64>(), prop::option::weighted(0.9, cells))
            .prop_map(|(t0_ms, t1_ms, cells)| Column { t0_ms, t1_ms, cells })
    }

    fn bytes_of(column: &Column, previous: Option<&Axis>) -> Vec<u8> {
        let mut bytes = Vec::new();
        column.write_to(previous, &mut bytes);
        bytes
    }

    proptest! {
        #[test]
        fn reading_inverts_writing_and_every_shorter_or_longer_text_is_refused(column in column()) {
            let bytes = bytes_of(&column, None);
            prop_assert_eq!(Column::read_from(&bytes, None), Ok(column.clone()));
            for len in 0..bytes.len() {
                prop_assert_eq!(Column::read_from(&bytes[..len], None), Err(ColumnError::Short));
            }
            let longer = [&bytes[..], &[0]].concat();
            prop_assert_eq!(Column::read_from(&longer, None), Err(ColumnError::Rest { count: 1 }));
            if let Some(axis) = column.axis() {
                let short = bytes_of(&column, Some(axis));
                prop_assert!(short.len() < bytes.len());
                prop_assert_eq!(Column::read_from(&short, Some(axis)), Ok(column.clone()));
                prop_assert_eq!(Column::read_from(&short, None), Err(ColumnError::NoAxis));
                let equal = Axis::new(axis.bounds()).unwrap();
                let read = Column::read_from(&bytes, Some(&equal)).unwrap();
                prop_assert!(read.axis().unwrap().is_shared_with(&equal));
            }
        }

        #[test]
        fn damaged_bytes_never_panic(
            column in column(),
            damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        ) {
            let mut bytes = bytes_of(&column, None);
            for (place, byte) in damage {
                let place = place.index(bytes.len());
                bytes[place] = byte;
            }
            if let Ok(read) = Column::read_from(&bytes, None) {
                prop_assert_eq!(bytes_of(&read, None), bytes);
            }
        }
    }

    #[test]
    fn another_version_is_refused() {
        assert_eq!(Column::read_from(&[2, 0], None), Err(ColumnError::Version { found: 2 }));
    }
}
