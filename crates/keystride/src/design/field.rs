//! Fields: every input of a row, with its type and the limits of its values.

use super::alphabet::Alphabet;
use super::function::{Expr, Function};
use super::span::Span;
use super::time_field::{TimeKind, TimeText};
use crate::time::Period;

/// One input of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Letters, digits and `_`, not starting with a digit, in Unicode NFC.
    pub name: String,
    /// The name that the source has for it, in Unicode NFC, if it is not the field's own: a column of CSV or Parquet, or
    /// a key of JSON.
    pub column: Option<String>,
    /// Its type and limits.
    pub kind: FieldKind,
    /// The expression it is computed from; `None` for a field that is read from the source.
    pub from: Option<Expr>,
    /// The text that is used in the key, and nowhere else, when the value is absent or null.
    pub default: Option<String>,
    /// The declared number of different values.
    pub distinct: Option<u64>,
    /// The declared share of rows that have the most frequent value, 0 to 1.
    pub max_share: Option<f64>,
    /// Whether the value may change during the lifetime of a row.
    pub updated: bool,
    /// Its place in the file.
    pub span: Span,
}

/// A field's type and limits.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldKind {
    /// Text, which is UTF-8 in a key.
    String(StringKind),
    /// Exactly `len` ASCII digits, leading zeros kept.
    Digits {
        /// The number of digits.
        len: usize,
    },
    /// A whole number of at most 64 bits.
    Int(IntKind),
    /// A number with a fraction.
    Float(FloatKind),
    /// `true`/`false`, `1`/`0`.
    Bool,
    /// Bytes.
    Bytes {
        /// The exact length in bytes, if declared.
        len: Option<usize>,
        /// How the source writes them.
        input: BytesInput,
    },
    /// Sixteen bytes.
    Uuid {
        /// The declared version, 1 to 8.
        version: Option<u8>,
    },
    /// An instant.
    Time(TimeKind),
}

/// Limits of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StringKind {
    /// The smallest length in bytes.
    pub min_len: usize,
    /// The largest length in bytes.
    pub max_len: usize,
    /// The characters it may hold; `None` for any.
    pub alphabet: Option<Alphabet>,
    /// The character set of the source.
    pub charset: Charset,
}

impl StringKind {
    /// The largest length where none is declared, in bytes: that of HBase's cells, `hbase.client.keyvalue.maxsize`. A key
    /// holds less, which it checks as a whole.
    pub const MAX_LEN: usize = 10 << 20;

    /// Whether a largest length is declared.
    pub fn has_declared_len(&self) -> bool {
        self.max_len < Self::MAX_LEN
    }

    /// Whether the bytes are within its limits: of an allowed length, and all in its alphabet.
    #[inline]
    pub fn holds(&self, text: &[u8]) -> bool {
        let has_len = (self.min_len..=self.max_len).contains(&text.len());
        has_len && self.alphabet.is_none_or(|alphabet| alphabet.contains_all(text))
    }
}

/// How a source writes text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Charset {
    /// UTF-8.
    Utf8,
    /// GB 18030, of which GBK is a subset.
    Gb18030,
    /// ISO 8859-1, byte by byte.
    Latin1,
}

/// A whole number's type and range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IntKind {
    /// The declared type.
    pub width: IntWidth,
    /// Smallest value.
    pub min: i128,
    /// Largest value.
    pub max: i128,
}

/// The five types of whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntWidth {
    /// `int`: signed, 8 bytes in binary forms.
    Int,
    /// `i32`: signed, 4 bytes.
    I32,
    /// `i64`: signed, 8 bytes.
    I64,
    /// `u32`: unsigned, 4 bytes.
    U32,
    /// `u64`: unsigned, 8 bytes.
    U64,
}

/// The two types of numbers with a fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FloatKind {
    /// 4 bytes.
    F32,
    /// 8 bytes.
    F64,
}

