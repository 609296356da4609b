//! The header of a page: how much the page unpacks to. The Parquet reader trusts it, but for the codecs gzip and LZ4:
//! such a page may unpack to more before that is noticed.

use std::io::{self, Read};

use parquet::errors::ParquetError;

/// What a header says.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct PageHeader {
    pub(super) kind: i64,
    pub(super) unpacked_bytes: u64,
    pub(super) packed_bytes: u64,
    /// Number of values, including nulls.
    pub(super) values: u64,
    pub(super) encoding: i64,
}

impl PageHeader {
    pub(super) const DATA: i64 = 0;
    pub(super) const DICTIONARY: i64 = 2;
    pub(super) const DATA_V2: i64 = 3;

    /// The encoding of byte strings as what they share with the one before, and the rest.
    pub(super) const DELTA_BYTE_ARRAY: i64 = 7;
    /// The encoding of byte strings with all lengths first.
    pub(super) const DELTA_LENGTH_BYTE_ARRAY: i64 = 6;

    /// Reads a header in Thrift's compact protocol.
    pub(super) fn read(from: &mut impl Read) -> Result<Self, ParquetError> {
        let mut header = Self::default();
        let mut thrift = Compact { from, depth: 0 };
        thrift.fields(&mut |thrift, id, kind| {
            match (id, kind) {
                (1, I32) => header.kind = thrift.number()?,
                (2, I32) => header.unpacked_bytes = count(thrift.number()?)?,
                (3, I32) => header.packed_bytes = count(thrift.number()?)?,
                (5 | 7, STRUCT) => thrift.values(2, &mut header)?,
                (8, STRUCT) => thrift.values(4, &mut header)?,
                _ => thrift.skip(kind)?,
            }
            Ok(())
        })?;
        Ok(header)
    }
}

const I32: u8 = 5;
const BINARY: u8 = 8;
const STRUCT: u8 = 12;

/// Headers are hardly nested; this much suffices for those of future versions too.
const MOST_DEPTH: usize = 16;

struct Compact<'a, R> {
    from: &'a mut R,
    depth: usize,
}

impl<R: Read> Compact<'_, R> {
    /// Reads the fields of a struct; `take` reads the value of each.
    fn fields(
        &mut self,
        take: &mut dyn FnMut(&mut Self, i64, u8) -> Result<(), ParquetError>,
    ) -> Result<(), ParquetError> {
        self.enter()?;
        let mut id = 0;
        loop {
            let head = self.byte()?;
            let kind = head & 0x0F;
            if kind == 0 {
                self.depth -= 1;
                return Ok(());
            }
            id = match head >> 4 {
                0 => self.number()?,
                more => id + i64::from(more),
            };
            take(self, id, kind)?;
        }
    }

    /// Reads the struct of one kind of page, which has the number of values as field 1.
    fn values(&mut self, encoding: i64, header: &mut PageHeader) -> Result<(), ParquetError> {
        self.fields(&mut |thrift, id, kind| {
            match (id, kind) {
                (1, I32) => header.values = count(thrift.number()?)?,
                (id, I32) if id == encoding => header.encoding = thrift.number()?,
                _ => thrift.skip(kind)?,
            }
            Ok(())
        })
    }

    fn skip(&mut self, kind: u8) -> Result<(), ParquetError> {
        match kind {
            // The value of a boolean field is its kind.
            1 | 2 => Ok(()),
            3 => self.skip_bytes(1),
            4..=6 => self.number().map(drop),
            7 => self.skip_bytes(8),
            BINARY => {
                let len = self.varint()?;
                self.skip_bytes(len)
            }
            9 | 10 => self.skip_list(),
            STRUCT => self.fields(&mut |thrift, _, kind| thrift.skip(kind)),
            _ => Err(damaged()),
        }
    }

    fn skip_list(&mut self) -> Result<(), ParquetError> {
        self.enter()?;
        let head = self.byte()?;
        let len = match head >> 4 {
            15 => self.varint()?,
            len => u64::from(len),
        };
        for _ in 0..len {
            match head & 0x0F {
                // Unlike fields, elements that are booleans have a byte each.
                1 | 2 => self.skip_bytes(1)?,
                kind => self.skip(kind)?,
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// Counts a struct or list that is entered.
    fn enter(&mut self) -> Result<(), ParquetError> {
        self.depth += 1;
        if self.depth > MOST_DEPTH { Err(damaged()) } else { Ok(()) }
    }

    fn skip_bytes(&mut self, count: u64) -> Result<(), ParquetError> {
        let skipped = io::copy(&mut self.from.by_ref().take(count), &mut io::sink())?;
        if skipped == count { Ok(()) } else { Err(damaged()) }
    }

    fn byte(&mut self) -> Result<u8, ParquetError> {
        let mut byte = [0];
        self.from.read_exact(&mut byte)?;
        Ok(byte[0])
    }

    fn varint(&mut self) -> Result<u64, ParquetError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(damaged())
    }

    fn number(&mut self) -> Result<i64, ParquetError> {
        let zigzag = self.varint()?;
        Ok((zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed())
    }
}

fn count(number: i64) -> Result<u64, ParquetError> {
    u64::try_from(number).map_err(|_| damaged())
}

fn damaged() -> ParquetError {
    ParquetError::General("the header of a page is damaged".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_says_how_much_its_page_unpacks_to() {
        // A dictionary page of 300 bytes, 20 packed, with 7 values in plain form and a checksum.
        let bytes = [0x15, 4, 0x15, 0xD8, 4, 0x15, 40, 0x15, 2, 0x3C, 0x15, 14, 0x15, 0, 0x12, 0, 0];
        let header = PageHeader::read(&mut &bytes[..]).unwrap();
        let expected = PageHeader { kind: 2, unpacked_bytes: 300, packed_bytes: 20, values: 7, encoding: 0 };
        assert_eq!(header, expected);
        for end in 0..bytes.len() {
            assert!(PageHeader::read(&mut &bytes[..end]).is_err());
        }
    }

    #[test]
    fn what_is_no_header_is_an_error() {
        for bytes in [&[0x1C; 64][..], &vec![0x19; 120_000], &[0x15, 1, 0x15, 1], &[0x1D, 0]] {
            assert!(PageHeader::read(&mut &bytes[..]).is_err(), "{bytes:?}");
        }
    }
}
