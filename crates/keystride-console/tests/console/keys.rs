//! The page of a key takes bytes of any kind.

use data_encoding::HEXLOWER;
use serde_json::{Value, json};

use super::fixture::{Console, calls};

/// Numbers that look random, and are the same in each run.
fn numbers() -> impl FnMut() -> usize {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).unwrap()
    }
}

fn byte(number: usize) -> u8 {
    u8::try_from(number % 256).unwrap()
}

/// Keys that a design can make, the beginnings of some, and what no design makes.
fn keys() -> Vec<Vec<u8>> {
    let mut next = numbers();
    let whole = b"0138001380001586131200000";
    let mut keys: Vec<Vec<u8>> = (0..=whole.len()).map(|end| whole[..end].to_vec()).collect();
    // One of the buckets is the phone's.
    keys.extend((b'1'..=b'3').map(|bucket| [&[bucket], &whole[1..]].concat()));
    keys.extend([
        [whole, &b"more"[..]].concat(),
        vec![0; 40],
        vec![0xff; 40],
        b"\\x00\\".to_vec(),
        vec![b'0'; 32_767],
    ]);
    for _ in 0..100 {
        let (mut key, count) = (whole.to_vec(), next() % 4);
        for _ in 0..=count {
            let place = next() % key.len();
            key[place] = byte(next());
        }
        key.truncate(1 + next() % whole.len());
        keys.push(key);
        keys.push((0..next() % 40).map(|_| byte(next())).collect());
    }
    keys
}

#[tokio::test]
async fn any_bytes_are_shown_part_by_part() {
    let console = Console::start().await;
    let table = json!({ "name": "calls", "design": calls(4), "split": { "by": "design" } });
    console.post("/tables", &table).await.done();
    let mut whole_count = 0;
    for key in keys() {
        let hex = HEXLOWER.encode(&key);
        let found =
            console.post("/key", &json!({ "key": hex, "form": "hex", "table": "calls" })).await.done();
        demand_all_of_it(&found, &key);
        whole_count += usize::from(found["decoded"]["message"].is_null());
        for form in ["escaped", "text"] {
            if let Some(text) = found[form].as_str() {
                let same = json!({ "key": text, "form": form, "table": "calls" });
                assert_eq!(console.post("/key", &same).await.done(), found, "{form} {text:?}");
            }
        }
        let by_design =
            console.post("/key", &json!({ "key": hex, "form": "hex", "design": calls(4) })).await.done();
        assert_eq!((&by_design["decoded"], &by_design["location"]), (&found["decoded"], &Value::Null));
    }
    assert!((1..100).contains(&whole_count), "{whole_count}");
}

/// The parts of a key are all of its bytes, one after the other, and a message says what is wrong with it.
fn demand_all_of_it(found: &Value, key: &[u8]) {
    assert_eq!((&found["bytes"], &found["hex"]), (&key.len().into(), &HEXLOWER.encode(key).into()));
    let decoded = &found["decoded"];
    let mut end = 0;
    for part in decoded["parts"].as_array().unwrap() {
        let [from, to]: [usize; 2] = serde_json::from_value(part["span"].clone()).unwrap();
        assert!(from == end && to >= from, "{found}");
        assert_eq!(part["hex"], HEXLOWER.encode(&key[from..to]), "{found}");
        end = to;
    }
    let has_rest = end < key.len();
    assert_eq!(has_rest, !decoded["begun"].is_null() || !decoded["beyond"].is_null(), "{found}");
    assert!(!has_rest || !decoded["message"].is_null(), "{found}");
    let location = &found["location"];
    let [region, count] = [&location["region"], &location["of"]].map(|number| number.as_u64().unwrap());
    assert!(region < count && count == 4, "{found}");
}

#[tokio::test]
async fn what_is_not_in_its_form_is_refused() {
    let console = Console::start().await;
    for (key, form) in [
        ("0", "hex"),
        ("xy", "hex"),
        ("\\x0", "escaped"),
        ("\\xZZ", "escaped"),
        ("2147483648", "int"),
        ("1.5", "int"),
        ("", "long"),
        ("9223372036854775808", "long"),
    ] {
        console.post("/key", &json!({ "key": key, "form": form })).await.demand_refused(422, "key");
    }
    let found = console.post("/key", &json!({ "key": "-1", "form": "long" })).await.done();
    assert_eq!((&found["hex"], &found["int"]), (&"ffffffffffffffff".into(), &Value::Null));
    let asked = json!({ "key": "a", "form": "text", "table": "none" });
    console.post("/key", &asked).await.demand_refused(404, "unknown-table");
    let asked = json!({ "key": "a", "form": "text", "design": "format = 1" });
    console.post("/key", &asked).await.demand_refused(422, "design");
}
