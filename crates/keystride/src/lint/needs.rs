//! What lints need, and how much of it a design file has.

/// What a lint has to know before it can say anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Need {
    /// The design file's fields, key, splits and table.
    Design,
    /// A sample of rows.
    Sample,
    /// `[access]`: what is asked of the table.
    Queries,
    /// `[workload]` and `[cluster]`: rates and servers.
    Cluster,
    /// A live table: its regions, metrics and stored design.
    Table,
    /// A program's own code, which no design file holds: keystride itself can't make the mistake.
    Code,
}

/// How much of what a lint looks for shows in a design file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// All of it.
    Wholly,
    /// What is declared there; a sample or a table shows more.
    Partly,
    /// Nothing: it takes a sample, a live table, or a program's code.
    Not,
}
