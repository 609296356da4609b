//! The bucket part: a salt in front of, or inside, the key.

use super::field::{Field, FieldKind};
use super::function::{Expr, read_expr};
use super::problem::{Problem, nearest};
use super::raw::Span;
use super::reader::{Complaints, Spanned, TableReader};
use crate::hash::{BucketCount, BucketHash, hbasewd, java};

/// A salt: the number of a bucket, computed from the row.
#[derive(Debug, Clone, PartialEq)]
pub struct BucketPart {
    /// How many buckets.
    pub count: BucketCount,
    /// The function.
    pub hash: BucketHash,
    /// What it is computed from.
    pub of: BucketInput,
    /// Digits, or bytes for [`Base::Byte`]; a number that needs more is written in full.
    pub width: usize,
    /// How the number is written.
    pub base: Base,
    /// Hot values that get more than one bucket.
    pub spread: Option<Spread>,
    /// Its place in the file.
    pub span: Span,
}

/// What a bucket is computed from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BucketInput {
    /// The bytes of all later parts.
    Rest,
    /// Fields and functions of fields; none for `random` and `round-robin`.
    Items(Vec<Expr>),
}

/// How a bucket's number is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// Decimal digits.
    Decimal,
    /// Lower-case hex digits.
    Hex,
    /// Bytes, big-endian.
    Byte,
}

/// Hot values and how many buckets each gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spread {
    /// What chooses among them.
    pub by: Vec<Expr>,
    /// Default text of the hot value, and its number of buckets; ascending by text.
    pub values: Vec<(String, BucketCount)>,
}

impl Spread {
    /// How many buckets a value has, when it is one of the hot ones.
    pub fn buckets_of(&self, value: &[u8]) -> Option<BucketCount> {
        let found = self.values.binary_search_by(|(hot, _)| hot.as_bytes().cmp(value));
        found.ok().map(|index| self.values[index].1)
    }
}

impl BucketInput {
    /// Whether it is the rest of the key.
    pub fn is_rest(&self) -> bool {
        *self == Self::Rest
    }

    /// The fields and functions; empty for the rest of the key.
    pub fn items(&self) -> &[Expr] {
        match self {
            Self::Rest => &[],
            Self::Items(items) => items,
        }
    }
}

impl BucketPart {
    /// Whether the bucket is a function of the row.
    pub fn is_computed(&self) -> bool {
        !matches!(self.hash, BucketHash::Random | BucketHash::RoundRobin)
    }

    /// The one number of a key that is no bucket: what `HBaseWD` 0.1.0 writes for the hash −2³¹, where no bucket has it
    /// (SLT01).
    pub fn outside(&self) -> Option<u32> {
        if self.hash != BucketHash::HbaseWd {
            return None;
        }
        let number = u32::from(hbasewd::prefix_byte(java::abs_mod(i32::MIN, self.count)));
        (number >= self.count.get()).then_some(number)
    }

    /// Every number that a key can hold, ascending: the buckets, and the one [`outside`](Self::outside) them.
    pub fn numbers(&self) -> impl Iterator<Item = u32> + use<> {
        (0..self.count.get()).chain(self.outside())
    }

    /// Whether a key can hold `number`.
    pub fn holds(&self, number: u32) -> bool {
        number < self.count.get() || self.outside() == Some(number)
    }

    /// The least width that holds every bucket of `count`.
    pub fn needed_width(count: BucketCount, base: Base) -> usize {
        let last = count.get() - 1;
        match base {
            Base::Decimal => last.checked_ilog10().unwrap_or(0) as usize + 1,
            Base::Hex => last.checked_ilog(16).unwrap_or(0) as usize + 1,
            Base::Byte => 1 + usize::from(last > 0xff),
        }
    }

    /// Appends bucket `number` as the key holds it.
    pub fn write(&self, number: u32, out: &mut Vec<u8>) {
        match self.base {
            Base::Decimal => write_digits(number, 10, self.width, out),
            Base::Hex => write_digits(number, 16, self.width, out),
            Base::Byte => out.extend_from_slice(&number.to_be_bytes()[4 - self.width..]),
        }
    }

    /// The bytes of bucket `number` in a key.
    pub fn prefix(&self, number: u32) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.width);
        self.write(number, &mut bytes);
        bytes
    }

    /// Whether every bucket is written in exactly `width` digits or bytes.
    pub fn has_fixed_width(&self) -> bool {
        self.width >= Self::needed_width(self.count, self.base)
    }
}

