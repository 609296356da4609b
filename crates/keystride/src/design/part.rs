//! The parts of the key: text, field, bucket.

use super::bucket::BucketPart;
use super::bucket_reader::read_bucket;
use super::field::{Field, FieldKind};
use super::field_names::field_index;
use super::problem::{Problem, nearest};
use super::raw::Node;
use super::reader::{Complaints, TableReader, read_bytes};
use super::span::Span;
use super::steps::{Encoding, Steps};
use super::steps_reader::read_steps;

/// One part of the key.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// Literal bytes.
    Text(TextPart),
    /// One field through its steps.
    Field(FieldPart),
    /// A salt.
    Bucket(BucketPart),
}

/// Literal bytes; directly after a field of variable width, they end it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextPart {
    /// The bytes, at least one.
    pub bytes: Vec<u8>,
    /// Its place in the file.
    pub span: Span,
}

/// One field through its steps.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldPart {
    /// Index of the field in the design.
    pub field: usize,
    /// The steps that its value goes through.
    pub steps: Steps,
    /// Its place in the file.
    pub span: Span,
}

impl Part {
    /// Returns its place in the file.
    pub fn span(&self) -> &Span {
        match self {
            Self::Text(part) => &part.span,
            Self::Field(part) => &part.span,
            Self::Bucket(part) => &part.span,
        }
    }
}

/// Reads `[key]`; a part with a mistake is `None`.
pub(crate) fn read_key(
    mut table: TableReader<'_>,
    fields: &[Field],
    complaints: &mut Complaints,
) -> Vec<Option<Part>> {
    let path = table.path_of("parts");
    let mut parts = Vec::new();
    match table.array("parts", complaints) {
        Some([]) | None if !table.has("parts") => {
            table.missing("parts", "parts = [ { field = \"id\" } ]", complaints);
        }
        Some([]) => {
            let what = "a key has at least one part".to_owned();
            table.complain(
                complaints,
                "parts",
                Problem::Rule { what, help: "write for example { field = \"id\" }" },
            );
        }
        nodes => {
            for (index, node) in nodes.into_iter().flatten().enumerate() {
                parts.push(read_part(node, format!("{path}[{index}]"), fields, complaints));
            }
        }
    }
    table.finish(complaints);
    check_sequence(&parts, fields, complaints);
    parts
}

/// The words of which a part has exactly one.
const KINDS: [&str; 3] = ["text", "field", "bucket"];

fn read_part(node: &Node, path: String, fields: &[Field], complaints: &mut Complaints) -> Option<Part> {
    let mut reader = TableReader::open_like("{ field = \"phone\" }", node, path, complaints)?;
    let kinds = KINDS.map(|word| reader.has(word));
    let part = match kinds {
        [true, false, false] => read_text_part(&mut reader, complaints).map(Part::Text),
        [false, true, false] => read_field_part(&mut reader, fields, complaints).map(Part::Field),
        [false, false, true] => read_bucket(&mut reader, fields, complaints).map(Part::Bucket),
        _ => {
            let misspelt =
                reader.entries().iter().find_map(|entry| Some((entry, nearest(&entry.word, KINDS)?)));
            let (span, problem) = match misspelt {
                Some((entry, near)) if kinds == [false; 3] => {
                    let (word, nearest) = (entry.word.clone(), Some(near));
                    (&entry.span, Problem::UnknownWord { word, nearest, known: KINDS.to_vec() })
                }
                _ => {
                    let what = "a part is exactly one of text, field and bucket".to_owned();
                    let help = "write { text = \"_\" }, { field = \"id\" } or { bucket = 16, of = [\"id\"] }";
                    (&node.span, Problem::Rule { what, help })
                }
            };
            complaints.add(span, &reader.path, problem);
            return None;
        }
    };
    reader.finish(complaints);
    part
}

fn read_text_part(reader: &mut TableReader<'_>, complaints: &mut Complaints) -> Option<TextPart> {
    let node = reader.node("text")?;
    let bytes = read_bytes(node, &reader.path_of("text"), complaints)?;
    if bytes.is_empty() {
        let what = "a text part holds at least one byte".to_owned();
        reader.complain(complaints, "text", Problem::Rule { what, help: "drop the part, or give it bytes" });
        return None;
    }
    Some(TextPart { bytes, span: reader.span.clone() })
}

fn read_field_part(
    reader: &mut TableReader<'_>,
    fields: &[Field],
    complaints: &mut Complaints,
) -> Option<FieldPart> {
    let name = reader.text("field", complaints)?;
    let path = reader.path_of("field");
    let index = field_index(&name, fields, &path, complaints);
    let steps = read_steps(reader, index.map(|index| &fields[index]), complaints)?;
    Some(FieldPart { field: index?, steps, span: reader.span.clone() })
}

/// Checks the rules between each part and the next; a part that could not be read is `None`.
fn check_sequence(parts: &[Option<Part>], fields: &[Field], complaints: &mut Complaints) {
    for (index, part) in parts.iter().enumerate() {
        let (Some(part), next) = (part, parts.get(index + 1)) else { continue };
        let problem = match part {
            Part::Field(part) => end_problem(part, &fields[part.field].kind, next),
            Part::Bucket(part) if next.is_none() && part.of.is_rest() => {
                let what = "a bucket of \"rest\" needs parts after it".to_owned();
                Some(Problem::Rule { what, help: "name fields in `of`" })
            }
            Part::Bucket(_) | Part::Text(_) => None,
        };
        if let Some(problem) = problem {
            complaints.add(part.span(), &format!("key.parts[{index}]"), problem);
        }
    }
}

/// Returns why the end of the part could not be found by a reader, or would sort wrongly.
fn end_problem(part: &FieldPart, kind: &FieldKind, next: Option<&Option<Part>>) -> Option<Problem> {
    let steps = &part.steps;
    if next.is_some()
        && let Some((what, help)) = end_of_key(steps, kind)
    {
        return Some(Problem::Rule { what: what.to_owned(), help });
    }
    let terminated = matches!(next, Some(Some(Part::Text(_)) | None));
    if steps.invert && !terminated && !steps.escape && !ends_itself(steps, kind) {
        let what = "desc = \"invert\" on a value of variable width has no end that sorts last".to_owned();
        let help = "give it a fixed width, `escape = true`, or a text part as its terminator";
        return Some(Problem::Rule { what, help });
    }
    None
}

/// For the encodings that can only end with the key, HBase's blob-copy and Phoenix's VARBINARY, returns what is wrong
/// with a part after them, and what to do instead.
fn end_of_key(steps: &Steps, kind: &FieldKind) -> Option<(&'static str, &'static str)> {
    let is_bare = matches!(kind, FieldKind::Bytes { .. }) && steps.hash.is_none() && !steps.escape;
    match steps.encoding {
        Encoding::OrderedBytes if is_bare && !steps.invert => Some((
            "blob-copy ends with the key: ascending, it has no end mark",
            "put it last, or say desc = \"invert\"",
        )),
        Encoding::Phoenix if is_bare => Some((
            "VARBINARY ends with the key: it has no end mark",
            "put it last, or say escape = true, which is Phoenix's VARBINARY_ENCODED",
        )),
        _ => None,
    }
}

fn ends_itself(steps: &Steps, kind: &FieldKind) -> bool {
    steps.encoding == Encoding::OrderedBytes || steps.fixed_width(kind).is_some()
}
