//! Reads `[fields]`.

use super::alphabet::Alphabet;
use super::field::{
    BYTES_INPUTS, BytesInput, CHARSETS, Charset, Field, FieldKind, FloatKind, IntKind, IntWidth, StringKind,
    derived_kind,
};
use super::field_names::nfc;
use super::function::Expr;
use super::function_text::derived_already;
use super::problem::Problem;
use super::reader::{Complaints, Spanned, TableReader, join};
use super::span::Span;
use super::time_field::read_time;

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

/// Reads `[fields]`: first the fields read from the source, then the derived ones, which refer to them.
pub(crate) fn read_fields(table: &TableReader<'_>, complaints: &mut Complaints) -> Vec<Field> {
    let mut fields = Vec::new();
    let (derived, read): (Vec<_>, Vec<_>) = table.entries().iter().partition(|entry| entry.value.has("from"));
    let derived_names: Vec<&str> = derived.iter().map(|entry| entry.word.as_str()).collect();
    for entry in read.into_iter().chain(derived) {
        let path = join(&table.path, &entry.word);
        check_name(&entry.word, &entry.span, &path, complaints);
        let name = &*nfc(&entry.word);
        let known = Known { fields: &fields, derived_names: &derived_names };
        let field = TableReader::open_like("{ type = \"string\" }", &entry.value, path, complaints)
            .and_then(|reader| read_field(name, reader, known, complaints));
        match field {
            Some(field) => {
                check_column(&field, &fields, complaints);
                fields.push(field);
            }
            None => complaints.note_unreadable(&entry.word),
        }
    }
    fields
}

/// Whether a field can have this name: letters of any script, digits and `_`, not beginning with a digit, and none of
/// the design file's own words.
pub fn is_field_name(name: &str) -> bool {
    is_well_formed(name) && !RESERVED.contains(&name)
}

/// Returns the name of a field for a column: the column's own in Unicode NFC if a field can have it, else its letters and
/// digits in lower case with `_` for what is between them, `add_time` for `Add Time`.
pub fn field_name_of(column: &str) -> String {
    let column = nfc(column);
    if is_field_name(&column) {
        return column.into_owned();
    }
    let words = column.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.map(str::to_lowercase).collect::<Vec<_>>().join("_");
    match name.chars().next() {
        None => "column".to_owned(),
        Some(first) if first.is_numeric() => format!("_{name}"),
        Some(_) if RESERVED.contains(&name.as_str()) => format!("{name}_"),
        Some(_) => name,
    }
}

fn is_well_formed(name: &str) -> bool {
    name.chars().all(|character| character.is_alphanumeric() || character == '_')
        && name.starts_with(|first: char| !first.is_numeric())
}

fn check_name(name: &str, span: &Span, path: &str, complaints: &mut Complaints) {
    if !is_well_formed(name) {
        let expected = "letters, digits and _, not beginning with a digit".to_owned();
        complaints.add(span, path, Problem::BadValue { found: format!("field name \"{name}\""), expected });
    } else if RESERVED.contains(&name) {
        let what = format!("\"{name}\" is a word of the design file and can't name a field");
        complaints.add(span, path, Problem::Rule { what, help: "choose another name" });
    }
}

/// What is known when a field is read.
#[derive(Clone, Copy)]
struct Known<'a> {
    /// The fields read so far, those of the source among them if the field is derived.
    fields: &'a [Field],
    /// The names of all derived fields.
    derived_names: &'a [&'a str],
}

/// Whether the words that a field may have are known; without a type they are not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WordsKnown {
    Yes,
    No,
}

