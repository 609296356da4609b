//! Fields: every input of a row, typed, with the limits of its values.

use super::alphabet::Alphabet;
use super::function::{Expr, Function, find_field};
use super::problem::Problem;
use super::raw::Span;
use super::reader::{Complaints, TableReader, join};
use super::time_field::{TimeKind, TimeText, read_time};

/// One input of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Lower-case words with digits and `_`.
    pub name: String,
    /// Its type and limits.
    pub kind: FieldKind,
    /// What it is computed from; `None` for a field that is read from the source.
    pub from: Option<Expr>,
    /// The text used in the key, and nowhere else, when the value is absent or null.
    pub default: Option<String>,
    /// How many different values it is declared to have.
    pub distinct: Option<u64>,
    /// The share of rows its most frequent value is declared to have, 0 to 1.
    pub max_share: Option<f64>,
    /// Whether the value changes in a row's life.
    pub updated: bool,
    /// Its place in the file.
    pub span: Span,
}

/// A field's type and limits.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldKind {
    /// Text, UTF-8 in a key.
    String(StringKind),
    /// Exactly `len` ASCII digits, leading zeros kept.
    Digits {
        /// How many.
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
        /// Exactly so many, where declared.
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
    /// At least so many bytes.
    pub min_len: usize,
    /// At most so many bytes.
    pub max_len: usize,
    /// The characters it may hold; `None` for any.
    pub alphabet: Option<Alphabet>,
    /// The character set of the source.
    pub charset: Charset,
}

/// How a source writes text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Charset {
    /// UTF-8.
    Utf8,
    /// GB 18030, which holds GBK.
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

/// The longest text a key could hold.
const MAX_TEXT_LEN: usize = crate::MAX_KEY_LEN;

const TYPES: [(&str, TypeWord); 13] = [
    ("string", TypeWord::String),
    ("digits", TypeWord::Digits),
    ("int", TypeWord::Int(IntWidth::Int)),
    ("i32", TypeWord::Int(IntWidth::I32)),
    ("i64", TypeWord::Int(IntWidth::I64)),
    ("u32", TypeWord::Int(IntWidth::U32)),
    ("u64", TypeWord::Int(IntWidth::U64)),
    ("f32", TypeWord::Float(FloatKind::F32)),
    ("f64", TypeWord::Float(FloatKind::F64)),
    ("bool", TypeWord::Bool),
    ("bytes", TypeWord::Bytes),
    ("uuid", TypeWord::Uuid),
    ("time", TypeWord::Time),
];

pub(crate) const CHARSETS: [(&str, Charset); 4] = [
    ("utf-8", Charset::Utf8),
    ("gb18030", Charset::Gb18030),
    ("gbk", Charset::Gb18030),
    ("latin1", Charset::Latin1),
];

pub(crate) const BYTES_INPUTS: [(&str, BytesInput); 3] =
    [("hex", BytesInput::Hex), ("base64", BytesInput::Base64), ("escaped", BytesInput::Escaped)];

const RESERVED: [&str; 3] = ["rest", "other", "cell_time"];

#[derive(Clone, Copy)]
enum TypeWord {
    String,
    Digits,
    Int(IntWidth),
    Float(FloatKind),
    Bool,
    Bytes,
    Uuid,
    Time,
}

impl Charset {
    /// The character set of that name: `utf-8`, `gb18030`, `gbk` or `latin1`.
    pub fn named(name: &str) -> Option<Self> {
        CHARSETS.iter().find(|(known, _)| *known == name).map(|(_, charset)| *charset)
    }

    /// Its name in a design file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Gb18030 => "gb18030",
            Self::Latin1 => "latin1",
        }
    }
}

impl FieldKind {
    /// The type's word in a design file.
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

    /// Whether its values are numbers, times included.
    pub fn is_number(&self) -> bool {
        matches!(self, Self::Int(_) | Self::Time(_))
    }

