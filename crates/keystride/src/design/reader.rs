//! Reads the words of one table, and reports those that are not known.

use super::problem::{Complaint, Problem, nearest};
use super::raw::{Entry, Kind, Node, Quote};
use super::span::Span;
use crate::escape;

/// A value and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spanned<T> {
    pub(crate) value: T,
    pub(crate) span: Span,
}

/// Collects complaints.
#[derive(Debug, Default)]
pub(crate) struct Complaints {
    list: Vec<Complaint>,
    /// Fields whose declaration can't be read; references to them are not reported as unknown.
    unreadable: Vec<String>,
}

impl Complaints {
    pub(crate) fn add(&mut self, span: &Span, path: &str, problem: Problem) {
        if matches!(&problem, Problem::UnknownName { what: "field", found, .. } if self.unreadable.contains(found))
        {
            return;
        }
        let span = (!span.is_empty()).then(|| span.clone());
        self.list.push(Complaint { span, path: path.to_owned(), problem });
    }

    /// Returns the value that was read, or adds a complaint at `span`.
    pub(crate) fn ok<T>(&mut self, read: Result<T, Problem>, span: &Span, path: &str) -> Option<T> {
        read.map_err(|problem| self.add(span, path, problem)).ok()
    }

    pub(crate) fn note_unreadable(&mut self, field: &str) {
        self.unreadable.push(field.to_owned());
    }

    pub(crate) fn count(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns all complaints in the file's order.
    pub(crate) fn into_sorted(mut self) -> Vec<Complaint> {
        self.list.sort_by_key(|complaint| complaint.span.as_ref().map_or(usize::MAX, |span| span.start));
        self.list
    }
}

/// One table of the file. Every word that is asked for counts as known; [`TableReader::finish`] complains about the
/// others.
pub(crate) struct TableReader<'a> {
    entries: &'a [Entry],
    pub(crate) span: Span,
    pub(crate) path: String,
    known: Vec<&'static str>,
}

impl<'a> TableReader<'a> {
    /// Opens `node` as a table; adds a complaint if it is anything else.
    pub(crate) fn open(node: &'a Node, path: String, complaints: &mut Complaints) -> Option<Self> {
        Self::open_like("", node, path, complaints)
    }

    /// Like [`TableReader::open`], with an example of such a table for the complaint.
    pub(crate) fn open_like(
        example: &'static str,
        node: &'a Node,
        path: String,
        complaints: &mut Complaints,
    ) -> Option<Self> {
        match &node.kind {
            Kind::Table(entries) => Some(Self { entries, span: node.span.clone(), path, known: Vec::new() }),
            _ => {
                let found = node.kind_name();
                complaints.add(&node.span, &path, Problem::NotATable { found, example });
                None
            }
        }
    }

    /// Returns the value of `word`, of any kind.
    pub(crate) fn node(&mut self, word: &'static str) -> Option<&'a Node> {
        self.known.push(word);
        self.entries.iter().find(|entry| entry.word == word).map(|entry| &entry.value)
    }

    /// Whether the table has `word`.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.entries.iter().any(|entry| entry.word == word)
    }

