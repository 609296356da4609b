use keystride::design::{Base, BucketPart, Expr, FieldKind, Function, TimeKind, TimeText};
use keystride::hash::BucketHash;
use keystride::internal::derived_kind;
use keystride::time::{Grain, InputFormat, Period};

use crate::lint::audit::{Audit, Scope, audit, can_be_negative};
use crate::lint::context::{Context, part_path};
use crate::lint::evidence::{Amount, evidence};
use crate::lint::said::{Bilingual, said};
use crate::lint::typical::INSTANT_MS;
use crate::lint::{Found, Patch, Severity};

evidence! {
    /// How a hash fills its buckets.
    enum Hash {
        Slt01 => Negative { hash: String, prefix: i32, items: Bilingual }
            "{hash} takes the absolute value of a signed hash: 1 in 4.3 billion values of {items} gets the prefix {prefix}, outside all buckets"
            "{hash} 对有符号的散列取绝对值：每 43 亿个值（{items}）里有 1 个得到前缀 {prefix}，不属于任何桶 (bucket)",
        Slt01 => NegativeValue { hash: String, value: String, prefix: i32 }
            "{hash} takes the absolute value of a signed hash: {value} gets the prefix {prefix}, outside all buckets"
            "{hash} 对有符号的散列取绝对值：{value} 得到前缀 {prefix}，不属于任何桶 (bucket)",
        Slt02 => Uneven { hash: String, buckets: u32, max_over_mean: f64, chance: f64, excess: f64, empty: usize, tried: Amount, scope: Bilingual }
            "{hash} fills {buckets} buckets unevenly: over {scope} the fullest has {max_over_mean:.2} times the mean, where chance explains {chance:.2}"
            "{hash} 把 {buckets} 个桶 (bucket) 装得不均匀：在{scope}里，最满的是平均值的 {max_over_mean:.2} 倍，而随机只能解释 {chance:.2} 倍",
        Slt02 => BadModulus { hash: String, buckets: u32, divisor: u32, max_over_mean: f64 }
            "{hash} of digits into {buckets} buckets, a multiple of {divisor}, uses only part of the digits"
            "{hash} 把数字散列到 {buckets} 个桶 (bucket)，桶数是 {divisor} 的倍数，只有部分数字起作用",
        Slt14 => Stepping { field: String, step: i64, buckets: u32, reached: u32 }
            "{field} steps by {step}: modulo {buckets} it reaches {reached} buckets"
            "{field} 的步长是 {step}：模 {buckets} 只能到达 {reached} 个桶 (bucket)",
        Slt14 => MayStep { field: String, buckets: u32, factor: u32 }
            "{buckets} buckets by remainder share the factor {factor} with numbers that step by 2 or 10"
            "对 {buckets} 取余作为桶 (bucket)，与步长为 2 或 10 的数有公因数 {factor}",
    }
}

/// From this multiple of the mean on, a bucket is hot whatever chance explains.
const HOT: f64 = 1.5;

/// The number of periods whose starts are examined for a common divisor: years of months, and every change of clocks.
const STARTS: usize = 400;

/// SLT01.
pub(super) fn negative_prefixes(context: &Context<'_>) -> Vec<Found> {
    let signed = context.bucket_parts().filter(|(_, part)| {
        matches!(part.hash, BucketHash::JavaString | BucketHash::JavaXor | BucketHash::HbaseWd)
    });
    signed.filter_map(|(index, part)| negative_prefix(context, index, part)).collect()
}

fn negative_prefix(context: &Context<'_>, index: usize, part: &BucketPart) -> Option<Found> {
    if !can_be_negative(context, part) {
        return None;
    }
    let hash = part.hash.name().to_owned();
    let prefix = i32::MIN % part.count.get().cast_signed();
    let evidence = match audit(context, part) {
        Some(Audit { outside: Some((value, prefix)), .. }) => Hash::NegativeValue { hash, value, prefix },
        Some(Audit { scope: Scope::Whole, .. }) => return None,
        _ => Hash::Negative { hash, prefix, items: items_text(context, part) },
    };
    let rejects = match part.hash {
        BucketHash::HbaseWd => {
            said!(
                "HBaseWD 0.1.0 writes such a row, and so does keystride; no scan of all prefixes finds it",
                "HBaseWD 0.1.0 会写下这样的行，keystride 也会；遍历所有前缀的扫描 (scan) 找不到它"
            )
        }
        _ => said!(
            "keystride rejects such a row; Java code writes it where no scan of all buckets finds it",
            "keystride 会拒绝这样的行；Java 代码会写下它，而遍历所有桶的扫描 (scan) 找不到它"
        ),
    };
    Some(Found::error(context.part_place(index), &evidence).note(rejects).fix(real_hash_fix(index, part)))
}