fn read_field(
    name: &str,
    mut reader: TableReader<'_>,
    known: Known<'_>,
    complaints: &mut Complaints,
) -> Option<Field> {
    let derived = reader.has("from");
    let from = read_from(&mut reader, known, complaints);
    let (kind, words) = match &from {
        Some(expr) => (Some(derived_kind(expr, known.fields)), WordsKnown::Yes),
        None if derived => (None, WordsKnown::Yes),
        None => read_kind(&mut reader, complaints),
    };
    let column = if derived { None } else { read_column(&mut reader, complaints) };
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
        column: column.filter(|column| column != name),
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

fn read_column(reader: &mut TableReader<'_>, complaints: &mut Complaints) -> Option<String> {
    let column = reader.text("column", complaints)?;
    if column.value.is_empty() {
        let expected = "the name of a column".to_owned();
        reader.complain(complaints, "column", Problem::BadValue { found: "\"\"".to_owned(), expected });
    }
    Some(nfc(&column.value).into_owned())
}

/// Two fields can't have one name or one column.
fn check_column(field: &Field, before: &[Field], complaints: &mut Complaints) {
    let are_read = |other: &Field| other.from.is_none() && field.from.is_none();
    let shares =
        |other: &&Field| other.name == field.name || are_read(other) && other.column() == field.column();
    let Some(other) = before.iter().find(shares) else { return };
    let what =
        format!("fields \"{}\" and \"{}\" have one column, \"{}\"", other.name, field.name, field.column());
    complaints.add(
        &field.span,
        &join("fields", &field.name),
        Problem::Rule { what, help: "give each field a column of its own" },
    );
}

/// A text field accepts any text as its default; for any other type, the default must be a value.
fn check_default(field: &Field, span: &Span, path: &str, complaints: &mut Complaints) {
    let Some(default) = &field.default else { return };
    if matches!(field.kind, FieldKind::String(_)) {
        return;
    }
    let mut row = crate::value::Row::new(1);
    if let Err(cause) = row.read_declared(0, &field.kind, default) {
        let what = format!("the default is not a value of the field: {cause}");
        complaints.add(
            span,
            &join(path, "default"),
            Problem::Rule { what, help: "give a value of the field's type" },
        );
    }
}

/// Returns `None` also when `from` can't be read.
fn read_from(reader: &mut TableReader<'_>, known: Known<'_>, complaints: &mut Complaints) -> Option<Expr> {
    let text = reader.text("from", complaints)?;
    let path = reader.path_of("from");
    if reader.has("type") {
        reader.node("type");
        let second = "\"type\"".to_owned();
        let why = "a derived field has its function's type";
        reader.complain(complaints, "type", Problem::Contradiction { first: "\"from\"", second, why });
    }
    let expr = Expr::parse(&text.value, known.fields).map_err(|problem| match problem {
        Problem::UnknownName { found, .. } if known.derived_names.contains(&found.as_str()) => {
            derived_already(&found)
        }
        problem => problem,
    });
    let expr = complaints.ok(expr, &text.span, &path)?;
    if expr.function.is_some() {
        return Some(expr);
    }
    let what = format!("{} is not a function of a field of the source", text.value);
    let help = "write for example from = \"left(gh,3)\"; functions are not nested";
    complaints.add(&text.span, &path, Problem::Rule { what, help });
    None
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
    let most = StringKind::MAX_LEN;
    let max_len = len_of(reader.int("max_len", 1, most as i128, complaints)).unwrap_or(most);
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
    len_of(reader.int("len", 1, crate::MAX_KEY_LEN as i128, complaints))
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
    let len = len_of(reader.int("len", 1, crate::MAX_KEY_LEN as i128, complaints));
    let input =
        reader.choice("input", "way of writing bytes", &BYTES_INPUTS, complaints).unwrap_or(BytesInput::Hex);
    FieldKind::Bytes { len, input }
}

fn len_of(number: Option<Spanned<i128>>) -> Option<usize> {
    number.and_then(|number| usize::try_from(number.value).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_gives_a_name_that_a_field_can_have() {
        for (column, name) in [
            ("手机号", "手机号"),
            ("userId", "userId"),
            ("e\u{301}t\u{e9}", "\u{e9}t\u{e9}"),
            ("Add Time", "add_time"),
            (" 通话 时长(秒) ", "通话_时长_秒"),
            ("2nd", "_2nd"),
            ("rest", "rest_"),
            ("%", "column"),
            ("", "column"),
        ] {
            assert_eq!(field_name_of(column), name);
            assert!(is_field_name(name), "{name}");
        }
    }

    #[test]
    fn names_of_fields_are_words_and_none_of_the_file() {
        for name in ["v", "v2", "v_2", "V", "userId", "_v", "é", "手机号", "restful", "time"] {
            assert!(is_field_name(name), "{name}");
        }
        for name in ["", "2v", "v-2", "v 2", "手机 号", "①", "rest", "other", "cell_time"] {
            assert!(!is_field_name(name), "{name}");
        }
    }
}
