//! What can be wrong with a design file, told all at once, each with its place.

use std::fmt;

use super::span::Span;
use crate::escape::Mangled;

/// One thing wrong with a design file, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct Complaint {
    /// Its place in the file, in bytes; `None` for JSON and for what is missing altogether.
    pub span: Option<Span>,
    /// The words that lead to it, such as `fields.phone.len`; empty for syntax.
    pub path: String,
    /// What is wrong.
    pub problem: Problem,
}

/// Everything wrong with a design file, in the file's order.
#[derive(Debug, Clone, PartialEq)]
pub struct DesignError {
    /// At least one.
    pub complaints: Vec<Complaint>,
}

/// What was found and what would do.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// Not TOML or JSON.
    #[error("{message}")]
    Syntax {
        /// The parser's words.
        message: String,
    },
    /// `format = 1` must stand first.
    #[error("a design file begins with `format = 1`")]
    FormatFirst,
    /// A format of the future.
    #[error("this is format {found}; this program reads format 1")]
    FormatUnknown {
        /// The number found.
        found: i128,
    },
    /// A word this format does not have.
    #[error("unknown word \"{word}\"")]
    UnknownWord {
        /// The word found.
        word: String,
        /// The nearest known word, when one is near.
        nearest: Option<String>,
        /// All words that may stand here.
        known: Vec<&'static str>,
    },
    /// A word that must be there is not.
    #[error("\"{word}\" is missing")]
    Missing {
        /// The word.
        word: &'static str,
        /// What it says, with an example.
        example: &'static str,
    },
    /// A value of another kind.
    #[error("expected {expected}, found {found}")]
    WrongKind {
        /// What would do.
        expected: &'static str,
        /// What is there.
        found: &'static str,
    },
    /// A value of the right kind that can't be.
    #[error("{found}: expected {expected}")]
    BadValue {
        /// The value found.
        found: String,
        /// What would do.
        expected: String,
    },
    /// A name for which there is a list.
    #[error("unknown {what} \"{found}\"")]
    UnknownName {
        /// What kind of name.
        what: &'static str,
        /// The name found.
        found: String,
        /// The nearest known one, when one is near.
        nearest: Option<String>,
        /// All known ones.
        known: Vec<String>,
    },
    /// Two words that can't stand together.
    #[error("{first} and {second} contradict each other: {why}")]
    Contradiction {
        /// One of them.
        first: &'static str,
        /// The other.
        second: String,
        /// Why.
        why: &'static str,
    },
    /// A step that does not suit the field's type.
    #[error("{step} does not suit field \"{field}\" of type {kind}: {why}")]
    UnfitStep {
        /// The step.
        step: &'static str,
        /// The field.
        field: String,
        /// Its type.
        kind: &'static str,
        /// Why, and what would do.
        why: String,
    },
    /// A name that stands twice.
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
    /// A text of which HBase keeps other bytes than one would think.
    #[error("{cause}")]
    Mangled {
        /// Where, and what HBase makes of it.
        cause: Mangled,
    },
    /// A time pattern, zone, unit or period that can't be.
    #[error("{cause}")]
    Time {
        /// What is wrong with it.
        cause: crate::time::TimeError,
    },
    /// A split rule refuses.
    #[error("{cause}")]
    Split {
        /// What is wrong.
        cause: crate::SplitError,
    },
    /// Anything with a sentence of its own.
    #[error("{what}")]
    Rule {
        /// What is wrong.
        what: String,
        /// What would do.
        help: &'static str,
    },
}

impl Problem {
    /// What would do, where the sentence does not say it already.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::UnknownWord { nearest: Some(near), .. } | Self::UnknownName { nearest: Some(near), .. } => {
                Some(format!("did you mean \"{near}\"?"))
            }
            Self::UnknownWord { known, .. } => Some(format!("known here: {}", known.join(", "))),
            Self::UnknownName { known, .. } => Some(format!("known: {}", known.join(", "))),
            Self::Missing { example, .. } => Some(format!("write for example: {example}")),
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

/// The known name nearest to `found`, when it is near enough to be meant: few letters away, or its beginning.
///
/// ```
/// # use keystride::design::nearest;
/// assert_eq!(nearest("famlies", ["name", "families"]).as_deref(), Some("families"));
/// assert_eq!(nearest("lenght", ["len", "type"]).as_deref(), Some("len"));
/// assert_eq!(nearest("colour", ["name", "families"]), None);
/// ```
pub fn nearest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let far = (found.chars().count() / 3).max(1) + 1;
    let found = found.to_lowercase();
    known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&found, &name.to_lowercase()), name))
        .filter(|(distance, name)| *distance < far || begins(&found, name))
        .min()
        .map(|(_, name)| name.to_owned())
}

/// Whether a short word such as `len` was written out, as in `lenght`.
fn begins(found: &str, name: &str) -> bool {
    const LEAST_LEN: usize = 3;
    name.len() >= LEAST_LEN && found.starts_with(name)
}
