//! Lints of the uniqueness of keys.

use super::context::{Context, count, part_path};
use super::evidence::{Amount, evidence};
use super::found::Place;
use super::names::is_named;
use super::said::said;
use super::{Found, Lint, Patch, Severity};
use crate::design::{Delivery, Field, FieldKind, FieldPart, HashTake, Steps, TimeKind, TimeText};
use crate::time::Grain;

pub(super) const LINTS: &[Lint] = &[expected_pairs, not_of_the_record, offset_alone, short_hashes];

evidence! {
    /// Rows that may have the same key.
    enum Unique {
        Unq02 => Pairs { pairs_a_year: Amount, pairs_a_day: Amount, entities: Amount, rows_a_day: Amount, seconds: f64 }
            "expect {pairs_a_year} pairs of rows with one key a year: {entities} entities with {rows_a_day} rows a day each, told apart by {seconds} s"
            "预计每年有 {pairs_a_year}对行的键相同：{entities}个实体，每个每天 {rows_a_day}行，时间只精确到 {seconds} 秒",
        Unq03 => FreeBucket { hash: String }
            "the bucket is {hash}: a row that arrives again gets another key"
            "桶 (bucket) 由 {hash} 给出：再次到达的行会得到另一个键",
        Unq03 => LoadersField { field: String }
            "{field} is, by its name, made by the loader: a row that arrives again gets another key"
            "按名称看，{field} 由加载程序产生：再次到达的行会得到另一个键",
        Unq04 => OffsetAlone { field: String }
            "the key has {field}, by its name a Kafka offset, and no partition: every partition has an offset 5"
            "键里有 {field}，按名称看是 Kafka 的 offset，却没有 partition：每个 partition 都有 offset 5",
        Unq06 => ShortHash { field: String, bits: u32, values: Amount, pairs: Amount }
            "{field} stands in the key as {bits} bits of a hash alone: of {values} values {pairs} pairs are expected to meet"
            "{field} 在键里只有 {bits} 位散列：{values}个值，预计有 {pairs}对相撞",
        Unq06 => UnknownCount { field: String, bits: u32, half: Amount }
            "{field} stands in the key as {bits} bits of a hash alone: two of {half} values meet with even odds"
            "{field} 在键里只有 {bits} 位散列：{half}个值里，有一半的可能出现相撞",
    }
}

const DAY_S: f64 = 86_400.0;
const YEAR_DAYS: f64 = 365.0;
/// Hashes with fewer bits than this can't identify many values.
const IDENTITY_BITS: u32 = 64;
/// More expected pairs than this are too many.
const PAIRS: f64 = 1e-3;

/// Names of times and random numbers that a loading program generates.
const LOADERS_NAMES: [&str; 24] = [
    "nano",
    "nanos",
    "nanosecond",
    "nanoseconds",
    "nanotime",
    "nano_time",
    "insert_ns",
    "insert_ts",
    "insert_time",
    "insert_timestamp",
    "inserted",
    "ingest",
    "ingested",
    "ingest_ts",
    "ingest_time",
    "ingestion",
    "load_ts",
    "load_time",
    "load_timestamp",
    "loaded",
    "loaded_at",
    "random",
    "rand",
    "rnd",
];

/// Words that make of an offset one of clocks, or of bytes.
const OTHER_OFFSETS: [&str; 8] = ["tz", "timezone", "zone", "utc", "gmt", "dst", "byte", "bytes"];

/// UNQ02.
fn expected_pairs(context: &Context<'_>) -> Vec<Found> {
    let Some((entities, seconds)) = entities_and_resolution(context) else { return Vec::new() };
    let Some(rows_per_s) = context.mean_rows_per_s() else { return Vec::new() };
    let rows_a_day = rows_per_s * DAY_S / entities;
    // Below two rows per day, the expected number of pairs is that of a random process.
    let pairs =
        if rows_a_day >= 2.0 { rows_a_day * (rows_a_day - 1.0) } else { rows_a_day * rows_a_day } / 2.0;
    let pairs_a_day = pairs * seconds / DAY_S * entities;
    let pairs_a_year = pairs_a_day * YEAR_DAYS;
    if pairs_a_year <= 1.0 {
        return Vec::new();
    }
    let evidence = Unique::Pairs {
        pairs_a_year: Amount(pairs_a_year),
        pairs_a_day: Amount(pairs_a_day),
        entities: Amount(entities),
        rows_a_day: Amount(rows_a_day),
        seconds,
    };
    let finding = Found::warning(Place::words("key.parts"), &evidence);
    vec![finding.help(said!(
        "add what tells such rows apart: the counterpart, a sequence, a finer time",
        "加上能区分这些行的内容：对端、序号、更细的时间"
    ))]
}

