//! Reads the steps of a field part.

use super::field::Field;
use super::problem::{Problem, nearest};
use super::raw::Kind;
use super::reader::{Complaints, Spanned, TableReader, read_int, wrong_kind};
use super::step_rules;
use super::steps::{ENCODINGS, HashStep, HashTake, NumberDesc, Steps};
use crate::hash::Digest;
use crate::time::Period;

const DIGESTS: [(&str, Digest); 4] =
    [("md5", Digest::Md5), ("murmur3", Digest::Murmur3), ("xxh3", Digest::Xxh3), ("crc32", Digest::Crc32)];

/// Reads the steps of a field part; `None` when they can't be.
pub(crate) fn read_steps(
    reader: &mut TableReader<'_>,
    field: Option<&Field>,
    complaints: &mut Complaints,
) -> Option<Steps> {
    let mut steps = Steps { floor: read_floor(reader, complaints), ..Steps::default() };
    read_desc(reader, &mut steps, complaints);
    if let Some(encoding) = reader.choice("as", "encoding", &ENCODINGS, complaints) {
        steps.encoding = encoding;
    }
    steps.width = reader.int("width", 1, 8, complaints).and_then(|n| usize::try_from(n.value).ok());
    steps.pad = reader.int("pad", 1, 32_767, complaints).and_then(|n| usize::try_from(n.value).ok());
    steps.reverse = reader.bool("reverse", complaints).unwrap_or(false);
    steps.hash = read_hash(reader, complaints);
    steps.escape = reader.bool("escape", complaints).unwrap_or(false);
    let field = field?;
    let before = complaints.count();
    step_rules::check(&mut steps, field, reader, complaints);
    (complaints.count() == before).then_some(steps)
}

fn read_floor(reader: &mut TableReader<'_>, complaints: &mut Complaints) -> Option<Period> {
    let text = reader.text("floor", complaints)?;
    match text.value.parse() {
        Ok(period) => Some(period),
        Err(cause) => {
            reader.complain(complaints, "floor", Problem::Time { cause });
            None
        }
    }
}

fn read_desc(reader: &mut TableReader<'_>, steps: &mut Steps, complaints: &mut Complaints) {
    let Some(node) = reader.node("desc") else { return };
    let path = reader.path_of("desc");
    match &node.kind {
        Kind::Text(text, _) if text == "long-max" => steps.desc = Some(NumberDesc::LongMax),
        Kind::Text(text, _) if text == "invert" => steps.invert = true,
        Kind::Int(_) => {
            let bound = read_int(node, 1, i64::MAX.into(), &path, complaints);
            steps.desc = bound.and_then(|bound| u64::try_from(bound.value).ok()).map(NumberDesc::Bound);
        }
        Kind::Text(text, _) => {
            let problem = Problem::UnknownName {
                what: "kind of descending",
                found: text.clone(),
                nearest: nearest(text, ["long-max", "invert"]),
                known: ["long-max", "invert", "a bound such as 9999999999999"].map(str::to_owned).to_vec(),
            };
            complaints.add(&node.span, &path, problem);
        }
        _ => wrong_kind(node, "\"long-max\", \"invert\" or a bound such as 9999999999999", &path, complaints),
    }
}

fn read_hash(reader: &mut TableReader<'_>, complaints: &mut Complaints) -> Option<HashStep> {
    let mut table = reader.table("hash", complaints)?;
    let digest = table.choice("name", "digest", &DIGESTS, complaints);
    if !table.has("name") {
        table.missing("name", "hash = { name = \"murmur3\", bytes = 4 }", complaints);
    }
    let longest = digest.map_or(16, Digest::len);
    let bytes = table.int("bytes", 1, longest as i128, complaints);
    let hex = table.int("hex", 1, 2 * longest as i128, complaints);
    let count = |n: Spanned<i128>| usize::try_from(n.value).ok();
    let take = match (bytes, hex) {
        (Some(bytes), None) => count(bytes).map(HashTake::Bytes),
        (None, Some(hex)) => count(hex).map(HashTake::Hex),
        (Some(_), Some(_)) => {
            let why = "a digest is taken in bytes or in hex digits";
            let problem = Problem::Contradiction { first: "\"bytes\"", second: "\"hex\"".to_owned(), why };
            table.complain(complaints, "hex", problem);
            None
        }
        (None, None) => {
            if !table.has("bytes") && !table.has("hex") {
                table.missing("bytes", "hash = { name = \"murmur3\", bytes = 4 }", complaints);
            }
            None
        }
    };
    table.finish(complaints);
    Some(HashStep { digest: digest?, take: take? })
}
