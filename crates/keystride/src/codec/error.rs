use crate::escape::to_escaped;
use crate::key::{DecodeError, EncodeError, InvalidKey};
use crate::time::TimeError;

/// Why a row has no key.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// A key field is absent and has no default.
    #[error("field \"{field}\" has no value, and the key needs one: give it a default, or the row a value")]
    Missing {
        /// The field.
        field: String,
    },
    /// A step rejects the value.
    #[error("field \"{field}\": {cause}")]
    Field {
        /// The field.
        field: String,
        /// The reason.
        #[source]
        cause: Box<KeyFault>,
    },
    /// Java's `Math.abs` of −2³¹ stays negative.
    #[error(
        "SLT01: Java's hash of this row is -2147483648, whose absolute value stays negative: it gives the prefix \
         \"{prefix}\", which no bucket scan finds; use an unsigned hash such as xxh3"
    )]
    OutsideBuckets {
        /// What Java code writes.
        prefix: i32,
    },
    /// The key is empty or too long.
    #[error(transparent)]
    Length(#[from] InvalidKey),
    /// A Java hash of bytes that are not text.
    #[error("a Java hash of \"rest\" needs keys that are text, and these bytes are not: {bytes}")]
    RestIsNoText {
        /// The bytes, escaped.
        bytes: String,
    },
}

/// Why a step rejects a value.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyFault {
    /// A number, or text, that the encoding can't hold.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// A time that the field's pattern can't write.
    #[error(transparent)]
    Time(#[from] TimeError),
    /// The epoch does not have as many digits as its unit requires.
    #[error("{number} is not an epoch of exactly {digits} digits")]
    EpochDigits {
        /// The number.
        number: i128,
        /// The number of digits that the unit requires.
        digits: usize,
    },
    /// The value contains the terminator, so it would end early.
    #[error(
        "ENC04: the terminator \"{}\" is found at byte {at} of the value \"{}\", before its end; escape it, or use \
         another terminator",
        to_escaped(terminator),
        to_escaped(value)
    )]
    Terminator {
        /// The terminator's bytes.
        terminator: Vec<u8>,
        /// The value's bytes.
        value: Vec<u8>,
        /// Offset in the value, in bytes.
        at: usize,
    },
    /// A text shorter than `left` or `right` requires.
    #[error("\"{found}\" is shorter than the {wanted} characters wanted of it")]
    Short {
        /// The text.
        found: String,
        /// The number of UTF-16 units required.
        wanted: usize,
    },
    /// A cut inside a character of two UTF-16 units.
    #[error("\"{found}\" can't be cut inside a character")]
    InsideCharacter {
        /// The text.
        found: String,
    },
}

/// Errors are boxed, because a large error type would slow down the rows that succeed.
impl From<EncodeError> for Box<KeyFault> {
    fn from(error: EncodeError) -> Self {
        Self::new(error.into())
    }
}

impl From<TimeError> for Box<KeyFault> {
    fn from(error: TimeError) -> Self {
        Self::new(error.into())
    }
}

/// Where bytes stop being a key of the design.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("at byte {at}, {part}: {fault}")]
pub struct KeyDecodeError {
    /// Offset in the key.
    pub at: usize,
    /// The part's name as messages show it: `field "ts"`, `bucket`, `text "_"`.
    pub part: String,
    /// What was found and what is expected.
    #[source]
    pub fault: KeyDecodeFault,
}

/// A fault, and its offset in the part.
pub(crate) type Fault = (usize, KeyDecodeFault);

/// What was found in place of a part.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyDecodeFault {
    /// The key ends inside the part.
    #[error("{found} bytes are left, {needed} are needed")]
    TooShort {
        /// Bytes left.
        found: usize,
        /// Bytes needed.
        needed: usize,
    },
    /// There are bytes after the last part.
    #[error("{count} bytes are left over")]
    LeftOver {
        /// How many.
        count: usize,
    },
    /// Literal bytes other than those of the design.
    #[error("\"{}\" stands there", to_escaped(found))]
    OtherText {
        /// The bytes found.
        found: Vec<u8>,
    },
    /// There is no terminator before the end of the key.
    #[error("its terminator \"{}\" does not follow", to_escaped(terminator))]
    NoTerminator {
        /// The terminator.
        terminator: Vec<u8>,
    },
    /// Not the number of a bucket.
    #[error("\"{}\" is not a bucket below {count}", to_escaped(found))]
    NotABucket {
        /// The bytes found.
        found: Vec<u8>,
        /// How many buckets there are.
        count: u32,
    },
    /// The end of the part can't be found.
    #[error("nothing tells where its value ends (ENC02)")]
    Unmarked,
    /// Bytes that are not those of any value.
    #[error("\"{}\" is not a value of it: {why}", to_escaped(found))]
    NotAValue {
        /// The bytes found.
        found: Vec<u8>,
        /// The reason.
        why: String,
    },
    /// Bytes that the encoding never writes.
    #[error(transparent)]
    Encoding(#[from] DecodeError),
    /// The fields read from the key belong to another bucket.
    #[error("a row with these values belongs to bucket {computed}")]
    OtherBucket {
        /// The bucket the row belongs to.
        computed: u32,
    },
    /// The fields read from the key have no bucket.
    #[error("a row with these values has no bucket: {cause}")]
    NoBucket {
        /// The reason.
        #[source]
        cause: Box<KeyError>,
    },
}
