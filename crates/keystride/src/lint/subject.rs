use super::Language;
use crate::split::SplitError;
use crate::{KeyCodec, SplitPoints};

/// What is judged: a design's codec, and its split points where they are known.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Subject<'a> {
    /// The design, ready to make keys.
    pub codec: &'a KeyCodec,
    /// Where the table is cut.
    pub splits: Splits<'a>,
    /// The language of what is said.
    pub language: Language,
}

/// Where the table is cut.
#[derive(Debug, Clone, Copy)]
pub enum Splits<'a> {
    /// Nowhere, or it is not known: a split that comes from a file which nobody read.
    Unknown,
    /// At these points.
    Points {
        /// The points.
        points: &'a SplitPoints,
        /// Where they come from.
        origin: SplitOrigin,
    },
    /// The design's rule makes no points.
    Refused(&'a SplitError),
}

/// Where split points come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitOrigin {
    /// The design's own rule, [`Design::split_points`](crate::Design::split_points).
    Design,
    /// A table that exists. What a patch of the design can't change is then said without one.
    Table,
}

impl<'a> Subject<'a> {
    /// A design whose split is not known, judged in English.
    pub fn new(codec: &'a KeyCodec) -> Self {
        Self { codec, splits: Splits::Unknown, language: Language::English }
    }

    /// The same in another language.
    #[must_use]
    pub fn in_language(self, language: Language) -> Self {
        Self { language, ..self }
    }

    /// The same with what [`Design::split_points`](crate::Design::split_points) gave.
    #[must_use]
    pub fn with_split(self, split: &'a Result<SplitPoints, SplitError>) -> Self {
        let splits = match split {
            Ok(points) => Splits::Points { points, origin: SplitOrigin::Design },
            Err(error) => Splits::Refused(error),
        };
        Self { splits, ..self }
    }

    /// The same with the points of a table that exists.
    #[must_use]
    pub fn with_table_points(self, points: &'a SplitPoints) -> Self {
        Self { splits: Splits::Points { points, origin: SplitOrigin::Table }, ..self }
    }
}
