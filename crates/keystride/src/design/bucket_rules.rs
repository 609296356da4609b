//! Checks what a bucket part may not be.

use super::bucket::{Base, BucketPart, Spread};
use super::field::{Field, FieldKind, derived_kind};
use super::function::{Expr, Function};
use super::problem::Problem;
use super::reader::{Complaints, TableReader};
use crate::hash::{BucketCount, BucketHash, BucketRule, ItemsHash};
use crate::value::{Row, write_text};

/// Adds a complaint about everything in a bucket part that its hash, its fields or its count rule out.
pub(super) fn check(
    part: &BucketPart,
    fields: &[Field],
    reader: &TableReader<'_>,
    complaints: &mut Complaints,
) {
    check_count(part, reader, complaints);
    check_items(part, fields, reader, complaints);
    check_spread(part, fields, reader, complaints);
}

fn check_count(part: &BucketPart, reader: &TableReader<'_>, complaints: &mut Complaints) {
    let counts = part.hash.counts();
    if !counts.contains(&part.count.get()) {
        let found = format!("{} buckets", part.count.get());
        let (least, most) = counts.into_inner();
        let range = if least == most { most.to_string() } else { format!("{least} to {most}") };
        let expected = format!("{range} for {}", part.hash.name());
        reader.complain(complaints, "bucket", Problem::BadValue { found, expected });
    }
    if part.hash.is_written_in_bytes() && part.base != Base::Byte {
        let problem = Problem::Contradiction {
            first: "\"base\"",
            second: part.hash.name().to_owned(),
            why: "that system writes its salt in bytes",
        };
        reader.complain(complaints, "base", problem);
    }
    if part.base == Base::Byte && part.width < BucketPart::needed_width(part.count, Base::Byte) {
        let found = format!("a width of {}", part.width);
        let expected = format!("2 bytes for {} buckets: bytes can't grow as digits do", part.count.get());
        reader.complain(complaints, "width", Problem::BadValue { found, expected });
    }
}

fn check_items(part: &BucketPart, fields: &[Field], reader: &TableReader<'_>, complaints: &mut Complaints) {
    let items = part.of.items();
    let is_number = |item: &Expr| derived_kind(item, fields).is_number();
    if part.hash == BucketHash::Mod && !(items.len() == 1 && is_number(&items[0])) {
        let what = "mod takes one whole number or time".to_owned();
        let help = "name one such field, or use another hash";
        reader.complain(complaints, "of", Problem::Rule { what, help });
    }
    if part.hash == BucketHash::JavaXor && part.of.is_rest() {
        let what = "java-xor hashes texts one by one".to_owned();
        reader.complain(complaints, "of", Problem::Rule { what, help: "name the fields it is made of" });
    }
    if is_of_texts(part.hash) {
        check_texts(items, "of", fields, reader, complaints);
    }
}

fn is_of_texts(hash: BucketHash) -> bool {
    matches!(hash.rule(), BucketRule::Items(ItemsHash::Texts(_)))
}

/// Adds a complaint at `word` about the first item that has no text to hash.
fn check_texts(
    items: &[Expr],
    word: &str,
    fields: &[Field],
    reader: &TableReader<'_>,
    complaints: &mut Complaints,
) {
    let textless =
        |item: &&Expr| matches!(fields[item.field].kind, FieldKind::Bytes { .. } | FieldKind::Float(_));
    if let Some(item) = items.iter().find(textless) {
        let field = &fields[item.field];
        let problem = Problem::UnfitStep {
            step: "a Java hash",
            field: field.name.clone(),
            kind: field.kind.name(),
            why: "it hashes texts".to_owned(),
        };
        reader.complain(complaints, word, problem);
    }
}

