//! The Phoenix type that encodes a value in the same bytes.

use std::fmt;

use super::super::binary_range;
use crate::design::{Encoding, FieldKind, FloatKind, Steps, TimeText};
use crate::time::Unit;

/// A type of Phoenix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SqlType {
    Integer,
    Bigint,
    UnsignedInt,
    UnsignedLong,
    Float,
    Double,
    Boolean,
    Date,
    UnsignedDate,
    Char(usize),
    Varchar,
    Binary(usize),
    Varbinary,
}

/// Why Phoenix has no type for a value's bytes, and what would change that.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoType {
    /// A number in two's complement that may be negative.
    #[error("{0} holds no number below 0: declare min = 0, or say as = \"phoenix\"")]
    Negative(&'static str),
    /// A number that may exceed Java's signed type.
    #[error("{0} ends at {1}: declare it as max, or say as = \"phoenix\"")]
    TooLarge(&'static str, i64),
    /// A float in an encoding other than `phoenix`.
    #[error("the bytes of FLOAT and DOUBLE are neither these nor those of `ordered`: say as = \"phoenix\"")]
    Float,
    /// A boolean in the form of `Bytes.toBytes(boolean)`.
    #[error("BOOLEAN is 00 or 01, not 00 or ff: say as = \"phoenix\"")]
    Boolean,
    /// HBase's `OrderedBytes`.
    #[error("no type begins with the header byte of OrderedBytes: say as = \"phoenix\"")]
    OrderedBytes,
    /// Text of fixed width that may contain non-ASCII characters.
    #[error("CHAR holds characters of one byte only: declare an alphabet")]
    NotAscii,
}

impl SqlType {
    /// Returns the type of a value in its encoding; the caller handles other steps.
    pub(super) fn of(kind: &FieldKind, steps: &Steps) -> Result<Self, NoType> {
        match (kind, steps.encoding) {
            (_, Encoding::OrderedBytes) => Err(NoType::OrderedBytes),
            (FieldKind::Float(FloatKind::F32), Encoding::Phoenix) => Ok(Self::Float),
            (FieldKind::Float(FloatKind::F64), Encoding::Phoenix) => Ok(Self::Double),
            (FieldKind::Float(_), _) => Err(NoType::Float),
            (FieldKind::Bool, Encoding::Phoenix) => Ok(Self::Boolean),
            (FieldKind::Bool, Encoding::Be | Encoding::Ordered) => Err(NoType::Boolean),
            (FieldKind::Int(int), Encoding::Be | Encoding::Ordered | Encoding::Phoenix) => {
                number(kind, steps, (int.min, int.max), false)
            }
            (FieldKind::Time(time), Encoding::Be | Encoding::Ordered | Encoding::Phoenix) => {
                number(kind, steps, (time.min, time.max), time.unit() == Unit::Ms)
            }
            (FieldKind::Bytes { len: Some(len), .. }, Encoding::Plain) => Ok(Self::Binary(*len)),
            (FieldKind::Bytes { .. }, _) => Ok(Self::Varbinary),
            (FieldKind::Uuid { .. }, Encoding::Plain) => Ok(Self::Binary(16)),
            (FieldKind::String(_), Encoding::Phoenix) => Ok(Self::Varchar),
            _ => text(kind, steps),
        }
    }

    /// Whether Phoenix marks its end, unless it is last and ascending.
    pub(super) fn is_variable(self) -> bool {
        matches!(self, Self::Varchar | Self::Varbinary)
    }
}

/// Returns the type of a number of four or eight bytes. Phoenix has no narrower date, and no unsigned number beyond
/// Java's signed ones.
fn number(kind: &FieldKind, steps: &Steps, limits: (i128, i128), is_ms: bool) -> Result<SqlType, NoType> {
    let range = binary_range(steps, kind);
    let is_narrow = range.1 <= u32::MAX.into();
    if range.0 < 0 && steps.encoding != Encoding::Be {
        return Ok(match (is_narrow, is_ms) {
            (true, _) => SqlType::Integer,
            (false, true) => SqlType::Date,
            (false, false) => SqlType::Bigint,
        });
    }
    let (sql, name, most) = match (is_narrow, is_ms) {
        (true, _) => (SqlType::UnsignedInt, "UNSIGNED_INT", i64::from(i32::MAX)),
        (false, true) => (SqlType::UnsignedDate, "UNSIGNED_DATE", i64::MAX),
        (false, false) => (SqlType::UnsignedLong, "UNSIGNED_LONG", i64::MAX),
    };
    if limits.0.max(range.0) < 0 {
        return Err(NoType::Negative(name));
    }
    if limits.1.min(range.1) > most.into() {
        return Err(NoType::TooLarge(name, most));
    }
    Ok(sql)
}

/// Returns the type of plain text: CHAR if all values have the same number of bytes.
fn text(kind: &FieldKind, steps: &Steps) -> Result<SqlType, NoType> {
    let Some(width) = steps.fixed_width(kind) else { return Ok(SqlType::Varchar) };
    let is_ascii = match kind {
        FieldKind::String(text) => text.alphabet.is_some(),
        FieldKind::Time(time) => match &time.text {
            TimeText::Epoch(_) => true,
            TimeText::Pattern(pattern) => pattern.to_string().is_ascii(),
        },
        _ => true,
    };
    if is_ascii { Ok(SqlType::Char(width)) } else { Err(NoType::NotAscii) }
}

impl fmt::Display for SqlType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self {
            Self::Integer => "INTEGER",
            Self::Bigint => "BIGINT",
            Self::UnsignedInt => "UNSIGNED_INT",
            Self::UnsignedLong => "UNSIGNED_LONG",
            Self::Float => "FLOAT",
            Self::Double => "DOUBLE",
            Self::Boolean => "BOOLEAN",
            Self::Date => "DATE",
            Self::UnsignedDate => "UNSIGNED_DATE",
            Self::Varchar => "VARCHAR",
            Self::Varbinary => "VARBINARY",
            Self::Char(width) => return write!(f, "CHAR({width})"),
            Self::Binary(width) => return write!(f, "BINARY({width})"),
        };
        f.write_str(word)
    }
}
