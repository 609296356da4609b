//! The errors of the encodings of single values.

/// A value that an encoding can't hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// The number is outside the range of the encoding.
    #[error("{value} is outside {min} to {max}")]
    OutOfRange {
        /// The number found.
        value: i128,
        /// The smallest number allowed.
        min: i128,
        /// The largest number allowed.
        max: i128,
    },
    /// The encoding holds no number below zero.
    #[error("the number is negative; only numbers from 0 up can be written so")]
    Negative,
    /// The text is longer than its fixed width.
    #[error("{len} characters don't fit a width of {width}")]
    TooLong {
        /// The length found, in characters.
        len: usize,
        /// The width declared, in characters.
        width: usize,
    },
    /// A 00 byte inside a value that is terminated by 00.
    #[error("byte {at} is 00, which would end the value; write it with an escape")]
    ZeroByte {
        /// Offset of the byte in the value.
        at: usize,
    },
    /// CHAR holds single-byte characters only.
    #[error("byte {at} is not ASCII; use a variable-length type")]
    NotAscii {
        /// Offset of the byte in the value.
        at: usize,
    },
    /// CHAR can't distinguish a trailing blank from its padding.
    #[error("the value ends with a blank, which could not be told from padding")]
    TrailingBlank,
    /// A decimal number whose magnitude is too large or too small to be written.
    #[error(
        "a number near 10^{exponent} is out of range; only magnitudes from 10^-2000000002 to 10^2000000000 can be written"
    )]
    Magnitude {
        /// The power of ten just above the number.
        exponent: i64,
    },
}

/// Bytes that the encoding can't have written, with the place and the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("at byte {at}: {fault}")]
pub struct DecodeError {
    /// Offset from the start of the slice that was read.
    pub at: usize,
    /// What is wrong there.
    pub fault: DecodeFault,
}

/// What is wrong with encoded bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeFault {
    /// The bytes end inside the value.
    #[error("the value ends {missing} bytes too early")]
    TooShort {
        /// How many more bytes are needed.
        missing: usize,
    },
    /// The bytes end before the value's terminator.
    #[error("the value's terminator is missing")]
    Unterminated,
    /// A header byte of another type, or one that is not a header.
    #[error("{found:02x} is not a header byte of this type")]
    Header {
        /// The byte as it was read, before any complement is undone.
        found: u8,
    },
    /// A byte that is neither of the two values of a boolean.
    #[error("{found:02x} is not a boolean")]
    NotABoolean {
        /// The byte as it was read, before any complement is undone.
        found: u8,
    },
    /// A byte that is no decimal digit.
    #[error("{found:02x} is not a digit")]
    NotADigit {
        /// The byte found.
        found: u8,
    },
    /// The byte after an escaped 00 is neither FF nor 01.
    #[error("{found:02x} can't follow an escaped zero byte")]
    BadEscape {
        /// The byte as it was read, before any complement is undone.
        found: u8,
    },
    /// A 00 byte where the encoding has none.
    #[error("a zero byte can't stand in this value")]
    ZeroByte,
    /// Text that is not UTF-8, or not ASCII where only ASCII is allowed.
    #[error("the text is not valid in its charset")]
    NotText,
    /// The number does not fit its type.
    #[error("the number is out of range")]
    OutOfRange,
    /// Bytes that can be read as a value, but are not what the encoder writes for it.
    #[error("the value is written in a form that no encoder writes")]
    NotCanonical,
}

impl DecodeError {
    pub(crate) fn new(at: usize, fault: DecodeFault) -> Self {
        Self { at, fault }
    }

    /// Creates the error for bytes that end at `len` although the value needs `needed` of them.
    pub(crate) fn too_short(len: usize, needed: usize) -> Self {
        Self::new(len, DecodeFault::TooShort { missing: needed.saturating_sub(len) })
    }

    /// Returns the same error with its offset increased by `by`.
    #[must_use]
    pub fn shifted(self, by: usize) -> Self {
        Self { at: self.at + by, ..self }
    }
}
