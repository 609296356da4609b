//! Reads a bucket part.

use super::bucket::{Base, BucketInput, BucketPart, Spread};
use super::bucket_rules::check;
use super::field::Field;
use super::function::Expr;
use super::function_text::read_expr;
use super::problem::{Problem, nearest};
use super::reader::{Complaints, Spanned, TableReader};
use crate::hash::{BucketCount, BucketHash};

pub(crate) fn read_bucket(
    reader: &mut TableReader<'_>,
    fields: &[Field],
    complaints: &mut Complaints,
) -> Option<BucketPart> {
    let count = reader.int("bucket", 1, BucketCount::MOST.into(), complaints);
    let hash = read_hash(reader, complaints);
    let of = read_of(reader, fields, complaints);
    let base = read_base(reader, complaints);
    let width = read_width(reader, base.or(hash.map(default_base)), complaints);
    let spread = read_spread(reader, fields, complaints);
    let count = bucket_count(&count?)?;
    let (hash, base) = (hash?, base.unwrap_or(default_base(hash?)));
    let part = BucketPart {
        count,
        hash,
        of: of_or_none(of, hash, reader, complaints)?,
        width: width.unwrap_or_else(|| BucketPart::needed_width(count, base)),
        base,
        spread,
        span: reader.span.clone(),
    };
    check(&part, fields, reader, complaints);
    Some(part)
}

fn default_base(hash: BucketHash) -> Base {
    if hash.is_written_in_bytes() { Base::Byte } else { Base::Decimal }
}

fn read_hash(reader: &mut TableReader<'_>, complaints: &mut Complaints) -> Option<BucketHash> {
    let Some(text) = reader.text("hash", complaints) else {
        return (!reader.has("hash")).then_some(BucketHash::Xxh3);
    };
    let found = BucketHash::from_name(&text.value);
    if found.is_none() {
        let names = BucketHash::ALL.map(BucketHash::name);
        let problem = Problem::UnknownName {
            what: "hash",
            found: text.value.clone(),
            nearest: nearest(&text.value, names),
            known: names.map(str::to_owned).to_vec(),
        };
        reader.complain(complaints, "hash", problem);
    }
    found
}

fn read_of(
    reader: &mut TableReader<'_>,
    fields: &[Field],
    complaints: &mut Complaints,
) -> Option<BucketInput> {
    let texts = reader.texts("of", complaints)?;
    let path = reader.path_of("of");
    if let [only] = texts.as_slice()
        && only.value == "rest"
    {
        return Some(BucketInput::Rest);
    }
    let (rest, items): (Vec<_>, Vec<_>) = texts.into_iter().partition(|text| text.value == "rest");
    let items = read_items(&items, fields, &path, complaints);
    if let Some(rest) = rest.first() {
        let what = "\"rest\" stands alone: it is the bytes of all later parts".to_owned();
        let help = "write of = [\"rest\"], or name fields";
        complaints.add(&rest.span, &path, Problem::Rule { what, help });
        return None;
    }
    items.map(BucketInput::Items)
}

/// Reads the items; `None`, with a complaint added, when any of them can't be read.
fn read_items(
    texts: &[Spanned<String>],
    fields: &[Field],
    path: &str,
    complaints: &mut Complaints,
) -> Option<Vec<Expr>> {
    let items: Vec<_> = texts.iter().map(|text| read_expr(text, fields, path, complaints)).collect();
    items.into_iter().collect()
}

fn of_or_none(
    of: Option<BucketInput>,
    hash: BucketHash,
    reader: &TableReader<'_>,
    complaints: &mut Complaints,
) -> Option<BucketInput> {
    let free = matches!(hash, BucketHash::Random | BucketHash::RoundRobin);
    match of {
        Some(_) if free => {
            let why = "such a bucket is not a function of the row";
            let problem = Problem::Contradiction { first: "\"of\"", second: hash.name().to_owned(), why };
            reader.complain(complaints, "of", problem);
            None
        }
        Some(BucketInput::Items(items)) if items.is_empty() => {
            let what = "a computed bucket needs something to compute from".to_owned();
            let help = "name fields: of = [\"phone\"], or of = [\"rest\"]";
            reader.complain(complaints, "of", Problem::Rule { what, help });
            None
        }
        Some(of) => Some(of),
        None if free => Some(BucketInput::Items(Vec::new())),
        None => {
            if !reader.has("of") {
                reader.missing("of", "of = [\"phone\"]", complaints);
            }
            None
        }
    }
}

fn read_base(reader: &mut TableReader<'_>, complaints: &mut Complaints) -> Option<Base> {
    let node = reader.node("base")?;
    match &node.kind {
        super::raw::Kind::Int(10) => Some(Base::Decimal),
        super::raw::Kind::Int(16) => Some(Base::Hex),
        super::raw::Kind::Text(text, _) if text == "byte" => Some(Base::Byte),
        _ => {
            let found = match &node.kind {
                super::raw::Kind::Int(number) => format!("base {number}"),
                super::raw::Kind::Text(text, _) => format!("base \"{text}\""),
                _ => "this base".to_owned(),
            };
            let expected = "10, 16 or \"byte\"".to_owned();
            reader.complain(complaints, "base", Problem::BadValue { found, expected });
            None
        }
    }
}

fn read_width(
    reader: &mut TableReader<'_>,
    base: Option<Base>,
    complaints: &mut Complaints,
) -> Option<usize> {
    let most = if base == Some(Base::Byte) { 4 } else { 10 };
    reader.int("width", 1, most, complaints).and_then(|width| usize::try_from(width.value).ok())
}

fn read_spread(
    reader: &mut TableReader<'_>,
    fields: &[Field],
    complaints: &mut Complaints,
) -> Option<Spread> {
    let mut table = reader.table("spread", complaints)?;
    let path = table.path_of("by");
    let by = table.texts("by", complaints).and_then(|texts| read_items(&texts, fields, &path, complaints));
    if by.as_ref().is_some_and(Vec::is_empty) {
        let what = "a spread needs something to choose by".to_owned();
        table.complain(complaints, "by", Problem::Rule { what, help: "name fields: by = [\"seq\"]" });
    } else if !table.has("by") {
        table.missing("by", "by = [\"seq\"]", complaints);
    }
    let mut values = Vec::new();
    if let Some(list) = table.table("values", complaints) {
        for entry in list.entries() {
            let path = list.path_of(&entry.word);
            let count = super::reader::read_int(&entry.value, 1, BucketCount::MOST.into(), &path, complaints);
            values.extend(count.and_then(|n| bucket_count(&n)).map(|n| (entry.word.clone(), n)));
        }
    } else if !table.has("values") {
        table.missing("values", "values = { \"0000019001\" = 12 }", complaints);
    }
    table.finish(complaints);
    values.sort();
    Some(Spread { by: by?, values })
}

fn bucket_count(number: &Spanned<i128>) -> Option<BucketCount> {
    u32::try_from(number.value).ok().and_then(|count| BucketCount::new(count).ok())
}
