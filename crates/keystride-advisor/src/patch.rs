//! Applies the patch of a finding to the text of a design file, keeping its comments.

use toml_edit::{Array, DocumentMut, Item, RawString, Table, Value};

use crate::lint::{Change, Edit, Fix, PathStep};

impl Fix {
    /// Returns the TOML text of a design file with the patch; `None` if that can't be applied. Comments stay, but for those
    /// of words that go.
    pub fn applied_to(&self, toml: &str) -> Option<String> {
        let mut document: DocumentMut = toml.parse().ok()?;
        self.edits.iter().try_for_each(|edit| apply_edit(&mut document, edit))?;
        Some(document.to_string())
    }
}

fn apply_edit(document: &mut DocumentMut, edit: &Edit) -> Option<()> {
    let (last, way) = edit.path.split_last()?;
    let mut item = document.as_item_mut();
    for step in way {
        let next = if matches!(edit.change, Change::Set(_)) { made(item, step) } else { found(item, step) };
        item = match (next, &edit.change) {
            (Some(next), _) => next,
            // What is not there need not be removed.
            (None, Change::Remove) => return Some(()),
            (None, _) => return None,
        };
    }
    match (&edit.change, last) {
        (Change::Set(toml), step) => set(item, step, toml),
        (Change::Remove, PathStep::Word(word)) => remove(item, word),
        (Change::Remove, PathStep::Index(index)) => {
            let array = item.as_array_mut()?;
            (*index < array.len()).then(|| drop(array.remove(*index)))
        }
        (Change::Insert(toml), PathStep::Index(index)) => insert(item.as_array_mut()?, *index, toml),
        (Change::Insert(_), PathStep::Word(_)) => None,
    }
}

/// Returns the item one step further.
fn found<'a>(item: &'a mut Item, step: &PathStep) -> Option<&'a mut Item> {
    match step {
        PathStep::Word(word) => item.as_table_like_mut()?.get_mut(word),
        PathStep::Index(index) => item.get_mut(*index),
    }
}

/// Like `found`, and makes a table that is missing.
fn made<'a>(item: &'a mut Item, step: &PathStep) -> Option<&'a mut Item> {
    if let PathStep::Word(word) = step
        && let Some(table) = item.as_table_like_mut().filter(|table| !table.contains_key(word))
    {
        table.insert(word, Item::Table(Table::new()));
    }
    found(item, step)
}

