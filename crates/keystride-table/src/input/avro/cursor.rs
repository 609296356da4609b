//! Reading a body from its beginning on.

use super::fault::AvroFault;

/// What is left of a body.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Returns how many bytes were read.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Returns how many bytes are left.
    pub(super) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(super) fn take(&mut self, len: usize) -> Result<&'a [u8], AvroFault> {
        let taken = self.bytes[self.at..].get(..len).ok_or(AvroFault::EndsEarly)?;
        self.at += len;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], AvroFault> {
        let (array, _) = self.bytes[self.at..].split_first_chunk().ok_or(AvroFault::EndsEarly)?;
        self.at += N;
        Ok(*array)
    }

    /// Reads bytes behind their length.
    pub(super) fn bytes(&mut self) -> Result<&'a [u8], AvroFault> {
        let len = self.long()?;
        self.take(usize::try_from(len).map_err(|_| AvroFault::Length { found: len })?)
    }

    pub(super) fn bool(&mut self) -> Result<bool, AvroFault> {
        match self.array()? {
            [0] => Ok(false),
            [1] => Ok(true),
            [found] => Err(AvroFault::Bool { found }),
        }
    }

    pub(super) fn int(&mut self) -> Result<i32, AvroFault> {
        i32::try_from(self.long()?).map_err(|_| AvroFault::LongNumber { bits: 32 })
    }

    /// Reads a number: seven bits a byte, the lowest first, of twice the number, or of its complement and 1.
    pub(super) fn long(&mut self) -> Result<i64, AvroFault> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let [byte] = self.array()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok((number >> 1).cast_signed() ^ -(number & 1).cast_signed());
            }
        }
        Err(AvroFault::LongNumber { bits: 64 })
    }

    /// Reads a number below `count`; `fault` is that of any other.
    pub(super) fn index(
        &mut self,
        count: usize,
        fault: impl FnOnce(i64) -> AvroFault,
    ) -> Result<usize, AvroFault> {
        let found = self.long()?;
        usize::try_from(found).ok().filter(|index| *index < count).ok_or_else(|| fault(found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first ones are those of the specification.
    #[test]
    fn numbers_have_as_many_bytes_as_they_need() {
        for (bytes, number) in [
            (&[0][..], Ok(0)),
            (&[1], Ok(-1)),
            (&[2], Ok(1)),
            (&[3], Ok(-2)),
            (&[4], Ok(2)),
            (&[0x7f], Ok(-64)),
            (&[0x80, 1], Ok(64)),
            (&[0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1], Ok(i64::MAX)),
            (&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1], Ok(i64::MIN)),
            (
                &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2],
                Err(AvroFault::LongNumber { bits: 64 }),
            ),
            (&[0x80; 11], Err(AvroFault::LongNumber { bits: 64 })),
            (&[0x80], Err(AvroFault::EndsEarly)),
        ] {
            assert_eq!(Cursor::new(bytes).long(), number, "{bytes:x?}");
        }
        assert_eq!(Cursor::new(&[0xfe, 0xff, 0xff, 0xff, 0x0f]).int(), Ok(i32::MAX));
        assert_eq!(
            Cursor::new(&[0x80, 0x80, 0x80, 0x80, 0x10]).int(),
            Err(AvroFault::LongNumber { bits: 32 })
        );
    }
}
