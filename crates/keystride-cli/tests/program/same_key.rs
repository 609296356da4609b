//! What two rows of one key mean: said by the design, else by where the table lives.

use std::fmt::Write as _;

use keystride_hbase_harness::shared_or_skip;
use serde_json::{Value, json};

use super::on_hbase::{Both, demand_same};
use super::{CALLS, keystride, stderr, stdout, written};

/// The design of calls with a length, and with what it says of rows of one key.
fn design(rule: Option<&str>) -> String {
    let said = rule.map(|rule| format!("on_same_key = \"{rule}\"\n")).unwrap_or_default();
    let text = CALLS.replace("families = [\"f\"]\n", &format!("families = [\"f\"]\n{said}"));
    text.replace("ts = {", "seconds = { type = \"u32\" }\nplace = { type = \"string\", max_len = 9 }\nts = {")
}

/// Calls of which many make the key of an earlier one, some with the same values and some with none.
fn rows() -> String {
    let mut text = "phone,ts,seconds,place\n".to_owned();
    let mut dice = 7_u64;
    let mut below = |end: u64| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) % end
    };
    for _ in 0..1500 {
        let (phone, ts, seconds) = (13_800_138_000 + below(20), 1_586_131_200_000 + below(15), below(3));
        writeln!(text, "{phone},{ts},{seconds},{}", ["", "here"][usize::from(below(2) == 1)]).unwrap();
    }
    text
}

fn counts(report: &Value) -> [&Value; 5] {
    ["records", "rows", "repeats", "replaced", "rejected"].map(|figure| &report[figure])
}

#[test]
fn a_folder_rejects_rows_of_one_key_and_a_cluster_replaces_them_where_the_design_does_not_say() {
    let folder = tempfile::tempdir().unwrap();
    let csv = written(folder.path(), "calls.csv", &rows());
    let report = |backend: &str, rule: Option<&str>| -> Value {
        let design = written(folder.path(), "d.toml", &design(rule));
        // A dry run with a design opens no store.
        let output =
            keystride(&["--backend", backend, "load", "--dry-run", "-d", &design, &csv, "--format", "json"]);
        serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output)))
    };
    let (embedded, cluster) = ("embedded:nowhere", "hbase://nowhere");
    let rule =
        |rule: &str, said_by: &str, race: bool| json!({ "rule": rule, "said_by": said_by, "race": race });
    for (backend, said, wanted) in [
        (embedded, None, rule("error", "store", false)),
        (cluster, None, rule("replace", "store", false)),
        (embedded, Some("replace"), rule("replace", "design", false)),
        (cluster, Some("replace"), rule("replace", "design", false)),
        (embedded, Some("error"), rule("error", "design", false)),
        (cluster, Some("error"), rule("error", "design", true)),
    ] {
        assert_eq!(report(backend, said)["on_same_key"], wanted, "{backend} {said:?}");
    }
    assert_eq!(counts(&report(cluster, None)), counts(&report(embedded, Some("replace"))));
    assert_eq!(counts(&report(cluster, Some("error"))), counts(&report(embedded, None)));
}

#[test]
fn a_race_against_other_writers_is_told_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let csv = written(folder.path(), "calls.csv", &rows());
    let design = written(folder.path(), "d.toml", &design(Some("error")));
    let load = |backend: &str, more: &[&str]| {
        let args = ["--backend", backend, "load", "--dry-run", "-d", &design, &csv, "--format", "tsv"];
        stdout(&keystride(&[&args[..], more].concat()))
    };
    let told = load("hbase://nowhere", &[]);
    assert!(
        told.contains(
            "rows of the same key within this load\tthe later row is rejected, as the design says; other writers may"
        ),
        "{told}"
    );
    let told = load("embedded:nowhere", &[]);
    assert!(
        told.contains(
            "rows of the same key within this load\tthe later row is rejected, as the design says\n"
        ),
        "{told}"
    );
    let told = load("embedded:nowhere", &["--no-duplicate-check"]);
    assert!(told.contains("rows of the same key within this load\tnot checked"), "{told}");
    assert!(!told.contains("repeated rows skipped") && !told.contains("replaced by"), "{told}");
}

