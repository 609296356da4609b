use keystride::codec::{KeyError, KeyFault};
use keystride::design::DesignError;
use keystride::hash::{BucketCount, java};
use keystride::split::partition_keys;
use serde_json::{Value, json};

use crate::fields::{NO_COUNT, bucket_count, is_refused, refused_by_us, text};
use crate::padding::check_padding;
use crate::recipe::{Recipe, Refused};
use crate::tally::{Outcome, check_file, hex, hex_list, same, to_hex};

#[test]
fn partitions_and_their_keys_are_those_of_seed_000() {
    check_file("seed-000.json", |vector| match text(vector, "case") {
        "splits" => splits(vector),
        "key" => key(vector),
        "xor" => xor(vector),
        "pad" => check_padding(vector, &[text(vector, "text")]),
        "pad-locale" => match String::from_utf8(hex(vector, "utf8")) {
            Ok(padded) if padded.is_ascii() => check_padding(vector, &[&padded]),
            _ => Outcome::NotApplicable("digits of another script"),
        },
        _ => Outcome::Failed("no check for this case".to_owned()),
    });
}

fn splits(vector: &Value) -> Outcome {
    let regions = usize::try_from(count(vector)).ok();
    let by_number = regions.and_then(|regions| partition_keys(regions, None, b"|").ok());
    let by_bucket = calls(vector).ok().map(|recipe| recipe.split_points());
    let theirs = vector["keys"].is_array().then(|| hex_list(vector, "keys"));
    let theirs = theirs.map(|keys| keystride::SplitPoints::new(keys).expect("split keys"));
    if count(vector) > BucketCount::MOST.into() {
        return same(&by_number, &theirs);
    }
    same(&(by_number, by_bucket), &(theirs.clone(), theirs))
}

fn key(vector: &Value) -> Outcome {
    let row = [text(vector, "tel"), text(vector, "date")];
    let Ok(recipe) = calls(vector) else { return no_count(vector) };
    match recipe.key(&row) {
        ours if is_refused(vector) => same(&ours.is_err(), &true),
        Ok(ours) => whole_key(&recipe, &row, &ours, vector),
        Err(refused) => match (refused.fault(), &refused) {
            (Some(KeyFault::Terminator { .. }), _) => ambiguous(&recipe, &row, vector),
            (Some(KeyFault::InsideCharacter { .. }), _) => {
                Outcome::NotApplicable("a cut inside a character of two UTF-16 units")
            }
            (None, Refused::Key(error)) => outside(&recipe, &row, error, vector),
            _ => Outcome::Failed(format!("{refused:?}")),
        },
    }
}

/// A count of buckets that no design has.
fn no_count(vector: &Value) -> Outcome {
    match bucket_count(&vector["n"]) {
        Some(_) => Outcome::Failed("a count of buckets is refused".to_owned()),
        None => refused_by_us(vector, NO_COUNT),
    }
}

fn whole_key(recipe: &Recipe, row: &[&str; 2], ours: &[u8], vector: &Value) -> Outcome {
    let decoded = match recipe.codec().decode(ours) {
        Ok(decoded) if Ok(&decoded.row) == recipe.row(row).as_ref() => decoded,
        other => return Outcome::Failed(format!("decoded {other:?}")),
    };
    let prefix = str::from_utf8(&ours[decoded.spans[0].clone()]).expect("digits");
    let facts = json!([decoded.bucket, prefix, to_hex(ours), regions(recipe, prefix, ours), hashes(row)]);
    same(&facts, &theirs(vector))
}

/// Java writes such a row where no scan of all partitions finds it.
fn outside(recipe: &Recipe, row: &[&str; 2], error: &KeyError, vector: &Value) -> Outcome {
    let KeyError::OutsideBuckets { prefix } = error else { return Outcome::Failed(error.to_string()) };
    if !error.to_string().starts_with("SLT01") {
        return Outcome::Failed(error.to_string());
    }
    let java = hex(vector, "key");
    let padded = text(vector, "prefix");
    let facts = json!([prefix, padded, to_hex(&java), regions(recipe, padded, &java), hashes(row)]);
    same(&facts, &theirs(vector))
}

/// A separator inside the number is refused (ENC04); Java's key then reads back as another call, or as none.
fn ambiguous(recipe: &Recipe, row: &[&str; 2], vector: &Value) -> Outcome {
    let read = recipe.decode(&hex(vector, "key")).ok();
    same(&(read == recipe.row(row).ok()), &false)
}

fn theirs(vector: &Value) -> Value {
    let hashes = json!([vector["code_hash"], vector["month_hash"], vector["abs"]]);
    let regions = json!([vector["region"], vector["region_bar"]]);
    json!([vector["partition"], vector["prefix"], vector["key"], regions, hashes])
}

/// The region of a key, and of the same key with `|` behind its prefix.
fn regions(recipe: &Recipe, prefix: &str, key: &[u8]) -> Value {
    let mut bar = key.to_vec();
    bar[prefix.len()] = b'|';
    let points = recipe.split_points();
    json!([points.region_of(key), points.region_of(&bar)])
}

/// The hashes of the last four and the first six UTF-16 units, and the absolute value of their XOR.
fn hashes([tel, date]: &[&str; 2]) -> Value {
    let [tel, date] = [tel, date].map(|text| text.encode_utf16().collect::<Vec<u16>>());
    let code = java::string_hash_code(tel[tel.len() - 4..].iter().copied());
    let month = java::string_hash_code(date[..6].iter().copied());
    json!([code, month, java::abs(code ^ month)])
}

fn xor(vector: &Value) -> Outcome {
    let row = [text(vector, "a"), text(vector, "b")];
    let bucket = format!("{{ bucket = {}, hash = \"java-xor\", of = [\"a\", \"b\"]", count(vector));
    let parts = format!("{bucket}, width = {} }}", width(vector));
    let fields = "a = { type = \"string\" }\nb = { type = \"string\" }";
    let Ok(recipe) = Recipe::read(fields, &parts, "") else { return no_count(vector) };
    let [a, b] = row.map(|text| java::string_hash_code(text.encode_utf16()));
    let ours = match recipe.key(&row) {
        Ok(key) => json!([java::abs(a ^ b), String::from_utf8_lossy(&key)]),
        Err(Refused::Key(error @ KeyError::OutsideBuckets { prefix }))
            if error.to_string().starts_with("SLT01") =>
        {
            return same(&json!([java::abs(a ^ b), prefix]), &json!([vector["abs"], vector["partition"]]));
        }
        Err(other) => return Outcome::Failed(format!("{other:?}")),
    };
    same(&ours, &json!([vector["abs"], vector["prefix"]]))
}

fn calls(vector: &Value) -> Result<Recipe, DesignError> {
    let bucket = "hash = \"java-xor\", of = [\"right(call1,4)\", \"left(calltime,6)\"]";
    let parts = format!(
        "{{ bucket = {}, {bucket}, width = {} }}, {{ text = \"_\" }}, {{ field = \"call1\" }}, {{ text = \"_\" }}, \
         {{ field = \"calltime\" }}",
        count(vector),
        width(vector),
    );
    let fields = "call1 = { type = \"string\" }\ncalltime = { type = \"string\" }";
    Recipe::read(fields, &parts, "[split]\nby = \"bucket\"\nsuffix = \"|\"")
}

fn count(vector: &Value) -> i64 {
    vector["n"].as_i64().expect("n")
}

/// Characters of n − 2, the sign of −1 among them, as the seed counts them.
fn width(vector: &Value) -> usize {
    (count(vector) - 2).to_string().len()
}
