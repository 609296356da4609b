use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// What became of one vector.
#[derive(Debug)]
pub(crate) enum Outcome {
    Passed,
    /// keystride has no such rule; the name says which.
    NotApplicable(&'static str),
    Failed(String),
}

impl Outcome {
    /// What passed so far, and goes no further for this reason.
    pub(crate) fn but(self, reason: &'static str) -> Self {
        self.and(|| Self::NotApplicable(reason))
    }

    /// The next check's outcome, if this one passed.
    pub(crate) fn and(self, next: impl FnOnce() -> Self) -> Self {
        if matches!(self, Self::Passed) { next() } else { self }
    }
}

/// `Passed` when both are equal, else what differs.
pub(crate) fn same<T: PartialEq + std::fmt::Debug>(ours: &T, theirs: &T) -> Outcome {
    if ours == theirs {
        Outcome::Passed
    } else {
        Outcome::Failed(format!("ours {ours:?}, theirs {theirs:?}"))
    }
}

/// Checks every vector of a file, prints its tally, and fails the test when one fails.
#[expect(clippy::print_stdout, reason = "a test's output is its tally")]
pub(crate) fn check_file(file: &str, check: impl Fn(&Value) -> Outcome) {
    let vectors = read(file);
    let mut passed = 0;
    let mut not_applicable: BTreeMap<&str, usize> = BTreeMap::new();
    let mut failures = Vec::new();
    for vector in &vectors {
        match check(vector) {
            Outcome::Passed => passed += 1,
            Outcome::NotApplicable(reason) => *not_applicable.entry(reason).or_default() += 1,
            Outcome::Failed(why) => failures.push(format!("{vector}\n    {why}")),
        }
    }
    let skipped: usize = not_applicable.values().sum();
    println!(
        "vectors {file}: {} read, {passed} passed, {skipped} not applicable {not_applicable:?}",
        vectors.len()
    );
    let shown = failures.iter().take(5).cloned().collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{file}: {} of {} fail:\n{shown}", failures.len(), vectors.len());
    assert_eq!(vectors.len(), passed + skipped);
    assert!(passed > 0, "{file}: nothing was checked");
}

pub(crate) fn read(file: &str) -> Vec<Value> {
    let path = folder().join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let whole: Value = serde_json::from_str(&text).expect("a vector file is JSON");
    whole["vectors"].as_array().expect("a vector file has vectors").clone()
}

fn folder() -> PathBuf {
    match std::env::var_os("KEYSTRIDE_VECTORS") {
        Some(other) => other.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/data"),
    }
}

/// The bytes of a hex field; panics when it is missing, as a vector file is made by us.
pub(crate) fn hex(vector: &Value, field: &str) -> Vec<u8> {
    from_hex(vector[field].as_str().unwrap_or_else(|| panic!("{field} of {vector}")))
}

/// The bytes of a list of hex texts.
pub(crate) fn hex_list(vector: &Value, field: &str) -> Vec<Vec<u8>> {
    let list = vector[field].as_array().unwrap_or_else(|| panic!("{field} of {vector}"));
    list.iter().map(|text| from_hex(text.as_str().expect("hex text"))).collect()
}

/// Bytes of lower-case hex.
pub(crate) fn from_hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("hex")).collect()
}

/// Lower-case hex of bytes.
pub(crate) fn to_hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}
