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
    /// A step can't take the value.
    #[error("field \"{field}\": {cause}")]
    Field {
        /// The field.
        field: String,
        /// Why.
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
    /// A Java hash of bytes that are no text.
    #[error("a Java hash of \"rest\" needs keys that are text, and these bytes are not: {bytes}")]
    RestIsNoText {
        /// The bytes, escaped.
        bytes: String,
    },
}

/// Why a step can't take a value.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyFault {
    /// A number, or text, that the encoding can't hold.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// A time its pattern can't write.
    #[error(transparent)]
    Time(#[from] TimeError),
    /// An epoch of another number of digits than the unit's.
    #[error("{number} is not an epoch of exactly {digits} digits")]
    EpochDigits {
        /// The number.
        number: i128,
        /// Digits of the unit.
        digits: usize,
    },
    /// The value would end before its end.
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
        /// Where it is found.
        at: usize,
    },
    /// A text shorter than `left` or `right` wants.
    #[error("\"{found}\" is shorter than the {wanted} characters wanted of it")]
    Short {
        /// The text.
        found: String,
        /// UTF-16 units wanted.
        wanted: usize,
    },
    /// A cut through a character of two UTF-16 units.
    #[error("\"{found}\" can't be cut inside a character")]
    InsideCharacter {
        /// The text.
        found: String,
    },
}

/// Errors travel boxed, as the good rows pay for the size of what they might return.
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
    /// The part, as a user knows it: `field "ts"`, `bucket`, `text "_"`.
    pub part: String,
    /// What was found and what would do.
    #[source]
    pub fault: KeyDecodeFault,
}

/// A fault, and where in the part it lies.
pub(crate) type Fault = (usize, KeyDecodeFault);

/// What was found where a part should stand.
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
    /// Bytes after the last part.
    #[error("{count} bytes are left over")]
    LeftOver {
        /// How many.
        count: usize,
    },
    /// Other literal bytes.
    #[error("\"{}\" stands there", to_escaped(found))]
    OtherText {
        /// The bytes found.
        found: Vec<u8>,
    },
    /// No terminator up to the key's end.
    #[error("its terminator \"{}\" does not follow", to_escaped(terminator))]
    NoTerminator {
        /// The terminator.
        terminator: Vec<u8>,
    },
    /// Not the number of a bucket.
    #[error("\"{}\" is no bucket below {count}", to_escaped(found))]
    NotABucket {
        /// The bytes found.
        found: Vec<u8>,
        /// How many buckets there are.
        count: u32,
    },
    /// Nothing tells where the part ends.
    #[error("nothing tells where its value ends (ENC02)")]
    Unmarked,
    /// Bytes that no value has.
    #[error("\"{}\" is no value of it: {why}", to_escaped(found))]
    NotAValue {
        /// The bytes found.
        found: Vec<u8>,
        /// Why.
        why: String,
    },
    /// Bytes that the encoding never writes.
    #[error(transparent)]
    Encoding(#[from] DecodeError),
    /// A row that reads so has another bucket.
    #[error("a row with these values belongs to bucket {computed}")]
    OtherBucket {
        /// The bucket the row belongs to.
        computed: u32,
    },
    /// A row that reads so has no bucket.
    #[error("a row with these values has no bucket: {cause}")]
    NoBucket {
        /// Why not.
        #[source]
        cause: Box<KeyError>,
    },
}
