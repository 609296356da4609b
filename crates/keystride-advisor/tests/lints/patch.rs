//! Applies a patch as a program would: with `toml_edit`, so that comments stay.

use keystride_advisor::lint::{Change, Fix, PathStep};
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value};

pub(crate) fn apply(toml: &str, fix: &Fix) -> String {
    let mut document: DocumentMut = toml.parse().expect("a design file");
    for edit in &fix.edits {
        change_table(document.as_table_mut(), &edit.path, &edit.change);
    }
    document.to_string()
}

fn change_table(table: &mut dyn TableLike, path: &[PathStep], change: &Change) {
    let [PathStep::Word(word), rest @ ..] = path else { panic!("{path:?} in a table") };
    if rest.is_empty() {
        match change {
            Change::Set(toml) => drop(table.insert(word, Item::Value(value(toml)))),
            Change::Remove => drop(table.remove(word)),
            Change::Insert(_) | Change::MoveTo(_) => panic!("{word} is no element of an array"),
        }
        return;
    }
    if table.get(word).is_none() {
        if *change == Change::Remove {
            return;
        }
        table.insert(word, Item::Table(Table::new()));
    }
    let item = table.get_mut(word).expect("there, or just made");
    match item.as_array_mut() {
        Some(array) => change_array(array, rest, change),
        None => change_table(item.as_table_like_mut().expect("a table"), rest, change),
    }
}

fn change_array(array: &mut Array, path: &[PathStep], change: &Change) {
    let [PathStep::Index(index), rest @ ..] = path else { panic!("{path:?} in an array") };
    match (rest, change) {
        ([], Change::Set(toml)) => drop(array.replace(*index, value(toml))),
        ([], Change::Remove) => drop(array.remove(*index)),
        ([], Change::Insert(toml)) => array.insert(*index, value(toml)),
        ([], Change::MoveTo(to)) => {
            let moved = array.remove(*index);
            array.insert(*to, moved);
        }
        (rest, change) => {
            let element = array.get_mut(*index).expect("an element");
            change_table(element.as_inline_table_mut().expect("a part"), rest, change);
        }
    }
}

fn value(toml: &str) -> Value {
    toml.parse().unwrap_or_else(|error| panic!("{toml}: {error}"))
}

#[test]
fn a_patch_keeps_comments() {
    let toml = "# mine\n[split]\nby = \"list\" # why\npoints = [\"a\"]\n";
    let edits = keystride_advisor::lint::Edit {
        path: vec![PathStep::Word("split".into()), PathStep::Word("points".into())],
        change: Change::Set("[\"b\"]".into()),
    };
    let fix = Fix { title: String::new(), edits: vec![edits], effect: None };
    assert_eq!(apply(toml, &fix), "# mine\n[split]\nby = \"list\" # why\npoints = [\"b\"]\n");
}
