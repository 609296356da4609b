//! Jute, ZooKeeper's serialization: big-endian numbers; buffers and strings with a length of four bytes.

use bytes::{Buf, BufMut, Bytes, BytesMut};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadJute {
    #[error("{what} takes {needed} bytes, {left} are left")]
    Short { what: &'static str, needed: usize, left: usize },
    #[error("{what} can't have length {len}")]
    Length { what: &'static str, len: i32 },
    #[error("{what} is not UTF-8")]
    Text { what: &'static str },
}

#[derive(Debug)]
pub(super) struct Reader {
    left: Bytes,
}

impl Reader {
    pub(super) fn new(message: Bytes) -> Self {
        Self { left: message }
    }

    pub(super) fn int(&mut self, what: &'static str) -> Result<i32, BadJute> {
        Ok(self.take(what, 4)?.get_i32())
    }

    pub(super) fn long(&mut self, what: &'static str) -> Result<i64, BadJute> {
        Ok(self.take(what, 8)?.get_i64())
    }

    /// A buffer. A null buffer, written as length -1, reads as empty.
    pub(super) fn buffer(&mut self, what: &'static str) -> Result<Bytes, BadJute> {
        let len = self.len(what)?;
        self.take(what, len)
    }

    /// A list of strings. A null list reads as empty.
    pub(super) fn strings(&mut self, what: &'static str) -> Result<Vec<String>, BadJute> {
        let count = self.len(what)?;
        // Each string takes at least four bytes, so an impossible count is refused before allocating.
        let (needed, left) = (count.saturating_mul(4), self.left.len());
        if needed > left {
            return Err(BadJute::Short { what, needed, left });
        }
        (0..count).map(|_| self.string(what)).collect()
    }

    pub(super) fn into_rest(self) -> Bytes {
        self.left
    }

    fn string(&mut self, what: &'static str) -> Result<String, BadJute> {
        String::from_utf8(self.buffer(what)?.into()).map_err(|_| BadJute::Text { what })
    }

    fn len(&mut self, what: &'static str) -> Result<usize, BadJute> {
        match self.int(what)? {
            -1 => Ok(0),
            len => usize::try_from(len).map_err(|_| BadJute::Length { what, len }),
        }
    }

    fn take(&mut self, what: &'static str, needed: usize) -> Result<Bytes, BadJute> {
        let left = self.left.len();
        if needed > left {
            return Err(BadJute::Short { what, needed, left });
        }
        Ok(self.left.split_to(needed))
    }
}

pub(super) fn put_buffer(out: &mut BytesMut, bytes: &[u8]) {
    out.put_u32(u32::try_from(bytes.len()).unwrap_or(u32::MAX));
    out.put_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(bytes: &'static [u8]) -> Reader {
        Reader::new(Bytes::from_static(bytes))
    }

    #[test]
    fn null_and_empty_are_the_same() {
        for bytes in [&[255, 255, 255, 255], &[0, 0, 0, 0]] {
            assert_eq!(reader(bytes).buffer("value").unwrap(), Bytes::new());
            assert_eq!(reader(bytes).strings("names").unwrap(), Vec::<String>::new());
        }
    }

    #[test]
    fn lengths_are_checked_before_they_are_used() {
        let short = BadJute::Short { what: "value", needed: 0x7fff_ffff, left: 1 };
        assert_eq!(reader(b"\x7f\xff\xff\xffx").buffer("value"), Err(short));
        let short = BadJute::Short { what: "names", needed: 0x7fff_ffff * 4, left: 1 };
        assert_eq!(reader(b"\x7f\xff\xff\xffx").strings("names"), Err(short));
        assert_eq!(reader(b"\xff\xff\xff\xfe").buffer("x"), Err(BadJute::Length { what: "x", len: -2 }));
    }

    #[test]
    fn names_must_be_text() {
        let bytes = b"\0\0\0\x01\0\0\0\x01\xff";
        assert_eq!(reader(bytes).strings("names"), Err(BadJute::Text { what: "names" }));
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes: Vec<u8>) {
            drop(Reader::new(bytes.clone().into()).strings("names"));
            drop(Reader::new(bytes.into()).buffer("value"));
        }
    }
}
