use keystride::escape::{from_escaped, to_escaped};
use serde_json::Value;

use crate::fields::is_refused;
use crate::tally::{Outcome, check_file, hex, same};

#[test]
fn escaped_text_is_that_of_hbase_both_ways() {
    check_file("bytes-escape.json", |vector| {
        let text = vector["text"].as_str().expect("text");
        match vector["case"].as_str().expect("case") {
            "to" => to(&hex(vector, "bytes"), text, vector),
            "from" => from(text, vector),
            _ => Outcome::Failed("no check for this case".to_owned()),
        }
    });
}

fn to(bytes: &[u8], text: &str, vector: &Value) -> Outcome {
    let back = if vector["back"].is_string() { hex(vector, "back") } else { bytes.to_vec() };
    same(&(to_escaped(bytes), from_escaped(text)), &(text.to_owned(), Ok(back)))
}

fn from(text: &str, vector: &Value) -> Outcome {
    if is_refused(vector) {
        return same(&from_escaped(text).is_err(), &true);
    }
    same(&from_escaped(text), &Ok(hex(vector, "bytes")))
}
