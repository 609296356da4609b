//! The columns that keystride has: `md5`, `crc32`, `xxh3_64`, `murmur3_128`. No design can name XXH64, the 32-bit
//! Murmur hashes or HBase's own; a line that had only those would be counted as not applicable.

use keystride::hash::{crc32, md5, murmur3_x64_128_with_seed, xxh3_64_with_seed};
use serde_json::{Map, Value, json};

use crate::tally::{Outcome, check_file, hex, same, to_hex};

const OURS: [&str; 4] = ["md5", "crc32", "xxh3_64", "murmur3_128"];

#[test]
fn named_hashes_are_those_of_the_original_code() {
    check_file("hash-named.json", |vector| {
        let theirs: Map<String, Value> = OURS
            .iter()
            .filter(|column| !vector[**column].is_null())
            .map(|column| ((*column).to_owned(), vector[*column].clone()))
            .collect();
        if theirs.is_empty() {
            return Outcome::NotApplicable("only hashes that no design can name");
        }
        let input = input(vector);
        let ours = theirs.keys().map(|column| (column.clone(), hash(column, &input, vector))).collect();
        same(&Value::Object(ours), &Value::Object(theirs))
    });
}

fn hash(column: &str, input: &[u8], vector: &Value) -> Value {
    match column {
        "md5" => json!(to_hex(&md5(input))),
        "crc32" => json!(crc32(input)),
        "xxh3_64" => json!(format!("{:016x}", xxh3_64_with_seed(input, seed64(vector)))),
        _ => json!(to_hex(&murmur3_x64_128_with_seed(input, guava_seed(vector)))),
    }
}

fn seed64(vector: &Value) -> u64 {
    match vector["seed64"].as_str() {
        Some(seed) => u64::from_str_radix(seed, 16).expect("hex"),
        None => vector["seed"].as_u64().expect("seed"),
    }
}

/// Guava takes the 32 bits as an `int` and widens it with its sign.
fn guava_seed(vector: &Value) -> u64 {
    let bits = u32::try_from(vector["seed"].as_u64().expect("seed")).expect("32 bits");
    i64::from(bits.cast_signed()).cast_unsigned()
}

fn input(vector: &Value) -> Vec<u8> {
    if let Some(text) = vector["text"].as_str() {
        return text.as_bytes().to_vec();
    }
    if vector["gen"].is_object() {
        let part = |name: &str| vector["gen"][name].as_u64().expect("a number");
        return (0..part("len")).map(|i| generated(i * part("mul") + part("add") + (i >> 8))).collect();
    }
    hex(vector, "input")
}

fn generated(number: u64) -> u8 {
    u8::try_from(number % 256).expect("below 256")
}
