//! What is wrong with a predicate's text.

use crate::design::Problem;
use crate::value::ValueError;

/// Why a predicate can't be read, and where.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{fault}")]
pub struct PredicateError {
    /// Offset in the text, in bytes.
    pub at: usize,
    /// What was found and what would do.
    #[source]
    pub fault: PredicateFault,
}

/// What is wrong with a predicate.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PredicateFault {
    /// A text without its closing quote.
    #[error("the text has no closing quote")]
    OpenQuote,
    /// A text in double quotes.
    #[error("texts stand in single quotes: 'like this'")]
    DoubleQuote,
    /// A character no predicate holds.
    #[error("{found:?} has no meaning here")]
    Character {
        /// The character.
        found: char,
    },
    /// Another word than wanted.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// What would do.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// A field or function the design does not have, or that can't be used so.
    #[error("{}{}", .0, .0.help().map(|help| format!(" ({help})")).unwrap_or_default())]
    Operand(Box<Problem>),
    /// A literal that is no value of the field.
    #[error("field \"{field}\": {cause}")]
    Literal {
        /// The field.
        field: String,
        /// Why.
        #[source]
        cause: Box<ValueError>,
    },
    /// A bare word or number where the field takes a text in quotes.
    #[error("field \"{field}\" takes a text in single quotes: '{found}'")]
    Unquoted {
        /// The field.
        field: String,
        /// What stands there.
        found: String,
    },
    /// A comparison with `null`, which is true of no row.
    #[error("nothing compares with null: write {field} is null, or {field} is not null")]
    Null {
        /// The field.
        field: String,
    },
    /// A comparison the field has no order or text for.
    #[error("field \"{field}\" of type {kind} can't be used with {what}")]
    Unfit {
        /// The field.
        field: String,
        /// Its type.
        kind: &'static str,
        /// The comparison.
        what: &'static str,
    },
    /// `like` with anything but a prefix.
    #[error(
        "like takes a beginning and one % at its end: '138%'; write \\_, \\% and \\\\ for these characters themselves"
    )]
    NotAPrefix,
    /// Parentheses beyond reason.
    #[error("parentheses are nested too deeply")]
    TooDeep,
}
