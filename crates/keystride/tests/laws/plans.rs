use keystride::codec::DecodedKey;
use keystride::design::Part;
use keystride::internal::plan_unlisted;
use keystride::plan::{PlanOrder, PlannedRange, TimeOrder};
use keystride::{KeyCodec, Planner, Predicate, Row, ScanPlan, Value};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::designs::{SmallDesign, SmallField, SmallValue, predicate, small_design, wide_design};

/// A design and the text of a predicate over its fields.
fn case() -> impl Strategy<Value = (SmallDesign, String)> {
    small_design().prop_flat_map(|design| {
        let predicate = predicate(design.fields.clone(), 10, atom);
        (Just(design), predicate)
    })
}

/// The same of a design whose fields have many more values than its rows.
fn wide_case() -> impl Strategy<Value = (SmallDesign, String)> {
    wide_design().prop_flat_map(|design| {
        let predicate = predicate(design.fields.clone(), 8, wide_atom);
        (Just(design), predicate)
    })
}

/// Comparisons with values of rows and with such as lie a little beside them.
fn wide_atom(field: &SmallField, first: Index, second: Index, shape: u8) -> String {
    let values: Vec<i128> = field.values.iter().flatten().map(SmallValue::number).collect();
    let beside = [0, 0, 0, 1, -1, 1_800, 1_800_000];
    let number = |index: Index| values[index.index(values.len())] + beside[index.index(997) % beside.len()];
    let (first, second, name) = (number(first), number(second), &field.name);
    match shape {
        0 => format!("{name} = {first}"),
        1 => format!("{name} in ({first}, {second})"),
        2 => format!("{name} != {first}"),
        3 => format!("{name} between {} and {}", first.min(second), first.max(second)),
        4 => format!("{name} >= {first}"),
        5 => format!("{name} > {first}"),
        6 => format!("{name} < {first}"),
        _ => format!("{name} <= {first}"),
    }
}

fn atom(field: &SmallField, first: Index, second: Index, shape: u8) -> String {
    let values: Vec<_> = field.values.iter().flatten().collect();
    let [first, second] = [first, second].map(|index| values[index.index(values.len())].literal());
    let name = &field.name;
    let ordered = !field.declaration.contains("bool");
    match shape {
        0 | 1 => format!("{name} = {first}"),
        2 => format!("{name} in ({first}, {second})"),
        3 => format!("{name} != {first}"),
        4 if ordered => format!("{name} between {first} and {second}"),
        5 if ordered => format!("{name} >= {first}"),
        6 if ordered => format!("{name} < {first}"),
        7 if ordered => format!("{name} <= {first}"),
        8 if field.declaration.contains("string") => {
            format!("{name} like '{}%'", &first[1..2])
        }
        9 => format!("{name} is null"),
        _ => format!("{name} = {second}"),
    }
}

/// What a store would return: keys in the ranges whose rows, read back from the key and its cells, pass the filter.
fn returned(plan: &ScanPlan, design: &keystride::Design, rows: &[(Vec<u8>, Row)]) -> Vec<usize> {
    plan.ranges.iter().flat_map(|planned| returned_by(planned, plan, design, rows)).collect()
}

/// What a store would return of one range of the plan.
fn returned_by(
    planned: &PlannedRange,
    plan: &ScanPlan,
    design: &keystride::Design,
    rows: &[(Vec<u8>, Row)],
) -> Vec<usize> {
    let passes = |row: &Row| plan.filter.as_ref().is_none_or(|filter| filter.matches(design, row));
    let is_returned = |(key, row): &(Vec<u8>, Row)| planned.range.contains(key) && passes(row);
    (0..rows.len()).filter(|&index| is_returned(&rows[index])).collect()
}

/// Whether the rows that each range returns are in the order in time that the plan promises, newest first.
fn is_in_time_order(plan: &ScanPlan, codec: &KeyCodec, rows: &[(Vec<u8>, Row)]) -> bool {
    let (part, is_forwards) = match plan.time_order {
        TimeOrder::Forwards { part } => (part, true),
        TimeOrder::Backwards { part } => (part, false),
        TimeOrder::NotAsked | TimeOrder::Sorted { .. } => return true,
    };
    let Part::Field(part) = &codec.design().parts()[part] else { return false };
    plan.ranges.iter().all(|planned| {
        let times =
            returned_by(planned, plan, codec.design(), rows).into_iter().filter_map(|row| {
                match rows[row].1.get(part.field) {
                    Some(Value::Int(number)) => Some(if is_forwards { -number } else { number }),
                    _ => None,
                }
            });
        times.is_sorted()
    })
}

