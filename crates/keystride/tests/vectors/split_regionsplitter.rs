use keystride::SplitError;
use keystride::escape::to_escaped;
use keystride::split::{Ends, SplitAlgorithm};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::fields::{is_refused, text};
use crate::tally::{Outcome, check_file, hex, same, to_hex};

/// What a vector expects of keys: they are compared as its own JSON.
type Keys = Result<Vec<Vec<u8>>, SplitError>;

#[test]
fn split_algorithms_are_those_of_hbase() {
    check_file("split-regionsplitter.json", |vector| match text(vector, "case") {
        "name" => name(vector),
        "defaults" => defaults(vector),
        "split" => split(vector),
        "set-bytes" => set_bytes(vector),
        "split-range" => split_range(vector),
        "midpoint" => midpoint(vector),
        "row-text" => row_text(vector),
        _ => Outcome::Failed("no check for this case".to_owned()),
    });
}

fn name(vector: &Value) -> Outcome {
    let class = SplitAlgorithm::from_name(text(vector, "alg"))
        .map(|algorithm| format!("org.apache.hadoop.hbase.util.RegionSplitter${}", algorithm.name()));
    same(&class.ok().as_deref(), &vector["class"].as_str())
}

/// The separator between the columns of a file of the Java tool is not keystride's.
fn defaults(vector: &Value) -> Outcome {
    let algorithm = algorithm(vector);
    let (first, last) = (algorithm.first_row(), algorithm.last_row());
    let shown = format!("{} [{},{}]", algorithm.name(), to_escaped(first), to_escaped(last));
    let ours = json!([to_hex(first), to_hex(last), shown]);
    same(&ours, &json!([vector["first_row"], vector["last_row"], vector["string"]]))
}

fn split(vector: &Value) -> Outcome {
    let (first, last) = (vector["first"].as_str(), vector["last"].as_str());
    let Some(regions) = regions(vector) else { return refused_by_type(vector) };
    let points = algorithm(vector).split(regions, first, last);
    let keys = points.map(|points| points.keys().iter().map(|key| key.as_bytes().to_vec()).collect());
    let ends = [first, last].map(|end| end.unwrap_or_default().as_bytes().to_vec());
    same_or_unread(same_keys(keys, vector), &ends, vector)
}

/// For hex and decimal the Java class keeps given bytes for display alone and goes on with its default numbers.
fn set_bytes(vector: &Value) -> Outcome {
    let algorithm = algorithm(vector);
    let Some(regions) = regions(vector) else { return refused_by_type(vector) };
    let rows = match algorithm {
        SplitAlgorithm::Uniform => {
            // Given bytes are the ends, also when they are empty.
            let [first, last] = ["first_bytes", "last_bytes"].map(|end| to_escaped(&hex(vector, end)));
            let points = algorithm.split(regions, Some(&first), Some(&last));
            points.map(|points| points.keys().iter().map(|key| key.as_bytes().to_vec()).collect())
        }
        _ => algorithm.split_range(algorithm.first_row(), algorithm.last_row(), regions, Ends::Dropped),
    };
    same_keys(rows, vector)
}

fn split_range(vector: &Value) -> Outcome {
    let ends = if vector["inclusive"] == true { Ends::Kept } else { Ends::Dropped };
    let Some(regions) = regions(vector) else { return refused_by_type(vector) };
    let [start, end] = ["start", "end"].map(|end| hex(vector, end));
    let rows = algorithm(vector).split_range(&start, &end, regions, ends);
    same_or_unread(same_keys(rows, vector), &[start, end], vector)
}

fn midpoint(vector: &Value) -> Outcome {
    let [a, b] = ["a", "b"].map(|end| hex(vector, end));
    let key = algorithm(vector).midpoint(&a, &b);
    let outcome = same(&key.ok().map(|key| to_hex(&key)).as_deref(), &vector["key"].as_str());
    same_or_unread(outcome, &[a, b], vector)
}

fn row_text(vector: &Value) -> Outcome {
    let number = text(vector, "text");
    let ours = algorithm(vector).row(number).ok().map(|row| (to_hex(&row), to_escaped(&row)));
    let theirs = vector["row"].as_str().map(|row| (row.to_owned(), text(vector, "back").to_owned()));
    same_or_unread(same(&ours, &theirs), &[number.as_bytes().to_vec()], vector)
}

/// Excuses what Java reads and keystride refuses: numbers with a sign, and digits that are not ASCII.
fn same_or_unread(outcome: Outcome, numbers: &[Vec<u8>], vector: &Value) -> Outcome {
    let algorithm = algorithm(vector);
    if is_refused(vector) || algorithm == SplitAlgorithm::Uniform || !matches!(outcome, Outcome::Failed(_)) {
        return outcome;
    }
    let is_unread = |number: &&Vec<u8>| algorithm.midpoint(number, b"99999999").is_err();
    let mut unread = numbers.iter().filter(is_unread);
    if unread.clone().any(|number| number.starts_with(b"-") || number.starts_with(b"+")) {
        return Outcome::NotApplicable("numbers with a sign are refused");
    }
    if unread.any(|number| !number.is_ascii()) {
        return Outcome::NotApplicable("digits of another script are refused");
    }
    outcome
}

fn same_keys(ours: Keys, vector: &Value) -> Outcome {
    let Ok(keys) = ours else { return same(&ours.is_err(), &is_refused(vector)) };
    let hexes: Vec<String> = keys.iter().map(|key| to_hex(key)).collect();
    if vector["sha256"].is_string() {
        let lines: String = hexes.iter().flat_map(|hex| [hex, "\n"]).collect();
        let ours = json!([hexes.len(), to_hex(&Sha256::digest(lines)), hexes[..3], hexes[hexes.len() - 3..]]);
        return same(&ours, &json!([vector["count"], vector["sha256"], vector["head"], vector["tail"]]));
    }
    same(&json!(hexes), &vector["keys"])
}

fn algorithm(vector: &Value) -> SplitAlgorithm {
    SplitAlgorithm::from_name(text(vector, "alg")).expect("one of the three")
}

/// `None` for a negative number, which no caller of keystride can say.
fn regions(vector: &Value) -> Option<usize> {
    vector["n"].as_u64().and_then(|regions| usize::try_from(regions).ok())
}

fn refused_by_type(vector: &Value) -> Outcome {
    same(&true, &is_refused(vector))
}