fn set(item: &mut Item, step: &PathStep, toml: &str) -> Option<()> {
    let value: Value = toml.parse().ok()?;
    match step {
        PathStep::Word(word) => match item.as_table_like_mut()?.get_mut(word).and_then(Item::as_value_mut) {
            Some(old) => {
                let decor = old.decor().clone();
                *old = value;
                *old.decor_mut() = decor;
            }
            None => {
                let value = value.decorated(" ", take_end(item));
                item.as_table_like_mut()?.insert(word, Item::Value(value));
            }
        },
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

/// Removes a value; what stands before the brace of an inline table stays there.
fn remove(item: &mut Item, word: &str) -> Option<()> {
    let after = take_end(item);
    item.as_table_like_mut()?.remove(word);
    if let Some((_, last)) = item.as_inline_table_mut().and_then(|table| table.iter_mut().last()) {
        last.decor_mut().set_suffix(after);
    }
    Some(())
}

/// Takes what stands between the last value of an inline table and its brace; it is to follow a new last value.
fn take_end(item: &mut Item) -> String {
    let last = item.as_inline_table_mut().and_then(|table| table.iter_mut().last());
    let Some((_, last)) = last else { return String::new() };
    let after = decor_text(last.decor().suffix());
    last.decor_mut().set_suffix("");
    after
}

/// Inserts an element into an array, on a line of its own if the others have one. Comments stay where they are.
fn insert(array: &mut Array, index: usize, toml: &str) -> Option<()> {
    let last = array.len().checked_sub(1)?;
    let mut value: Value = toml.parse().ok()?;
    let like = array.get_mut(index.min(last))?;
    let before = decor_text(like.decor().prefix());
    let indent = before.rfind('\n').map_or(" ", |line| &before[line..]).to_owned();
    if index == 0 && !before.contains('\n') {
        like.decor_mut().set_prefix(indent);
        value.decor_mut().set_prefix(before);
    } else {
        value.decor_mut().set_prefix(indent);
    }
    if index > last {
        // What stands between the last element and the bracket follows the new one.
        let after = decor_text(like.decor().suffix());
        like.decor_mut().set_suffix("");
        value.decor_mut().set_suffix(after);
    }
    (index <= array.len()).then(|| array.insert_formatted(index, value))
}

fn decor_text(decor: Option<&RawString>) -> String {
    decor.and_then(RawString::as_str).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with one change, at a path of words and indexes between dots.
    fn changed(text: &str, path: &str, change: Change) -> Option<String> {
        let step =
            |word: &str| word.parse().map_or_else(|_| PathStep::Word(word.to_owned()), PathStep::Index);
        let edit = Edit { path: path.split('.').map(step).collect(), change };
        Fix { title: String::new(), edits: vec![edit], effect: None }.applied_to(text)
    }

    #[test]
    fn an_element_is_put_before_another_or_at_the_end() {
        for (text, index, wanted) in [
            ("a = [1, 2]\n", 0, Some("a = [9, 1, 2]\n")),
            ("a = [1, 2]\n", 1, Some("a = [1, 9, 2]\n")),
            ("a = [1, 2]\n", 2, Some("a = [1, 2, 9]\n")),
            ("a = [1, 2]\n", 3, None),
            ("a = [1,2]\n", 1, Some("a = [1, 9,2]\n")),
            ("a = [ 1, 2 ]\n", 0, Some("a = [ 9, 1, 2 ]\n")),
            ("a = [ 1, 2 ]\n", 2, Some("a = [ 1, 2, 9 ]\n")),
            ("a = [\n  1,\n  2 # two\n]\n", 0, Some("a = [\n  9,\n  1,\n  2 # two\n]\n")),
            ("a = [\n  1,\n  2 # two\n]\n", 1, Some("a = [\n  1,\n  9,\n  2 # two\n]\n")),
            ("a = []\n", 0, None),
            ("a = 1\n", 0, None),
        ] {
            let found = changed(text, &format!("a.{index}"), Change::Insert("9".to_owned()));
            assert_eq!(found.as_deref(), wanted, "{text:?} {index}");
        }
    }

    #[test]
    fn a_value_is_set_with_what_stands_around_it() {
        for (text, path, wanted) in [
            ("[t]\nx = 1 # one\n", "t.x", Some("[t]\nx = 9 # one\n")),
            ("[t]\nx = 1 # one\n", "t.y", Some("[t]\nx = 1 # one\ny = 9\n")),
            ("t = { x = 1 }\n", "t.x", Some("t = { x = 9 }\n")),
            ("t = { x = 1 }\n", "t.y", Some("t = { x = 1, y = 9 }\n")),
            ("x = 1\n", "t.y", Some("x = 1\n\n[t]\ny = 9\n")),
            ("a = [ 1, 2 ] # two\n", "a.1", Some("a = [ 1, 9 ] # two\n")),
            ("a = [ 1, 2 ]\n", "a.2", None),
            ("a = [{ x = 1 }]\n", "a.0.x", Some("a = [{ x = 9 }]\n")),
            ("a = [{ x = 1 }]\n", "a.1.x", None),
        ] {
            let found = changed(text, path, Change::Set("9".to_owned()));
            assert_eq!(found.as_deref(), wanted, "{text:?} {path}");
        }
    }

    #[test]
    fn what_is_removed_takes_nothing_along() {
        for (text, path, wanted) in [
            ("t = { x = 1, y = 2 }\n", "t.y", Some("t = { x = 1 }\n")),
            ("t = { x = 1, y = 2 }\n", "t.x", Some("t = { y = 2 }\n")),
            ("[t]\n# one\nx = 1\n# two\ny = 2\n", "t.x", Some("[t]\n# two\ny = 2\n")),
            ("t = { x = 1 }\n", "t.y", Some("t = { x = 1 }\n")),
            ("t = { x = 1 }\n", "u.y", Some("t = { x = 1 }\n")),
            ("a = [1, 2]\n", "a.1", Some("a = [1]\n")),
            ("a = [1, 2]\n", "a.2", None),
        ] {
            assert_eq!(changed(text, path, Change::Remove).as_deref(), wanted, "{text:?} {path}");
        }
    }
}