fn items_text(context: &Context<'_>, part: &BucketPart) -> Bilingual {
    if part.of.is_rest() {
        return said!("the rest of the key", "键的其余部分");
    }
    let items = context.item_names(part);
    Bilingual { english: items.join(" and "), chinese: items.join("、") }
}

/// Proposes xxh3, unless it is the hash already. It puts rows into other buckets, so this is only for a table that does
/// not exist yet.
fn real_hash_fix(index: usize, part: &BucketPart) -> Option<Patch> {
    if part.hash == BucketHash::Xxh3 {
        return None;
    }
    let path = part_path(index);
    let fix = Patch::new(said!("hash with xxh3, for a new table", "用 xxh3 散列（用于新表）"))
        .set(&format!("{path}.hash"), "\"xxh3\"");
    // Phoenix's and HBaseWD's buckets are bytes by default, xxh3's digits.
    Some(if part.base == Base::Byte { fix.set(&format!("{path}.base"), "\"byte\"") } else { fix })
}

/// SLT02.
pub(super) fn uneven_hash(context: &Context<'_>) -> Vec<Found> {
    let computed = context.bucket_parts().filter(|(_, part)| part.is_computed());
    computed.filter_map(|(index, part)| uneven(context, index, part)).collect()
}

fn uneven(context: &Context<'_>, index: usize, part: &BucketPart) -> Option<Found> {
    let audit = audit(context, part);
    let bad = bad_divisor(context, part);
    let place = context.part_place(index);
    // Below four values a bucket, what chance explains is not known well enough; SLT03 tells of too few.
    let is_judged =
        |audit: &&Audit| audit.scope != Scope::Block && audit.tried >= 4 * u128::from(part.count.get());
    if let Some(audit) = audit.as_ref().filter(is_judged).filter(|audit| audit.max_over_mean > audit.chance) {
        let severity = if audit.max_over_mean > HOT { Severity::Error } else { Severity::Warning };
        let finding = Found::new(severity, place, &uneven_evidence(part, audit));
        return Some(finding.fix(real_hash_fix(index, part)));
    }
    // If all values of an item were tried, the result supersedes the rule about digits.
    if audit.as_ref().is_some_and(|audit| audit.scope != Scope::Block) {
        return None;
    }
    let divisor = bad?;
    let max_over_mean = audit.as_ref().map_or(0.0, |audit| audit.max_over_mean);
    let hash = part.hash.name().to_owned();
    let evidence = Hash::BadModulus { hash, buckets: part.count.get(), divisor, max_over_mean };
    let finding = Found::warning(place, &evidence).fix(real_hash_fix(index, part));
    Some(match audit {
        Some(Audit { tried, max_over_mean, chance, .. }) => finding.note(said!(
            "over {tried} consecutive values the fullest bucket has {max_over_mean:.2} times the mean, where chance explains {chance:.2}",
            "对 {tried} 个连续的值，最满的桶是平均值的 {max_over_mean:.2} 倍，而随机只能解释 {chance:.2} 倍"
        )),
        None => finding,
    })
}

fn uneven_evidence(part: &BucketPart, audit: &Audit) -> Hash {
    let tried = Amount(crate::lint::context::count(audit.tried));
    Hash::Uneven {
        hash: part.hash.name().to_owned(),
        buckets: part.count.get(),
        max_over_mean: audit.max_over_mean,
        chance: audit.chance,
        excess: audit.max_over_mean / audit.chance,
        empty: audit.empty,
        tried,
        scope: match &audit.scope {
            Scope::One(name) => said!("all {tried} values of {name}", "全部 {tried}个 {name} 的值"; tried),
            Scope::Whole | Scope::Block => said!("all {tried} values", "全部 {tried}个值"; tried),
        },
    }
}