/// Rows as a reader sees them: what the key gives back, and the cells of the other fields.
fn stored_rows(codec: &KeyCodec, rows: Vec<Row>) -> Vec<(Vec<u8>, Row)> {
    let in_key = codec.design().fields_in_key();
    let mut encoder = codec.encoder();
    let mut stored = Vec::new();
    let is_random = |part: &Part| matches!(part, Part::Bucket(bucket) if !bucket.is_computed());
    let supplies = if codec.design().parts().iter().any(is_random) { 4 } else { 1 };
    for row in rows {
        for supply in 0..supplies {
            encoder.supply(supply);
            let mut key = Vec::new();
            if encoder.encode(&row, &mut key).is_ok() {
                let mut read = read_back(codec, &key);
                for field in (0..in_key.len()).filter(|&field| !in_key[field]) {
                    if let Some(value) = row.get(field) {
                        read.set(field, value);
                    }
                }
                stored.push((key, read));
            }
        }
    }
    stored.sort_by(|left, right| left.0.cmp(&right.0));
    stored
}

/// What the key gives back, which is all of it but for parts whose end nothing tells.
fn read_back(codec: &KeyCodec, key: &[u8]) -> Row {
    let row = Row::new(codec.design().fields().len());
    let mut decoded = DecodedKey { row, spans: Vec::new(), bucket: None };
    codec.decode_known_into(key, &mut decoded).unwrap();
    decoded.row
}

/// What every plan of `text` must return over rows of the design: those that match, each once.
pub(crate) fn finds_every_match(codec: &KeyCodec, rows: Vec<Row>, text: &str) -> Result<(), TestCaseError> {
    let toml = codec.design().to_toml(None);
    let predicate = Predicate::parse(text, codec.design()).unwrap_or_else(|error| panic!("{text}: {error}"));
    let rows = stored_rows(codec, rows);
    let matching = |index: &usize| predicate.matches(codec.design(), &rows[*index].1);
    let expected: Vec<usize> = (0..rows.len()).filter(matching).collect();
    let planner = Planner::new(codec);
    for order in [PlanOrder::Any, PlanOrder::Newest] {
        let Ok(plan) = planner.plan(Some(&predicate), order) else { continue };
        let found = returned(&plan, codec.design(), &rows);
        prop_assert_eq!(&found, &expected, "{} over\n{}{:?}", text, toml, plan);
        prop_assert!(is_in_time_order(&plan, codec, &rows), "{} over\n{}{:?}", text, toml, plan);
    }
    // The plan as it is made for key spaces too large to list.
    let plan = plan_unlisted(&planner, Some(&predicate));
    let found = returned(&plan, codec.design(), &rows);
    prop_assert_eq!(found, expected, "{} over\n{}{:?}", text, toml, plan);
    let stops_before =
        |pair: &[PlannedRange]| pair[0].range.stop().is_some_and(|stop| stop <= pair[1].range.start());
    prop_assert!(plan.ranges.windows(2).all(stops_before), "{:?}", plan);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_plan_over_wide_domains_finds_every_matching_row_once((design, text) in wide_case()) {
        finds_every_match(&design.codec(), design.rows(), &text)?;
    }

    #[test]
    fn a_plan_finds_every_matching_row_once((design, text) in case()) {
        finds_every_match(&design.codec(), design.rows(), &text)?;
    }

    #[test]
    fn a_predicate_written_reads_back_as_itself((design, text) in case()) {
        let codec = design.codec();
        let predicate = Predicate::parse(&text, codec.design()).unwrap();
        let written = predicate.to_text(codec.design());
        prop_assert_eq!(Predicate::parse(&written, codec.design()), Ok(predicate), "{} from {}", written, text);
    }

    /// As many ranges as there are runs of neighbouring keys that match.
    #[test]
    fn small_key_spaces_are_read_in_the_fewest_ranges((design, text) in case()) {
        let codec = design.codec();
        let predicate = Predicate::parse(&text, codec.design()).unwrap();
        let rows = stored_rows(&codec, design.rows());
        let plan = Planner::new(&codec).plan(Some(&predicate), PlanOrder::Any).unwrap();
        let wanted: Vec<bool> = rows
            .chunk_by(|left, right| left.0 == right.0)
            .map(|same| same.iter().any(|(_, row)| predicate.matches(codec.design(), row)))
            .collect();
        let runs = wanted.iter().zip([false].iter().chain(&wanted)).filter(|(now, before)| **now && !**before).count();
        prop_assert_eq!(plan.ranges.len(), runs, "{} over\n{}{:?}", text, design.toml, plan);
    }

    /// No plan has two ranges with no key between them, or one without a key.
    #[test]
    fn unlisted_plans_have_no_idle_cuts((design, text) in case()) {
        // With buckets, not every combination of a bucket and values is a key.
        if design.toml.contains("bucket") {
            return Ok(());
        }
        let codec = design.codec();
        let predicate = Predicate::parse(&text, codec.design()).unwrap();
        let rows = stored_rows(&codec, design.rows());
        let plan = plan_unlisted(&Planner::new(&codec), Some(&predicate));
        for pair in plan.ranges.windows(2) {
            let gap = keystride::KeyRange::new(pair[0].range.stop().unwrap(), Some(pair[1].range.start().to_vec()));
            prop_assert!(rows.iter().any(|(key, _)| gap.contains(key)), "{gap} is idle: {} over\n{}", text, design.toml);
        }
        for planned in &plan.ranges {
            prop_assert!(rows.iter().any(|(key, _)| planned.range.contains(key)), "{} holds nothing\n{}", planned.range, design.toml);
        }
    }
}
