//! What information lints need, and how much of it a design file contains.

/// The information that a lint needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Need {
    /// The design file's fields, key, splits and table.
    Design,
    /// A sample of rows.
    Sample,
    /// `[access]`: the queries on the table.
    Queries,
    /// `[workload]` and `[cluster]`: rates and servers.
    Cluster,
    /// A live table: its regions, metrics and stored design.
    Table,
    /// The code of a loading or reading program, which is not in a design file; keystride itself can't make the
    /// mistake.
    Code,
}

/// How much of what a lint looks for can be found from a design file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// All of it.
    Wholly,
    /// What is declared in it; a sample or a table shows more.
    Partly,
    /// Nothing: it requires a sample, a live table, or a program's code.
    Not,
}
