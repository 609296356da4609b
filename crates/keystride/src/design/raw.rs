//! A design file as written: a tree of words and values, each with its place.

use toml::de::{DeTable, DeValue};

use super::problem::{Complaint, Problem};
use super::span::Span;

/// A value and its place.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) span: Span,
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone)]
pub(crate) enum Kind {
    Bool(bool),
    Int(i128),
    Float(f64),
    Text(String, Quote),
    Array(Vec<Node>),
    Table(Vec<Entry>),
    /// A TOML date or time; no word of a design takes one.
    Datetime,
    /// JSON's null; no word of a design takes one.
    Null,
}

/// How a text is quoted, which decides how its bytes are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quote {
    /// TOML `"…"`.
    Double,
    /// TOML `"…"` with a `\x` in it, which is a character in TOML 1.1 and an error in TOML 1.0.
    DoubleWithBytes,
    /// TOML `'…'`: bytes in HBase's escaped form.
    Single,
    /// JSON: read like `'…'`.
    Json,
}

#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) word: String,
    pub(crate) span: Span,
    pub(crate) value: Node,
}

/// The most errors of syntax that are told; a file with more is no TOML.
const MOST_ERRORS: usize = 1_000;

impl Node {
    /// Parses a TOML file; returns its tree, and the complaints about its syntax.
    pub(crate) fn from_toml(text: &str) -> (Self, Vec<Complaint>) {
        let (table, errors) = DeTable::parse_recoverable(text);
        let complaints = errors
            .into_iter()
            .take(MOST_ERRORS)
            .map(|error| Complaint {
                span: error.span(),
                path: String::new(),
                problem: Problem::Syntax { message: error.message().to_owned() },
            })
            .collect();
        (Self { span: table.span(), kind: table_kind(table.get_ref(), text) }, complaints)
    }

    /// Parses a JSON design. The JSON parser gives no places, so complaints only have a path.
    pub(crate) fn from_json(text: &str) -> Result<Self, Box<Complaint>> {
        match serde_json::from_str(text) {
            Ok(node) => Ok(node),
            Err(error) => Err(Box::new(Complaint {
                span: json_place(text, error.line(), error.column()),
                path: String::new(),
                problem: Problem::Syntax { message: error.to_string() },
            })),
        }
    }

    /// Whether it is a table with this word.
    pub(crate) fn has(&self, word: &str) -> bool {
        matches!(&self.kind, Kind::Table(entries) if entries.iter().any(|entry| entry.word == word))
    }

    /// Returns the place of the word at a path of words such as `table.families`.
    fn place_of(&self, path: &str) -> Option<&Span> {
        let (word, rest) = path.split_once('.').map_or((path, None), |(word, rest)| (word, Some(rest)));
        let Kind::Table(entries) = &self.kind else { return None };
        let entry = entries.iter().find(|entry| entry.word == word)?;
        rest.map_or(Some(&entry.span), |rest| entry.value.place_of(rest))
    }

    /// Returns what kind of value it is, as messages name it.
    pub(crate) fn kind_name(&self) -> &'static str {
        match self.kind {
            Kind::Bool(_) => "true or false",
            Kind::Int(_) => "a whole number",
            Kind::Float(_) => "a number with a fraction",
            Kind::Text(..) => "a text",
            Kind::Array(_) => "a list",
            Kind::Table(_) => "a table",
            Kind::Datetime => "a date (put it in quotes)",
            Kind::Null => "null",
        }
    }
}

/// Returns the place of the word at a path such as `table.families` in a TOML design file; `None` if it is not there.
pub fn place_of(source: &str, path: &str) -> Option<Span> {
    Node::from_toml(source).0.place_of(path).cloned()
}

fn table_kind(table: &DeTable<'_>, source: &str) -> Kind {
    let mut entries: Vec<Entry> = table
        .iter()
        .map(|(key, value)| Entry {
            word: key.get_ref().to_string(),
            span: key.span(),
            value: toml_node(value.get_ref(), value.span(), source),
        })
        .collect();
    entries.sort_by_key(|entry| entry.span.start);
    Kind::Table(entries)
}

fn toml_node(value: &DeValue<'_>, span: Span, source: &str) -> Node {
    let kind = match value {
        DeValue::Boolean(value) => Kind::Bool(*value),
        DeValue::Integer(value) => toml_int(value.as_str(), value.radix()),
        DeValue::Float(value) => Kind::Float(value.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::String(text) => Kind::Text(text.to_string(), toml_quote(source, &span)),
        DeValue::Datetime(_) => Kind::Datetime,
        DeValue::Array(items) => {
            Kind::Array(items.iter().map(|item| toml_node(item.get_ref(), item.span(), source)).collect())
        }
        DeValue::Table(table) => table_kind(table, source),
    };
    Node { span, kind }
}

/// An integer that exceeds 128 bits becomes a float, which no word that expects an integer accepts.
fn toml_int(digits: &str, radix: u32) -> Kind {
    match i128::from_str_radix(digits, radix) {
        Ok(value) => Kind::Int(value),
        Err(_) => Kind::Float(f64::INFINITY),
    }
}

fn toml_quote(source: &str, span: &Span) -> Quote {
    match source.as_bytes().get(span.start) {
        Some(b'\'') => Quote::Single,
        _ if source.get(span.clone()).is_some_and(|text| text.contains("\\x")) => Quote::DoubleWithBytes,
        _ => Quote::Double,
    }
}

fn json_place(text: &str, line: usize, column: usize) -> Option<Span> {
    let start: usize = text.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum();
    // The parser counts bytes, and at the end of a text within a character.
    let at = text.floor_char_boundary(start + column.saturating_sub(1));
    Some(at..at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_by_their_paths() {
        let source = "[table]\nname = \"t\"\nfamilies = [\"f\"]\n";
        assert_eq!(&source[place_of(source, "table.families").unwrap()], "families");
        assert_eq!(place_of(source, "table.on_same_key"), None);
    }

    #[test]
    fn places_in_json_are_counted_from_one_and_lie_between_characters() {
        for (text, line, column, place) in [
            ("a\nbc", 1, 1, 0),
            ("a\nbc", 2, 1, 2),
            ("a\nbc", 2, 2, 3),
            ("a\nb\ncd", 3, 2, 5),
            ("é", 1, 2, 0),
        ] {
            assert_eq!(json_place(text, line, column), Some(place..place), "{text:?} {line}:{column}");
        }
        assert_eq!(json_place("a", 0, 1), None);
    }
}
