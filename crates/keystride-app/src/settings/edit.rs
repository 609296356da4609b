//! Edits the user file: adds, selects and removes contexts, and leaves everything else as it was written.
//!
//! The file need only be TOML with a table of contexts, since an invalid setting may be what is to be repaired.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use keystride_store::StoreAddress;
use toml_edit::{Decor, DocumentMut, Item, RawString, Table, TableLike, Value};

use super::context::{ContextName, UnknownContext};
use super::error::SettingsError;
use super::file::syntax;
use super::user_file::{self, BACKEND, CONTEXTS};
use super::word::Word;
use crate::marked_text::{in_form_of, without_mark};
use crate::replaced_file::replace_file;

/// The user file while it is edited.
#[derive(Debug)]
pub struct UserFileEdit {
    path: PathBuf,
    /// The file as it was.
    before: String,
    document: DocumentMut,
    /// Keeps others from changing the file until this change is written or abandoned.
    _lock: File,
}

/// What the removal of a context changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removed {
    /// It was the context in use; now there is none.
    InUse,
    /// It was not the context in use.
    Unused,
}

impl UserFileEdit {
    /// Reads the user file once no one else is changing it; if there is none, it starts out empty.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] when it can't be read, or is not TOML.
    pub fn open() -> Result<Self, SettingsError> {
        let path = user_file::path().ok_or(SettingsError::NoUserFile)?;
        let lock_path = path.with_added_extension("lock");
        let lock = locked(&lock_path).map_err(|cause| SettingsError::Read { path: lock_path, cause })?;
        let before = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(cause) if cause.kind() == ErrorKind::NotFound => String::new(),
            Err(cause) => return Err(SettingsError::Read { path, cause }),
        };
        let text = without_mark(&before).replace("\r\n", "\n");
        let document = text.parse().map_err(|error| syntax(&path, &text, &error))?;
        Ok(Self { path, before, document, _lock: lock })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the context in use.
    pub fn in_use(&self) -> Option<&str> {
        self.document.get(Word::Context.name()).and_then(Item::as_str)
    }

    /// Whether there is a context with this name.
    pub fn has(&self, name: &ContextName) -> bool {
        let contexts = self.document.get(CONTEXTS).and_then(Item::as_table_like);
        contexts.is_some_and(|contexts| contexts.contains_key(name.as_str()))
    }

    /// Sets the store of a context; an existing one keeps its place and its comments.
    ///
    /// # Errors
    ///
    /// [`SettingsError::ContextsAreNoTable`].
    pub fn set(&mut self, name: &ContextName, backend: &StoreAddress) -> Result<(), SettingsError> {
        let contexts = self.contexts_mut()?;
        let backend = Value::from(backend.to_string());
        match contexts.get_mut(name.as_str()).and_then(Item::as_table_like_mut) {
            Some(context) => replace(context, BACKEND, backend),
            None => {
                let mut context = Table::new();
                context.insert(BACKEND, backend.into());
                contexts.insert(name.as_str(), Item::Table(context));
            }
        }
        Ok(())
    }

    /// Selects the context to use.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] when there is no such context, or the file names a store.
    pub fn put_to_use(&mut self, name: &ContextName) -> Result<(), SettingsError> {
        if !self.has(name) {
            return Err(self.unknown(name));
        }
        if self.document.contains_key(BACKEND) {
            return Err(SettingsError::BackendInUse { path: self.path.clone() });
        }
        replace(self.document.as_table_mut(), Word::Context.name(), Value::from(name.as_str()));
        Ok(())
    }

    /// Removes a context, and the comments directly above it.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] when there is no such context.
    pub fn remove(&mut self, name: &ContextName) -> Result<Removed, SettingsError> {
        if !self.has(name) {
            return Err(self.unknown(name));
        }
        let removed = self.contexts_mut()?.remove(name.as_str());
        if let Some(Item::Table(table)) = removed {
            self.keep_comments_before(&table);
        }
        if self.in_use() != Some(name.as_str()) {
            return Ok(Removed::Unused);
        }
        self.document.remove(Word::Context.name());
        Ok(Removed::InUse)
    }

    /// Replaces the file.
    ///
    /// # Errors
    ///
    /// [`SettingsError::Write`].
    pub fn save(&self) -> Result<(), SettingsError> {
        let replaced = replace_file(&self.path, in_form_of(&self.before, &self.document.to_string()));
        replaced.map_err(|cause| SettingsError::Write { path: self.path.clone(), cause })
    }

    fn contexts_mut(&mut self) -> Result<&mut dyn TableLike, SettingsError> {
        let mut above = Table::new();
        // The contexts are tables of their own, so this one needs no header.
        above.set_implicit(true);
        let contexts = self.document.entry(CONTEXTS).or_insert(Item::Table(above));
        let no_table = || SettingsError::ContextsAreNoTable { path: self.path.clone() };
        contexts.as_table_like_mut().ok_or_else(no_table)
    }

    /// Comments that are separated from the removed table by an empty line are about something else; they are moved to
    /// the next table.
    fn keep_comments_before(&mut self, gone: &Table) {
        let comments = text_of(gone.decor().prefix());
        let Some((kept, _)) = comments.rsplit_once("\n\n") else { return };
        if kept.trim().is_empty() {
            return;
        }
        let after = |table: &Table| table.position().filter(|position| Some(*position) > gone.position());
        let contexts = self.document.get_mut(CONTEXTS).and_then(Item::as_table_mut);
        let tables = contexts.into_iter().flat_map(Table::iter_mut);
        let tables = tables.filter_map(|(_, item)| item.as_table_mut());
        let next = tables.filter(|table| after(table).is_some()).min_by_key(|table| after(table));
        match next {
            Some(table) => {
                let own = text_of(table.decor().prefix()).to_owned();
                table.decor_mut().set_prefix(format!("{kept}\n{own}"));
            }
            None => {
                let own = text_of(Some(self.document.trailing())).to_owned();
                self.document.set_trailing(format!("{kept}\n{own}"));
            }
        }
    }

    fn unknown(&self, name: &ContextName) -> SettingsError {
        let contexts = self.document.get(CONTEXTS).and_then(Item::as_table_like);
        let known =
            contexts.into_iter().flat_map(|contexts| contexts.iter().map(|(name, _)| name.to_owned()));
        Box::new(UnknownContext::of_command(name, known.collect())).into()
    }
}

/// Waits for a lock and holds it until the file is closed. The user file itself can't be locked, as each change
/// replaces it.
fn locked(path: &Path) -> io::Result<File> {
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    let file = File::options().create(true).append(true).open(path)?;
    match file.lock() {
        // Some network file systems do not support locks; then the file is edited without one.
        Err(error) if error.kind() == ErrorKind::Unsupported => Ok(file),
        locked => locked.map(|()| file),
    }
}

/// Sets a word; the comments about an earlier value are kept.
fn replace(table: &mut dyn TableLike, word: &str, mut value: Value) {
    match table.get_mut(word).and_then(Item::as_value_mut) {
        Some(old) => {
            let decor: Decor = old.decor().clone();
            *value.decor_mut() = decor;
            *old = value;
        }
        None => {
            table.insert(word, value.into());
        }
    }
}

fn text_of(text: Option<&RawString>) -> &str {
    text.and_then(RawString::as_str).unwrap_or("")
}