    /// Smallest and largest number, for whole numbers and times.
    pub fn number_range(&self) -> Option<(i128, i128)> {
        match self {
            Self::Int(int) => Some((int.min, int.max)),
            Self::Time(time) => Some((time.min, time.max)),
            _ => None,
        }
    }
}

impl IntWidth {
    /// The type's word in a design file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Int => "int",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::U32 => "u32",
            Self::U64 => "u64",
        }
    }

    /// Smallest and largest value.
    pub fn range(self) -> (i128, i128) {
        match self {
            Self::Int | Self::I64 => (i64::MIN.into(), i64::MAX.into()),
            Self::I32 => (i32::MIN.into(), i32::MAX.into()),
            Self::U32 => (0, u32::MAX.into()),
            Self::U64 => (0, u64::MAX.into()),
        }
    }

    /// Bytes of its binary forms.
    pub fn byte_width(self) -> usize {
        match self {
            Self::I32 | Self::U32 => 4,
            Self::Int | Self::I64 | Self::U64 => 8,
        }
    }

    /// Whether it has no sign.
    pub fn is_unsigned(self) -> bool {
        matches!(self, Self::U32 | Self::U64)
    }
}

/// Reads `[fields]`: first those read from the source, then the derived ones, which name them.
pub(crate) fn read_fields(table: &TableReader<'_>, complaints: &mut Complaints) -> Vec<Field> {
    let mut fields = Vec::new();
    let (derived, read): (Vec<_>, Vec<_>) = table.entries().iter().partition(|entry| entry.value.has("from"));
    for entry in read.into_iter().chain(derived) {
        let path = join(&table.path, &entry.word);
        check_name(&entry.word, &entry.span, &path, complaints);
        let Some(reader) = TableReader::open(&entry.value, path, complaints) else { continue };
        match read_field(&entry.word, reader, &fields, complaints) {
            Some(field) => fields.push(field),
            None => complaints.note_unreadable(&entry.word),
        }
    }
    fields
}

fn check_name(name: &str, span: &Span, path: &str, complaints: &mut Complaints) {
    let well_formed =
        name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
            && name.starts_with(|first: char| first.is_ascii_lowercase());
    if !well_formed {
        let expected = "lower-case letters, digits and _, beginning with a letter".to_owned();
        complaints.add(span, path, Problem::BadValue { found: format!("field name \"{name}\""), expected });
    } else if RESERVED.contains(&name) {
        let what = format!("\"{name}\" is a word of the design file and can't name a field");
        complaints.add(span, path, Problem::Rule { what, help: "choose another name" });
    }
}

/// Without a type nobody knows which words belong to it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WordsKnown {
    Yes,
    No,
}

fn read_field(
    name: &str,
    mut reader: TableReader<'_>,
    before: &[Field],
    complaints: &mut Complaints,
) -> Option<Field> {
    let derived = reader.has("from");
    let from = read_from(&mut reader, before, complaints);
    let (kind, words) = match &from {
        Some(expr) => (Some(derived_kind(expr, before)), WordsKnown::Yes),
        None if derived => (None, WordsKnown::Yes),
        None => read_kind(&mut reader, complaints),
    };
    let default = reader.text("default", complaints);
    let distinct = reader.int("distinct", 1, i128::from(u64::MAX), complaints);
    let max_share = reader.number("max_share", 0.0, complaints);
    if max_share.is_some_and(|share| share > 1.0) {
        let expected = "a share from 0 to 1".to_owned();
        let found = max_share.unwrap_or_default().to_string();
        reader.complain(complaints, "max_share", Problem::BadValue { found, expected });
    }
    let updated = reader.bool("updated", complaints).unwrap_or(false);
    let span = reader.span.clone();
    let path = reader.path.clone();
    if words == WordsKnown::Yes {
        reader.finish(complaints);
    }
    let field = Field {
        name: name.to_owned(),
        kind: kind?,
        from,
        default: default.as_ref().map(|text| text.value.clone()),
        distinct: distinct.and_then(|count| u64::try_from(count.value).ok()),
        max_share,
        updated,
        span,
    };
    if let Some(default) = default {
        check_default(&field, &default.span, &path, complaints);
    }
    Some(field)
}

