//! `[split]`: how the table is split before it receives any rows.

use super::part::Part;
use super::problem::Problem;
use super::raw::Node;
use super::reader::{Complaints, TableReader, is_plain, read_bytes, read_int};
use super::span::Span;
use crate::split::{MAX_REGIONS, PARTITION_SUFFIX, SplitAlgorithm};

/// What `[split]` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitSpec {
    /// The rule.
    pub rule: SplitRule,
    /// Its place in the file.
    pub span: Span,
}

/// How split points are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SplitRule {
    /// At the buckets of the key's first part.
    Bucket {
        /// The number of regions, a divisor of the bucket count; `None` for one region per bucket.
        regions: Option<u32>,
        /// Bytes after each bucket; empty for bare prefixes.
        suffix: Vec<u8>,
    },
    /// The points as listed.
    List(Vec<Vec<u8>>),
    /// The points in a file, one escaped point per line.
    File {
        /// The file's path, relative to the design file.
        path: String,
    },
    /// One of HBase's `RegionSplitter` algorithms.
    Algorithm {
        /// The algorithm.
        algorithm: SplitAlgorithm,
        /// The number of regions.
        regions: u32,
        /// First row, in the algorithm's own text.
        first: Option<String>,
        /// Last row, in the algorithm's own text.
        last: Option<String>,
    },
    /// The numbered prefixes `0|`, `1|`, … of the seed recipes.
    PartitionKeys {
        /// The number of regions.
        regions: u32,
        /// The number of digits; by default, as many as `regions` − 2 has.
        width: Option<usize>,
        /// Bytes after the digits; `|` by default.
        suffix: Vec<u8>,
    },
    /// `Admin.createTable(desc, start, end, n)`.
    Range {
        /// First point.
        start: Vec<u8>,
        /// Last point.
        end: Vec<u8>,
        /// The number of regions, at least 3.
        regions: u32,
    },
    /// Quantiles of sampled keys.
    Sample {
        /// The number of regions.
        regions: u32,
        /// The path of a file of sample rows, relative to the design file.
        path: String,
    },
}

#[derive(Clone, Copy)]
enum Word {
    Bucket,
    List,
    File,
    Algorithm(SplitAlgorithm),
    PartitionKeys,
    Range,
    Sample,
}

const WORDS: [(&str, Word); 9] = [
    ("bucket", Word::Bucket),
    ("list", Word::List),
    ("file", Word::File),
    ("HexStringSplit", Word::Algorithm(SplitAlgorithm::HexString)),
    ("DecimalStringSplit", Word::Algorithm(SplitAlgorithm::DecimalString)),
    ("UniformSplit", Word::Algorithm(SplitAlgorithm::Uniform)),
    ("partition-keys", Word::PartitionKeys),
    ("range", Word::Range),
    ("sample", Word::Sample),
];

impl SplitRule {
    /// Returns the value of `by` for the rule.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Bucket { .. } => "bucket",
            Self::List(_) => "list",
            Self::File { .. } => "file",
            Self::Algorithm { algorithm, .. } => algorithm.name(),
            Self::PartitionKeys { .. } => "partition-keys",
            Self::Range { .. } => "range",
            Self::Sample { .. } => "sample",
        }
    }
}

/// Reads `[split]`; `parts` is empty if any of them has a mistake.
pub(crate) fn read_split(
    mut table: TableReader<'_>,
    parts: &[Part],
    complaints: &mut Complaints,
) -> Option<SplitSpec> {
    let word = table.choice("by", "split rule", &WORDS, complaints);
    if !table.has("by") {
        table.missing("by", "by = \"bucket\"", complaints);
    }
    let rule = word.and_then(|word| read_rule(word, &mut table, parts, complaints));
    let span = table.span.clone();
    if word.is_some() {
        table.finish(complaints);
    }
    Some(SplitSpec { rule: rule?, span })
}

fn read_rule(
    word: Word,
    table: &mut TableReader<'_>,
    parts: &[Part],
    complaints: &mut Complaints,
) -> Option<SplitRule> {
    match word {
        Word::Bucket => read_bucket_rule(table, parts, complaints),
        Word::List => read_list(table, complaints).map(SplitRule::List),
        Word::File => {
            Some(SplitRule::File { path: needed_text(table, "path", "path = \"splits.txt\"", complaints)? })
        }
        Word::Algorithm(algorithm) => Some(SplitRule::Algorithm {
            algorithm,
            first: read_row(table, "first", algorithm, complaints),
            last: read_row(table, "last", algorithm, complaints),
            regions: needed_regions(table, 1, complaints)?,
        }),
        Word::PartitionKeys => {
            let width = table.int("width", 1, 10, complaints).and_then(|n| usize::try_from(n.value).ok());
            let suffix = read_suffix(table, complaints).unwrap_or_else(|| PARTITION_SUFFIX.to_vec());
            Some(SplitRule::PartitionKeys { regions: needed_regions(table, 2, complaints)?, width, suffix })
        }
        Word::Range => {
            let start = needed_key(table, "start", complaints);
            let end = needed_key(table, "end", complaints);
            let regions = needed_regions(table, 3, complaints);
            Some(SplitRule::Range { start: start?, end: end?, regions: regions? })
        }
        Word::Sample => {
            let path = needed_text(table, "path", "path = \"sample.csv\"", complaints);
            Some(SplitRule::Sample { regions: needed_regions(table, 1, complaints)?, path: path? })
        }
    }
}

