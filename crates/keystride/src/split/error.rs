use super::{MAX_REGIONS, MAX_SPLIT_BYTES};
use crate::escape::EscapeError;
use crate::{InvalidKey, Key};

/// Split points that are invalid, or that can't be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SplitError {
    /// A point is empty or too long.
    #[error("split point {} is not a key: {cause}", index + 1)]
    NotAKey {
        /// Index among the points given, from 0; the message counts from 1.
        index: usize,
        /// What is wrong with the point.
        #[source]
        cause: InvalidKey,
    },
    /// A point does not sort after the one before it.
    #[error("split point {}, {point}, does not sort after {before}: sort the points and drop doubles", index + 1)]
    NotAscending {
        /// Index among the points given, from 0; the message counts from 1.
        index: usize,
        /// The point.
        point: Key,
        /// The point before it.
        before: Key,
    },
    /// A point is given more than once.
    #[error("split point {point} is given twice: drop one")]
    Repeated {
        /// The point.
        point: Key,
    },
    /// The text of a point or of an end can't be read.
    #[error("{text:?} is not escaped text: {cause}")]
    BadEscape {
        /// The text.
        text: String,
        /// Where and why it can't be read.
        #[source]
        cause: EscapeError,
    },
    /// HBase has no split algorithm of that name.
    #[error(
        "HBase has no split algorithm {name:?}: it has HexStringSplit, DecimalStringSplit and UniformSplit"
    )]
    UnknownAlgorithm {
        /// The name given.
        name: String,
    },
    /// The rule can't make a table of so few regions.
    #[error("{rule} makes {least} regions or more, not {regions}{}", one_region_advice(*.regions))]
    TooFewRegions {
        /// The rule's name.
        rule: &'static str,
        /// Regions asked for.
        regions: usize,
        /// The fewest it makes.
        least: usize,
    },
    /// More regions than keystride makes.
    #[error("{regions} regions are too many: at most {MAX_REGIONS} can be made")]
    TooManyRegions {
        /// Regions asked for.
        regions: usize,
    },
    /// The points have more bytes together than keystride makes or takes.
    #[error(
        "{points} split points have {bytes} bytes together: at most {MAX_SPLIT_BYTES} (16 MiB) can be made, \
         so take fewer or shorter ones"
    )]
    TooManyBytes {
        /// The number of points; of a list, up to the one that was too many.
        points: usize,
        /// Their bytes.
        bytes: usize,
    },
    /// Byte interpolation was asked for no points.
    #[error("Bytes.split needs at least one inner point to make")]
    NoInnerPoint,
    /// The last row of a range does not come after its first, so there is nothing between them.
    #[error(
        "nothing lies between {start:?} and {end:?}: the end must come after the start, \
         and in more than zero bytes"
    )]
    EmptyRange {
        /// The first row, escaped.
        start: String,
        /// The last row, escaped.
        end: String,
    },
    /// An end that the rule uses as a split point is empty.
    #[error("the rule range makes its start and end split points, so neither may be empty")]
    EmptyEnd,
    /// A range has fewer rows than regions.
    #[error("{rows} rows can't make {regions} regions: ask for at most {rows}, or widen the range")]
    TooFewRows {
        /// Rows in the range.
        rows: u64,
        /// Regions asked for.
        regions: usize,
    },
    /// A row that should be a number is empty.
    #[error("an empty row is not a number: write 0, or leave it out for the default")]
    EmptyNumber,
    /// A row that should be a number contains something other than digits.
    #[error("row {text:?} is not a number: {rule} takes the digits {digits}")]
    NotANumber {
        /// The rule's name.
        rule: &'static str,
        /// The row, escaped.
        text: String,
        /// The digits that the rule accepts.
        digits: &'static str,
    },
    /// The sample to be cut has no keys.
    #[error("an empty sample can't be cut into {regions} regions: give it keys")]
    EmptySample {
        /// Regions asked for.
        regions: usize,
    },
}

fn one_region_advice(regions: usize) -> &'static str {
    if regions == 1 { ": a table of one region needs no split" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_say_what_would_do() {
        let few = SplitError::TooFewRegions { rule: "UniformSplit", regions: 1, least: 2 };
        assert_eq!(
            few.to_string(),
            "UniformSplit makes 2 regions or more, not 1: a table of one region needs no split"
        );
        let none = SplitError::TooFewRegions { rule: "range", regions: 0, least: 3 };
        assert_eq!(none.to_string(), "range makes 3 regions or more, not 0");
    }
}
