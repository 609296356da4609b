//! Predicates on the command line.

use keystride::{Design, Predicate};

use crate::failure::Failure;

/// Parses the predicate of a `--where`.
pub(crate) fn parse_predicate(text: &str, design: &Design) -> Result<Predicate, Failure> {
    Predicate::parse(text, design)
        .map_err(|cause| Failure::Predicate { text: text.to_owned(), cause: Box::new(cause) })
}

/// Parses a predicate that may be omitted.
pub(crate) fn parse_any(text: Option<&str>, design: &Design) -> Result<Option<Predicate>, Failure> {
    text.map(|text| parse_predicate(text, design)).transpose()
}