/// Returns how many entities the key distinguishes at most, and how many seconds apart their rows must be; `None` if a
/// field has no known number of values, or the key has no time.
fn entities_and_resolution(context: &Context<'_>) -> Option<(f64, f64)> {
    let mut entities = 1.0;
    let mut finest: Option<f64> = None;
    for (_, part, field) in context.field_parts() {
        match &field.kind {
            FieldKind::Time(time) => {
                let seconds = resolution_s(time, &part.steps)?;
                finest = Some(finest.map_or(seconds, |finest| finest.min(seconds)));
            }
            _ => entities *= context.distinct(part.field)?,
        }
    }
    Some((entities, finest?))
}

fn resolution_s(time: &TimeKind, steps: &Steps) -> Option<f64> {
    if let Some(period) = steps.floor {
        let start = period.floor(0, &time.zone);
        let millis = period.next(start, &time.zone) - start;
        return Some(count(u128::try_from(millis).ok()?) / 1e3);
    }
    Some(match &time.text {
        TimeText::Epoch(unit) => count(u128::try_from(unit.nanos()).ok()?) / 1e9,
        TimeText::Pattern(pattern) => match pattern.resolution() {
            Grain::Ms => 1e-3,
            Grain::Second => 1.0,
            Grain::Minute => 60.0,
            Grain::Hour => 3_600.0,
            Grain::Day => DAY_S,
            Grain::Month => 30.0 * DAY_S,
            Grain::Year => YEAR_DAYS * DAY_S,
        },
    })
}

/// UNQ03.
fn not_of_the_record(context: &Context<'_>) -> Vec<Found> {
    let again = context.design.input.delivery == Delivery::AtLeastOnce;
    let free = context.bucket_parts().filter(|(_, part)| again && !part.is_computed());
    let buckets = free.map(|(index, part)| {
        let evidence = Unique::FreeBucket { hash: part.hash.name().to_owned() };
        Found::error(context.part_place(index), &evidence)
    });
    let made = context.field_parts().filter(|(_, _, field)| is_unknowable(&field.name));
    let fields = made.map(|(index, _, field)| {
        let severity = if again { Severity::Error } else { Severity::Warning };
        Found::new(severity, context.part_place(index), &Unique::LoadersField { field: field.name.clone() })
            .note(said!(
                "a retried put and a resumed load write such rows twice",
                "重试的 put 和续传的加载会把这样的行写两遍"
            ))
            .help(said!(
                "take what tells rows apart from the record: a sequence number, the source's id",
                "用记录本身的内容来区分行：序号、数据源的 id"
            ))
    });
    buckets.chain(fields).collect()
}

/// Whether a field is, judging by its name, a time or a random number generated by the loading program.
pub(super) fn is_unknowable(name: &str) -> bool {
    is_named(name, &LOADERS_NAMES)
}

/// UNQ04.
fn offset_alone(context: &Context<'_>) -> Vec<Found> {
    let has_partition = context.field_parts().any(|(_, _, field)| is_partition(field));
    let offsets = context.field_parts().filter(|(_, _, field)| is_offset(field));
    offsets
        .filter(|_| !has_partition)
        .map(|(index, _, field)| {
            let evidence = Unique::OffsetAlone { field: field.name.clone() };
            let finding = Found::error(context.part_place(index), &evidence);
            let partition = context.design.fields.iter().find(|field| is_partition(field));
            match partition {
                Some(partition) => finding.fix(partition_fix(index, partition)),
                None => finding.help(said!(
                    "add a field for the partition and put it before the offset",
                    "为 partition 加一个字段，放在 offset 前面"
                )),
            }
        })
        .collect()
}

/// Whether a field is, judging by its name, the offset of a record in Kafka; those are never negative.
fn is_offset(field: &Field) -> bool {
    let is_number = match &field.kind {
        FieldKind::Int(int) => int.min >= 0 || int.min == int.width.range().0,
        FieldKind::Digits { .. } => true,
        _ => false,
    };
    is_number && is_named(&field.name, &["offset"]) && !is_named(&field.name, &OTHER_OFFSETS)
}

fn is_partition(field: &Field) -> bool {
    is_named(&field.name, &["partition", "partitionid"])
}

