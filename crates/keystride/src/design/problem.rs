//! Everything that can be wrong with a design file. All problems are reported at once, each with its place.

use std::fmt;

use super::span::Span;
use crate::escape::Mangled;

/// One thing wrong with a design file, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct Complaint {
    /// Its place in the file, in bytes; `None` for JSON, and for what is missing altogether.
    pub span: Option<Span>,
    /// The path of the word, such as `fields.phone.len`; empty for syntax errors.
    pub path: String,
    /// What is wrong.
    pub problem: Problem,
}

/// Everything that is wrong with a design file, in the file's order.
#[derive(Debug, Clone, PartialEq)]
pub struct DesignError {
    /// The complaints, at least one.
    pub complaints: Vec<Complaint>,
}

/// What was found and what is expected.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The text is not TOML or JSON.
    #[error("{message}")]
    Syntax {
        /// The parser's message.
        message: String,
    },
    /// The file is no design at all.
    #[error("this is not a design file: {why}")]
    NoDesign {
        /// Why not.
        why: super::NoDesign,
    },
    /// `format = 1` must come first.
    #[error("a design file begins with `format = 1`")]
    FormatFirst,
    /// A format of a later version.
    #[error("this is format {found}; this program reads format 1")]
    FormatUnknown {
        /// The number found.
        found: i128,
    },
    /// A word that this format does not have.
    #[error("unknown word \"{word}\"")]
    UnknownWord {
        /// The word found.
        word: String,
        /// The most similar known word, if any is similar enough.
        nearest: Option<String>,
        /// All words that are allowed here.
        known: Vec<&'static str>,
    },
    /// A required word is missing.
    #[error("\"{word}\" is missing")]
    Missing {
        /// The word.
        word: &'static str,
        /// What the word says, with an example.
        example: &'static str,
    },
    /// A value of the wrong kind.
    #[error("expected {expected}, found {found}")]
    WrongKind {
        /// What is expected.
        expected: &'static str,
        /// What was found.
        found: &'static str,
    },
    /// Something else in place of a table.
    #[error("expected a table, found {found}")]
    NotATable {
        /// What was found.
        found: &'static str,
        /// An example of such a table, or "".
        example: &'static str,
    },
    /// A value of the right kind that is not allowed.
    #[error("{found}: expected {expected}")]
    BadValue {
        /// The value found.
        found: String,
        /// What is expected.
        expected: String,
    },
    /// A name that is not in the list of known ones.
    #[error("unknown {what} \"{found}\"")]
    UnknownName {
        /// What kind of name.
        what: &'static str,
        /// The name found.
        found: String,
        /// The most similar known name, if any is similar enough.
        nearest: Option<String>,
        /// All known names.
        known: Vec<String>,
    },
    /// Two words that exclude each other.
    #[error("{first} and {second} contradict each other: {why}")]
    Contradiction {
        /// One of them.
        first: &'static str,
        /// The other.
        second: String,
        /// The reason.
        why: &'static str,
    },
    /// A step that does not fit the field's type.
    #[error("{step} does not suit field \"{field}\" of type {kind}: {why}")]
    UnfitStep {
        /// The step.
        step: &'static str,
        /// The field.
        field: String,
        /// Its type.
        kind: &'static str,
        /// The reason, and what is expected.
        why: String,
    },
    /// A name that occurs twice.
    #[error("{what} \"{name}\" is declared twice")]
    Twice {
        /// What kind of name.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// Bytes in double quotes.
    #[error("double quotes hold printable ASCII only")]
    BytesInDoubleQuotes,
    /// An escape that can't be read.
    #[error("{cause}")]
    Escape {
        /// What is wrong with it.
        cause: crate::escape::EscapeError,
    },
    /// A text that HBase reads as other bytes than it suggests.
    #[error("{cause}")]
    Mangled {
        /// Where, and what HBase reads.
        cause: Mangled,
    },
    /// An invalid time pattern, zone, unit or period.
    #[error("{cause}")]
    Time {
        /// What is wrong with it.
        cause: crate::time::TimeError,
    },
    /// A split rule that can't make its points.
    #[error("{cause}")]
    Split {
        /// What is wrong.
        cause: crate::SplitError,
    },
    /// Any other problem, described by a sentence of its own.
    #[error("{what}")]
    Rule {
        /// What is wrong.
        what: String,
        /// What to do instead.
        help: &'static str,
    },
}

impl Problem {
    /// Returns what to do instead, unless the message says so already.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::UnknownWord { nearest: Some(near), .. } | Self::UnknownName { nearest: Some(near), .. } => {
                Some(format!("did you mean \"{near}\"?"))
            }
            Self::UnknownWord { known, .. } => Some(format!("known here: {}", known.join(", "))),
            Self::UnknownName { known, .. } if !known.is_empty() => {
                Some(format!("known: {}", known.join(", ")))
            }
            Self::NotATable { example: "", .. } => None,
            Self::Missing { example, .. } | Self::NotATable { example, .. } => {
                Some(format!("write for example: {example}"))
            }
            Self::FormatFirst => Some("write `format = 1` before anything else".to_owned()),
            Self::BytesInDoubleQuotes => {
                Some(r"use single quotes: '\xFF' is the byte FF, '\x0A' a line feed".to_owned())
            }
            Self::Mangled { cause: Mangled::BadDigits { high, low, .. } } => {
                Some(bad_digits_help(*high, *low))
            }
            Self::Rule { help, .. } if !help.is_empty() => Some((*help).to_owned()),
            _ => None,
        }
    }
}

fn bad_digits_help(high: char, low: char) -> String {
    if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() {
        return format!("write \\x{}{}", high.to_ascii_uppercase(), low.to_ascii_uppercase());
    }
    r"write \x5C for a backslash".to_owned()
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            write!(f, "{}", self.problem)
        } else {
            write!(f, "{}: {}", self.path, self.problem)
        }
    }
}

impl fmt::Display for DesignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, complaint) in self.complaints.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{complaint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for DesignError {}

/// Returns the known name most similar to `found`, if it is likely to be meant: it differs by a few letters, or `found`
/// begins with it.
///
/// ```
/// # use keystride::design::nearest;
/// assert_eq!(nearest("famlies", ["name", "families"]).as_deref(), Some("families"));
/// assert_eq!(nearest("lenght", ["len", "type"]).as_deref(), Some("len"));
/// assert_eq!(nearest("colour", ["name", "families"]), None);
/// assert_eq!(nearest("x", ["v"]), None);
/// ```
pub fn nearest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    // Comparing a very long one would be slow.
    const LONGEST: usize = 200;
    let len = found.chars().count();
    if len > LONGEST {
        return None;
    }
    let far = (len / 3).max(1) + 1;
    let found = found.to_lowercase();
    known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&found, &name.to_lowercase()), name))
        .filter(|(distance, name)| (*distance < far && *distance < len) || begins(&found, name))
        .min()
        .map(|(_, name)| name.to_owned())
}

/// Whether `found` begins with a short word such as `len`, as `lenght` does.
fn begins(found: &str, name: &str) -> bool {
    const LEAST_LEN: usize = 3;
    name.len() >= LEAST_LEN && found.starts_with(name)
}
