use serde_json::{Number, Value};

/// The largest integer up to which a number of JavaScript holds each one.
const MOST: u64 = (1 << 53) - 1;

/// Returns the values of a row for a browser: integers that a number of JavaScript does not hold exactly as texts.
pub(super) fn exact(values: Vec<Value>) -> Vec<Value> {
    values.into_iter().map(exact_value).collect()
}

fn exact_value(value: Value) -> Value {
    match value {
        Value::Number(number) if is_large(&number) => number.to_string().into(),
        value => value,
    }
}

fn is_large(number: &Number) -> bool {
    number.as_i64().map_or(number.is_u64(), |number| number.unsigned_abs() > MOST)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn integers_beyond_those_of_javascript_are_texts() {
        let given =
            [json!(MOST), json!(MOST + 1), json!(i64::MIN), json!(u64::MAX), json!(1e300), json!(null)];
        let [whole, large, least, most, float, null] = given.clone().map(exact_value);
        assert_eq!([whole, float, null], [given[0].clone(), given[4].clone(), given[5].clone()]);
        let texts = ["9007199254740992", "-9223372036854775808", "18446744073709551615"].map(Value::from);
        assert_eq!([large, least, most], texts);
    }
}
