//! A bucket's hash, judged by hashing.

use super::context::{Context, count};
use super::typical;
use crate::design::{BucketInput, BucketPart, Expr, FieldKind, Function, TimeText, derived_kind};
use crate::domain::{MOST_TRIED, least_len, nth_string, string_count};
use crate::hash::{BucketHash, BucketRule, Placement};

/// How a hash fills its buckets.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Audit {
    /// Values hashed.
    pub(super) tried: u128,
    /// Whether these are all there are.
    pub(super) scope: Scope,
    /// The fullest bucket's values over the mean.
    pub(super) max_over_mean: f64,
    /// What chance alone explains, but for one case in a hundred.
    pub(super) chance: f64,
    /// Buckets without a value.
    pub(super) empty: usize,
    /// A value that gets a prefix outside all buckets, with that prefix.
    pub(super) outside: Option<(String, i32)>,
}

/// Which values were hashed.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Scope {
    /// All that the fields can have.
    Whole,
    /// All that one item can have, while the others stay as they are.
    One(String),
    /// So many consecutive ones.
    Block,
}

/// The texts an item of a bucket can have, numbered.
struct Texts {
    kind: FieldKind,
    least: usize,
    count: u128,
}

/// Consecutive values that are tried of a domain that is too large.
const BLOCK: u128 = 100_000;

impl Texts {
    /// `None` when they have no end, or are not numbered. The digits of a date are not free: no month is 99.
    fn new(context: &Context<'_>, item: &Expr) -> Option<Self> {
        let source = context.field(context.design.source_of(item.field));
        if matches!(source.time().map(|time| &time.text), Some(TimeText::Pattern(_))) {
            return None;
        }
        if matches!(item.function, Some(Function::Floor(_) | Function::Lower | Function::ReverseLabels)) {
            return None;
        }
        let kind = derived_kind(item, &context.design.fields);
        let (least, count) = match &kind {
            FieldKind::Digits { len } => (*len, 10u128.checked_pow(u32::try_from(*len).ok()?)?),
            FieldKind::Int(int) => (0, u128::try_from(int.max - int.min).ok()?.checked_add(1)?),
            FieldKind::Bool => (0, 2),
            FieldKind::String(kind) => {
                let least = least_len(context.design, item.field, kind);
                (least, string_count(kind, least)?)
            }
            FieldKind::Time(time) => match time.text {
                TimeText::Epoch(unit) => (0, 9 * 10u128.pow(u32::try_from(unit.digits()).ok()? - 1)),
                TimeText::Pattern(_) => return None,
            },
            _ => return None,
        };
        Some(Self { kind, least, count })
    }

    fn nth(&self, number: u128) -> String {
        match &self.kind {
            FieldKind::Digits { len } => format!("{number:0len$}"),
            FieldKind::Int(int) => (int.min + i128::try_from(number).unwrap_or_default()).to_string(),
            FieldKind::String(kind) => nth_string(kind, self.least, number),
            // An epoch's first text is a one and zeros.
            FieldKind::Time(_) => (self.count / 9 + number).to_string(),
            _ => number.to_string(),
        }
    }
}

/// Hashes what a bucket is computed from: every value, or all of one item, or a block of it.
///
/// `None` for a bucket that is no function of listed texts.
pub(super) fn audit(context: &Context<'_>, part: &BucketPart) -> Option<Audit> {
    let BucketInput::Items(items) = &part.of else { return None };
    if !part.is_computed() || part.hash == BucketHash::Mod || items.is_empty() {
        return None;
    }
    let row = typical::row(context.design);
    let held: Vec<String> =
        items.iter().map(|item| typical::text(context.design, &row, item)).collect::<Option<_>>()?;
    let texts: Vec<Option<Texts>> = items.iter().map(|item| Texts::new(context, item)).collect();
    if let Some(whole) = whole_domain(&texts) {
        let total = whole.iter().map(|texts| texts.count).product();
        return Some(hash_all(part, total, |number| combination(&whole, number), Scope::Whole));
    }
    let largest = texts.iter().enumerate().filter_map(|(index, texts)| Some((index, texts.as_ref()?)));
    let tried = largest.clone().filter(|(_, texts)| texts.count <= MOST_TRIED);
    if let Some((index, texts)) = tried.max_by_key(|(_, texts)| texts.count) {
        let scope = Scope::One(items[index].to_text(&context.design.fields));
        return Some(hash_all(part, texts.count, |number| varied(&held, index, texts, number), scope));
    }
    let (index, texts) = largest.max_by_key(|(_, texts)| texts.count)?;
    Some(hash_all(part, BLOCK, |number| varied(&held, index, texts, number), Scope::Block))
}

/// The items' texts, where they have at most a million combinations.
fn whole_domain(texts: &[Option<Texts>]) -> Option<Vec<&Texts>> {
    let texts: Vec<&Texts> = texts.iter().map(Option::as_ref).collect::<Option<_>>()?;
    let total = texts.iter().try_fold(1u128, |total, texts| total.checked_mul(texts.count))?;
    (total <= MOST_TRIED).then_some(texts)
}

