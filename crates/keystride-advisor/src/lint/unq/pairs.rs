//! UNQ02: how many rows are expected to share a key.

use keystride::design::{BucketPart, Field, FieldKind, FieldPart, TimeKind, TimeText};
use keystride::time::{Grain, InputFormat, Period, Unit};

use super::stands_whole;
use crate::lint::Found;
use crate::lint::context::{Context, count};
use crate::lint::evidence::{Amount, evidence};
use crate::lint::found::Place;
use crate::lint::said::said;
use crate::lint::slt::known_values;

evidence! {
    /// Rows that are expected to have the same key.
    enum Pairs {
        Unq02 => Expected { pairs_a_year: Amount, pairs_a_day: Amount, entities: Amount, rows_a_day: Amount, seconds: f64 }
            "expect {pairs_a_year} pairs of rows a year that share a key: {entities} entities with {rows_a_day} rows a day each, and times to {seconds} s"
            "预计每年有 {pairs_a_year}对行的键相同：{entities}个实体，每个每天 {rows_a_day}行，时间只精确到 {seconds} 秒",
    }
}

const DAY_S: f64 = 86_400.0;
const YEAR_DAYS: f64 = 365.0;

/// UNQ02.
pub(super) fn expected_pairs(context: &Context<'_>) -> Vec<Found> {
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
    let evidence = Pairs::Expected {
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
    let is_of_time = |field: usize| context.field(context.design.source_of(field)).time().is_some();
    let (times, others): (Vec<_>, Vec<_>) =
        context.field_parts().partition(|(_, part, _)| is_of_time(part.field));
    let entities = context.combinations(others.iter().map(|(_, part, _)| part.field))?;
    let apart = context.bucket_parts().filter(|(_, part)| tells_rows_apart(context, part));
    let filled = |part: &BucketPart| {
        let count = f64::from(part.count.get());
        known_values(context, part.of.items())
            .filter(|_| part.is_computed())
            .map_or(count, |values| values.min(count))
    };
    let buckets: f64 = apart.map(|(_, part)| filled(part)).product();
    let seconds = times.iter().filter_map(|(_, part, field)| resolution_s(part, field));
    Some((entities * buckets, seconds.reduce(f64::min)?))
}

/// Whether rows that are alike in all fields of the key may be in different buckets.
fn tells_rows_apart(context: &Context<'_>, part: &BucketPart) -> bool {
    let is_known = |field: usize| stands_whole(context, field);
    !part.is_computed() || !context.design.bucket_fields(part).into_iter().all(is_known)
}

/// Returns the time between two values that a part can tell apart, in seconds; `None` for a cut of a time's text.
pub(super) fn resolution_s(part: &FieldPart, field: &Field) -> Option<f64> {
    let FieldKind::Time(time) = &field.kind else { return None };
    let of_text = match &time.text {
        TimeText::Epoch(unit) => unit_s(*unit),
        TimeText::Pattern(pattern) => grain_s(pattern.resolution()),
    };
    let of_source = match &time.input {
        Some(InputFormat::Epoch(unit)) => unit_s(*unit),
        Some(InputFormat::Pattern(pattern)) => grain_s(pattern.resolution()),
        Some(InputFormat::Iso8601) | None => 0.0,
    };
    let floors =
        [part.steps.floor, field.derived_period()].into_iter().flatten().map(|period| period_s(period, time));
    Some(floors.chain([of_text, of_source]).fold(0.0, f64::max))
}

fn period_s(period: Period, time: &TimeKind) -> f64 {
    let start = period.floor(0, &time.zone);
    let millis = period.next(start, &time.zone) - start;
    count(u128::try_from(millis).unwrap_or_default()) / 1e3
}

fn unit_s(unit: Unit) -> f64 {
    count(u128::try_from(unit.nanos()).unwrap_or_default()) / 1e9
}

fn grain_s(grain: Grain) -> f64 {
    match grain {
        Grain::Ms => 1e-3,
        Grain::Second => 1.0,
        Grain::Minute => 60.0,
        Grain::Hour => 3_600.0,
        Grain::Day => DAY_S,
        Grain::Month => 30.0 * DAY_S,
        Grain::Year => YEAR_DAYS * DAY_S,
    }
}
