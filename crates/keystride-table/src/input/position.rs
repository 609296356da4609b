//! Positions in a list of sources.

use std::fmt;
use std::str::FromStr;

/// A position between records, from which reading can continue: a number of records of a source, and all sources
/// before it, have been read.
///
/// The text form is `source:record`, both counted from 0.
///
/// ```
/// # use keystride_table::input::Position;
/// let at = Position { source: 2, record: 1500 };
/// assert_eq!(at.to_string(), "2:1500");
/// assert_eq!("2:1500".parse(), Ok(at));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct Position {
    /// Index of the source.
    pub source: usize,
    /// Number of its records that have been read, including rejected ones, excluding the header.
    pub record: u64,
}

/// Reading progress, for display.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The position between records.
    pub position: Position,
    /// Bytes read of all sources, as stored on disk.
    pub bytes_read: u64,
    /// Total size of all sources in bytes; `None` if one of them is a pipe or a reader.
    pub byte_count: Option<u64>,
}

/// A text that is not a valid position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{found:?} is no place in a list of sources: that is two numbers, as in 2:1500")]
pub struct InvalidPosition {
    /// The text found.
    pub found: String,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.source, self.record)
    }
}

impl FromStr for Position {
    type Err = InvalidPosition;

    fn from_str(text: &str) -> Result<Self, InvalidPosition> {
        let read = |text: &str| {
            let (source, record) = text.split_once(':')?;
            Some(Self { source: source.parse().ok()?, record: record.parse().ok()? })
        };
        read(text).ok_or_else(|| InvalidPosition { found: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_texts_are_no_places() {
        for text in ["", "1", "1:", ":1", "1:2:3", "-1:0", "a:b"] {
            assert_eq!(text.parse::<Position>(), Err(InvalidPosition { found: text.to_owned() }));
        }
    }
}