fn read_bucket_rule(
    table: &mut TableReader<'_>,
    parts: &[Part],
    complaints: &mut Complaints,
) -> Option<SplitRule> {
    let regions =
        table.int("regions", 1, MAX_REGIONS as i128, complaints).and_then(|n| u32::try_from(n.value).ok());
    let suffix = read_suffix(table, complaints).unwrap_or_default();
    let Some(Part::Bucket(bucket)) = parts.first() else {
        if !parts.is_empty() {
            let what = "by = \"bucket\" cuts at the buckets, but the key does not begin with one".to_owned();
            let help = "put { bucket = …, of = […] } first, or use another rule";
            table.complain(complaints, "by", Problem::Rule { what, help });
        }
        return None;
    };
    if let Some(regions) = regions.filter(|regions| bucket.count.get() % regions != 0) {
        let found = format!("{regions} regions for {} buckets", bucket.count.get());
        let expected = "a divisor of the bucket count; a multiple needs by = \"sample\"".to_owned();
        table.complain(complaints, "regions", Problem::BadValue { found, expected });
        return None;
    }
    Some(SplitRule::Bucket { regions, suffix })
}

/// Reads a row in the algorithm's own text: a number, or escaped text for `UniformSplit`.
fn read_row(
    table: &mut TableReader<'_>,
    word: &'static str,
    algorithm: SplitAlgorithm,
    complaints: &mut Complaints,
) -> Option<String> {
    let text = table.text(word, complaints)?;
    if algorithm == SplitAlgorithm::Uniform {
        is_plain(&text.value, &text.span, &table.path_of(word), complaints);
    }
    Some(text.value)
}

fn read_suffix(table: &mut TableReader<'_>, complaints: &mut Complaints) -> Option<Vec<u8>> {
    let path = table.path_of("suffix");
    table.node("suffix").and_then(|node| read_bytes(node, &path, complaints))
}

fn read_list(table: &mut TableReader<'_>, complaints: &mut Complaints) -> Option<Vec<Vec<u8>>> {
    let (points_path, ints_path, longs_path) =
        (table.path_of("points"), table.path_of("ints"), table.path_of("longs"));
    let lists = [
        read_points(
            table.array("points", complaints),
            |node, c| read_bytes(node, &points_path, c),
            complaints,
        ),
        read_points(
            table.array("ints", complaints),
            |node, c| read_int_point(node, &ints_path, c),
            complaints,
        ),
        read_points(
            table.array("longs", complaints),
            |node, c| read_long_point(node, &longs_path, c),
            complaints,
        ),
    ];
    let mut given = lists.into_iter().flatten();
    match (given.next(), given.next()) {
        (Some(list), None) => Some(list),
        (None, _) => {
            if !["points", "ints", "longs"].iter().any(|word| table.has(word)) {
                table.missing(
                    "points",
                    "points = [\"a\", 'b\\x00'], ints = [1, 10] or longs = [100]",
                    complaints,
                );
            }
            None
        }
        (Some(_), Some(_)) => {
            let what = "exactly one of points, ints and longs".to_owned();
            table.complain(complaints, "by", Problem::Rule { what, help: "keep one of the lists" });
            None
        }
    }
}

fn read_points(
    nodes: Option<&[Node]>,
    read: impl Fn(&Node, &mut Complaints) -> Option<Vec<u8>>,
    complaints: &mut Complaints,
) -> Option<Vec<Vec<u8>>> {
    Some(nodes?.iter().filter_map(|node| read(node, complaints)).collect())
}

fn read_int_point(node: &Node, path: &str, complaints: &mut Complaints) -> Option<Vec<u8>> {
    let number = read_int(node, i32::MIN.into(), i32::MAX.into(), path, complaints)?;
    i32::try_from(number.value).ok().map(|int| int.to_be_bytes().to_vec())
}

fn read_long_point(node: &Node, path: &str, complaints: &mut Complaints) -> Option<Vec<u8>> {
    let number = read_int(node, i64::MIN.into(), i64::MAX.into(), path, complaints)?;
    i64::try_from(number.value).ok().map(|long| long.to_be_bytes().to_vec())
}

fn needed_regions(table: &mut TableReader<'_>, least: i128, complaints: &mut Complaints) -> Option<u32> {
    if !table.has("regions") {
        table.node("regions");
        table.missing("regions", "regions = 16", complaints);
        return None;
    }
    table.int("regions", least, MAX_REGIONS as i128, complaints).and_then(|n| u32::try_from(n.value).ok())
}

fn needed_text(
    table: &mut TableReader<'_>,
    word: &'static str,
    example: &'static str,
    complaints: &mut Complaints,
) -> Option<String> {
    if !table.has(word) {
        table.node(word);
        table.missing(word, example, complaints);
        return None;
    }
    table.text(word, complaints).map(|text| text.value)
}

fn needed_key(
    table: &mut TableReader<'_>,
    word: &'static str,
    complaints: &mut Complaints,
) -> Option<Vec<u8>> {
    let path = table.path_of(word);
    let Some(node) = table.node(word) else {
        table.missing(word, "start = \"0\", end = \"9\"", complaints);
        return None;
    };
    let bytes = read_bytes(node, &path, complaints)?;
    if bytes.is_empty() {
        let expected = "at least one byte: HBase refuses an empty split key".to_owned();
        table.complain(complaints, word, Problem::BadValue { found: "an empty key".to_owned(), expected });
        return None;
    }
    Some(bytes)
}