    /// Returns all entries, for tables whose words are names chosen by the user.
    pub(crate) fn entries(&self) -> &'a [Entry] {
        self.entries
    }

    /// Returns the path of a word of this table.
    pub(crate) fn path_of(&self, word: &str) -> String {
        join(&self.path, word)
    }

    pub(crate) fn complain(&self, complaints: &mut Complaints, word: &str, problem: Problem) {
        let span = self
            .entries
            .iter()
            .find(|entry| entry.word == word)
            .map_or(&self.span, |entry| &entry.value.span);
        complaints.add(span, &self.path_of(word), problem);
    }

    /// Adds a complaint that `word` is missing.
    pub(crate) fn missing(&self, word: &'static str, example: &'static str, complaints: &mut Complaints) {
        complaints.add(&self.span, &self.path, Problem::Missing { word, example });
    }

    pub(crate) fn text(
        &mut self,
        word: &'static str,
        complaints: &mut Complaints,
    ) -> Option<Spanned<String>> {
        let node = self.node(word)?;
        read_text(node, &self.path_of(word), complaints)
    }

    pub(crate) fn bool(&mut self, word: &'static str, complaints: &mut Complaints) -> Option<bool> {
        let node = self.node(word)?;
        match node.kind {
            Kind::Bool(value) => Some(value),
            _ => {
                wrong_kind(node, "true or false", &self.path_of(word), complaints);
                None
            }
        }
    }

    /// Reads a whole number from `min` to `max`.
    pub(crate) fn int(
        &mut self,
        word: &'static str,
        min: i128,
        max: i128,
        complaints: &mut Complaints,
    ) -> Option<Spanned<i128>> {
        let node = self.node(word)?;
        read_int(node, min, max, &self.path_of(word), complaints)
    }

    /// Reads a number of at least `min`, with or without a fraction.
    pub(crate) fn number(
        &mut self,
        word: &'static str,
        min: f64,
        complaints: &mut Complaints,
    ) -> Option<f64> {
        let node = self.node(word)?;
        let value = match node.kind {
            #[expect(clippy::cast_precision_loss, reason = "rates and shares need no 53 bits")]
            Kind::Int(value) => value as f64,
            Kind::Float(value) => value,
            _ => {
                wrong_kind(node, "a number", &self.path_of(word), complaints);
                return None;
            }
        };
        if value >= min && value.is_finite() {
            return Some(value);
        }
        let expected = format!("a number of at least {min}");
        complaints.add(
            &node.span,
            &self.path_of(word),
            Problem::BadValue { found: value.to_string(), expected },
        );
        None
    }

    /// Reads a name out of a list.
    pub(crate) fn choice<T: Copy>(
        &mut self,
        word: &'static str,
        what: &'static str,
        choices: &[(&'static str, T)],
        complaints: &mut Complaints,
    ) -> Option<T> {
        let text = self.text(word, complaints)?;
        let path = self.path_of(word);
        choose(&text, what, choices, &path, complaints)
    }

    /// Reads a list of texts.
    pub(crate) fn texts(
        &mut self,
        word: &'static str,
        complaints: &mut Complaints,
    ) -> Option<Vec<Spanned<String>>> {
        let node = self.node(word)?;
        let path = self.path_of(word);
        let items = read_array(node, &path, complaints)?;
        Some(items.iter().filter_map(|item| read_text(item, &path, complaints)).collect())
    }

    /// Reads a list of nodes.
    pub(crate) fn array(&mut self, word: &'static str, complaints: &mut Complaints) -> Option<&'a [Node]> {
        let node = self.node(word)?;
        read_array(node, &self.path_of(word), complaints)
    }

    /// Opens the table of a word.
    pub(crate) fn table(
        &mut self,
        word: &'static str,
        complaints: &mut Complaints,
    ) -> Option<TableReader<'a>> {
        let node = self.node(word)?;
        TableReader::open(node, self.path_of(word), complaints)
    }

    /// Adds a complaint about every word that was not asked for.
    pub(crate) fn finish(self, complaints: &mut Complaints) {
        for entry in self.entries.iter().filter(|entry| !self.known.contains(&entry.word.as_str())) {
            let problem = Problem::UnknownWord {
                word: entry.word.clone(),
                nearest: nearest(&entry.word, self.known.iter().copied()),
                known: self.known.clone(),
            };
            complaints.add(&entry.span, &self.path, problem);
        }
    }
}

pub(crate) fn join(path: &str, word: &str) -> String {
    if path.is_empty() { word.to_owned() } else { format!("{path}.{word}") }
}

pub(crate) fn wrong_kind(node: &Node, expected: &'static str, path: &str, complaints: &mut Complaints) {
    complaints.add(&node.span, path, Problem::WrongKind { expected, found: node.kind_name() });
}

pub(crate) fn read_text(node: &Node, path: &str, complaints: &mut Complaints) -> Option<Spanned<String>> {
    match &node.kind {
        Kind::Text(text, _) => Some(Spanned { value: text.clone(), span: node.span.clone() }),
        _ => {
            wrong_kind(node, "a text in quotes", path, complaints);
            None
        }
    }
}

pub(crate) fn read_int(
    node: &Node,
    min: i128,
    max: i128,
    path: &str,
    complaints: &mut Complaints,
) -> Option<Spanned<i128>> {
    let Kind::Int(value) = node.kind else {
        wrong_kind(node, "a whole number", path, complaints);
        return None;
    };
    if (min..=max).contains(&value) {
        return Some(Spanned { value, span: node.span.clone() });
    }
    let expected = format!("a whole number from {min} to {max}");
    complaints.add(&node.span, path, Problem::BadValue { found: value.to_string(), expected });
    None
}

fn read_array<'a>(node: &'a Node, path: &str, complaints: &mut Complaints) -> Option<&'a [Node]> {
    match &node.kind {
        Kind::Array(items) => Some(items),
        _ => {
            wrong_kind(node, "a list", path, complaints);
            None
        }
    }
}

/// Reads a name out of a list.
pub(crate) fn choose<T: Copy>(
    text: &Spanned<String>,
    what: &'static str,
    choices: &[(&'static str, T)],
    path: &str,
    complaints: &mut Complaints,
) -> Option<T> {
    if let Some((_, value)) = choices.iter().find(|(name, _)| *name == text.value) {
        return Some(*value);
    }
    let problem = Problem::UnknownName {
        what,
        found: text.value.clone(),
        nearest: nearest(&text.value, choices.iter().map(|(name, _)| *name)),
        known: choices.iter().map(|(name, _)| (*name).to_owned()).collect(),
    };
    complaints.add(&text.span, path, problem);
    None
}

/// Reads the bytes of a text of the key or a split point: as they are in double quotes, in HBase's escaped form in
/// single quotes.
pub(crate) fn read_bytes(node: &Node, path: &str, complaints: &mut Complaints) -> Option<Vec<u8>> {
    let Kind::Text(text, quote) = &node.kind else {
        wrong_kind(node, "a text in quotes", path, complaints);
        return None;
    };
    let printable = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    match quote {
        Quote::Double if printable => return Some(text.clone().into_bytes()),
        Quote::Double | Quote::DoubleWithBytes => {
            complaints.add(&node.span, path, Problem::BytesInDoubleQuotes);
            return None;
        }
        Quote::Single | Quote::Json => {}
    }
    match escape::from_escaped(text) {
        Ok(bytes) => is_plain(text, &node.span, path, complaints).then_some(bytes),
        Err(cause) => {
            complaints.add(&node.span, path, Problem::Escape { cause });
            None
        }
    }
}

/// Whether HBase reads an escaped text as it suggests; adds a complaint if not.
pub(crate) fn is_plain(text: &str, span: &Span, path: &str, complaints: &mut Complaints) -> bool {
    let mangled = escape::first_mangled(text);
    if let Some(cause) = mangled {
        complaints.add(span, path, Problem::Mangled { cause });
    }
    mangled.is_none()
}