/// How a source writes bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BytesInput {
    /// Two hex digits a byte, either case.
    Hex,
    /// Base 64, standard alphabet, padded.
    Base64,
    /// HBase's escaped text.
    Escaped,
}

pub(crate) const CHARSETS: [(&str, Charset); 4] = [
    ("utf-8", Charset::Utf8),
    ("gb18030", Charset::Gb18030),
    ("gbk", Charset::Gb18030),
    ("latin1", Charset::Latin1),
];

pub(crate) const BYTES_INPUTS: [(&str, BytesInput); 3] =
    [("hex", BytesInput::Hex), ("base64", BytesInput::Base64), ("escaped", BytesInput::Escaped)];

impl Charset {
    /// Returns the character set with this name: `utf-8`, `gb18030`, `gbk` or `latin1`.
    pub fn named(name: &str) -> Option<Self> {
        CHARSETS.iter().find(|(known, _)| *known == name).map(|(_, charset)| *charset)
    }

    /// Returns its name in a design file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Gb18030 => "gb18030",
            Self::Latin1 => "latin1",
        }
    }
}

impl FieldKind {
    /// Returns the type's word in a design file.
    pub fn name(&self) -> &'static str {
        match self {
            Self::String(_) => "string",
            Self::Digits { .. } => "digits",
            Self::Int(int) => int.width.name(),
            Self::Float(FloatKind::F32) => "f32",
            Self::Float(FloatKind::F64) => "f64",
            Self::Bool => "bool",
            Self::Bytes { .. } => "bytes",
            Self::Uuid { .. } => "uuid",
            Self::Time(_) => "time",
        }
    }

    /// Whether its values are whole numbers or times.
    pub fn is_number(&self) -> bool {
        matches!(self, Self::Int(_) | Self::Time(_))
    }

    /// Returns the smallest and the largest number of whole numbers and times.
    pub fn number_range(&self) -> Option<(i128, i128)> {
        match self {
            Self::Int(int) => Some((int.min, int.max)),
            Self::Time(time) => Some((time.min, time.max)),
            _ => None,
        }
    }
}

impl IntWidth {
    /// Returns the type's word in a design file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Int => "int",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::U32 => "u32",
            Self::U64 => "u64",
        }
    }

    /// Returns the smallest and the largest value.
    pub fn range(self) -> (i128, i128) {
        match self {
            Self::Int | Self::I64 => (i64::MIN.into(), i64::MAX.into()),
            Self::I32 => (i32::MIN.into(), i32::MAX.into()),
            Self::U32 => (0, u32::MAX.into()),
            Self::U64 => (0, u64::MAX.into()),
        }
    }

    /// Returns the width of its binary forms in bytes.
    pub fn byte_width(self) -> usize {
        match self {
            Self::I32 | Self::U32 => 4,
            Self::Int | Self::I64 | Self::U64 => 8,
        }
    }

    /// Whether the type is unsigned.
    pub fn is_unsigned(self) -> bool {
        matches!(self, Self::U32 | Self::U64)
    }
}

impl Expr {
    /// Returns the expression of a source field: what a derived field is derived from, or the expression itself.
    #[must_use]
    pub fn of_source(&self, fields: &[Field]) -> Self {
        match (&fields[self.field].from, &self.function) {
            (Some(from), None) => from.clone(),
            _ => self.clone(),
        }
    }
}

/// Returns the type of the value of an expression.
pub fn derived_kind(expr: &Expr, fields: &[Field]) -> FieldKind {
    let kind = &fields[expr.field].kind;
    match &expr.function {
        None | Some(Function::ReverseLabels) => kind.clone(),
        Some(Function::Floor(period)) => match kind {
            FieldKind::Time(time) => FieldKind::Time(time.floored(*period)),
            kind => kind.clone(),
        },
        Some(Function::Lower) => match kind {
            FieldKind::String(text) => {
                FieldKind::String(StringKind { alphabet: text.alphabet.map(Alphabet::lower_case), ..*text })
            }
            kind => kind.clone(),
        },
        Some(Function::Left(n) | Function::Right(n)) => cut_kind(kind, *n),
    }
}

