use keystride::{Key, KeyRange};
use serde_json::Value;

use crate::fields::{is_number, is_refused, number, text, texts};
use crate::recipe::Recipe;
use crate::reversed_time::check_reversed;
use crate::tally::{Outcome, check_file, hex, same};

#[test]
fn newest_first_keys_and_their_ranges_are_those_of_seed_002() {
    let recipe = recipe();
    check_file("seed-002.json", |vector| match text(vector, "case") {
        "key" => key(&recipe, vector),
        "order" => order(&recipe, vector),
        "range" => range(&recipe, vector),
        _ => Outcome::Failed("no check for this case".to_owned()),
    });
}

fn recipe() -> Recipe {
    let fields = "user_id = { type = \"i32\" }\nts = { type = \"time\", unit = \"ms\" }\ninsert_ns = { type = \"i64\" }";
    let parts = "{ field = \"user_id\" }, { text = \"_\" }, { field = \"ts\", desc = \"long-max\" }, { text = \"_\" }, \
                 { field = \"insert_ns\" }";
    Recipe::new(fields, parts)
}

fn key(recipe: &Recipe, vector: &Value) -> Outcome {
    let user = vector["user"].as_i64().expect("user").to_string();
    let (ms, nano, java) = (text(vector, "ms"), text(vector, "nano"), text(vector, "key"));
    if java.as_bytes() != hex(vector, "bytes") {
        return Outcome::Failed("the key's bytes are not its UTF-8".to_owned());
    }
    let key = |reversed: &str| format!("{user}_{reversed}_{nano}");
    check_reversed(recipe, &[&user, ms, nano], number(vector, "ms"), java, key)
}

/// Rows encoded again and sorted as keys.
fn order(recipe: &Recipe, vector: &Value) -> Outcome {
    let keys = texts(vector, "keys");
    if !keys.iter().all(|key| is_written(key)) {
        return Outcome::NotApplicable("a key that the seed's design does not write");
    }
    let mut ours: Vec<Key> = Vec::new();
    for key in keys {
        let row = recipe.decode(key.as_bytes()).expect("a key of the seed");
        let mut again = Vec::new();
        recipe.codec().encoder().encode(&row, &mut again).expect("a row that had a key");
        ours.push(Key::new(again).expect("a key"));
    }
    ours.sort();
    let ours: Vec<String> = ours.iter().map(ToString::to_string).collect();
    same(&ours, &texts(vector, "sorted"))
}

fn range(recipe: &Recipe, vector: &Value) -> Outcome {
    let keys = texts(vector, "keys");
    let (start, stop) = (text(vector, "start"), text(vector, "stop"));
    let range = KeyRange::new(start, Some(stop.into()));
    let scanned: Vec<String> = keys.iter().filter(|key| range.contains(key.as_bytes())).cloned().collect();
    if is_refused(vector) {
        // Java's set has no range that runs backwards.
        return same(&scanned, &Vec::new());
    }
    let returned = texts(vector, "returned");
    let asked = question(start, stop).filter(|_| keys.iter().all(|key| is_written(key)));
    let planned = match asked {
        Some(predicate) => recipe.select(&predicate, &keys),
        None => returned.clone(),
    };
    same(&(scanned, planned), &(returned.clone(), returned))
}

/// Whether a key is a user, a reversed time of 19 digits and a number, each as it is written.
fn is_written(key: &str) -> bool {
    let parts: Vec<&str> = key.split('_').collect();
    let [user, reversed, nano] = parts[..] else { return false };
    is_number::<i32>(user)
        && reversed.len() == 19
        && reversed.parse::<u64>().is_ok()
        && is_number::<i64>(nano)
}

/// What a scan asks for: all of a user, or the times that are reversed to numbers from start to before stop. `None` for
/// a scan over several users, and for other bounds.
fn question(start: &str, stop: &str) -> Option<String> {
    let (user, newest) = start.split_once('_')?;
    if !is_number::<i32>(user) {
        return None;
    }
    if newest.is_empty() {
        return (stop == format!("{user}`")).then(|| format!("user_id = {user}"));
    }
    let oldest = stop.strip_prefix(user)?.strip_prefix('_')?;
    Some(format!("user_id = {user} and ts > {} and ts <= {}", time(oldest)?, time(newest)?))
}

/// The time of a reversed one in all its digits.
fn time(reversed: &str) -> Option<i64> {
    let number: i64 = reversed.parse().ok().filter(|_| reversed.len() == 19)?;
    i64::MAX.checked_sub(number)
}

#[test]
fn both_bounds_of_a_period_need_the_successor_of_the_last_key() {
    let recipe = recipe();
    let times = 1000..1006;
    let keys = times.map(|ms| String::from_utf8(recipe.key(&["7", &ms.to_string(), "1"]).unwrap()).unwrap());
    let mut keys: Vec<String> = keys.collect();
    keys.reverse();
    assert_eq!(recipe.select("user_id = 7 and ts between 1002 and 1004", &keys), keys[1..=3]);
}
