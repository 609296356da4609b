//! The messages of the server in Chinese: a catalogue whose keys are English sentences of the crates.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::catalogue::{files, words};
use super::literals::{all_templates, crates, source, templates};
use super::said_by_others;

/// Sentences that are made of several texts of the sources, each with these texts.
const COMPOSED: [(&str, &[&str]); 29] = [
    ("{0} makes {1} regions or more, not {2}", &["{0} makes {1} regions or more, not {2}{3}"]),
    (
        "{0} makes {1} regions or more, not {2}: a table of one region needs no split",
        &["{0} makes {1} regions or more, not {2}{3}", ": a table of one region needs no split"],
    ),
    ("{0} column, not {1}", &["{0} {1}, not {2}", "column"]),
    ("{0} columns, not {1}", &["{0} {1}, not {2}", "columns"]),
    ("no column for {0}; the columns are: {1}", &["no column for ", "; the columns are: "]),
    ("{0} (nearest: \"{1}\")", &[" (nearest: \"{0}\")"]),
    ("column \"{0}\"", &[", column \"{0}\""]),
    ("and {0} more", &["{0}and {1} more"]),
    ("{0}; is the separator {1}? (--delimiter)", &["; is the separator {0}? (--delimiter)"]),
    (
        "{0}: {1} column of the input is named by no field; to keep them, paste under [fields] (types are guesses from the first record):",
        &NAMED_BY_NO_FIELD,
    ),
    (
        "{0}: {1} columns of the input are named by no field; to keep them, paste under [fields] (types are guesses from the first record):",
        &NAMED_BY_NO_FIELD,
    ),
    (
        "# \"{0}\" has lists or objects, which no field holds",
        &["\n# \"{0}\" has lists or objects, which no field holds"],
    ),
    (
        "or say under [columns] other = \"drop\", or other = a family to store them as text",
        &["\nor say under [columns] other = \"drop\", or other = a family to store them as text"],
    ),
    ("a region before {0} would stay empty: no key of the design lies there", &[STAYS_EMPTY, "before"]),
    ("a region from {0} would stay empty: no key of the design lies there", &[STAYS_EMPTY, "from"]),
    ("the design does not fit table {0}", &["the design does not fit table {0}\n       {1}"]),
    ("table {0} can't be altered so:", &["table {0} can't be altered so:\n{1}"]),
    ("table name {0} is empty", &["table name", "{0} {1} is empty"]),
    ("table name {0} can't hold {1} at {2}: use {3}", &["table name", CANT_HOLD]),
    ("table name {0} is reserved by HBase", &["table name", "{0} {1} is reserved by HBase"]),
    ("family name {0} is empty", &["family name", "{0} {1} is empty"]),
    ("family name {0} can't hold {1} at {2}: use {3}", &["family name", CANT_HOLD]),
    ("family name {0} is reserved by HBase", &["family name", "{0} {1} is reserved by HBase"]),
    ("table name {0} is not UTF-8", &["table name", "{0} {1} is not UTF-8"]),
    ("family name {0} is not UTF-8", &["family name", "{0} {1} is not UTF-8"]),
    ("server {0}", &[" (server {0}"]),
    ("server {0}, region {1}", &[" (server {0}", ", region {0}"]),
    ("try {0} or {1}", &["try {0}", " or "]),
    (
        "{0} before its first answer; servers do so for an unknown service, cell codec or compression, and if they require TLS or Kerberos",
        &[
            " before its first answer; servers do so for an unknown service, cell codec or compression, and if they require TLS or Kerberos",
        ],
    ),
];

const NAMED_BY_NO_FIELD: [&str; 2] = [
    "{0} {1} of the input {2} named by no field",
    "; to keep them, paste under [fields] (types are guesses from the first record):",
];
const CANT_HOLD: &str = "{0} {1} can't hold {2} at {3}: use {4}";
const STAYS_EMPTY: &str = "a region {0} {1} would stay empty: no key of the design lies there";

