use keystride::KeyRange;
use keystride::hash::md5;
use serde_json::Value;

use crate::fields::{is_number, is_refused, number, text, texts};
use crate::padding::check_padding;
use crate::recipe::Recipe;
use crate::reversed_time::check_reversed;
use crate::tally::{Outcome, check_file, same, to_hex};

#[test]
fn reversed_salted_and_padded_keys_are_those_of_seed_004() {
    check_file("seed-004.json", |vector| match text(vector, "case") {
        "reverse" => reverse(vector),
        "user-time" => user_time(vector),
        "salt" => salt(vector),
        "salt-time" => salt_time(vector),
        "md5" => digest(vector),
        "pad" if is_refused(vector) => Outcome::NotApplicable("String.format takes no width below 1"),
        "pad" => check_padding(
            vector,
            &["format", "left_pad", "decimal_format"].map(|column| text(vector, column)),
        ),
        "range" => range(vector),
        _ => Outcome::Failed("no check for this case".to_owned()),
    });
}

/// Behind a literal byte, as an empty text alone is no key.
fn reverse(vector: &Value) -> Outcome {
    let recipe =
        Recipe::new("text = { type = \"string\" }", "{ text = \"|\" }, { field = \"text\", reverse = true }");
    let row = [text(vector, "text")];
    let theirs = format!("|{}", text(vector, "reversed")).into_bytes();
    recipe.both_ways(0, &row, &theirs)
}

fn orders() -> Recipe {
    let fields = "user_id = { type = \"string\" }\nts = { type = \"time\", unit = \"ms\" }";
    Recipe::new(fields, "{ field = \"user_id\", reverse = true }, { field = \"ts\", desc = \"long-max\" }")
}

fn user_time(vector: &Value) -> Outcome {
    let (user, ms) = (text(vector, "user"), text(vector, "ms"));
    let backwards: String = user.chars().rev().collect();
    let key = |reversed: &str| format!("{backwards}{reversed}");
    check_reversed(&orders(), &[user, ms], number(vector, "ms"), text(vector, "key"), key)
}

/// Nothing in such a key tells where the event ends, so it is not read back.
fn salt(vector: &Value) -> Outcome {
    let salt = vector["salt"].as_u64().expect("salt");
    if salt >= 100 {
        return Outcome::NotApplicable("a salt of two digits has 100 buckets");
    }
    let fields = format!(
        "event_id = {{ type = \"string\" }}\nday = {{ {} }}\noffset = {{ {} }}",
        if is_day(text(vector, "date")) { "type = \"digits\", len = 8" } else { "type = \"string\"" },
        if is_number::<i64>(text(vector, "offset")) { "type = \"i64\"" } else { "type = \"string\"" },
    );
    let parts = "{ bucket = 100, hash = \"random\", width = 2 }, { field = \"event_id\" }, { field = \"day\" }, \
                 { field = \"offset\" }";
    let recipe = Recipe::new(&fields, parts);
    let row = [text(vector, "event"), text(vector, "date"), text(vector, "offset")];
    let theirs = text(vector, "key").as_bytes();
    same(&(recipe.key_in(salt, &row), recipe.decode(theirs).is_err()), &(Ok(theirs.to_vec()), true))
}

fn is_day(text: &str) -> bool {
    text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn salt_time(vector: &Value) -> Outcome {
    let fields = "ts = { type = \"time\", unit = \"ms\" }";
    let recipe = Recipe::new(fields, "{ bucket = 10, hash = \"random\", width = 1 }, { field = \"ts\" }");
    let row = [text(vector, "ms")];
    let theirs = text(vector, "key").as_bytes();
    if row[0].len() != 13 || row[0].starts_with('-') {
        assert!(
            recipe.key_in(0, &row).is_err(),
            "times of other widths do not sort as they follow: {vector}"
        );
        return Outcome::NotApplicable("a time without 13 digits is refused, not written in another width");
    }
    let Some(bucket) = vector["bucket"].as_u64().filter(|bucket| *bucket < 10) else {
        return Outcome::NotApplicable("a salt of one digit has ten buckets");
    };
    recipe.both_ways(bucket, &row, theirs)
}

/// The digest itself, and all its hex digits in a key.
fn digest(vector: &Value) -> Outcome {
    let hashed = "{ field = \"text\", hash = { name = \"md5\", hex = 32 } }";
    let recipe = Recipe::new("text = { type = \"string\" }", hashed);
    let row = text(vector, "text");
    let theirs = text(vector, "md5");
    let ours = (to_hex(&md5(row.as_bytes())), recipe.key(&[row]));
    same(&ours, &(theirs.to_owned(), Ok(theirs.into())))
}

/// The scan as the seed or its note has it, and the same question put to the planner: a stop row without the last key's
/// successor leaves out the rows of `from`.
fn range(vector: &Value) -> Outcome {
    let keys = texts(vector, "keys");
    let (start, stop) = (text(vector, "start"), text(vector, "stop"));
    let range = KeyRange::new(start, Some(stop.into()));
    let scanned: Vec<String> = keys.iter().filter(|key| range.contains(key.as_bytes())).cloned().collect();
    let after = if stop.ends_with('\0') { ">=" } else { ">" };
    if is_refused(vector) {
        // Java's set has no range that runs backwards.
        return same(&scanned, &Vec::new());
    }
    let (user, from, to) = (text(vector, "user"), text(vector, "from"), text(vector, "to"));
    let user = user.replace('\'', "''");
    let question = format!("user_id = '{user}' and ts {after} {from} and ts <= {to}");
    let returned = texts(vector, "returned");
    same(&(scanned, orders().select(&question, &keys)), &(returned.clone(), returned))
}
