//! What the lints are given.

use keystride::split::SplitError;
use keystride::{KeyCodec, SplitPoints};

use super::Language;

/// What to lint: the codec of a design and, if known, its split points.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Subject<'a> {
    /// The codec of the design.
    pub codec: &'a KeyCodec,
    /// Where the table is split.
    pub splits: Splits<'a>,
    /// The language of the findings.
    pub language: Language,
    /// The text of the design file, if it is TOML and known.
    pub source: Option<&'a str>,
}

/// Where the table is split.
#[derive(Debug, Clone, Copy)]
pub enum Splits<'a> {
    /// Nowhere, or unknown: the split is in a file that was not read.
    Unknown,
    /// At these points.
    Points {
        /// The points.
        points: &'a SplitPoints,
        /// Where they come from.
        origin: SplitOrigin,
    },
    /// The design's rule can't make points.
    Refused(&'a SplitError),
}

/// Where split points come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitOrigin {
    /// From the design's own rule, [`Design::split_points`](keystride::Design::split_points).
    Design,
    /// From an existing table. Findings that only a patch of the design's split would fix then come without a patch.
    Table,
}

impl<'a> Subject<'a> {
    /// Creates a subject from a design whose split is unknown, with findings in English.
    pub fn new(codec: &'a KeyCodec) -> Self {
        Self { codec, splits: Splits::Unknown, language: Language::English, source: None }
    }

    /// Sets the language of the findings.
    #[must_use]
    pub fn in_language(self, language: Language) -> Self {
        Self { language, ..self }
    }

    /// Sets the TOML text that the design was read from, in which findings about a word get its place.
    #[must_use]
    pub fn with_source(self, source: &'a str) -> Self {
        Self { source: Some(source), ..self }
    }

    /// Sets the split to the result of [`Design::split_points`](keystride::Design::split_points).
    #[must_use]
    pub fn with_split(self, split: &'a Result<SplitPoints, SplitError>) -> Self {
        let splits = match split {
            Ok(points) => Splits::Points { points, origin: SplitOrigin::Design },
            Err(error) => Splits::Refused(error),
        };
        Self { splits, ..self }
    }

    /// Sets the split to the points of an existing table.
    #[must_use]
    pub fn with_table_points(self, points: &'a SplitPoints) -> Self {
        Self { splits: Splits::Points { points, origin: SplitOrigin::Table }, ..self }
    }
}
