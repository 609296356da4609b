//! Positions in a list of sources.

/// A position between records: a number of records of a source, and all sources before it, have been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Position {
    /// Index of the source, from 0.
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