#[test]
fn rows_that_are_replaced_are_counted_in_words_too() {
    let folder = tempfile::tempdir().unwrap();
    let csv = written(folder.path(), "calls.csv", &rows());
    let design = written(folder.path(), "d.toml", &design(Some("replace")));
    let load = |format| stdout(&keystride(&["load", "--dry-run", "-d", &design, &csv, "--format", format]));
    let document: Value = serde_json::from_str(&load("json")).unwrap();
    assert!(document["replaced"].as_u64() > Some(100), "{document}");
    let told = load("tsv");
    assert!(
        told.contains(&format!("replaced by a later row of the same key\t{}\n", document["replaced"])),
        "{told}"
    );
    assert!(
        told.contains("rows of the same key within this load\tthe later row replaces the earlier one, as the design says\n"),
        "{told}"
    );
}

#[test]
fn a_cluster_replaces_and_rejects_as_a_folder_does() {
    let Some(hbase) = shared_or_skip("a_cluster_replaces_and_rejects_as_a_folder_does") else { return };
    for (test, rule) in [("same_key_replace", "replace"), ("same_key_error", "error")] {
        for batch in ["1KiB", "1MiB"] {
            let both = Both::new(hbase.address(), test, &design(Some(rule)));
            let args = ["--batch", batch];
            let [there, beside] =
                [both.cluster(), both.beside()].map(|backend| both.load(&backend, &rows(), &args));
            assert_eq!(counts(&there), counts(&beside));
            let replaced = there["replaced"].as_u64().unwrap();
            assert_eq!(replaced > 100, rule == "replace", "{there}");
            demand_same(&both.cells(&both.cluster(), &there), &both.cells(&both.beside(), &beside));
        }
    }
}

#[test]
fn a_design_that_does_not_say_it_replaces_on_a_cluster_also_what_was_stored_before() {
    let Some(hbase) = shared_or_skip("a_design_that_does_not_say_it_replaces_on_a_cluster") else { return };
    let both = Both::new(hbase.address(), "same_key_unsaid", &design(None));
    let header = "phone,ts,seconds,place\n";
    let earlier = format!("{header}13800138000,1586131200000,1,here\n13800138001,1586131200000,1,\n");
    let later = format!("{header}13800138000,1586131200000,2,\n13800138001,1586131200000,1,\n");
    let first = both.load(&both.cluster(), &earlier, &[]);
    let second = both.load(&both.cluster(), &later, &["--check-stored", "--load-id", "later"]);
    assert_eq!((&first["rows"], &first["on_same_key"]["rule"]), (&json!(2), &json!("replace")));
    assert_eq!((&second["rows"], &second["replaced"], &second["repeats"]), (&json!(1), &json!(1), &json!(1)));
    let cells = both.cells(&both.cluster(), &second);
    assert!(cells.contains("\tf:seconds\tload\t2\n") && cells.contains("\tf:place\t"), "{cells}");
    let first = both.load(&both.beside(), &earlier, &[]);
    let second = both.load(&both.beside(), &later, &["--check-stored", "--load-id", "later"]);
    assert_eq!((&first["rows"], &second["rejected"]["stored key"]), (&json!(2), &json!(1)), "{second}");
}

#[test]
fn what_a_comparison_with_stored_rows_costs_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let file = written(folder.path(), "d.toml", &design(None));
    let rows = (0..300).map(|n| format!("13800138000,{},1,here", 1_586_131_200_000_u64 + n));
    let rows =
        std::iter::once("phone,ts,seconds,place".to_owned()).chain(rows).collect::<Vec<_>>().join("\n");
    let rows = written(folder.path(), "rows.csv", &rows);
    let backend = format!("embedded:{}", folder.path().join("store").display());
    let run = |args: &[&str]| keystride(&[&["--backend", &backend], args].concat());
    assert_eq!(run(&["table", "create", "-d", &file]).status.code(), Some(0));
    let load = || stderr(&run(&["load", "-d", &file, &rows, "--check-stored"]));
    assert!(!load().contains("what is stored under its key"), "the table is empty");
    assert!(load().contains("what is stored under its key"));
}
