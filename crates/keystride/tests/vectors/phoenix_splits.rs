use keystride::SplitPoints;
use keystride::escape::to_escaped;
use serde_json::Value;

use crate::fields::{text, texts};
use crate::phoenix_table::{Table, Unsaid};
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
    let theirs = vector["points"].as_array().map(|_| split_points(&hex_list(vector, "points")));
    same(&ours, &theirs)
}

/// Phoenix extends each bucket with zeros to the shortest key of its columns: to a design these points are a list, which
/// cuts the same regions as the buckets alone, but for keys that are shorter.
fn table(vector: &Value) -> Outcome {
    let listed = hex_list(vector, "regions");
    let bucketed = match Table::read(vector, BY_BUCKET) {
        Ok(table) => table,
        Err(unsaid) => return not_said(unsaid),
    };
    let buckets = bucketed.recipe.split_points();
    let bare: Vec<Vec<u8>> = buckets.keys().iter().map(|key| key.as_bytes().to_vec()).collect();
    let cut: Vec<Vec<u8>> = listed.iter().map(|point| point[..1].to_vec()).collect();
    if bare != cut || listed.iter().any(|point| point[1..].iter().any(|byte| *byte != 0)) {
        return same(&bare, &listed);
    }
    match list_points(vector, &listed) {
        Ok(points) if points != split_points(&listed) => same(&points, &split_points(&listed)),
        Ok(points) => agreement(&bucketed, &buckets, &points),
        Err(unsaid) => not_said(unsaid),
    }
}

fn agreement(table: &Table<'_>, buckets: &SplitPoints, points: &SplitPoints) -> Outcome {
    let keys = sample_keys(table);
    let apart: Vec<_> = keys.iter().filter(|key| buckets.region_of(key) != points.region_of(key)).collect();
    let shorter = |key: &&&Vec<u8>| points.keys().iter().any(|point| point.as_bytes().starts_with(key));
    match (apart.len(), apart.iter().filter(shorter).count()) {
        (0, _) => Outcome::Passed,
        (all, short) if all == short => {
            Outcome::NotApplicable("least values before nulls: Phoenix cuts such keys off their bucket")
        }
        _ => Outcome::Failed(format!("{apart:02x?} lie in other regions")),
    }
}

/// `SPLIT ON` is a list, and the zeros that Phoenix appends to its texts move no key of the table.
fn split_on(vector: &Value) -> Outcome {
    let listed = hex_list(vector, "regions");
    let given: Vec<Vec<u8>> = texts(vector, "split_on").into_iter().map(String::into_bytes).collect();
    let (table, with_zeros) = match (Table::read(vector, ""), list_points(vector, &listed)) {
        (Ok(table), Ok(points)) => (table, points),
        (Err(unsaid), _) | (_, Err(unsaid)) => return not_said(unsaid),
    };
    if with_zeros != split_points(&listed) {
        return same(&with_zeros, &split_points(&listed));
    }
    agreement(&table, &split_points(&given), &with_zeros)
}

/// The points as a design's list has them.
fn list_points(vector: &Value, points: &[Vec<u8>]) -> Result<SplitPoints, Unsaid> {
    // A quote would end the text.
    let quoted = |point: &Vec<u8>| format!("'{}'", to_escaped(point).replace('\'', "\\x27"));
    let texts: Vec<String> = points.iter().map(quoted).collect();
    let split = format!("[split]\nby = \"list\"\npoints = [{}]", texts.join(", "));
    Table::read(vector, &split).map(|table| table.recipe.split_points())
}

fn split_points(points: &[Vec<u8>]) -> SplitPoints {
    SplitPoints::new(points).expect("split points")
}

fn not_said(unsaid: Unsaid) -> Outcome {
    match unsaid {
        Unsaid::Type(reason) => Outcome::NotApplicable(reason),
        Unsaid::Refused(error) => Outcome::Failed(error.to_string()),
    }
}

/// Keys of all combinations of the columns' sample values.
fn sample_keys(table: &Table<'_>) -> Vec<Vec<u8>> {
    let mut rows = vec![Vec::new()];
    for column in &table.columns {
        let samples = column.samples();
        let longer = |row: &Vec<Option<&'static str>>| {
            samples.iter().map(|value| [row.as_slice(), &[*value]].concat()).collect::<Vec<_>>()
        };
        rows = rows.iter().flat_map(longer).collect();
    }
    rows.iter().filter_map(|row| table.key(row).ok()).collect()
}