/// Proposes the partition before the offset, as wide as its largest number.
fn partition_fix(index: usize, partition: &Field) -> Patch {
    let name = &partition.name;
    let is_declared = partition.kind.number_range() != Context::undeclared(partition);
    let steps = match partition.kind.number_range() {
        Some((min, _)) if min < 0 && is_declared => ", as = \"ordered\"".to_owned(),
        Some((_, max)) => format!(", pad = {}", max.to_string().len()),
        None => String::new(),
    };
    Patch::new(said!("put {name} before it", "在它前面放 {name}"))
        .insert(&part_path(index), format!("{{ field = \"{name}\"{steps} }}"))
}

/// UNQ06.
fn short_hashes(context: &Context<'_>) -> Vec<Found> {
    let hashed = context.field_parts().filter(|(_, part, _)| bits(part).is_some());
    // Of several hashes of a field, the first tells of all.
    let is_first = |index: usize, field: usize| {
        context.field_parts().find(|(_, part, _)| part.field == field).is_some_and(|(at, ..)| at == index)
    };
    let alone =
        hashed.filter(|(index, part, ..)| !stands_whole(context, part.field) && is_first(*index, part.field));
    alone
        .filter_map(|(index, part, field)| {
            let of_field = context.field_parts().filter(|(_, other, _)| other.field == part.field);
            let bits: u32 = of_field.filter_map(|(_, other, _)| bits(other)).sum();
            let space = 2f64.powi(i32::try_from(bits).unwrap_or(i32::MAX));
            let Some(values) = hashed_values(context, part.field) else {
                let half = Amount((2.0 * std::f64::consts::LN_2 * space).sqrt());
                let evidence = Unique::UnknownCount { field: field.name.clone(), bits, half };
                let finding = Found::warning(context.part_place(index), &evidence)
                    .fix(whole_fix(context, index, field));
                return (bits < IDENTITY_BITS).then_some(finding);
            };
            let pairs = values * values / (2.0 * space);
            let evidence = Unique::ShortHash {
                field: field.name.clone(),
                bits,
                values: Amount(values),
                pairs: Amount(pairs),
            };
            let finding =
                Found::error(context.part_place(index), &evidence).fix(whole_fix(context, index, field));
            (pairs > PAIRS).then_some(finding)
        })
        .collect()
}

fn bits(part: &FieldPart) -> Option<u32> {
    let bits = match part.steps.hash?.take {
        HashTake::Bytes(bytes) => 8 * bytes,
        HashTake::Hex(digits) => 4 * digits,
    };
    u32::try_from(bits).ok()
}

/// Whether the key contains the field in a part that distinguishes all its values.
fn stands_whole(context: &Context<'_>, field: usize) -> bool {
    context
        .field_parts()
        .any(|(index, part, _)| part.field == field && context.design.layout[index].injective)
}

/// Returns the number of values: as declared, or else as bounded by the domain, where that is more than the type's, and
/// by the rows kept.
fn hashed_values(context: &Context<'_>, field: usize) -> Option<f64> {
    let source = context.field(context.design.source_of(field));
    let declared = [context.field(field).distinct, source.distinct].into_iter().flatten().min();
    if let Some(declared) = declared {
        return Some(count(declared.into()));
    }
    let is_bounded = match (Context::undeclared(source), source.kind.number_range()) {
        (Some((_, type_max)), Some((_, max))) => max != type_max,
        _ => true,
    };
    let domain = context.distinct(field).filter(|_| is_bounded);
    [domain, context.rows_kept()].into_iter().flatten().reduce(f64::min)
}

/// Proposes the field itself behind its hash, so that every value of it can be written and read back there.
fn whole_fix(context: &Context<'_>, index: usize, field: &Field) -> Patch {
    let name = &field.name;
    let is_last = index + 1 == context.design.parts.len();
    let steps = match &field.kind {
        FieldKind::Time(TimeKind { text: TimeText::Epoch(_), .. }) => ", as = \"be\"",
        FieldKind::Int(_) | FieldKind::Float(_) => ", as = \"ordered\"",
        FieldKind::String(_) | FieldKind::Bytes { len: None, .. } if !is_last => ", escape = true",
        _ => "",
    };
    let title = said!("keep {name} itself behind its hash", "在散列后面保留 {name} 本身");
    Patch::new(title).insert(&part_path(index + 1), format!("{{ field = \"{name}\"{steps} }}"))
}