fn check_spread(part: &BucketPart, fields: &[Field], reader: &TableReader<'_>, complaints: &mut Complaints) {
    let Some(spread) = &part.spread else { return };
    if part.of.items().len() != 1 || !part.is_computed() {
        let what = "spread is for the hot values of a single `of` field".to_owned();
        reader.complain(complaints, "spread", Problem::Rule { what, help: "name one field in `of`" });
    }
    if part.hash == BucketHash::Mod {
        let why = "mod takes the number itself, and has no hash of `by` to spread with";
        let problem = Problem::Contradiction { first: "\"spread\"", second: "mod".to_owned(), why };
        reader.complain(complaints, "spread", problem);
    }
    if is_of_texts(part.hash) {
        check_texts(&spread.by, "spread", fields, reader, complaints);
    }
    if let [item] = part.of.items() {
        check_hot_values(item, spread, fields, reader, complaints);
    }
    for (value, k) in &spread.values {
        if let Some(expected) = expected_buckets(part, *k) {
            let found = format!("{} buckets for \"{value}\"", k.get());
            reader.complain(complaints, "spread", Problem::BadValue { found, expected });
        }
    }
}

/// Adds a complaint about hot values that no row can have. A period may begin before the least time of its field, so
/// those are not checked.
fn check_hot_values(
    item: &Expr,
    spread: &Spread,
    fields: &[Field],
    reader: &TableReader<'_>,
    complaints: &mut Complaints,
) {
    let (kind, written_as) = (derived_kind(item, fields), &fields[item.field].kind);
    if matches!(item.function, Some(Function::Floor(_))) {
        return;
    }
    if matches!(kind, FieldKind::Bytes { .. }) {
        let problem = Problem::UnfitStep {
            step: "spread",
            field: fields[item.field].name.clone(),
            kind: kind.name(),
            why: "its values have no text to name them by".to_owned(),
        };
        return reader.complain(complaints, "spread", problem);
    }
    for (value, _) in &spread.values {
        let why = match text_of(value, &kind, written_as) {
            Ok(_) if let Some(why) = no_result(item.function.as_ref(), value) => why,
            Ok(text) if text == value.as_bytes() => continue,
            Ok(text) => format!("it is written {}", String::from_utf8_lossy(&text)),
            Err(cause) => cause,
        };
        let what = format!("no row has the hot value \"{value}\": {why}");
        let problem = Problem::Rule { what, help: "give texts as the field writes them" };
        reader.complain(complaints, "spread", problem);
    }
}

/// Returns why a text is no result of a function.
fn no_result(function: Option<&Function>, text: &str) -> Option<String> {
    match function? {
        Function::Left(count) | Function::Right(count) => {
            let len = text.encode_utf16().count();
            (len != *count).then(|| format!("it has {len} characters, not {count}"))
        }
        Function::Lower => {
            text.bytes().any(|byte| byte.is_ascii_uppercase()).then(|| "it has capital letters".to_owned())
        }
        Function::Floor(_) | Function::ReverseLabels => None,
    }
}

/// Returns the text of a value that is given as text, or why there is no such value.
fn text_of(value: &str, kind: &FieldKind, written_as: &FieldKind) -> Result<Vec<u8>, String> {
    let (mut row, mut text) = (Row::new(1), Vec::new());
    row.read_declared(0, kind, value).map_err(|error| error.to_string())?;
    if let Some(read) = row.get(0) {
        write_text(read, written_as, &mut text).map_err(|error| error.to_string())?;
    }
    Ok(text)
}

/// Returns what is expected instead of `k` buckets for a hot value; `None` when `k` is valid.
fn expected_buckets(part: &BucketPart, k: BucketCount) -> Option<String> {
    if k > part.count {
        return Some(format!("at most all {}", part.count.get()));
    }
    // Sixteen digits are evenly divided only by a divisor of sixteen.
    let is_uneven = part.hash == BucketHash::Md5Hex1 && !16u32.is_multiple_of(k.get());
    is_uneven.then(|| "1, 2, 4, 8 or 16: one hex digit can't fill other numbers evenly".to_owned())
}