fn combination(texts: &[&Texts], mut number: u128) -> Vec<String> {
    let nth = |texts: &&Texts| {
        let text = texts.nth(number % texts.count);
        number /= texts.count;
        text
    };
    texts.iter().map(nth).collect()
}

fn varied(held: &[String], index: usize, texts: &Texts, number: u128) -> Vec<String> {
    let mut items = held.to_vec();
    items[index] = texts.nth(number);
    items
}

fn hash_all(part: &BucketPart, tried: u128, input: impl FnMut(u128) -> Vec<String>, scope: Scope) -> Audit {
    let buckets = part.count.get() as usize;
    let mut filled = vec![0u64; buckets];
    let mut outside = None;
    for items in (0..tried).map(input) {
        match place(part, &items) {
            Placement::Bucket(bucket) => filled[usize::from(bucket)] += 1,
            Placement::Outside(prefix) => outside = outside.or_else(|| Some((items.join(", "), prefix))),
        }
    }
    let mean = count(tried) / count(buckets as u128);
    Audit {
        tried,
        scope,
        max_over_mean: count(filled.iter().copied().max().unwrap_or_default().into()) / mean,
        chance: chance(buckets, count(tried)),
        empty: filled.iter().filter(|filled| **filled == 0).count(),
        outside,
    }
}

fn place(part: &BucketPart, items: &[String]) -> Placement {
    match (part.hash.rule(), items) {
        (BucketRule::Joined(hash) | BucketRule::Concatenated(hash), [only]) => {
            hash(only.as_bytes(), part.count)
        }
        (BucketRule::Joined(hash), _) => hash(items.join("\0").as_bytes(), part.count),
        (BucketRule::Concatenated(hash), _) => hash(items.concat().as_bytes(), part.count),
        (BucketRule::Texts(hash), _) => hash(&mut items.iter().map(String::as_str), part.count),
        (BucketRule::Number(hash), _) => {
            hash(items.first().and_then(|text| text.parse().ok()).unwrap_or(0), part.count)
        }
        (BucketRule::Supplied(hash), _) => hash(0, part.count),
    }
}

/// The maximum over the mean that a random deal exceeds in one case of a hundred, 1 + √(3 ln(B/δ)·B/n) with δ = 0.01,
/// and not less than the most even deal has.
fn chance(buckets: usize, inputs: f64) -> f64 {
    let buckets = count(buckets as u128);
    let random = 1.0 + (3.0 * (buckets / 0.01).ln() * buckets / inputs).sqrt();
    random.max(least_max_over_mean(buckets, inputs))
}

/// The maximum over the mean of the most even deal: with fewer inputs than buckets each has a bucket of its own.
pub(in crate::lint) fn least_max_over_mean(buckets: f64, inputs: f64) -> f64 {
    (inputs / buckets).ceil() * buckets / inputs
}

/// Whether some input can have the hash −2³¹, whose absolute value Java leaves negative; `false` is a proof.
pub(super) fn can_be_negative(context: &Context<'_>, part: &BucketPart) -> bool {
    // −2³¹ is a multiple of these counts.
    if part.count.get().is_power_of_two() {
        return false;
    }
    let BucketInput::Items(items) = &part.of else { return true };
    let most: Vec<Option<(usize, u8)>> =
        items.iter().map(|item| longest_and_highest(context, item)).collect();
    let safe = match part.hash {
        BucketHash::JavaXor => {
            most.iter().all(|item| item.is_some_and(|(len, byte)| is_positive(0, len, byte)))
        }
        BucketHash::JavaString | BucketHash::HbaseWd => {
            let len = most.iter().map(|item| item.map(|(len, _)| len)).sum::<Option<usize>>();
            let byte = most.iter().flatten().map(|(_, byte)| *byte).max();
            let seed = i64::from(part.hash == BucketHash::HbaseWd);
            len.zip(byte).is_some_and(|(len, byte)| is_positive(seed, len, byte))
        }
        _ => true,
    };
    !safe
}

/// The longest text of an item in characters, and its highest; `None` for text that may hold anything.
fn longest_and_highest(context: &Context<'_>, item: &Expr) -> Option<(usize, u8)> {
    match derived_kind(item, &context.design.fields) {
        FieldKind::Digits { len } => Some((len, b'9')),
        FieldKind::Int(int) => Some((int.min.to_string().len().max(int.max.to_string().len()), b'9')),
        FieldKind::Bool => Some((1, b'1')),
        FieldKind::String(text) => Some((text.max_len, text.alphabet?.bytes().last()?)),
        FieldKind::Time(time) => match time.text {
            TimeText::Epoch(unit) => Some((unit.digits(), b'9')),
            TimeText::Pattern(pattern) => pattern.is_digits().then_some((pattern.width()?, b'9')),
        },
        FieldKind::Uuid { .. } | FieldKind::Float(_) | FieldKind::Bytes { .. } => None,
    }
}

/// Whether the 31-hash of every text up to this length and character fits below 2³¹ without wrapping round.
fn is_positive(seed: i64, len: usize, highest: u8) -> bool {
    let mut characters = std::iter::repeat_n(i64::from(highest), len);
    let hash = characters.try_fold(seed, |hash, character| hash.checked_mul(31)?.checked_add(character));
    hash.is_some_and(|hash| hash <= i32::MAX.into())
}