/// A text field may take any text as its default; every other one must be able to read it.
fn check_default(field: &Field, span: &Span, path: &str, complaints: &mut Complaints) {
    let Some(default) = &field.default else { return };
    if matches!(field.kind, FieldKind::String(_)) {
        return;
    }
    let mut row = crate::value::Row::new(1);
    if let Err(cause) = row.read(0, &field.kind, default) {
        let what = format!("the default is no value of the field: {cause}");
        complaints.add(
            span,
            &join(path, "default"),
            Problem::Rule { what, help: "give a value of the field's type" },
        );
    }
}

/// `None` when `from` can't be read, too.
fn read_from(reader: &mut TableReader<'_>, before: &[Field], complaints: &mut Complaints) -> Option<Expr> {
    let text = reader.text("from", complaints)?;
    let path = reader.path_of("from");
    if reader.has("type") {
        reader.node("type");
        let second = "\"type\"".to_owned();
        let why = "a derived field has its function's type";
        reader.complain(complaints, "type", Problem::Contradiction { first: "\"from\"", second, why });
    }
    match Expr::parse(&text.value, before) {
        Ok(expr) if expr.function.is_some() && before[expr.field].from.is_none() => Some(expr),
        Ok(_) => {
            let what = format!("{} is no function of a field of the source", text.value);
            let help = "write for example from = \"left(gh,3)\"; functions are not nested";
            complaints.add(&text.span, &path, Problem::Rule { what, help });
            None
        }
        Err(problem) => {
            complaints.add(&text.span, &path, problem);
            None
        }
    }
}

/// The type of what a function gives.
pub(crate) fn derived_kind(expr: &Expr, fields: &[Field]) -> FieldKind {
    let kind = &fields[expr.field].kind;
    match &expr.function {
        None => kind.clone(),
        Some(Function::Floor(_) | Function::Lower | Function::ReverseLabels) => kind.clone(),
        Some(Function::Left(n) | Function::Right(n)) => cut_kind(kind, *n),
    }
}

/// `n` UTF-16 units of a text: so many digits where the text has nothing else, else so many characters.
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
        // A UTF-16 unit is at most three bytes of UTF-8.
        _ => StringKind { min_len: n, max_len: 3 * n, alphabet: None, charset: Charset::Utf8 },
    })
}

fn read_kind(reader: &mut TableReader<'_>, complaints: &mut Complaints) -> (Option<FieldKind>, WordsKnown) {
    if !reader.has("type") {
        reader.node("type");
        reader.missing("type", "type = \"string\"", complaints);
        return (None, WordsKnown::No);
    }
    match reader.choice("type", "type", &TYPES, complaints) {
        Some(word) => (read_kind_of(word, reader, complaints), WordsKnown::Yes),
        None => (None, WordsKnown::No),
    }
}

fn read_kind_of(
    word: TypeWord,
    reader: &mut TableReader<'_>,
    complaints: &mut Complaints,
) -> Option<FieldKind> {
    match word {
        TypeWord::String => Some(read_string(reader, complaints)),
        TypeWord::Digits => read_len(reader, complaints).map(|len| FieldKind::Digits { len }),
        TypeWord::Int(width) => Some(read_int_kind(width, reader, complaints)),
        TypeWord::Float(kind) => Some(FieldKind::Float(kind)),
        TypeWord::Bool => Some(FieldKind::Bool),
        TypeWord::Bytes => Some(read_bytes_kind(reader, complaints)),
        TypeWord::Uuid => Some(FieldKind::Uuid {
            version: reader.int("version", 1, 8, complaints).and_then(|v| u8::try_from(v.value).ok()),
        }),
        TypeWord::Time => read_time(reader, complaints).map(FieldKind::Time),
    }
}