/// Returns the type of `n` UTF-16 units of a text: digits if the text has nothing else, otherwise a string.
fn cut_kind(kind: &FieldKind, n: usize) -> FieldKind {
    let all_digits = match kind {
        FieldKind::Digits { .. } | FieldKind::Bool => true,
        FieldKind::Time(time) => time.text_is_digits(),
        FieldKind::Int(int) => int.min >= 0,
        _ => false,
    };
    if all_digits {
        return FieldKind::Digits { len: n };
    }
    let ascii = |alphabet| StringKind { min_len: n, max_len: n, alphabet, charset: Charset::Utf8 };
    FieldKind::String(match kind {
        FieldKind::Int(_) => ascii(Alphabet::parse("-0-9")),
        FieldKind::Uuid { .. } => ascii(Alphabet::parse("-0-9a-f")),
        FieldKind::String(StringKind { alphabet: Some(alphabet), .. }) => ascii(Some(*alphabet)),
        FieldKind::Time(TimeKind { text: TimeText::Pattern(pattern), .. })
            if let Some(alphabet) = Alphabet::of(pattern.chars()) =>
        {
            ascii(Some(alphabet))
        }
        // A UTF-16 unit is at most three bytes of UTF-8.
        _ => StringKind { min_len: n, max_len: 3 * n, alphabet: None, charset: Charset::Utf8 },
    })
}

impl Field {
    /// Returns the name that the source has for the field.
    pub fn column(&self) -> &str {
        self.column.as_deref().unwrap_or(&self.name)
    }

    /// Whether the field's values have a text form in keys (those of `f32` and `f64` do not).
    pub fn has_default_text(&self) -> bool {
        !matches!(self.kind, FieldKind::Float(_) | FieldKind::Bytes { .. })
    }

    /// Returns the period to whose start the field is rounded down, if it is computed so from another.
    pub fn derived_period(&self) -> Option<Period> {
        match self.from.as_ref()?.function {
            Some(Function::Floor(period)) => Some(period),
            _ => None,
        }
    }

    /// Returns the time type of a field of type `time`.
    pub fn time(&self) -> Option<&TimeKind> {
        match &self.kind {
            FieldKind::Time(time) => Some(time),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Design;

    #[test]
    fn a_cut_has_the_characters_of_what_it_is_cut_from() {
        for (field, expected) in [
            ("type = \"u32\"", None),
            ("type = \"digits\", len = 9", None),
            ("type = \"time\", unit = \"ms\"", None),
            ("type = \"time\", format = \"yyyyMMdd\"", None),
            ("type = \"time\", format = \"yyyy-MM-dd\"", Some(("-0-9", 4))),
            ("type = \"i32\"", Some(("-0-9", 4))),
            ("type = \"uuid\"", Some(("-0-9a-f", 4))),
            ("type = \"string\", alphabet = \"a-c\"", Some(("a-c", 4))),
            ("type = \"string\"", Some(("", 12))),
        ] {
            let toml = format!(
                "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nv = {{ {field} }}\nd = {{ from = \"left(v,4)\" }}\n\
                 [key]\nparts = [{{ field = \"d\" }}]\n"
            );
            let design = Design::from_toml(&toml).unwrap_or_else(|error| panic!("{error}\n{toml}"));
            let kind = match expected {
                None => FieldKind::Digits { len: 4 },
                Some((alphabet, max_len)) => FieldKind::String(StringKind {
                    min_len: 4,
                    max_len,
                    alphabet: Alphabet::parse(alphabet),
                    charset: Charset::Utf8,
                }),
            };
            assert_eq!(design.fields[1].kind, kind, "{field}");
        }
    }
}
