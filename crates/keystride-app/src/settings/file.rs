//! A settings file, read with the place of every word.

use std::fs;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};

use keystride::design::nearest;
use keystride_store::StoreAddress;
use toml_edit::{Document, Item, TableLike};

use super::error::SettingsError;
use super::layer::{Layer, StoreChoice};
use super::origin::{FileLine, Origin};
use super::word::Word;

/// A TOML file, with the place of every word.
#[derive(Debug)]
pub(super) struct SettingsFile {
    path: PathBuf,
    document: Document<String>,
}

/// A word of a table, with its value and its place.
pub(super) struct Entry<'a> {
    pub(super) word: &'a str,
    pub(super) item: &'a Item,
    pub(super) place: FileLine,
}

impl SettingsFile {
    /// Reads a file; `None` if there is none.
    pub(super) fn read(path: PathBuf) -> Result<Option<Self>, SettingsError> {
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(cause) if is_absent(&cause) => return Ok(None),
            Err(cause) => return Err(SettingsError::Read { path, cause }),
        };
        match Document::parse(text.clone()) {
            Ok(document) => Ok(Some(Self { path, document })),
            Err(error) => Err(syntax(&path, &text, &error)),
        }
    }

    /// Iterates over the words at the top level.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        self.entries_of(self.document.as_table())
    }

    /// Iterates over the words of one of its tables.
    pub(super) fn entries_of<'a>(&'a self, table: &'a dyn TableLike) -> impl Iterator<Item = Entry<'a>> {
        table.iter().map(|(word, item)| {
            let span = table.key(word).and_then(toml_edit::Key::span).or_else(|| item.span());
            Entry { word, item, place: self.place(span) }
        })
    }

    /// Takes a setting that every file may have; a relative folder is relative to the file.
    pub(super) fn set(&self, layer: &mut Layer, entry: &Entry<'_>) -> Result<(), SettingsError> {
        let word = Word::of(entry.word).ok_or_else(|| unknown(entry, Word::ALL.map(Word::name).to_vec()))?;
        let text = text(entry)?;
        layer.set(word, text, Origin::File(entry.place.clone()))?;
        if let Some(store) = &mut layer.store
            && let StoreChoice::Backend(backend) = &mut store.value
            && word == Word::Backend
        {
            *backend = self.beside(backend);
        }
        Ok(())
    }

    /// Returns a store whose folder is relative to that of the file.
    pub(super) fn beside(&self, backend: &StoreAddress) -> StoreAddress {
        backend.seen_from(self.path.parent().unwrap_or(Path::new("")))
    }

    fn place(&self, span: Option<Range<usize>>) -> FileLine {
        place(&self.path, self.document.raw(), span)
    }
}

/// Returns the text of a word.
pub(super) fn text<'a>(entry: &Entry<'a>) -> Result<&'a str, SettingsError> {
    entry.item.as_str().ok_or_else(|| kind(entry, "a text in quotes"))
}

/// Returns the table of a word.
pub(super) fn table<'a>(entry: &Entry<'a>) -> Result<&'a dyn TableLike, SettingsError> {
    entry.item.as_table_like().ok_or_else(|| kind(entry, "a table"))
}

/// Returns the error for a word that is not one of `known`.
pub(super) fn unknown(entry: &Entry<'_>, known: Vec<&'static str>) -> SettingsError {
    let near = nearest(entry.word, known.iter().copied());
    SettingsError::UnknownWord { place: entry.place.clone(), found: entry.word.to_owned(), near, known }
}

/// Returns the error for a file that is not TOML.
pub(super) fn syntax(path: &Path, text: &str, error: &toml_edit::TomlError) -> SettingsError {
    let message = error.message().trim().replace('\n', ", ");
    SettingsError::Syntax { place: place(path, text, error.span()), message }
}

/// Whether there is no such file.
fn is_absent(cause: &std::io::Error) -> bool {
    matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn kind(entry: &Entry<'_>, wanted: &'static str) -> SettingsError {
    let (place, word) = (entry.place.clone(), entry.word.to_owned());
    SettingsError::Kind { place, word, found: entry.item.type_name(), wanted }
}

fn place(path: &Path, text: &str, span: Option<Range<usize>>) -> FileLine {
    let start = span.map_or(0, |span| span.start);
    let before = text.get(..start).unwrap_or(text);
    FileLine { path: path.to_owned(), line: before.matches('\n').count() + 1 }
}
