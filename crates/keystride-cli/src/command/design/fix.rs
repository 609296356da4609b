//! Applies the patches of findings to the file, keeping its comments.

use std::path::Path;

use keystride::Design;
use keystride::lint::{Change, Edit, Finding, Fix, PathStep};
use toml_edit::{Array, DocumentMut, Item, Table, Value};

use crate::design_file::{BYTE_ORDER_MARK, read_text, without_mark};
use crate::failure::Failure;
use crate::usage::Usage;

/// Applies the patch of every finding that has one, as long as the file remains a valid design; returns their titles.
pub(super) fn apply(path: &Path, findings: &[Finding]) -> Result<Vec<String>, Failure> {
    let text = read_text(path)?;
    let mut document = parse(&text).ok_or(Usage::FixNeedsToml)?;
    let mut titles = Vec::new();
    for fix in findings.iter().filter_map(|finding| finding.fix.as_ref()) {
        // Two patches of one place can invalidate each other; such a patch is left for the next round.
        if !titles.contains(&fix.title)
            && let Some(patched) = patched(&document, fix)
        {
            document = patched;
            titles.push(fix.title.clone());
        }
    }
    if !titles.is_empty() {
        std::fs::write(path, in_form_of(&text, &document.to_string()))
            .map_err(|cause| Failure::Write { path: path.to_owned(), cause })?;
    }
    Ok(titles)
}

/// Removes the patches that would not leave a valid design in the TOML file of this text.
pub(super) fn keep_valid(text: &str, findings: &mut [Finding]) {
    let Some(document) = parse(text) else { return };
    for finding in findings {
        finding.fix.take_if(|fix| patched(&document, fix).is_none());
    }
}

fn parse(text: &str) -> Option<DocumentMut> {
    without_mark(text).parse().ok()
}

/// Returns the document with a patch, if that is a valid design.
fn patched(document: &DocumentMut, fix: &Fix) -> Option<DocumentMut> {
    let mut patched = document.clone();
    fix.edits.iter().try_for_each(|edit| apply_edit(&mut patched, edit))?;
    Design::from_toml(&patched.to_string()).is_ok().then_some(patched)
}

/// Returns `text` with the byte order mark and the line ends of the file as it was.
fn in_form_of(before: &str, text: &str) -> String {
    let text = if before.contains("\r\n") {
        text.replace("\r\n", "\n").replace('\n', "\r\n")
    } else {
        text.to_owned()
    };
    if before.starts_with(BYTE_ORDER_MARK) { format!("{BYTE_ORDER_MARK}{text}") } else { text }
}

fn apply_edit(document: &mut DocumentMut, edit: &Edit) -> Option<()> {
    let (last, way) = edit.path.split_last()?;
    let mut item = document.as_item_mut();
    for step in way {
        item = match (go(item, step, matches!(edit.change, Change::Set(_))), &edit.change) {
            (Some(next), _) => next,
            // What is not there need not be removed.
            (None, Change::Remove) => return Some(()),
            (None, _) => return None,
        };
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
