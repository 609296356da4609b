//! What is wrong with a predicate.

use crate::design::Problem;
use crate::value::ValueError;

/// Why a predicate can't be read, and where.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{fault}")]
pub struct PredicateError {
    /// Offset in the text, in bytes.
    pub at: usize,
    /// What was found and what is expected.
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
    /// A character that does not occur in predicates.
    #[error("{found:?} has no meaning here")]
    Character {
        /// The character.
        found: char,
    },
    /// A word other than the expected one.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// What is expected.
        expected: &'static str,
        /// What was found.
        found: String,
    },
    /// A field or function that the design does not have, or that can't be used in this place.
    #[error("{}{}", .0, .0.help().map(|help| format!(" ({help})")).unwrap_or_default())]
    Operand(Box<Problem>),
    /// A literal that is not a value of the field.
    #[error("field \"{field}\": {cause}")]
    Literal {
        /// The field.
        field: String,
        /// The reason.
        #[source]
        cause: Box<ValueError>,
    },
    /// A text that is not as long as the digits that it has to be equal to.
    #[error(
        "{operand} always has {expected} digits, and '{found}' has {found_len}: compare its beginning, as in \
         {operand} like '{found}%', or a range, as in {operand} >= '{found}'"
    )]
    Length {
        /// The field, or the function of one.
        operand: String,
        /// The number of digits of each of its values.
        expected: usize,
        /// The text found.
        found: String,
        /// The number of characters in it.
        found_len: usize,
    },
    /// A bare word or number where the field requires a text in quotes.
    #[error("field \"{field}\" takes a text in single quotes: '{found}'")]
    Unquoted {
        /// The field.
        field: String,
        /// What was found.
        found: String,
    },
    /// A bare number that is none of a time's unit.
    #[error(
        "field \"{field}\" takes a whole number in its unit, or a time as text in single quotes; found {found}"
    )]
    NotWhole {
        /// The field.
        field: String,
        /// What was found.
        found: String,
    },
    /// A comparison with `null`, which is true of no row.
    #[error("nothing compares with null: write {field} is null, or {field} is not null")]
    Null {
        /// The field.
        field: String,
    },
    /// A comparison that the field has no order or no text for.
    #[error("field \"{field}\" of type {kind} can't be used with {what}")]
    Unfit {
        /// The field.
        field: String,
        /// Its type.
        kind: &'static str,
        /// The comparison.
        what: &'static str,
    },
    /// A value of another type than what it is compared with.
    #[error("{operand} of type {kind} can't be compared with {found}")]
    OtherType {
        /// The field, or the function of one.
        operand: String,
        /// Its type.
        kind: &'static str,
        /// The type of the value, in words.
        found: &'static str,
    },
    /// A list of values without any.
    #[error("{operand} has no values to be equal to: a list has at least one")]
    NoValues {
        /// The field, or the function of one.
        operand: String,
    },
    /// `like` with anything but a prefix pattern.
    #[error(
        "like takes a beginning and one % at its end: '138%'; write \\_, \\% and \\\\ for these characters themselves"
    )]
    NotAPrefix,
    /// Parentheses that are nested too deeply.
    #[error("parentheses are nested too deeply")]
    TooDeep,
}