fn write_digits(number: u32, radix: u32, width: usize, out: &mut Vec<u8>) {
    let mut digits = [b'0'; 10];
    let mut rest = number;
    let mut at = digits.len();
    while rest > 0 || at == digits.len() {
        at -= 1;
        digits[at] = char::from_digit(rest % radix, radix).map_or(b'0', |digit| digit as u8);
        rest /= radix;
    }
    out.extend(std::iter::repeat_n(b'0', width.saturating_sub(digits.len() - at)));
    out.extend_from_slice(&digits[at..]);
}

pub(crate) fn read_bucket(
    reader: &mut TableReader<'_>,
    fields: &[Field],
    complaints: &mut Complaints,
) -> Option<BucketPart> {
    let count = reader.int("bucket", 1, BucketCount::MOST.into(), complaints);
    let hash = read_hash(reader, complaints);
    let of = read_of(reader, fields, complaints);
    let base = read_base(reader, complaints);
    let width = read_width(reader, base, complaints);
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

/// Phoenix, `HBaseWD` and `OpenTSDB` write bytes.
fn default_base(hash: BucketHash) -> Base {
    match hash {
        BucketHash::Phoenix | BucketHash::HbaseWd | BucketHash::OpenTsdb => Base::Byte,
        _ => Base::Decimal,
    }
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

/// `None` when any of them can't be read, of which there is a complaint then.
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
            let found = "this base".to_owned();
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

fn check(part: &BucketPart, fields: &[Field], reader: &TableReader<'_>, complaints: &mut Complaints) {
    check_count(part, reader, complaints);
    check_items(part, fields, reader, complaints);
    check_spread(part, fields, reader, complaints);
}

fn check_count(part: &BucketPart, reader: &TableReader<'_>, complaints: &mut Complaints) {
    let byte_only = matches!(part.hash, BucketHash::Phoenix | BucketHash::HbaseWd | BucketHash::OpenTsdb);
    let counts = part.hash.counts();
    if !counts.contains(&part.count.get()) {
        let found = format!("{} buckets", part.count.get());
        let (least, most) = counts.into_inner();
        let range = if least == most { most.to_string() } else { format!("{least} to {most}") };
        let expected = format!("{range} for {}", part.hash.name());
        reader.complain(complaints, "bucket", Problem::BadValue { found, expected });
    }
    if byte_only && part.base != Base::Byte {
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
    if part.hash == BucketHash::Mod && !(items.len() == 1 && fields[items[0].field].kind.is_number()) {
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
    matches!(hash, BucketHash::JavaString | BucketHash::JavaXor)
}

/// Complains at `word` about the first item that has no text to hash.
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
    for (value, k) in &spread.values {
        if let Some(expected) = expected_buckets(part, *k) {
            let found = format!("{} buckets for \"{value}\"", k.get());
            reader.complain(complaints, "spread", Problem::BadValue { found, expected });
        }
    }
}

/// What would do instead of `k` buckets for a hot value; `None` when they do.
fn expected_buckets(part: &BucketPart, k: BucketCount) -> Option<String> {
    if k > part.count {
        return Some(format!("at most all {}", part.count.get()));
    }
    // Sixteen digits fall evenly on a divisor of sixteen alone.
    let is_uneven = part.hash == BucketHash::Md5Hex1 && !16u32.is_multiple_of(k.get());
    is_uneven.then(|| "1, 2, 4, 8 or 16: one hex digit can't fill other numbers evenly".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefix(count: u32, base: Base, width: usize, number: u32) -> Vec<u8> {
        let of = BucketInput::Items(Vec::new());
        let count = BucketCount::new(count).unwrap();
        BucketPart { count, hash: BucketHash::Random, of, width, base, spread: None, span: 0..0 }
            .prefix(number)
    }

    #[test]
    fn numbers_are_padded_and_never_cut() {
        assert_eq!(prefix(16, Base::Decimal, 3, 15), b"015");
        assert_eq!(prefix(11, Base::Decimal, 1, 10), b"10");
        assert_eq!(prefix(256, Base::Hex, 2, 10), b"0a");
        assert_eq!(prefix(300, Base::Byte, 2, 256), [1, 0]);
        assert_eq!(prefix(1, Base::Decimal, 1, 0), b"0");
    }

    fn needed(count: u32, base: Base) -> usize {
        BucketPart::needed_width(BucketCount::new(count).unwrap(), base)
    }

    #[test]
    fn the_least_width_holds_the_last_bucket() {
        let widths = [1, 10, 11, 100, 101, 65_536].map(|n| needed(n, Base::Decimal));
        assert_eq!(widths, [1, 1, 2, 2, 3, 5]);
        assert_eq!([16, 17, 256, 257].map(|n| needed(n, Base::Hex)), [1, 2, 2, 3]);
        assert_eq!([256, 257, 65_536].map(|n| needed(n, Base::Byte)), [1, 2, 2]);
    }
}
