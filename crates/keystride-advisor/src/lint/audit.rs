//! Judges the hash of a bucket by hashing the values it gets.

use keystride::design::{BucketInput, BucketPart, Expr, FieldKind, Function, TimeText};
use keystride::hash::{BucketCount, BucketHash, BucketRule, ItemsHash, Placement};
use keystride::internal::{MOST_TRIED, derived_kind, least_len, nth_string, string_count};
use keystride_heat::chance::imbalance_bound;

use super::context::{Context, count};
use super::typical;

/// How a hash fills its buckets.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Audit {
    /// The number of values hashed.
    pub(super) tried: u128,
    /// Which values these are.
    pub(super) scope: Scope,
    /// The number of values in the fullest bucket, divided by the mean.
    pub(super) max_over_mean: f64,
    /// The value of `max_over_mean` that chance alone exceeds in one case out of a hundred.
    pub(super) chance: f64,
    /// The number of buckets without a value.
    pub(super) empty: usize,
    /// A value whose prefix is outside all buckets, with that prefix.
    pub(super) outside: Option<(String, i32)>,
}

/// Which values were hashed.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Scope {
    /// All values that the fields can have.
    Whole,
    /// All values that one item can have, while the others are constant.
    One(String),
    /// A block of consecutive values.
    Block,
}

/// The texts that an item of a bucket can have, which can be addressed by number.
struct Texts {
    kind: FieldKind,
    least: usize,
    count: u128,
}

/// The number of consecutive values that are tried when a domain is too large.
const BLOCK: u128 = 100_000;

impl Texts {
    /// `None` when the texts are unbounded or can't be numbered. Those of a date pattern can't: no month is 99.
    fn new(context: &Context<'_>, item: &Expr) -> Option<Self> {
        let source = context.field(context.design.source_of(item.field));
        if matches!(source.time().map(|time| &time.text), Some(TimeText::Pattern(_))) {
            return None;
        }
        if matches!(item.function, Some(Function::Floor(_) | Function::Lower | Function::ReverseLabels)) {
            return None;
        }
        let kind = derived_kind(item, context.design.fields());
        let (least, count) = match &kind {
            FieldKind::Digits { len } => (*len, 10u128.checked_pow(u32::try_from(*len).ok()?)?),
            FieldKind::Int(int) => (0, u128::try_from(int.max - int.min).ok()?.checked_add(1)?),
            FieldKind::Bool => (0, 2),
            FieldKind::String(kind) => {
                let least = least_len(context.design, item.field, kind);
                (least, string_count(kind, least, MOST_TRIED)?)
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
            // The smallest text of an epoch is a one followed by zeros.
            FieldKind::Time(_) => (self.count / 9 + number).to_string(),
            _ => number.to_string(),
        }
    }
}

/// Hashes the input of a bucket: every value, or all values of one item, or a block of them.
///
/// `None` for a bucket that is not a function of texts that can be listed.
pub(super) fn audit(context: &Context<'_>, part: &BucketPart) -> Option<Audit> {
    let (BucketInput::Items(items), BucketRule::Items(hash)) = (&part.of, part.hash.rule()) else {
        return None;
    };
    if items.is_empty() {
        return None;
    }
    let row = typical::row(context.design);
    let held: Vec<String> =
        items.iter().map(|item| typical::text(context.design, &row, item)).collect::<Option<_>>()?;
    let texts: Vec<Option<Texts>> = items.iter().map(|item| Texts::new(context, item)).collect();
    if let Some(whole) = whole_domain(&texts) {
        let total = whole.iter().map(|texts| texts.count).product();
        return Some(hash_all(part.count, hash, total, |number| combination(&whole, number), Scope::Whole));
    }
    let largest = texts.iter().enumerate().filter_map(|(index, texts)| Some((index, texts.as_ref()?)));
    let tried = largest.clone().filter(|(_, texts)| texts.count <= MOST_TRIED);
    if let Some((index, texts)) = tried.max_by_key(|(_, texts)| texts.count) {
        let scope = Scope::One(items[index].to_text(context.design.fields()));
        return Some(hash_all(
            part.count,
            hash,
            texts.count,
            |number| varied(&held, index, texts, number),
            scope,
        ));
    }
    let (index, texts) = largest.max_by_key(|(_, texts)| texts.count)?;
    Some(hash_all(part.count, hash, BLOCK, |number| varied(&held, index, texts, number), Scope::Block))
}

/// Returns the items' texts, if they have at most a million combinations.
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

fn hash_all(
    count_of_buckets: BucketCount,
    hash: ItemsHash,
    tried: u128,
    input: impl FnMut(u128) -> Vec<String>,
    scope: Scope,
) -> Audit {
    let buckets = count_of_buckets.get() as usize;
    let mut filled = vec![0u64; buckets];
    let mut outside = None;
    for items in (0..tried).map(input) {
        match hash.of_texts(&items, count_of_buckets) {
            Placement::Bucket(bucket) => filled[usize::from(bucket)] += 1,
            Placement::Outside(prefix) => outside = outside.or_else(|| Some((items.join(", "), prefix))),
        }
    }
    let mean = count(tried) / count(buckets as u128);
    Audit {
        tried,
        scope,
        max_over_mean: count(filled.iter().copied().max().unwrap_or_default().into()) / mean,
        chance: chance(buckets, tried),
        empty: filled.iter().filter(|filled| **filled == 0).count(),
        outside,
    }
}

/// Returns the maximum over the mean that a random distribution exceeds in one case out of a hundred, and at least that
/// of the most even distribution.
fn chance(buckets: usize, inputs: u128) -> f64 {
    let random = imbalance_bound(buckets, u64::try_from(inputs).unwrap_or(u64::MAX), 0.01);
    random.max(least_max_over_mean(count(buckets as u128), count(inputs)))
}

/// Returns the maximum over the mean of the most even distribution. With fewer inputs than buckets, each input has a
/// bucket of its own.
pub(in crate::lint) fn least_max_over_mean(buckets: f64, inputs: f64) -> f64 {
    (inputs / buckets).ceil() * buckets / inputs
}

/// Whether some input may have the hash −2³¹, whose absolute value is negative in Java; `false` is proved.
pub(super) fn can_be_negative(context: &Context<'_>, part: &BucketPart) -> bool {
    // These counts divide −2³¹.
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

/// Returns the length of the longest text of an item in characters, and its highest character; `None` for text that may
/// contain anything.
fn longest_and_highest(context: &Context<'_>, item: &Expr) -> Option<(usize, u8)> {
    match derived_kind(item, context.design.fields()) {
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

/// Whether the 31-hash of every text up to this length and character is below 2³¹, without wrap-around.
fn is_positive(seed: i64, len: usize, highest: u8) -> bool {
    let mut characters = std::iter::repeat_n(i64::from(highest), len);
    let hash = characters.try_fold(seed, |hash, character| hash.checked_mul(31)?.checked_add(character));
    hash.is_some_and(|hash| hash <= i32::MAX.into())
}
