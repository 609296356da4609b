//! Applies the patches of findings to the file, keeping its comments.

use std::path::Path;

use keystride::Design;
use keystride::lint::{Change, Edit, Finding, PathStep};
use toml_edit::{Array, DocumentMut, Item, Table, Value};

use crate::design_file::read_text;
use crate::failure::Failure;
use crate::usage::Usage;

/// Applies the patch of every finding that has one, as long as the file remains a valid design; returns their titles.
pub(super) fn apply(path: &Path, findings: &[Finding]) -> Result<Vec<String>, Failure> {
    let text = read_text(path)?;
    let mut document: DocumentMut = text.parse().map_err(|_| Usage::FixNeedsToml)?;
    let mut titles = Vec::new();
    for fix in findings.iter().filter_map(|finding| finding.fix.as_ref()) {
        let mut patched = document.clone();
        let done = fix.edits.iter().all(|edit| apply_edit(&mut patched, edit).is_some());
        // Two patches of one place can invalidate each other; such a patch is left for the next run.
        if done && Design::from_toml(&patched.to_string()).is_ok() && !titles.contains(&fix.title) {
            document = patched;
            titles.push(fix.title.clone());
        }
    }
    if !titles.is_empty() {
        std::fs::write(path, document.to_string())
            .map_err(|cause| Failure::Write { path: path.to_owned(), cause })?;
    }
    Ok(titles)
}

fn apply_edit(document: &mut DocumentMut, edit: &Edit) -> Option<()> {
    let (last, way) = edit.path.split_last()?;
    let mut item = document.as_item_mut();
    for step in way {
        item = go(item, step, matches!(edit.change, Change::Set(_)))?;
    }
    match (&edit.change, last) {
        (Change::Set(toml), step) => set(item, step, toml),
        (Change::Remove, PathStep::Word(word)) => {
            item.as_table_like_mut()?.remove(word);
            Some(())
        }
        (Change::Remove, PathStep::Index(index)) => {
            let array = item.as_array_mut()?;
            (*index < array.len()).then(|| drop(array.remove(*index)))
        }
        (Change::Insert(toml), PathStep::Index(index)) => insert(item.as_array_mut()?, *index, toml),
        (Change::Insert(_), PathStep::Word(_)) => None,
    }
}

/// Returns the item one step further; with `make`, creates a missing table.
fn go<'a>(item: &'a mut Item, step: &PathStep, make: bool) -> Option<&'a mut Item> {
    match step {
        PathStep::Word(word) => {
            let table = item.as_table_like_mut()?;
            if make && !table.contains_key(word) {
                table.insert(word, Item::Table(Table::new()));
            }
            table.get_mut(word)
        }
        PathStep::Index(index) => item.get_mut(*index),
    }
}

fn set(item: &mut Item, step: &PathStep, toml: &str) -> Option<()> {
    let value: Value = toml.parse().ok()?;
    match step {
        PathStep::Word(word) => {
            let table = item.as_table_like_mut()?;
            match table.get_mut(word).and_then(Item::as_value_mut) {
                Some(old) => {
                    let decor = old.decor().clone();
                    *old = value;
                    *old.decor_mut() = decor;
                }
                None => {
                    table.insert(word, Item::Value(value));
                }
            }
        }
        PathStep::Index(index) => {
            let array = item.as_array_mut()?;
            let old = array.get_mut(*index)?;
            let decor = old.decor().clone();
            *old = value;
            *old.decor_mut() = decor;
        }
    }
    Some(())
}

/// Inserts an element into an array, on a line of its own if the others have one.
fn insert(array: &mut Array, index: usize, toml: &str) -> Option<()> {
    let mut value: Value = toml.parse().ok()?;
    let like = array.get(index.min(array.len().checked_sub(1)?))?;
    *value.decor_mut() = like.decor().clone();
    (index <= array.len()).then(|| array.insert_formatted(index, value))
}
