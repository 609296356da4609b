use keystride::escape::{first_mangled, from_escaped, to_escaped};
use keystride::split::{SplitAlgorithm, list};
use keystride::{SplitError, SplitPoints};
use serde_json::{Value, json};

use crate::tally::{Outcome, check_file, hex, hex_list, same, to_hex};

#[test]
fn the_four_ways_to_split_of_seed_001() {
    check_file("seed-001.json", |vector| match vector["case"].as_str().expect("case") {
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
    let text = vector["text"].as_str().expect("text");
    let key = hex(vector, "key");
    let told = first_mangled(text).is_some();
    if !text.contains('\\') && told != (hex(vector, "utf8") != key) {
        return Outcome::Failed(format!("told: {told}"));
    }
    same(&one(list::escaped([text])), &Ok(key))
}

fn shown(vector: &Value) -> Outcome {
    let text = vector["text"].as_str().expect("text");
    same(&one(list::escaped([text])), &Ok(hex(vector, "key")))
}

fn auto(vector: &Value) -> Outcome {
    let regions = usize::try_from(vector["n"].as_u64().expect("n")).expect("a count");
    let algorithm = SplitAlgorithm::from_name(vector["alg"].as_str().expect("alg"));
    let points = algorithm.and_then(|algorithm| algorithm.split(regions, None, None));
    same(&points, &SplitPoints::new(hex_list(vector, "keys")))
}

fn one(points: Result<SplitPoints, SplitError>) -> Result<Vec<u8>, SplitError> {
    points.map(|points| points.keys()[0].as_bytes().to_vec())
}
