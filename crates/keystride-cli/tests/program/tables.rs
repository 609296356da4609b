//! Tables, and the designs they were made by.

use std::path::Path;

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

#[test]
fn a_table_of_families_alone_is_made_without_a_design() {
    let calls = Calls::new();
    let create = |args: &[&str]| calls.run(&[&["table", "create", "-t", "plain"], args].concat());
    let asked = ["--family", "cf,versions=3", "--family", "d", "--splits", r"a,b\x00"];
    let line = create(&[&asked[..], &["--dry-run"]].concat());
    let told = r"create 'plain', {NAME => 'cf', VERSIONS => '3'}, {NAME => 'd'}, SPLITS => ['a', 'b\x00']";
    assert_eq!(stdout(&line).trim_end(), told);
    let made = create(&asked);
    assert_eq!((made.status.code(), stderr(&made)), (Some(0), "plain: 3 regions\n".to_owned()));
    assert_eq!(stdout(&calls.run(&["table", "splits", "plain", "--no-header"])), "a\nb\\x00\n");
    let described = json(&calls.run(&["table", "describe", "plain", "--format", "json"]));
    assert_eq!(described["families"], serde_json::json!(["cf", "d"]));
    assert_eq!(described["family_attributes"]["cf"]["VERSIONS"], "3");
    assert_eq!(create(&asked).status.code(), Some(1));
    for wrong in [
        &["--family", "cf,VERSION=3"][..],
        &["--family", "cf,VERSIONS"],
        &["--family", "cf,VERSIONS=0"],
        &["--family", ""],
        &["--family", "a:b"],
        &["--family", "cf", "-d", &calls.design],
        &["--family", "cf", "--if-not-exists"],
        &[],
    ] {
        let refused = create(wrong);
        assert_eq!(refused.status.code(), Some(2), "{wrong:?}: {}", stderr(&refused));
    }
    let nameless = calls.run(&["table", "create", "--family", "cf"]);
    assert_eq!(nameless.status.code(), Some(2), "{}", stderr(&nameless));
}

#[test]
fn a_compacted_table_has_its_rows_in_smaller_files() {
    let calls = Calls::new();
    let rows: Vec<_> = (0..20_000).map(|n| format!("138{n:08},{n},1586131200000\n")).collect();
    let csv = written(calls.path(), "many.csv", &format!("phone,seconds,ts\n{}", rows.concat()));
    for load in ["1", "2", "3"] {
        // Other timestamps: the family keeps one version of each cell.
        let loaded = calls.run(&["load", "-t", "calls", &csv, "--load-id", load]);
        assert_eq!(loaded.status.code(), Some(0), "{}", stderr(&loaded));
    }
    let before = file_bytes(&calls.path().join("keystride-data/engine/keyspaces"));
    let compacted = calls.run(&["table", "compact", "calls"]);
    assert_eq!((compacted.status.code(), stdout(&compacted)), (Some(0), String::new()));
    assert_eq!(stderr(&compacted), "the files of calls are merged\n");
    let after = file_bytes(&calls.path().join("keystride-data/engine/keyspaces"));
    assert!(after < before * 2 / 3, "{after} of {before}");
    assert_eq!(calls.count(), 20_000);
    assert_eq!(calls.run(&["table", "compact", "none"]).status.code(), Some(1));
    assert_eq!(calls.run(&["table", "compact", "a b"]).status.code(), Some(2));
}

/// The bytes of all files below a folder.
fn file_bytes(folder: &Path) -> u64 {
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| if path.is_dir() { file_bytes(&path) } else { path.metadata().unwrap().len() }).sum()
}
