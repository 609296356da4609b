use keystride::key::SortOrder::Ascending;
use keystride::key::{binary, decimal, descending};
use serde_json::Value;

use crate::fields::{number, text};
use crate::tally::{Outcome, check_file, hex, same};

#[test]
fn reversed_time_has_java_s_bytes_and_a_negative_one_is_refused() {
    check_file("time-reverse.json", check);
}

fn check(vector: &Value) -> Outcome {
    let t: i64 = number(vector, "t");
    match (descending::from_long_max(t), t < 0) {
        (Ok(reversed), false) => as_java(vector, t, reversed),
        (Err(_), true) => same(&text(vector, "reversed").starts_with('-'), &true),
        (ours, _) => Outcome::Failed(format!("{ours:?}")),
    }
}

fn as_java(vector: &Value, t: i64, reversed: i64) -> Outcome {
    let (mut shortest, mut text19, mut be) = (Vec::new(), Vec::new(), Vec::new());
    decimal::encode(&mut shortest, reversed);
    let padded = decimal::encode_padded(&mut text19, reversed, 19);
    binary::encode_be(&mut be, reversed, Ascending);
    let read = (
        decimal::parse_shortest(&shortest),
        decimal::parse_padded(&text19, 19),
        binary::decode_be::<i64>(&be, Ascending),
        descending::from_long_max(reversed),
    );
    let (java_text, java_19) = (text(vector, "reversed").as_bytes(), text(vector, "text19").as_bytes());
    let theirs = (Ok(reversed.into()), Ok((reversed.into(), 19)), Ok((reversed, 8)), Ok(t));
    let written = (shortest.as_slice(), text19.as_slice(), be, padded);
    same(&(written, read), &((java_text, java_19, hex(vector, "be"), Ok(())), theirs))
}
