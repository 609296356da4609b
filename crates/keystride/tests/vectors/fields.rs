use std::fmt::Debug;
use std::str::FromStr;

use keystride::hash::{BucketCount, BucketHash};
use keystride::key::{Number, SortOrder, binary};
use serde_json::Value;

use crate::tally::{Outcome, hex};

/// The text of a field; panics when it is missing, as a vector file is made by us.
pub(crate) fn text<'a>(vector: &'a Value, field: &str) -> &'a str {
    vector[field].as_str().unwrap_or_else(|| panic!("{field} of {vector}"))
}

/// The reason for lines with other counts of buckets.
pub(crate) const NO_COUNT: &str = "a salt has 1 to 65,536 buckets";

/// Whether Java refused what the line asks for.
pub(crate) fn is_refused(vector: &Value) -> bool {
    vector["error"].is_object()
}

/// What keystride refuses for a reason, and Java perhaps as well.
pub(crate) fn refused_by_us(vector: &Value, reason: &'static str) -> Outcome {
    if is_refused(vector) { Outcome::Passed } else { Outcome::NotApplicable(reason) }
}

/// A count of buckets; `None` for a number that keystride counts none by.
pub(crate) fn bucket_count(n: &Value) -> Option<BucketCount> {
    BucketCount::new(u32::try_from(n.as_i64()?).ok()?).ok()
}

/// A count of buckets that this hash has.
pub(crate) fn count_of(hash: BucketHash, n: &Value) -> Option<BucketCount> {
    bucket_count(n).filter(|count| hash.counts().contains(&count.get()))
}

/// The number that a field holds as text.
pub(crate) fn number<T: FromStr<Err: Debug>>(vector: &Value, field: &str) -> T {
    text(vector, field).parse().expect("a number of the type")
}

/// Whether a text is how the number is written.
pub(crate) fn is_number<T: FromStr + ToString>(text: &str) -> bool {
    text.parse::<T>().is_ok_and(|number| number.to_string() == text)
}

/// The float whose IEEE bits the vector holds.
pub(crate) fn of_bits<T: Number>(vector: &Value) -> T {
    binary::decode_be(&hex(vector, "bits"), SortOrder::Ascending).expect("bits of the type's width").0
}

/// A list of texts.
pub(crate) fn texts(vector: &Value, field: &str) -> Vec<String> {
    let list = vector[field].as_array().unwrap_or_else(|| panic!("{field} of {vector}"));
    list.iter().map(|text| text.as_str().expect("text").to_owned()).collect()
}

/// What a float is compared by: all that are no number are read back as one.
pub(crate) fn f32_bits(value: f32) -> u64 {
    if value.is_nan() { f32::NAN.to_bits().into() } else { value.to_bits().into() }
}

/// The same of a double.
pub(crate) fn f64_bits(value: f64) -> u64 {
    if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() }
}
