//! What parsers, the system and HBase's servers say, whose texts are not in the sources of the crates.

use std::collections::BTreeMap;
#[cfg(target_os = "linux")]
use std::io;

use keystride::Design;
use serde_json::Value;

use super::messages::messages;

/// What the parser of TOML says, and a line of which it says so.
const TOML: [(&str, &str); 19] = [
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

/// What the parser of JSON says, and a text of which it says so.
const JSON: [(&str, &str); 22] = [
    ("{\"a\":[1", "EOF while parsing a list"),
    ("{\"a\":1", "EOF while parsing an object"),
    ("{\"a\":\"x", "EOF while parsing a string"),
    ("{\"a\":", "EOF while parsing a value"),
    ("{\"a\" 1}", "expected `:`"),
    ("{\"a\":[1 2]}", "expected `,` or `]`"),
    ("{\"a\":1 \"b\":2}", "expected `,` or `}`"),
    ("{\"a\":tru}", "expected ident"),
    ("{\"a\":x}", "expected value"),
    ("{\"a\":\"\\x\"}", "invalid escape"),
    ("{\"a\":01}", "invalid number"),
    ("{\"a\":1e999}", "number out of range"),
    ("{\"a\":\"\t\"}", "control character (\\u0000-\\u001F) found while parsing a string"),
    ("{a:1}", "key must be a string"),
    ("{\"a\":\"\\ud800\\u0041\"}", "lone leading surrogate in hex escape"),
    ("{\"a\":\"\\ud800\"}", "unexpected end of hex escape"),
    ("{\"a\":1,}", "trailing comma"),
    ("{} x", "trailing characters"),
    ("[1]", "invalid type: sequence, expected {0}"),
    ("1", "invalid type: {0}, expected {1}"),
    ("\"x\"", "invalid type: {0}, expected {1}"),
    ("null", "invalid type: {0}, expected {1}"),
];

/// What the parser of JSON finds where it expects something else, each with a text.
const JSON_FOUND: [(&str, &str); 4] = [
    ("7", "integer `{0}`"),
    ("7.5", "floating point `{0}`"),
    ("true", "boolean `{0}`"),
    ("\"7\"", "string \"{0}\""),
];

/// What says where the parser of JSON stopped.
const JSON_PLACE: &str = "{0} at line {1} column {2}";

/// What is nested more deeply than the parser of JSON goes.
const TOO_DEEP: &str = "recursion limit exceeded";

/// What Linux says, with the numbers of its errors.
const SYSTEM: [(i32, &str); 24] = [
    (1, "Operation not permitted"),
    (2, "No such file or directory"),
    (5, "Input/output error"),
    (12, "Cannot allocate memory"),
    (13, "Permission denied"),
    (16, "Device or resource busy"),
    (17, "File exists"),
    (20, "Not a directory"),
    (21, "Is a directory"),
    (24, "Too many open files"),
    (27, "File too large"),
    (28, "No space left on device"),
    (30, "Read-only file system"),
    (32, "Broken pipe"),
    (36, "File name too long"),
    (39, "Directory not empty"),
    (40, "Too many levels of symbolic links"),
    (101, "Network is unreachable"),
    (104, "Connection reset by peer"),
    (110, "Connection timed out"),
    (111, "Connection refused"),
    (113, "No route to host"),
    (116, "Stale file handle"),
    (122, "Disk quota exceeded"),
];

/// What the standard library says of the system: the number of an error, and kinds of errors that have none.
const STANDARD: [&str; 4] = ["os error {0}", "file too large", "unexpected end of file", "timed out"];

/// What the system says of a host whose address it does not find.
const NAMES: [&str; 4] = [
    "failed to lookup address information: {0}",
    "Name or service not known",
    "Temporary failure in name resolution",
    "No address associated with hostname",
];

/// What HBase's servers say most often, the same in 1.4 and 2.6.
const SERVERS: [&str; 6] = [
    "Insufficient permissions",
    "Insufficient permissions for user '{0}'",
    "Master is initializing",
    "Region moved to: hostname={0} port={1} startCode={2}. As of locationSeqNum={3}.",
    "Server is not running yet",
    "{0} is not online on {1}",
];

/// All texts of others that pages translate.
pub(crate) fn all() -> impl Iterator<Item = &'static str> {
    let parsers = TOML.into_iter().chain(JSON).chain(JSON_FOUND).map(|(_, said)| said);
    let system = SYSTEM.into_iter().map(|(_, said)| said);
    let rest = [STANDARD.as_slice(), &NAMES, &SERVERS, &[JSON_PLACE, TOO_DEEP]].concat();
    parsers.chain(system).chain(rest)
}

#[test]
fn what_others_say_is_translated() {
    let messages = messages();
    let missing: Vec<_> = all().filter(|said| !messages.contains_key(*said)).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn the_parser_of_toml_says_so() {
    for (line, said) in TOML {
        let error = Design::from_toml(&format!("format = 1\n{line}\n")).unwrap_err();
        let found: Vec<_> = error.complaints.iter().map(|one| one.problem.to_string()).collect();
        assert!(found.iter().any(|found| found == said), "{line}: {found:?}");
    }
}

/// What the parser of JSON says of a text that is no object.
fn said_of(text: &str) -> String {
    serde_json::from_str::<BTreeMap<String, Value>>(text).unwrap_err().to_string()
}

#[test]
fn the_parser_of_json_says_so() {
    for (text, said) in JSON {
        let found = said_of(text);
        let begin = said.split("{0}").next().unwrap_or_default();
        assert!(found.starts_with(begin) && found.contains(" at line 1 column "), "{text}: {found}");
    }
    for (text, said) in JSON_FOUND {
        let found = said_of(text);
        assert!(found.contains(&said.replace("{0}", text.trim_matches('"'))), "{text}: {found}");
    }
    assert!(said_of(&format!("{{\"a\":{}", "[".repeat(200))).starts_with(TOO_DEEP));
}

#[cfg(target_os = "linux")]
#[test]
fn the_system_says_so() {
    for (number, said) in SYSTEM {
        assert_eq!(io::Error::from_raw_os_error(number).to_string(), format!("{said} (os error {number})"));
    }
    for (kind, said) in [io::ErrorKind::FileTooLarge, io::ErrorKind::UnexpectedEof, io::ErrorKind::TimedOut]
        .into_iter()
        .zip(&STANDARD[1..])
    {
        assert_eq!(io::Error::from(kind).to_string(), *said);
    }
}
