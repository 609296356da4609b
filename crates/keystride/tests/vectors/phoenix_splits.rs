use std::collections::BTreeSet;

use keystride::SplitPoints;
use keystride::escape::to_escaped;
use keystride::hash::BucketHash;
use serde_json::Value;

use crate::fields::{count_of, is_refused, text, texts};
use crate::phoenix_table::{Table, Unsaid, salt};
use crate::recipe::Recipe;
use crate::tally::{Outcome, check_file, hex_list, same};

const BY_BUCKET: &str = "[split]\nby = \"bucket\"";

#[test]
fn first_regions_are_those_of_phoenix() {
    check_file("phoenix-splits.json", |vector| match text(vector, "case") {
        "points" => points(vector),
        "table" => table(vector),
        "split-on" => split_on(vector),
        _ => Outcome::Failed("no check for this case".to_owned()),
    });
}

fn points(vector: &Value) -> Outcome {
    let bucket =
        format!("{{ bucket = {}, hash = \"phoenix\", of = [\"rest\"], base = \"byte\" }}", vector["n"]);
    let design =
        Recipe::read("id = { type = \"i32\" }", &format!("{bucket}, {{ field = \"id\" }}"), BY_BUCKET);
    let ours = design.ok().map(|recipe| recipe.split_points());
    let theirs = vector["points"].as_array().map(|_| hex_list(vector, "points"));
    match (ours, theirs) {
        (None, Some(_)) if count_of(BucketHash::Phoenix, &vector["n"]).is_none() => {
            Outcome::NotApplicable("a salt is one byte: more than 256 buckets are refused")
        }
        (ours, theirs) => same(&ours.map(|points| bytes(&points)), &theirs),
    }
}

/// Phoenix extends each bucket with zeros to the shortest key of its columns: to a design these points are a list, which
/// cuts the same regions as the buckets alone, but for keys that are shorter.
fn table(vector: &Value) -> Outcome {
    let by = if salt(vector).is_some() { BY_BUCKET } else { "" };
    let (bucketed, listed) = match both(vector, by) {
        Ok(both) => both,
        Err(outcome) => return outcome,
    };
    let buckets = bucketed.recipe.split_points();
    let cut: Vec<Vec<u8>> = listed.iter().map(|point| point[..1].to_vec()).collect();
    if bytes(&buckets) != cut || listed.iter().any(|point| point[1..].iter().any(|byte| *byte != 0)) {
        return same(&bytes(&buckets), &listed);
    }
    match list_points(vector, &listed) {
        Ok(points) if bytes(&points) != listed => same(&bytes(&points), &listed),
        Ok(points) => agreement(&bucketed, &buckets, &points),
        Err(unsaid) => unsaid.outcome(false),
    }
}

fn agreement(table: &Table<'_>, bare: &SplitPoints, extended: &SplitPoints) -> Outcome {
    let keys = sample_keys(table);
    let apart: Vec<_> = keys.iter().filter(|key| bare.region_of(key) != extended.region_of(key)).collect();
    let shorter = |key: &&&Vec<u8>| extended.keys().iter().any(|point| point.as_bytes().starts_with(key));
    match (apart.len(), apart.iter().filter(shorter).count()) {
        (0, _) => Outcome::Passed,
        (all, short) if all == short => {
            Outcome::NotApplicable("least values before nulls: Phoenix cuts such keys off their bucket")
        }
        _ => Outcome::Failed(format!("{apart:02x?} lie in other regions")),
    }
}

/// `SPLIT ON` is a list, which HBase sorts, and the zeros that Phoenix appends to its texts move no key of the table.
fn split_on(vector: &Value) -> Outcome {
    let (table, mut listed) = match both(vector, "") {
        Ok(both) => both,
        Err(outcome) => return outcome,
    };
    listed.sort_unstable();
    let given: Vec<Vec<u8>> = texts(vector, "split_on").into_iter().map(String::into_bytes).collect();
    match (list_points(vector, &given), list_points(vector, &listed)) {
        (Ok(given), Ok(points)) if bytes(&points) == listed => agreement(&table, &given, &points),
        (_, Ok(points)) if bytes(&points) != listed => same(&bytes(&points), &listed),
        (Err(_), _) if given.iter().any(Vec::is_empty) => {
            Outcome::NotApplicable("an empty split point is refused: Phoenix drops it")
        }
        (_, Err(_)) if has_doubles(&listed) => {
            Outcome::NotApplicable("a split point given twice is refused, as HBase refuses it later")
        }
        (Err(unsaid), _) | (_, Err(unsaid)) => unsaid.outcome(false),
        (Ok(given), Ok(points)) => same(&given, &points),
    }
}

/// The table as a design has it, and the start keys of Phoenix's regions after the first.
fn both<'a>(vector: &'a Value, split: &str) -> Result<(Table<'a>, Vec<Vec<u8>>), Outcome> {
    let table = Table::read(vector, split).map_err(|unsaid| unsaid.outcome(is_refused(vector)))?;
    if !is_refused(vector) {
        return Ok((table, hex_list(vector, "regions")));
    }
    Err(Outcome::NotApplicable("a table that Phoenix refuses for a reason of its own"))
}

/// The points as a design's list has them.
fn list_points(vector: &Value, points: &[Vec<u8>]) -> Result<SplitPoints, Unsaid> {
    // A quote would end the text.
    let quoted = |point: &Vec<u8>| format!("'{}'", to_escaped(point).replace('\'', "\\x27"));
    let texts: Vec<String> = points.iter().map(quoted).collect();
    let split = format!("[split]\nby = \"list\"\npoints = [{}]", texts.join(", "));
    Table::read(vector, &split)?.recipe.try_split_points().map_err(Unsaid::Points)
}

fn bytes(points: &SplitPoints) -> Vec<Vec<u8>> {
    points.keys().iter().map(|key| key.as_bytes().to_vec()).collect()
}

fn has_doubles(points: &[Vec<u8>]) -> bool {
    points.iter().collect::<BTreeSet<_>>().len() < points.len()
}

/// Keys of all combinations of the columns' sample values; where there are thousands, of the least ones.
fn sample_keys(table: &Table<'_>) -> Vec<Vec<u8>> {
    let mut rows = vec![Vec::new()];
    for column in &table.columns {
        let mut samples = column.samples();
        if rows.len() > 2000 {
            samples.truncate(1);
        }
        let longer = |row: &Vec<Option<&'static str>>| {
            samples.iter().map(|value| [row.as_slice(), &[*value]].concat()).collect::<Vec<_>>()
        };
        rows = rows.iter().flat_map(longer).collect();
    }
    rows.iter().filter_map(|row| table.key(row).ok()).collect()
}
