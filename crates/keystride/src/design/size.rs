//! How much a design file may hold: far more than any design has, and little enough to be read in no time.

use super::problem::Problem;
use super::raw::{Kind, Node};
use super::reader::Complaints;

/// The most entries of a table or a list of a design file, such as `[fields]`. Split points have limits of their own.
pub const MOST_ENTRIES: usize = 5_000;
/// The most parts of a key.
const MOST_PARTS: usize = 1_000;

/// Whether every table and list has a size that a design could have; complains about the first that has not.
pub(super) fn check_size(root: &Node, complaints: &mut Complaints) -> bool {
    let mut path = Vec::new();
    let Some((node, len)) = oversized(root, &mut path) else { return true };
    let (found, expected) = (format!("{len} entries"), format!("at most {}", limit(&path)));
    complaints.add(&node.span, &path.join("."), Problem::BadValue { found, expected });
    false
}

fn limit(path: &[&str]) -> usize {
    match path {
        ["split", "points" | "ints" | "longs"] => usize::MAX,
        ["key", "parts"] => MOST_PARTS,
        _ => MOST_ENTRIES,
    }
}

/// Returns the first table or list that is too large, with its size; `path` becomes its path.
fn oversized<'a>(node: &'a Node, path: &mut Vec<&'a str>) -> Option<(&'a Node, usize)> {
    match &node.kind {
        Kind::Table(entries) if entries.len() > limit(path) => Some((node, entries.len())),
        Kind::Array(items) if items.len() > limit(path) => Some((node, items.len())),
        Kind::Table(entries) => entries.iter().find_map(|entry| {
            path.push(&entry.word);
            let found = oversized(&entry.value, path);
            if found.is_none() {
                path.pop();
            }
            found
        }),
        Kind::Array(items) => items.iter().find_map(|item| oversized(item, path)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::Design;

    #[test]
    fn tables_and_lists_are_no_larger_than_a_design_could_need() {
        let told = |fields: usize, parts: usize| {
            let fields: Vec<_> = (0..fields).map(|n| format!("f{n} = {{ type = \"u32\" }}\n")).collect();
            let fields = fields.concat();
            let parts = vec!["{ field = \"f0\" }"; parts].join(", ");
            let text = format!(
                "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n{fields}[key]\nparts = [{parts}]"
            );
            let error = Design::from_toml(&text).unwrap_err();
            (
                error.complaints.len(),
                error.complaints[0].path.clone(),
                error.complaints[0].problem.to_string(),
            )
        };
        let fields = (1, "fields".to_owned(), "5001 entries: expected at most 5000".to_owned());
        let parts = (1, "key.parts".to_owned(), "1001 entries: expected at most 1000".to_owned());
        assert_eq!((told(5_001, 1), told(1, 1_001)), (fields, parts));
    }
}
