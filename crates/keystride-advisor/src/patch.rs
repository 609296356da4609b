//! Applies changes to the text of a design file, such as the patch of a finding, keeping its comments.

use toml_edit::{Array, DocumentMut, Item, RawString, Table, Value};

use crate::array_lines::ArrayLines;
use crate::lint::{Change, Edit, Fix, PathStep};

impl Fix {
    /// Returns the TOML text of a design file with the patch; `None` if that can't be applied. Comments stay, but for those
    /// of words that go.
    pub fn applied_to(&self, toml: &str) -> Option<String> {
        edited(toml, &self.edits)
    }
}

/// No place of a design is so deep; tables within tables would fill the stack.
const MOST_STEPS: usize = 32;

/// Returns the TOML text of a design file with changes, one after the other; `None` if one can't be made. Comments stay, but
/// for those of words that go.
///
/// ```
/// # use keystride_advisor::edited;
/// # use keystride_advisor::lint::{Change, Edit, PathStep};
/// let path = vec![PathStep::Word("parts".to_owned()), PathStep::Index(0)];
/// let edit = Edit { path, change: Change::MoveTo(1) };
/// assert_eq!(edited("parts = [1, 2]", &[edit]).as_deref(), Some("parts = [2, 1]\n"));
/// ```
pub fn edited(toml: &str, edits: &[Edit]) -> Option<String> {
    if edits.iter().any(|edit| edit.path.len() > MOST_STEPS) {
        return None;
    }
    let mut document: DocumentMut = toml.parse().ok()?;
    edits.iter().try_for_each(|edit| apply_edit(&mut document, edit))?;
    Some(document.to_string())
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
            ArrayLines::of(array).without(*index)?.write_to(array);
            Some(())
        }
        (Change::MoveTo(to), PathStep::Index(from)) => {
            let array = item.as_array_mut()?;
            ArrayLines::of(array).moved(*from, *to)?.write_to(array);
            Some(())
        }
        (Change::Insert(toml), PathStep::Index(index)) => insert(item.as_array_mut()?, *index, toml),
        (Change::Insert(_) | Change::MoveTo(_), PathStep::Word(_)) => None,
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
    let mut value: Value = toml.parse().ok()?;
    let Some(last) = array.len().checked_sub(1) else {
        return (index == 0).then(|| array.push(value));
    };
    let like = array.get_mut(index.min(last))?;
    let before = decor_text(like.decor().prefix());
    let indent = before.rfind('\n').map_or(" ", |line| &before[line..]).to_owned();
    if index == 0 && !before.contains('\n') {
        like.decor_mut().set_prefix(indent);
        value.decor_mut().set_prefix(before);
    } else if index <= last {
        // A comment before the line end is one of the element above.
        let (above, own) = before.split_at(before.find('\n').unwrap_or(0));
        like.decor_mut().set_prefix(own);
        value.decor_mut().set_prefix(format!("{above}{indent}"));
    } else {
        value.decor_mut().set_prefix(indent);
    }
    if index > last {
        // What stands between the last element and the bracket follows the new one.
        let after = decor_text(like.decor().suffix());
        like.decor_mut().set_suffix("");
        value.decor_mut().set_suffix(after);
        take_comment(array, &mut value);
    }
    (index <= array.len()).then(|| array.insert_formatted(index, value))
}

/// Puts a comment behind the last comma, which is one of the last element, before a new last one.
fn take_comment(array: &mut Array, value: &mut Value) {
    let trailing = decor_text(Some(array.trailing()));
    let Some((comment, rest)) = trailing.split_at_checked(trailing.find('\n').unwrap_or(0)) else { return };
    let before = format!("{comment}{}", decor_text(value.decor().prefix()));
    if comment.contains('#') && before[comment.len()..].starts_with('\n') {
        value.decor_mut().set_prefix(before);
        array.set_trailing(rest.to_owned());
    }
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
            ("a = []\n", 0, Some("a = [9]\n")),
            ("a = []\n", 1, None),
            ("a = [\n  1, # one\n  2, # two\n]\n", 1, Some("a = [\n  1, # one\n  9,\n  2, # two\n]\n")),
            ("a = [\n  1, # one\n]\n", 1, Some("a = [\n  1, # one\n  9,\n]\n")),
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
            ("a = [1, 2]\n", "a.0", Some("a = [2]\n")),
            ("a = [ 1 ]\n", "a.0", Some("a = [ ]\n")),
            ("a = [\n  1,\n]\n", "a.0", Some("a = [\n]\n")),
            ("a = [\n  1, # one\n  2, # two\n]\n", "a.1", Some("a = [\n  1, # one\n]\n")),
            ("a = [\n  1, # one\n  2, # two\n]\n", "a.0", Some("a = [\n  2, # two\n]\n")),
            ("a = [1, 2]\n", "a.2", None),
        ] {
            assert_eq!(changed(text, path, Change::Remove).as_deref(), wanted, "{text:?} {path}");
        }
    }

    #[test]
    fn an_element_that_moves_takes_its_comments_along() {
        let lines = "a = [ # all\n  # before one\n  1, # one\n  2, # two\n  3 # three\n] # end\n";
        for (text, from, to, wanted) in [
            ("a = [1, 2, 3]\n", 0, 2, Some("a = [2, 3, 1]\n")),
            ("a = [ 1, 2 ]\n", 1, 0, Some("a = [ 2, 1 ]\n")),
            (
                lines,
                0,
                1,
                Some("a = [ # all\n  2, # two\n  # before one\n  1, # one\n  3 # three\n] # end\n"),
            ),
            (
                lines,
                2,
                0,
                Some("a = [ # all\n  3, # three\n  # before one\n  1, # one\n  2 # two\n] # end\n"),
            ),
            ("a = [\n  1, 2, # two\n  3,\n]\n", 1, 0, Some("a = [\n  2, # two\n 1,\n  3,\n]\n")),
            ("a = [1, 2]\n", 0, 2, None),
            ("a = [1, 2]\n", 2, 0, None),
            ("a = 1\n", 0, 0, None),
        ] {
            let found = changed(text, &format!("a.{from}"), Change::MoveTo(to));
            assert_eq!(found.as_deref(), wanted, "{text:?} {from} {to}");
        }
    }
}
