//! Tells files that are no designs at all, so that one sentence says so and not a complaint for each of their lines.

use super::problem::{Complaint, DesignError, Problem};
use super::raw::{Kind, Node};

/// Why a file is no design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoDesign {
    /// It has nothing but blanks.
    #[error("it is empty; a design begins with `format = 1`")]
    Empty,
    /// It is no text.
    #[error("it is not UTF-8 text; a design begins with `format = 1`")]
    NotText,
    /// It is read as TOML, and begins as JSON does.
    #[error("it begins as JSON does; a design in JSON is a file whose name ends in .json")]
    JsonByLooks,
    /// It has no word that every design has.
    #[error("it has none of format, [table], [fields] and [key]; a design begins with `format = 1`")]
    OtherToml,
    /// The same in JSON.
    #[error("it is not an object with \"format\", \"table\", \"fields\" and \"key\"")]
    OtherJson,
}

impl NoDesign {
    /// Judges a TOML file by its text, and by what of it can be read.
    pub(super) fn of_toml(text: &str, root: &Node) -> Option<Self> {
        let begin = text.trim_start();
        match begin.chars().next() {
            None => Some(Self::Empty),
            _ if has_words_of_designs(root) || text.lines().any(is_line_of_designs) => None,
            Some('{') => Some(Self::JsonByLooks),
            Some(_) => Some(Self::OtherToml),
        }
    }

    /// Judges a JSON file.
    pub(super) fn of_json(root: &Node) -> Option<Self> {
        (!has_words_of_designs(root)).then_some(Self::OtherJson)
    }
}

/// Whether there is the format, or a table that every design has.
fn has_words_of_designs(root: &Node) -> bool {
    let Kind::Table(entries) = &root.kind else { return false };
    entries.iter().any(|entry| match entry.word.as_str() {
        "format" => true,
        "table" | "fields" | "key" => matches!(entry.value.kind, Kind::Table(_)),
        _ => false,
    })
}

/// Whether a line begins the format or a table that every design has: what follows a mistake of syntax may be unread.
fn is_line_of_designs(line: &str) -> bool {
    let line = line.trim_start();
    let tables = ["[table]", "[table.", "[fields]", "[fields.", "[key]"];
    let is_format = |rest: &str| rest.trim_start().starts_with('=');
    tables.iter().any(|table| line.starts_with(table)) || line.strip_prefix("format").is_some_and(is_format)
}

impl From<NoDesign> for DesignError {
    fn from(why: NoDesign) -> Self {
        let complaint = Complaint { span: None, path: String::new(), problem: Problem::NoDesign { why } };
        Self { complaints: vec![complaint] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Design;

    #[test]
    fn what_is_no_design_gets_one_sentence() {
        let told = |error: DesignError| match error.complaints.as_slice() {
            [Complaint { problem: Problem::NoDesign { why }, .. }] => Some(*why),
            _ => None,
        };
        let of_toml = |text: &str| told(Design::from_toml(text).unwrap_err());
        let of_json = |text: &str| told(Design::from_json(text).unwrap_err());
        assert_eq!(of_toml(" \n"), Some(NoDesign::Empty));
        assert_eq!(of_toml("{\"format\": 1}\n"), Some(NoDesign::JsonByLooks));
        for other in
            ["phone,time\n138,2020-01-01\n", "key,table,fields\n1,2,3\n", "[package]\nname = \"t\"\n"]
        {
            assert_eq!(of_toml(other), Some(NoDesign::OtherToml), "{other}");
        }
        for design in ["format = 1\n", "format 1\n[table]\nname = \"t\n", "[key]\nparts = []\n"] {
            assert_eq!(of_toml(design), None, "{design}");
        }
        assert_eq!(of_json(""), Some(NoDesign::Empty));
        assert_eq!(of_json("[1]"), Some(NoDesign::OtherJson));
        assert_eq!(of_json("{\"name\": \"t\"}"), Some(NoDesign::OtherJson));
        assert_eq!(of_json("{\"table\": {}}"), None);
    }
}
