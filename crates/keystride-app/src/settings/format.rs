//! The forms of results.

/// How results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A bordered table.
    Table,
    /// One JSON document.
    Json,
    /// One JSON object per line.
    Ndjson,
    /// Comma-separated values.
    Csv,
    /// Tab-separated values.
    Tsv,
    /// Findings with their place and help; other results as a table.
    Full,
    /// Findings on one line each; other results as tsv.
    Concise,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Table, Self::Json, Self::Ndjson, Self::Csv, Self::Tsv, Self::Full, Self::Concise];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Json => "json",
            Self::Ndjson => "ndjson",
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Full => "full",
            Self::Concise => "concise",
        }
    }
}
