//! The buckets that the rows of a conjunction can be in: computed if the values they depend on are given, enumerated if
//! there are few such values, and all of them only if nothing is known.

use serde::Serialize;

use super::conjunction::Conjunction;
use super::item_choices::choices;
use super::set::Literal;
use crate::codec::KeyEncoder;
use crate::design::{BucketPart, Design, Expr};
use crate::value::Row;

/// A bucket, and the conjunction that rows in it satisfy.
#[derive(Debug, Clone)]
pub(super) struct BucketChoice {
    pub(super) bucket: u32,
    pub(super) conjunction: Conjunction,
}

/// Why these buckets are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BucketReason {
    /// The values that the bucket is computed from are given.
    Computed,
    /// There are few values that it can be computed from, and each is tried.
    Enumerated,
    /// The values that it is computed from are not given.
    NotGiven,
    /// The bucket is not a function of the row.
    NotComputed,
}

/// The largest number of combinations of values that are tried.
const MOST_CHOICES: usize = 10_000;

/// Returns the buckets of `part` that rows of `conjunction` can be in; `None` when it may be any. Adds the combinations
/// to those `tried`.
pub(super) fn bucket_choices(
    design: &Design,
    encoder: &mut KeyEncoder,
    part: &BucketPart,
    conjunction: &Conjunction,
    tried: &mut usize,
) -> Option<Vec<BucketChoice>> {
    let most = MOST_CHOICES.min(4 * part.count.get() as usize + 64);
    let mut row = Row::new(design.fields.len());
    let mut combinations: Vec<Combination> = vec![(conjunction.clone(), Vec::new())];
    for item in part.of.items() {
        combinations = combine(design, combinations, item, most, tried)?;
    }
    let plain = BucketPart { spread: None, ..part.clone() };
    let mut found = Vec::new();
    for (conjunction, values) in combinations {
        put(design, &values, &mut row);
        let Ok(bucket) = encoder.bucket_of(&plain, &row) else { continue };
        for bucket in spread_buckets(design, encoder, part, bucket, &conjunction, &row) {
            found.push(BucketChoice { bucket, conjunction: conjunction.clone() });
        }
    }
    Some(found)
}

/// A value of a field, from which items of a bucket are computed.
#[derive(Debug, Clone)]
struct Given {
    field: usize,
    value: Option<Literal>,
    /// Whether it serves for all items of the field, and not for one alone.
    is_of_all: bool,
}

type Combination = (Conjunction, Vec<Given>);

/// Whether the last value is of a field that has another for an item of its own.
fn contradicts(values: &[Given]) -> bool {
    let Some((last, before)) = values.split_last() else { return false };
    let mut others = before.iter().filter(|other| other.field == last.field && other.value != last.value);
    others.any(|other| !other.is_of_all || !last.is_of_all)
}

fn combine(
    design: &Design,
    combinations: Vec<Combination>,
    item: &Expr,
    most_free: usize,
    tried: &mut usize,
) -> Option<Vec<Combination>> {
    let mut next = Vec::new();
    for (conjunction, values) in combinations {
        for choice in choices(design, &conjunction, item, most_free)? {
            let conjunction = match &choice.narrowed {
                Some(set) => conjunction.narrowed(&Expr { field: source(design, item), function: None }, set),
                None => conjunction.clone(),
            };
            let mut values = values.clone();
            values.push(Given {
                field: source(design, item),
                is_of_all: choice.narrowed.is_some(),
                value: choice.value,
            });
            if contradicts(&values) {
                return None;
            }
            next.push((conjunction, values));
            *tried += 1;
        }
        if next.len() > MOST_CHOICES {
            return None;
        }
    }
    Some(next)
}

fn source(design: &Design, item: &Expr) -> usize {
    design.source_of(item.field)
}

fn put(design: &Design, values: &[Given], row: &mut Row) {
    row.clear();
    for Given { field, value, .. } in values {
        let kind = &design.fields[*field].kind;
        if let Some(value) = value.as_ref().and_then(|value| value.as_value(kind)) {
            row.set(*field, value);
        }
    }
}

/// Returns all buckets that the row's value is spread over, or only the one chosen by `by` if its values are given.
fn spread_buckets(
    design: &Design,
    encoder: &mut KeyEncoder,
    part: &BucketPart,
    bucket: u32,
    conjunction: &Conjunction,
    row: &Row,
) -> Vec<u32> {
    let Some(spread) = &part.spread else { return vec![bucket] };
    let Some(k) = encoder.hot_buckets(part, row) else { return vec![bucket] };
    let given: Option<Vec<_>> = spread.by.iter().map(|by| single_value(design, conjunction, by)).collect();
    if let Some(given) = given {
        let mut row = row.clone();
        for (field, value) in &given {
            if let Some(value) = value.as_value(&design.fields[*field].kind) {
                row.set(*field, value);
            }
        }
        if let Ok(bucket) = encoder.bucket_of(part, &row) {
            return vec![bucket];
        }
    }
    (0..k.get()).map(|step| (bucket + step) % part.count.get()).collect()
}

