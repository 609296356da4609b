use keystride::hash::{BucketHash, java, phoenix};
use serde_json::{Value, json};

use crate::fields::{count_of, is_refused, refused_by_us, text};
use crate::tally::{Outcome, check_file, hex, same, to_hex};

const NO_SALT: &str = "a salt is one byte: other counts than 1 to 256 are refused";

#[test]
fn salts_are_those_of_phoenix() {
    check_file("phoenix-salt.json", |vector| match text(vector, "case") {
        "salt" => salts(vector),
        "slice" => slice(vector),
        "key" => salted(vector),
        _ => Outcome::Failed("no check for this case".to_owned()),
    });
}

fn salts(vector: &Value) -> Outcome {
    let key = hex(vector, "key");
    let counts = vector["n"].as_array().expect("a list of counts");
    let ours: Vec<Option<u8>> = counts.iter().map(|n| salt(&key, n)).collect();
    if is_refused(vector) {
        return same(&ours.contains(&None), &true);
    }
    let theirs = vector["salts"].as_array().expect("a list of salts");
    let shared = ours.iter().zip(theirs).filter_map(|(ours, theirs)| Some((json!((*ours)?), theirs.clone())));
    let (shared, theirs): (Vec<Value>, Vec<Value>) = shared.unzip();
    let all = same(&(json!(java::bytes_hash_code(&key)), shared), &(vector["hash"].clone(), theirs));
    if ours.contains(&None) { all.but(NO_SALT) } else { all }
}

fn slice(vector: &Value) -> Outcome {
    let place = |field: &str| vector[field].as_u64().and_then(|place| usize::try_from(place).ok());
    let key = hex(vector, "key");
    let slice = place("offset").and_then(|offset| key.get(offset..)?.get(..place("length")?));
    match slice {
        Some(slice) => one(salt(slice, &vector["n"]).map(|salt| json!(salt)), &vector["salt"], vector),
        None => refused_by_us(vector, "no part of a key has a negative place or length"),
    }
}

fn salted(vector: &Value) -> Outcome {
    let key = hex(vector, "key");
    let ours = salt(&key, &vector["n"]).map(|salt| [&[salt], &key[..]].concat());
    one(ours.map(|key| json!(to_hex(&key))), &vector["salted"], vector)
}

fn one(ours: Option<Value>, theirs: &Value, vector: &Value) -> Outcome {
    match ours {
        None => refused_by_us(vector, NO_SALT),
        Some(ours) => same(&ours, theirs),
    }
}

fn salt(key: &[u8], n: &Value) -> Option<u8> {
    let count = count_of(BucketHash::Phoenix, n)?;
    Some(u8::try_from(phoenix::bucket(key, count).value()).expect("a salt is one byte"))
}
