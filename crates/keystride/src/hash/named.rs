//! The digests that a design can put into a key in place of a value.

use super::{crc32, md5, murmur3_x64_128, xxh3_64};

/// The digests a design can put into a key in place of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Digest {
    /// 16 bytes.
    Md5,
    /// `x64_128`, 16 bytes.
    Murmur3,
    /// 8 bytes, big-endian.
    Xxh3,
    /// 4 bytes, big-endian.
    Crc32,
}

/// The bytes of a digest, 4 to 16.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DigestBytes {
    bytes: [u8; 16],
    len: usize,
}

impl Digest {
    /// Returns the length of the whole digest in bytes.
    #[expect(clippy::len_without_is_empty, reason = "no digest is empty")]
    pub fn len(self) -> usize {
        match self {
            Self::Md5 | Self::Murmur3 => 16,
            Self::Xxh3 => 8,
            Self::Crc32 => 4,
        }
    }

    /// Returns its name in a design file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Md5 => "md5",
            Self::Murmur3 => "murmur3",
            Self::Xxh3 => "xxh3",
            Self::Crc32 => "crc32",
        }
    }

    /// Returns the digest of `bytes`.
    ///
    /// ```
    /// # use keystride::hash::Digest;
    /// assert_eq!(Digest::Crc32.of(b"abc").as_bytes(), [0x35, 0x24, 0x41, 0xc2]);
    /// ```
    pub fn of(self, bytes: &[u8]) -> DigestBytes {
        match self {
            Self::Md5 => DigestBytes { bytes: md5(bytes), len: 16 },
            Self::Murmur3 => DigestBytes { bytes: murmur3_x64_128(bytes), len: 16 },
            Self::Xxh3 => DigestBytes::head(&xxh3_64(bytes).to_be_bytes()),
            Self::Crc32 => DigestBytes::head(&crc32(bytes).to_be_bytes()),
        }
    }
}

impl DigestBytes {
    /// Returns the bytes of the digest.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    fn head(head: &[u8]) -> Self {
        let mut bytes = [0; 16];
        bytes[..head.len()].copy_from_slice(head);
        Self { bytes, len: head.len() }
    }
}
