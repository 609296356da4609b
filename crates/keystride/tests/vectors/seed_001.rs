use keystride::escape::{first_mangled, from_escaped, to_escaped};
use keystride::split::{SplitAlgorithm, list};
use keystride::{SplitError, SplitPoints};
use serde_json::{Value, json};

use crate::fields::{self, is_refused};
use crate::tally::{Outcome, check_file, hex, hex_list, same, to_hex};

#[test]
fn the_four_ways_to_split_of_seed_001() {
    check_file("seed-001.json", |vector| match fields::text(vector, "case") {
        "int" => int(vector),
        "text" => text(vector),
        "shown" => shown(vector),
        "auto" => auto(vector),
        "convert" => {
            Outcome::NotApplicable("hex text is padded by the seed's own program, not by a split rule")
        }
        _ => Outcome::Failed("no check for this case".to_owned()),
    });
}

/// `to_hex` is the trap: passed on as text it is another key.
fn int(vector: &Value) -> Outcome {
    let value = i32::try_from(vector["value"].as_i64().expect("value")).expect("an int");
    let ours = list::ints(&[value]).map(|points| {
        let key = points.keys()[0].as_bytes();
        let as_text = from_escaped(&to_hex(key)).expect("hex digits are plain");
        json!([to_hex(key), to_hex(key), to_escaped(key), to_hex(&as_text)])
    });
    let theirs = json!([vector["key"], vector["to_hex"], vector["escaped"], vector["as_text"]]);
    same(&ours, &Ok(theirs))
}

/// Plain text whose UTF-8 is not its key is what a user must be told about.
fn text(vector: &Value) -> Outcome {
    let text = fields::text(vector, "text");
    if is_refused(vector) || text.is_empty() {
        return shown(vector);
    }
    let key = hex(vector, "key");
    let told = first_mangled(text).is_some();
    if !text.contains('\\') && told != (hex(vector, "utf8") != key) {
        return Outcome::Failed(format!("told: {told}"));
    }
    shown(vector)
}

fn shown(vector: &Value) -> Outcome {
    let ours = one(list::escaped([fields::text(vector, "text")]));
    match ours {
        Err(SplitError::BadEscape { .. }) if is_refused(vector) => Outcome::Passed,
        Err(SplitError::NotAKey { .. }) if vector["key"] == "" => {
            Outcome::NotApplicable("an empty text is no split point, which HBase finds later")
        }
        ours => same(&ours, &Ok(hex(vector, "key"))),
    }
}

fn auto(vector: &Value) -> Outcome {
    // A negative number of regions can't be said.
    let regions = vector["n"].as_u64().and_then(|regions| usize::try_from(regions).ok());
    let algorithm = SplitAlgorithm::from_name(fields::text(vector, "alg")).ok();
    let points = algorithm.zip(regions).and_then(|(algorithm, n)| algorithm.split(n, None, None).ok());
    let theirs = (!is_refused(vector)).then(|| hex_list(vector, "keys"));
    same(&points, &theirs.map(|keys| SplitPoints::new(keys).expect("split keys")))
}

fn one(points: Result<SplitPoints, SplitError>) -> Result<Vec<u8>, SplitError> {
    points.map(|points| points.keys()[0].as_bytes().to_vec())
}
