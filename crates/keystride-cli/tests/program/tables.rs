//! Tables, and the designs they were made by.

use super::calls::{Calls, THREE, json};
use super::{CALLS, keystride, stderr, stdout, written};

#[test]
fn a_design_that_is_not_the_tables_own_is_refused() {
    let calls = Calls::new();
    let other = std::fs::read_to_string(&calls.design).unwrap().replace("bucket = 16", "bucket = 8");
    let other = written(calls.path(), "other.toml", &other);
    std::fs::write(calls.path().join("calls.csv"), THREE).unwrap();
    let output = calls.run(&["load", "-d", &other, "calls.csv"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("bucket: 16 here, 8 there"), "{}", stderr(&output));
    assert_eq!(calls.count(), 0);
}

#[test]
fn a_table_says_by_which_design_it_was_made() {
    let folder = tempfile::tempdir().unwrap();
    let design = written(folder.path(), "d.toml", CALLS);
    let other = written(folder.path(), "other.toml", &CALLS.replace("bucket = 16", "bucket = 8"));
    let backend = format!("embedded:{}/data", folder.path().display());
    let run = |args: &[&str]| keystride(&[&["--backend", &backend], args].concat());
    assert_eq!(stderr(&run(&["table", "create", "-d", &design])), "calls: 16 regions\n");
    let one = run(&["table", "create", "-d", &design, "-t", "one", "--splits", "08"]);
    assert_eq!(stderr(&one), "one: 2 regions\n");
    let again = ["table", "create", "--if-not-exists", "-d"];
    let there = run(&[&again[..], &[&design]].concat());
    assert_eq!((there.status.code(), stderr(&there).contains("is there already")), (Some(0), true));
    assert_eq!(run(&[&again[..], &[&other]].concat()).status.code(), Some(1));

    let check = |design: &str, format: &[&str]| {
        run(&[&["table", "check", "calls", "-d", design, "--no-header"], format].concat())
    };
    let same = check(&design, &[]);
    assert_eq!(
        (same.status.code(), stdout(&same), stderr(&same).is_empty()),
        (Some(0), String::new(), false)
    );
    let document = json(&check(&design, &["--format", "json"]));
    assert_eq!(
        document,
        serde_json::json!({
            "format": 1, "table": "calls", "same": true, "design": "same", "differences": [],
            "not_compared": ["keys, as the table has no rows"], "sampled_keys": 0,
        })
    );
    let document = json(&check(&other, &["--format", "json"]));
    let differences: Vec<&str> =
        document["differences"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    assert_eq!((&document["same"], differences.is_empty()), (&false.into(), false), "{document}");
    let lines = stdout(&check(&other, &[]));
    assert_eq!(lines.lines().collect::<Vec<_>>(), differences);

    let describe = |format: &str| run(&["table", "describe", "calls", "--format", format]);
    assert_eq!(json(&describe("json"))["families"], serde_json::json!(["f"]));
    let described = written(folder.path(), "described.toml", &stdout(&run(&["table", "describe", "calls"])));
    assert_eq!(check(&described, &[]).status.code(), Some(0));
    assert_eq!(run(&["table", "truncate", "calls", "--preserve"]).status.code(), Some(2));
    assert_eq!(run(&["table", "truncate", "calls", "--preserve", "--yes"]).status.code(), Some(0));
    assert_eq!(stdout(&run(&["table", "list", "--no-header"])), "calls\t16\none\t2\n");
    assert_eq!(stderr(&run(&["table", "truncate", "calls", "--yes"])), "calls is empty\n");
    assert_eq!(stdout(&run(&["table", "list", "--no-header"])), "calls\t1\none\t2\n");
    assert_eq!(stderr(&run(&["table", "split", "calls", "--hex", "3038"])), "calls is split at 08\n");
    assert_eq!(stderr(&run(&["table", "drop", "one", "--yes"])), "one is gone\n");
    assert_eq!(stdout(&run(&["table", "list", "--no-header"])), "calls\t2\n");
}

#[test]
fn a_table_that_was_truncated_to_one_region_opens_again() {
    let calls = Calls::new();
    calls.load("calls.csv", THREE);
    assert_eq!(calls.run(&["table", "truncate", "calls", "--yes"]).status.code(), Some(0));
    assert_eq!(calls.count(), 0);
    assert_eq!(calls.load("calls.csv", THREE).status.code(), Some(0));
    let regions = stdout(&calls.run(&["stats", "calls", "--format", "csv", "--no-header"]));
    assert_eq!(regions.split(',').nth(3), Some("3"), "{regions}");
}

#[test]
fn looking_for_tables_makes_no_store() {
    let folder = tempfile::tempdir().unwrap();
    for place in [folder.path().to_owned(), folder.path().join("missing")] {
        let backend = format!("embedded:{}", place.display());
        let output = keystride(&["--backend", &backend, "table", "list"]);
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    let file = written(folder.path(), "file", "");
    let output = keystride(&["--backend", &format!("embedded:{file}"), "table", "list"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(!stderr(&output).contains("there is no store"), "{}", stderr(&output));
}

#[test]
fn a_design_grows_and_its_rows_stay() {
    let calls = Calls::new();
    calls.load("calls.csv", THREE);
    let design = std::fs::read_to_string(&calls.design).unwrap();
    let more = "phone,seconds,ts,花费\n13800138000,1,1586131300000,0.35\n";
    let refused = calls.load("more.csv", more);
    assert!(stderr(&refused).contains("keystride table alter"), "{}", stderr(&refused));

    let grown = design
        .replace("[\"f\"]", "[\"f\", \"bill\"]")
        .replace("[key]", "\"花费\" = { type = \"f64\" }\n[key]")
        + "[columns]\n\"花费\" = { family = \"bill\" }\n";
    let grown = written(calls.path(), "grown.toml", &grown);
    let altered = calls.run(&["table", "alter", "-d", &grown, "--format", "json"]);
    let words = json(&altered);
    let words: Vec<&str> =
        words["rows"].as_array().unwrap().iter().map(|row| row["word"].as_str().unwrap()).collect();
    assert_eq!(words, ["columns.花费.family", "fields.花费", "table.families"]);
    assert_eq!(json(&calls.load("more.csv", more))["rows"], 1);
    let asked =
        ["query", "calls", "--where", "花费 = 0.35 or phone = '13800138001'", "--columns", "phone,花费"];
    let rows = stdout(&calls.run(&[&asked[..], &["--ordered", "--no-header", "--format", "csv"]].concat()));
    assert_eq!(rows, "13800138000,0.35\n13800138001,\n");

    // What stored keys do not allow changes nothing.
    let other = written(calls.path(), "other.toml", &design.replace("bucket = 16", "bucket = 8"));
    let refused = calls.run(&["table", "alter", "-t", "calls", "-d", &other]);
    assert_eq!((refused.status.code(), stderr(&refused).contains("key.parts[0].bucket")), (Some(1), true));
    assert_eq!(calls.run(&["table", "check", "calls", "-d", &grown]).status.code(), Some(0));
}

#[test]
fn a_split_that_leaves_a_region_without_keys_is_refused() {
    let calls = Calls::new();
    let split = |args: &[&str]| calls.run(&[&["table", "split", "calls"], args].concat());
    let refused = split(&["00"]);
    assert_eq!((refused.status.code(), stderr(&refused).contains("would stay empty")), (Some(2), true));
    assert_eq!(split(&["x"]).status.code(), Some(2));
    assert_eq!(split(&["0013800138000"]).status.code(), Some(0));
    assert_eq!(split(&["x", "--force"]).status.code(), Some(0));
}
