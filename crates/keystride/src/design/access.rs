//! `[access.NAME]`, `[workload]` and `[cluster]`: the queries that the table must serve, the rates, and the servers.

use super::field::Field;
use super::field_names::field_index;
use super::function::Expr;
use super::function_text::read_expr;
use super::measure::{read_bytes_count, read_seconds};
use super::problem::Problem;
use super::reader::{Complaints, TableReader};
use super::span::Span;

/// One query the table must serve.
#[derive(Debug, Clone, PartialEq)]
pub struct Access {
    /// Its name.
    pub name: String,
    /// The fields for which a value is given.
    pub by: Vec<Expr>,
    /// The order in which rows are wanted.
    pub order: AccessOrder,
    /// How many rows are wanted.
    pub limit: Option<u64>,
    /// The one field for which a range or a prefix is given, if any.
    pub bound: Option<AccessBound>,
    /// The length of a range of times, in seconds.
    pub span_s: Option<u64>,
    /// The number of such queries per second.
    pub rate: Option<f64>,
    /// The share of these queries that ask only for rows at most `span` old.
    pub recent: Option<f64>,
    /// Its place in the file.
    pub span: Span,
}

/// The one field of a query for which no single value is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessBound {
    /// From a value, inclusive, to a value, exclusive.
    Range(usize),
    /// By a prefix of its text.
    Prefix(usize),
}

/// The order in which rows are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AccessOrder {
    /// The order of the keys.
    #[default]
    Key,
    /// By time, latest first.
    Newest,
    /// By time, earliest first.
    Oldest,
}

/// Rates and sizes of what is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Workload {
    /// The mean rate, in rows per second.
    pub rows_per_s: Option<f64>,
    /// The highest rate, and how long it lasts.
    pub peak: Option<Peak>,
    /// How long rows are kept, in seconds.
    pub retention_s: Option<u64>,
    /// The share of rows that are deleted one by one before they expire.
    pub deletes: Option<f64>,
    /// The size of a row, in bytes.
    pub row_bytes: Option<u64>,
}

/// The highest rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Peak {
    /// The rate, in rows per second.
    pub rows_per_s: f64,
    /// How long it lasts, in seconds.
    pub for_s: u64,
}

/// The servers of the cluster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cluster {
    /// The number of servers.
    pub servers: u32,
    /// The number of puts per second that one server can handle.
    pub puts_per_s: f64,
    /// The number of regions that one server should hold.
    pub regions_per_server: u32,
}

/// The default number of puts per second of one server.
pub const DEFAULT_PUTS_PER_S: f64 = 50_000.0;
/// The default number of regions per server.
pub const DEFAULT_REGIONS_PER_SERVER: u32 = 100;

/// The default length of a peak, in seconds.
pub const DEFAULT_PEAK_S: u64 = 600;

const ORDERS: [(&str, AccessOrder); 3] =
    [("key", AccessOrder::Key), ("newest", AccessOrder::Newest), ("oldest", AccessOrder::Oldest)];

impl Workload {
    /// Returns the rate to plan for: the peak if one is given, otherwise the mean.
    pub fn rate(&self) -> Option<f64> {
        self.peak.map(|peak| peak.rows_per_s).or(self.rows_per_s)
    }
}

pub(crate) fn read_accesses(
    table: &TableReader<'_>,
    fields: &[Field],
    complaints: &mut Complaints,
) -> Vec<Access> {
    let mut accesses = Vec::new();
    for entry in table.entries() {
        let path = table.path_of(&entry.word);
        if let Some(reader) = TableReader::open(&entry.value, path, complaints) {
            accesses.push(read_access(&entry.word, reader, fields, complaints));
        }
    }
    accesses
}

fn read_access(
    name: &str,
    mut table: TableReader<'_>,
    fields: &[Field],
    complaints: &mut Complaints,
) -> Access {
    let by_path = table.path_of("by");
    let by = table.texts("by", complaints).unwrap_or_default();
    let access = Access {
        name: name.to_owned(),
        by: by.iter().filter_map(|text| read_expr(text, fields, &by_path, complaints)).collect(),
        order: table.choice("order", "order", &ORDERS, complaints).unwrap_or_default(),
        limit: table.int("limit", 1, i64::MAX.into(), complaints).and_then(|n| u64::try_from(n.value).ok()),
        bound: read_bound(&mut table, fields, complaints),
        span_s: read_seconds(&mut table, "span", complaints),
        rate: table.number("rate", 0.0, complaints),
        recent: read_share(&mut table, "recent", complaints),
        span: table.span.clone(),
    };
    table.finish(complaints);
    access
}

