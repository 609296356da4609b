//! What parsers say, whose texts are not in the sources of the crates.

use keystride::Design;

use super::messages::messages;

/// What the parser of TOML says, and a line of which it says so.
const SYNTAX: [(&str, &str); 19] = [
    ("a = t", "invalid boolean, expected `true`"),
    ("a = \"t", "invalid basic string, expected `\"`"),
    ("a = 't", "invalid literal string, expected `'`"),
    ("a =", "string values must be quoted, expected literal string"),
    ("a = [1", "unclosed array, expected `]`"),
    ("a = { b = 1", "unclosed inline table, expected `}`"),
    ("[table", "unclosed table, expected `]`"),
    ("a 1", "key with no value, expected `=`"),
    ("a = \"x\" y", "unexpected key or value, expected newline, `#`"),
    ("a = 1\na = 2", "duplicate key"),
    ("a = 01", "unexpected leading zero, expected nothing"),
    ("a = [{ b = 1 } { c = 1 }]", "missing comma between array elements, expected `,`"),
    ("]", "missing table open, expected `[`"),
    ("= 3", "unquoted keys cannot be empty, expected letters, numbers, `-`, `_`"),
    ("a = [1,,2]", "extra comma in array, expected value"),
    ("a = { b = 1 c = 2 }", "extra assignment between key-value pairs, expected `,`"),
    ("a = { b = 1 c = 2 }", "missing comma between key-value pairs, expected `,`"),
    ("a = { , }", "extra comma in inline table, expected key"),
    ("a == 3", "extra `=`, expected nothing"),
];

/// All texts of others that pages translate.
pub(crate) fn all() -> impl Iterator<Item = &'static str> {
    SYNTAX.into_iter().map(|(_, said)| said)
}

#[test]
fn what_the_parser_of_toml_says_is_translated() {
    let messages = messages();
    for (line, said) in SYNTAX {
        let error = Design::from_toml(&format!("format = 1\n{line}\n")).unwrap_err();
        let found: Vec<_> = error.complaints.iter().map(|one| one.problem.to_string()).collect();
        assert!(found.iter().any(|found| found == said), "{line}: {found:?}");
        assert!(messages.contains_key(said), "{said}");
    }
}