fn single_value(design: &Design, conjunction: &Conjunction, by: &Expr) -> Option<(usize, Literal)> {
    let field = source(design, by);
    let set = conjunction.set_of(&Expr { field, function: None })?;
    match set.points()?.as_slice() {
        [point] if !set.null => Some((field, (*point).clone())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{PlanOrder, Planner, Predicate};
    use crate::{Design, KeyCodec};

    #[test]
    fn a_bucket_is_computed_from_the_result_of_its_function() {
        let reasons = |of: &str, predicate: &str| {
            let design = Design::from_toml(&format!(
                "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nphone = {{ type = \"digits\", len = 9 }}\n\
                 host = {{ type = \"string\", max_len = 20 }}\n\
                 month = {{ type = \"time\", format = \"yyyyMM\", zone = \"Europe/Berlin\" }}\n\
                 minute = {{ type = \"time\", format = \"yyyyMMddHHmm\" }}\n\
                 [key]\nparts = [ {{ bucket = 64, of = [\"{of}\"] }}, {{ field = \"phone\" }}, {{ field = \"host\" }}, \
                 {{ field = \"month\" }}, {{ field = \"minute\" }} ]"
            ));
            let planner = Planner::new(&KeyCodec::new(design.unwrap()));
            let predicate = Predicate::parse(predicate, planner.codec().design()).unwrap();
            planner.plan(Some(&predicate), PlanOrder::Any).unwrap().buckets
        };
        assert_eq!(reasons("lower(host)", "lower(host) = 'abc'"), [BucketReason::Computed]);
        assert_eq!(reasons("lower(host)", "lower(host) in ('é', 'x')"), [BucketReason::Enumerated]);
        assert_eq!(reasons("right(phone,4)", "right(phone,4) = '8000'"), [BucketReason::Computed]);
        let labels = "reverse_labels(host)";
        assert_eq!(reasons(labels, "reverse_labels(host) = 'com.example'"), [BucketReason::Computed]);
        assert_eq!(reasons("month", "month between '202009' and '202104'"), [BucketReason::Enumerated]);
        assert_eq!(reasons("month", "month > '202009'"), [BucketReason::NotGiven]);
        let (days, day) = ("left(minute,8)", "minute between '202009010000' and '202009012359'");
        assert_eq!(reasons(days, day), [BucketReason::Computed]);
        assert_eq!(reasons(days, &day.replace("012359", "022359")), [BucketReason::Enumerated]);
        assert_eq!(reasons("left(phone,3)", "phone like '1380%'"), [BucketReason::Computed]);
        assert_eq!(reasons("left(host,3)", "host >= 'abca' and host < 'abd'"), [BucketReason::Computed]);
        let both = "lower(host) = 'abc' and right(phone,4) = '8000'";
        assert_eq!(reasons("lower(host)\", \"right(phone,4)", both), [BucketReason::Computed]);
        // No host has such a result.
        assert_eq!(reasons("lower(host)", "lower(host) = 'ABC'"), [BucketReason::NotGiven]);
    }

    #[test]
    fn a_hot_value_is_in_one_bucket_if_what_spreads_it_is_given() {
        let reasons = |predicate: &str| {
            let design = Design::from_toml(
                "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nphone = { type = \"digits\", len = 3 }\n\
                 seq = { type = \"int\" }\n[key]\nparts = [ { bucket = 16, of = [\"phone\"], \
                 spread = { by = [\"seq\"], values = { \"138\" = 8 } } }, { field = \"phone\" }, { field = \"seq\" } ]",
            );
            let planner = Planner::new(&KeyCodec::new(design.unwrap()));
            let predicate = Predicate::parse(predicate, planner.codec().design()).unwrap();
            planner.plan(Some(&predicate), PlanOrder::Any).unwrap().buckets
        };
        assert_eq!(reasons("phone = '138'"), [BucketReason::Enumerated]);
        assert_eq!(reasons("phone = '138' and seq = 5"), [BucketReason::Computed]);
        assert_eq!(reasons("phone = '139'"), [BucketReason::Computed]);
    }

    #[test]
    fn a_bucket_of_the_rest_is_computed_from_one_rest_and_enumerated_from_several() {
        let reasons = |predicate: &str| {
            let design = Design::from_toml(
                "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\na = { type = \"digits\", len = 3 }\n\
                 n = { type = \"u64\" }\n\
                 [key]\nparts = [ { bucket = 16, of = [\"rest\"] }, { field = \"a\" }, { field = \"n\" } ]",
            );
            let planner = Planner::new(&KeyCodec::new(design.unwrap()));
            let predicate = Predicate::parse(predicate, planner.codec().design()).unwrap();
            planner.plan(Some(&predicate), PlanOrder::Any).unwrap().buckets
        };
        assert_eq!(reasons("a = '123' and n = 5"), [BucketReason::Computed]);
        assert_eq!(reasons("a in ('123', '124') and n = 5"), [BucketReason::Enumerated]);
        assert_eq!(reasons("a = '123'"), [BucketReason::NotGiven]);
    }
}