fn read_bound(
    table: &mut TableReader<'_>,
    fields: &[Field],
    complaints: &mut Complaints,
) -> Option<AccessBound> {
    let range = table.text("range", complaints);
    let prefix = table.text("prefix", complaints);
    if range.is_some() && prefix.is_some() {
        let why = "one field of a query is ranged";
        let problem = Problem::Contradiction { first: "\"range\"", second: "\"prefix\"".to_owned(), why };
        table.complain(complaints, "prefix", problem);
        return None;
    }
    if let Some(range) = range {
        let path = table.path_of("range");
        return field_index(&range, fields, &path, complaints).map(AccessBound::Range);
    }
    let prefix = prefix?;
    let path = table.path_of("prefix");
    let index = field_index(&prefix, fields, &path, complaints)?;
    if !fields[index].has_default_text() {
        let problem = Problem::UnfitStep {
            step: "a prefix",
            field: prefix.value,
            kind: fields[index].kind.name(),
            why: "it takes a field with a text".to_owned(),
        };
        table.complain(complaints, "prefix", problem);
    }
    Some(AccessBound::Prefix(index))
}

fn read_share(table: &mut TableReader<'_>, word: &'static str, complaints: &mut Complaints) -> Option<f64> {
    let share = table.number(word, 0.0, complaints)?;
    if share <= 1.0 {
        return Some(share);
    }
    let expected = "a share from 0 to 1".to_owned();
    table.complain(complaints, word, Problem::BadValue { found: share.to_string(), expected });
    None
}

pub(crate) fn read_workload(mut table: TableReader<'_>, complaints: &mut Complaints) -> Workload {
    let workload = Workload {
        rows_per_s: table.number("rows_per_s", 0.0, complaints),
        peak: read_peak(&mut table, complaints),
        retention_s: read_seconds(&mut table, "retention", complaints),
        deletes: read_share(&mut table, "deletes", complaints),
        row_bytes: read_row_bytes(&mut table, complaints),
    };
    table.finish(complaints);
    workload
}

/// Reads a plain number of bytes, or a size such as `2KiB`.
fn read_row_bytes(table: &mut TableReader<'_>, complaints: &mut Complaints) -> Option<u64> {
    match table.node("row_bytes")?.kind {
        super::raw::Kind::Text(..) => read_bytes_count(table, "row_bytes", complaints),
        _ => table.int("row_bytes", 1, i64::MAX.into(), complaints).and_then(|n| u64::try_from(n.value).ok()),
    }
}

fn read_peak(table: &mut TableReader<'_>, complaints: &mut Complaints) -> Option<Peak> {
    let mut peak = table.table("peak", complaints)?;
    let rows_per_s = peak.number("rows_per_s", 0.0, complaints);
    if !peak.has("rows_per_s") {
        peak.missing("rows_per_s", "peak = { rows_per_s = 20000, for = \"10m\" }", complaints);
    }
    let for_s = read_seconds(&mut peak, "for", complaints);
    peak.finish(complaints);
    Some(Peak { rows_per_s: rows_per_s?, for_s: for_s.unwrap_or(DEFAULT_PEAK_S) })
}

pub(crate) fn read_cluster(mut table: TableReader<'_>, complaints: &mut Complaints) -> Option<Cluster> {
    let servers = table.int("servers", 1, 100_000, complaints);
    if !table.has("servers") {
        table.missing("servers", "servers = 8", complaints);
    }
    let puts_per_s = table.number("puts_per_s", 1.0, complaints).unwrap_or(DEFAULT_PUTS_PER_S);
    let regions = table.int("regions_per_server", 1, 1_000_000, complaints);
    table.finish(complaints);
    Some(Cluster {
        servers: u32::try_from(servers?.value).ok()?,
        puts_per_s,
        regions_per_server: regions
            .and_then(|n| u32::try_from(n.value).ok())
            .unwrap_or(DEFAULT_REGIONS_PER_SERVER),
    })
}
