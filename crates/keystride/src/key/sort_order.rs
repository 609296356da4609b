use super::{DecodeError, DecodeFault};

/// Whether the encoded bytes of a value sort with it or against it.
///
/// Descending is every byte complemented, in HBase's `OrderedBytes` and in Phoenix alike.
///
/// ```
/// # use keystride::key::SortOrder;
/// let mut bytes = *b"\x00ab";
/// SortOrder::Descending.apply(&mut bytes);
/// assert_eq!(bytes, [0xff, 0x9e, 0x9d]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SortOrder {
    /// Smaller values first.
    Ascending,
    /// Greater values first.
    Descending,
}

impl SortOrder {
    /// Converts ascending bytes to this order, and back: it is its own inverse.
    pub fn apply(self, bytes: &mut [u8]) {
        let mask = self.mask();
        for byte in bytes {
            *byte ^= mask;
        }
    }

    /// Returns the bits of each byte that this order flips: none or all.
    pub(crate) fn mask(self) -> u8 {
        match self {
            Self::Ascending => 0x00,
            Self::Descending => 0xff,
        }
    }

    /// Appends ascending `bytes` in this order.
    pub(crate) fn append(self, out: &mut Vec<u8>, bytes: &[u8]) {
        let start = out.len();
        out.extend_from_slice(bytes);
        self.apply(&mut out[start..]);
    }

    /// Appends the ascending form of `bytes` if it is UTF-8, and nothing otherwise.
    pub(crate) fn append_utf8(self, out: &mut Vec<u8>, bytes: &[u8]) -> Result<(), DecodeError> {
        let start = out.len();
        self.append(out, bytes);
        let invalid_at = str::from_utf8(&out[start..]).err().map(|error| error.valid_up_to());
        match invalid_at {
            None => Ok(()),
            Some(at) => {
                out.truncate(start);
                Err(DecodeError::new(at, DecodeFault::NotText))
            }
        }
    }
}