/// Returns the divisor of the count that makes a 31-hash of digits a sum of them.
fn bad_divisor(context: &Context<'_>, part: &BucketPart) -> Option<u32> {
    let by_31 = matches!(
        part.hash,
        BucketHash::JavaString
            | BucketHash::JavaXor
            | BucketHash::Phoenix
            | BucketHash::HbaseWd
            | BucketHash::OpenTsdb
    );
    let items = part.of.items();
    let digits =
        !items.is_empty() && items.iter().all(|item| is_digits(&derived_kind(item, context.design.fields())));
    let divisor = [30, 31, 32].into_iter().find(|divisor| part.count.get().is_multiple_of(*divisor));
    divisor.filter(|_| by_31 && digits)
}

fn is_digits(kind: &FieldKind) -> bool {
    match kind {
        FieldKind::Digits { .. } => true,
        FieldKind::Int(int) => int.min >= 0,
        FieldKind::Time(time) => time.text_is_digits(),
        FieldKind::String(text) => {
            text.alphabet.is_some_and(|alphabet| alphabet.bytes().all(|byte| byte.is_ascii_digit()))
        }
        _ => false,
    }
}

/// SLT14.
pub(super) fn stepping_numbers(context: &Context<'_>) -> Vec<Found> {
    let by_remainder = context.bucket_parts().filter(|(_, part)| part.hash == BucketHash::Mod);
    by_remainder.filter_map(|(index, part)| stepping(context, index, part)).collect()
}

fn stepping(context: &Context<'_>, index: usize, part: &BucketPart) -> Option<Found> {
    let item = part.of.items().first()?;
    let field = item.to_text(context.design.fields());
    let buckets = part.count.get();
    let step = step_of(context, item);
    let common = u32::try_from(gcd(i64::from(buckets), step)).unwrap_or(1);
    if common > 1 {
        let evidence = Hash::Stepping { field, step, buckets, reached: buckets / common };
        return Some(Found::error(context.part_place(index), &evidence).fix(real_hash_fix(index, part)));
    }
    let factor = u32::try_from(gcd(i64::from(buckets), 10)).unwrap_or(1);
    if factor == 1 {
        return None;
    }
    let evidence = Hash::MayStep { field, buckets, factor };
    Some(Found::warning(context.part_place(index), &evidence).fix(real_hash_fix(index, part)))
}

/// Returns a number that divides all numbers of an item, as far as the design shows.
fn step_of(context: &Context<'_>, item: &Expr) -> i64 {
    let source = context.design.source_of(item.field);
    let Some(time) = context.field(source).time() else { return 1 };
    let function = item.function.as_ref().or(context
        .field(item.field)
        .from
        .as_ref()
        .and_then(|from| from.function.as_ref()));
    match (function, &time.text) {
        (Some(Function::Floor(period)), _) => starts_step(*period, time),
        (_, TimeText::Pattern(pattern)) => grain_step(pattern.resolution(), time).max(input_step(time)),
        (_, TimeText::Epoch(_)) => input_step(time),
    }
}

/// Returns how many of a time's units one of its source is.
fn input_step(time: &TimeKind) -> i64 {
    match &time.input {
        Some(InputFormat::Epoch(unit)) => {
            i64::try_from(unit.nanos() / time.unit().nanos()).unwrap_or(1).max(1)
        }
        Some(InputFormat::Pattern(pattern)) => grain_step(pattern.resolution(), time),
        Some(InputFormat::Iso8601) | None => 1,
    }
}

/// Returns a number that divides all times that a text of this grain tells.
fn grain_step(grain: Grain, time: &TimeKind) -> i64 {
    let period = match grain {
        Grain::Ms => return units(1, time),
        Grain::Second => "1s",
        Grain::Minute => "1m",
        Grain::Hour => "1h",
        Grain::Day => "1d",
        Grain::Month => "1mo",
        Grain::Year => "1y",
    };
    period.parse().map_or(1, |period| starts_step(period, time))
}

/// Returns a number that divides what lies between the starts of periods.
fn starts_step(period: Period, time: &TimeKind) -> i64 {
    let first = period.floor(INSTANT_MS, &time.zone);
    let starts = std::iter::successors(Some(first), |start| Some(period.next(*start, &time.zone)));
    units(starts.take(STARTS).map(|start| start - first).fold(0, gcd), time)
}

/// Converts milliseconds to a time's unit, at least one.
fn units(millis: i64, time: &TimeKind) -> i64 {
    i64::try_from(i128::from(millis) * 1_000_000 / time.unit().nanos()).unwrap_or(1).max(1)
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
