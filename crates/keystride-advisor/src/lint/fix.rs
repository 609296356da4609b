//! Patches of the design file.

use std::fmt;

use keystride::internal::byte_text;

use super::Language;
use super::said::Bilingual;

/// A patch of the design file as data, which a program can apply while keeping the file's comments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What it does, in one line.
    pub title: String,
    /// The changes, in the order in which to make them.
    pub edits: Vec<Edit>,
    /// What it does to rows; `None` until a [`Review`](crate::Review) has tried it.
    pub effect: Option<Effect>,
}

/// What a patch does to the rows of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Every row keeps its key and its cells.
    KeepsRows,
    /// Rows get other keys or other cells: those that are stored can't be read by the patched design.
    ChangesRows,
}

/// One change to the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The place to change.
    pub path: Vec<PathStep>,
    /// The change to make there.
    pub change: Change,
}

/// One step of a path to a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathStep {
    /// A key of a table.
    Word(String),
    /// An index of an array.
    Index(usize),
}

/// The change at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Sets the value to this TOML text, and creates missing tables along the path.
    Set(String),
    /// Removes the value, if there is one.
    Remove,
    /// Inserts this TOML text as an element of an array, before the element at the path's index.
    Insert(String),
    /// Moves an element of an array to the place of another one, which it then has.
    MoveTo(usize),
}

/// A fix under construction, with its title in both languages.
#[derive(Debug, Clone)]
pub(super) struct Patch {
    title: Bilingual,
    edits: Vec<Edit>,
}

impl Patch {
    pub(super) fn new(title: Bilingual) -> Self {
        Self { title, edits: Vec::new() }
    }

    pub(super) fn into_fix(self, language: Language) -> Fix {
        Fix { title: self.title.into_text(language), edits: self.edits, effect: None }
    }

    pub(super) fn into_title(self) -> Bilingual {
        self.title
    }

    /// Whether it changes how keys are written and not how the table is split.
    pub(super) fn changes_keys_alone(&self) -> bool {
        let changes =
            |word: &str| self.edits.iter().any(|edit| edit.path[0] == PathStep::Word(word.to_owned()));
        (changes("key") || changes("fields")) && !changes("split")
    }

    /// Whether it changes a part of the key up to `index`, or the declaration of a field.
    pub(super) fn changes_parts_up_to(&self, index: usize) -> bool {
        self.edits.iter().any(|edit| match edit.path.as_slice() {
            [PathStep::Word(key), PathStep::Word(parts), PathStep::Index(part), ..] => {
                key == "key" && parts == "parts" && *part <= index
            }
            [PathStep::Word(fields), ..] => fields == "fields",
            _ => false,
        })
    }

    /// Adds a change that sets `path`, written as in findings: `key.parts[2].pad`. It takes the place of a removal, so
    /// that the comments of what was there stay.
    pub(super) fn set(mut self, path: &str, toml: impl Into<String>) -> Self {
        let steps = steps_of(path);
        self.edits.retain(|edit| edit.change != Change::Remove || edit.path != steps);
        self.edit(path, Change::Set(toml.into()))
    }

    pub(super) fn remove(self, path: &str) -> Self {
        self.edit(path, Change::Remove)
    }

    pub(super) fn insert(self, path: &str, toml: impl Into<String>) -> Self {
        self.edit(path, Change::Insert(toml.into()))
    }

    fn edit(mut self, path: &str, change: Change) -> Self {
        self.edits.push(Edit { path: steps_of(path), change });
        self
    }
}

fn steps_of(path: &str) -> Vec<PathStep> {
    let mut steps = Vec::new();
    for word in path.split('.') {
        let (name, indexes) = word.split_once('[').unwrap_or((word, ""));
        steps.push(PathStep::Word(name.to_owned()));
        let numbers = indexes.split(['[', ']']).filter_map(|index| index.parse().ok());
        steps.extend(numbers.map(PathStep::Index));
    }
    steps
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut path = String::new();
        for step in &self.path {
            match step {
                PathStep::Word(word) if path.is_empty() => path.push_str(word),
                PathStep::Word(word) => path.push_str(&format!(".{word}")),
                PathStep::Index(index) => path.push_str(&format!("[{index}]")),
            }
        }
        match &self.change {
            Change::Set(toml) => write!(f, "{path} = {toml}"),
            Change::Remove => write!(f, "{path}: remove"),
            Change::Insert(toml) => write!(f, "{path}: insert {toml}"),
            Change::MoveTo(index) => write!(f, "{path}: move to [{index}]"),
        }
    }
}

/// Returns a list of byte strings as a design file writes it.
pub(super) fn toml_list<'a>(items: impl IntoIterator<Item = &'a [u8]>) -> String {
    let items: Vec<String> = items.into_iter().map(byte_text).collect();
    format!("[{}]", items.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::said::said;

    #[test]
    fn a_path_is_written_as_it_is_read() {
        let patch = Patch::new(said!("pad", "补零")).set("key.parts[2].pad", "4").remove("split.points");
        let shown: Vec<String> = patch.edits.iter().map(Edit::to_string).collect();
        assert_eq!(shown, ["key.parts[2].pad = 4", "split.points: remove"]);
    }

    #[test]
    fn what_is_removed_and_then_set_keeps_its_place() {
        let patch = Patch::new(said!("cut", "切"))
            .remove("split.by")
            .remove("split.points")
            .set("split.points", "[]");
        let shown: Vec<String> = patch.edits.iter().map(Edit::to_string).collect();
        assert_eq!(shown, ["split.by: remove", "split.points = []"]);
    }
}