fn read_string(reader: &mut TableReader<'_>, complaints: &mut Complaints) -> FieldKind {
    let max_len = len_of(reader.int("max_len", 1, MAX_TEXT_LEN as i128, complaints)).unwrap_or(MAX_TEXT_LEN);
    let text = reader.text("alphabet", complaints);
    let alphabet = text.as_ref().and_then(|text| Alphabet::parse(&text.value));
    if let (Some(text), None) = (&text, &alphabet) {
        let found = format!("\"{}\"", text.value);
        let expected = "printable ASCII characters and rising ranges, such as \"0-9A-Z\"".to_owned();
        reader.complain(complaints, "alphabet", Problem::BadValue { found, expected });
    }
    let charset = reader.choice("charset", "character set", &CHARSETS, complaints).unwrap_or(Charset::Utf8);
    FieldKind::String(StringKind { min_len: 0, max_len, alphabet, charset })
}

fn read_len(reader: &mut TableReader<'_>, complaints: &mut Complaints) -> Option<usize> {
    if !reader.has("len") {
        reader.node("len");
        reader.missing("len", "len = 11", complaints);
        return None;
    }
    len_of(reader.int("len", 1, MAX_TEXT_LEN as i128, complaints))
}

fn read_int_kind(width: IntWidth, reader: &mut TableReader<'_>, complaints: &mut Complaints) -> FieldKind {
    let (low, high) = width.range();
    let min = reader.int("min", low, high, complaints).map_or(low, |min| min.value);
    let max = reader.int("max", low, high, complaints).map_or(high, |max| max.value);
    if min > max {
        let expected = format!("at least min, which is {min}");
        reader.complain(complaints, "max", Problem::BadValue { found: max.to_string(), expected });
    }
    FieldKind::Int(IntKind { width, min, max: max.max(min) })
}

fn read_bytes_kind(reader: &mut TableReader<'_>, complaints: &mut Complaints) -> FieldKind {
    let len = len_of(reader.int("len", 1, MAX_TEXT_LEN as i128, complaints));
    let input =
        reader.choice("input", "way of writing bytes", &BYTES_INPUTS, complaints).unwrap_or(BytesInput::Hex);
    FieldKind::Bytes { len, input }
}

fn len_of(number: Option<super::reader::Spanned<i128>>) -> Option<usize> {
    number.and_then(|number| usize::try_from(number.value).ok())
}

impl Field {
    /// Whether the field has a text of its own in keys (`f32` and `f64` have none).
    pub fn has_default_text(&self) -> bool {
        !matches!(self.kind, FieldKind::Float(_) | FieldKind::Bytes { .. })
    }

    /// The unit of a time's number.
    pub fn time(&self) -> Option<&TimeKind> {
        match &self.kind {
            FieldKind::Time(time) => Some(time),
            _ => None,
        }
    }
}

/// Looks up a field by name, with a complaint at `span` when there is none.
pub(crate) fn field_index(
    name: &super::reader::Spanned<String>,
    fields: &[Field],
    path: &str,
    complaints: &mut Complaints,
) -> Option<usize> {
    match find_field(&name.value, fields) {
        Ok(index) => Some(index),
        Err(problem) => {
            complaints.add(&name.span, path, problem);
            None
        }
    }
}

impl TimeKind {
    /// Whether its default texts sort as its times do.
    pub fn text_keeps_order(&self) -> bool {
        match &self.text {
            TimeText::Epoch(_) => true,
            TimeText::Pattern(pattern) => pattern.keeps_order(),
        }
    }

    /// Whether its default text is digits alone.
    pub fn text_is_digits(&self) -> bool {
        match &self.text {
            TimeText::Epoch(_) => true,
            TimeText::Pattern(pattern) => pattern.is_digits(),
        }
    }
}
