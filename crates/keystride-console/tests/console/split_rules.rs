//! The points of a preview are those of the library, for every rule and every form of a list.

use keystride::split::{self, SplitAlgorithm};
use keystride::{Design, SplitPoints};
use serde_json::{Value, json};

use super::fixture::{Console, calls};

async fn demand_points(console: &Console, asked: Value, expected: &SplitPoints) {
    let preview = console.post("/splits", &asked).await.done();
    let points = preview["points"].as_array().unwrap();
    let hex: Vec<&str> = points.iter().map(|point| point["hex"].as_str().unwrap()).collect();
    let expected: Vec<String> = expected
        .keys()
        .iter()
        .map(|key| key.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat())
        .collect();
    assert_eq!(hex, expected, "{asked}");
    assert_eq!(preview["region_count"], expected.len() + 1, "{asked}");
}

#[tokio::test]
async fn each_rule_makes_the_points_of_the_library() {
    let console = Console::start().await;
    let rules = [
        (json!({ "by": "none" }), SplitPoints::default()),
        (json!({ "by": "md5-hex" }), split::md5_hex()),
        (
            json!({ "by": "partition-keys", "regions": 101 }),
            split::partition_keys(101, None, split::PARTITION_SUFFIX).unwrap(),
        ),
        (
            json!({ "by": "partition-keys", "regions": 4, "width": 3, "suffix": "\\x00" }),
            split::partition_keys(4, Some(3), b"\0").unwrap(),
        ),
        (
            json!({ "by": "range", "start": "a", "end": "\\xFF", "regions": 5 }),
            split::range(b"a", b"\xff", 5).unwrap(),
        ),
    ];
    for (split, expected) in rules {
        demand_points(&console, json!({ "split": split }), &expected).await;
    }
}

#[tokio::test]
async fn each_algorithm_of_hbase_is_there() {
    let console = Console::start().await;
    for (name, first, last) in [
        ("HexStringSplit", None, None),
        ("HexStringSplit", Some("00"), Some("7F")),
        ("DecimalStringSplit", None, None),
        ("DecimalStringSplit", Some("100"), Some("999")),
        ("UniformSplit", None, None),
        ("UniformSplit", Some("\\x00\\x10"), Some("\\xF0")),
    ] {
        let expected = SplitAlgorithm::from_name(name).unwrap().split(16, first, last).unwrap();
        let split = json!({ "by": "algorithm", "name": name, "regions": 16, "first": first, "last": last });
        demand_points(&console, json!({ "split": split }), &expected).await;
    }
}

#[tokio::test]
async fn designs_and_samples_make_their_points() {
    let console = Console::start().await;
    let design = calls(16);
    let expected = Design::from_toml(&design).unwrap().split_points(&mut []).unwrap();
    demand_points(&console, json!({ "design": design, "split": { "by": "design" } }), &expected).await;

    let keys: Vec<String> = (0..1000).rev().map(|n| format!("{n:03}")).collect();
    let expected = split::sample(&mut keys.clone(), 8).unwrap().points;
    let sample = json!({ "form": "text", "keys": keys.join("\n") });
    let asked = json!({ "sample": sample, "split": { "by": "sample", "regions": 8 } });
    demand_points(&console, asked.clone(), &expected).await;
    let preview = console.post("/splits", &asked).await.done();
    let shares =
        preview["regions"].as_array().unwrap().iter().map(|region| region["sampled"].as_u64().unwrap());
    assert_eq!((&preview["sampled_count"], shares.collect()), (&1000.into(), vec![125; 8]));
}

#[tokio::test]
async fn lists_of_each_form_are_read() {
    let console = Console::start().await;
    let expected = SplitPoints::new([10_i32.to_be_bytes(), 11_i32.to_be_bytes()]).unwrap();
    for (form, points) in [
        ("int", "10,11"),
        ("hex", "0000000a\n0000000B"),
        ("escaped", "\\x00\\x00\\x00\\x0A\n\\x00\\x00\\x00\\x0B"),
        ("escaped", "SPLITS => ['\\x00\\x00\\x00\\x0A', '\\x00\\x00\\x00\\x0B']"),
    ] {
        let split = json!({ "by": "list", "form": form, "points": points });
        demand_points(&console, json!({ "split": split }), &expected).await;
    }
    let long = SplitPoints::new([(-1_i64).to_be_bytes()]).unwrap();
    let split = json!({ "by": "list", "form": "long", "points": "-1" });
    demand_points(&console, json!({ "split": split }), &long).await;
}

/// The command that is shown makes them, too.
#[tokio::test]
async fn each_rule_has_its_command() {
    let console = Console::start().await;
    for (split, command) in [
        (json!({ "by": "md5-hex" }), json!("--md5-hex")),
        (json!({ "by": "partition-keys", "regions": 3, "width": 2 }), json!("--partition-keys 3 --width 2")),
        (json!({ "by": "none" }), Value::Null),
    ] {
        assert_eq!(
            console.post("/splits", &json!({ "split": split })).await.done()["splits_command"],
            command
        );
    }
}