/// The files whose errors a user of the pages meets; a name that ends in a slash is a folder.
const TRANSLATED: [&str; 36] = [
    "keystride/src/codec/",
    "keystride/src/design/mark.rs",
    "keystride/src/design/no_design.rs",
    "keystride/src/design/problem.rs",
    "keystride/src/design/table.rs",
    "keystride/src/escape.rs",
    "keystride/src/hash/",
    "keystride/src/key/",
    "keystride/src/plan/",
    "keystride/src/split/",
    "keystride/src/time/",
    "keystride/src/value/",
    "keystride-app/src/fields.rs",
    "keystride-app/src/heat/error.rs",
    "keystride-app/src/key_text.rs",
    "keystride-app/src/new_table/",
    "keystride-app/src/sample/",
    "keystride-app/src/splits/",
    "keystride-hbase/src/cell/write.rs",
    "keystride-hbase/src/descriptor/",
    "keystride-hbase/src/error/",
    "keystride-hbase/src/name.rs",
    "keystride-hbase/src/tls/error.rs",
    "keystride-hbase/src/zookeeper/error.rs",
    "keystride-store/src/error.rs",
    "keystride-store/src/mutation_error.rs",
    "keystride-table/src/arrow/error.rs",
    "keystride-table/src/cells/",
    "keystride-table/src/extract/",
    "keystride-table/src/input/error.rs",
    "keystride-table/src/input/options.rs",
    "keystride-table/src/input/reject.rs",
    "keystride-table/src/load/",
    "keystride-table/src/scan/",
    "keystride-table/src/source/error.rs",
    "keystride-table/src/table.rs",
];

pub(crate) fn messages() -> BTreeMap<String, String> {
    words("messages.zh-CN")
}

/// The values of a template, in their order.
fn values(template: &str) -> BTreeSet<&str> {
    let inner = template.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0));
    let names = inner.map(|name| name.strip_prefix("word ").unwrap_or(name));
    names.filter(|name| name.parse::<usize>().is_ok()).collect()
}

#[test]
fn every_message_is_a_sentence_of_the_sources() {
    let mut known = all_templates();
    for (composed, texts) in COMPOSED {
        let missing: Vec<_> = texts.iter().filter(|text| !known.contains(**text)).collect();
        assert!(missing.is_empty(), "{composed} is made of {missing:?}, which no source has");
    }
    known.extend(COMPOSED.map(|(composed, _)| composed.to_owned()));
    known.extend(said_by_others::all().map(str::to_owned));
    let stale: Vec<_> = messages().into_keys().filter(|message| !known.contains(message)).collect();
    assert!(stale.is_empty(), "no source says {stale:#?}");
}

#[test]
fn translations_have_the_values_of_their_messages() {
    for (message, translation) in messages() {
        assert_eq!(values(&message), values(&translation), "{message}");
    }
}

/// The first text of each `#[error(…)]` of a file, but for those that only hand on another error.
fn errors_of(path: &Path) -> Vec<String> {
    let source = source(path);
    let written =
        source.split("#[error(").skip(1).filter(|rest| !rest.trim_start().starts_with("transparent"));
    let firsts = written.filter_map(|rest| templates(rest).into_iter().next());
    firsts.filter(|template| template.contains(char::is_alphabetic)).collect()
}

#[test]
fn every_error_that_pages_show_has_a_translation() {
    let messages = messages();
    let parts: BTreeSet<&str> = COMPOSED.iter().flat_map(|(_, texts)| *texts).copied().collect();
    for place in TRANSLATED {
        let path = crates().join(place);
        let paths = if place.ends_with('/') { files(&path, ".rs") } else { vec![path] };
        let errors: Vec<_> = paths.iter().flat_map(|path| errors_of(path)).collect();
        assert!(!errors.is_empty(), "{place} has no errors");
        let missing: Vec<_> = errors
            .iter()
            .filter(|error| !messages.contains_key(*error) && !parts.contains(error.as_str()))
            .collect();
        assert!(missing.is_empty(), "{place}: {missing:#?}");
    }
}
