//! `load`: what is stored, and what it says.

use std::io::Write as _;
use std::process::Stdio;

use super::calls::{Calls, THREE, json};
use super::tried::{TWO, Tried};
use super::{program, stderr, stdout, written};

#[test]
fn a_load_stores_the_good_rows_and_keeps_the_others_with_their_lines() {
    let calls = Calls::new();
    let text = "\u{feff}phone,seconds,ts\r\n13800138000,1,1586131200000\r\n1380013800,2,1586131200000\r\n\
                13800138001,-1,1586131200000\r\n13800138002,3\r\n13800138000,9,1586131200000\r\n\
                13800138003,4,99999999999999\r\n13800138000,1,1586131200000\r\n";
    let output = calls.load("calls.csv", text);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    let report = json(&output);
    assert_eq!((report["records"].as_u64(), report["rows"].as_u64()), (Some(7), Some(1)));
    assert_eq!(report["repeats"], 1);
    let kept = std::fs::read_to_string(calls.path().join("calls.rejects.csv")).unwrap();
    let lines: Vec<&str> = kept.lines().collect();
    assert_eq!(lines.len(), 6, "{kept}");
    for (line, wanted) in lines.iter().zip(["line,column", "3,phone", "4,seconds", "5,,", "6,,", "7,ts,"]) {
        assert!(line.starts_with(wanted), "{line}");
    }
    assert!(lines[4].contains("same key as line 2"), "{kept}");
    assert_eq!(calls.count(), 1);
}

#[test]
fn a_load_that_names_no_table_is_of_the_only_one() {
    let calls = Calls::new();
    let csv = written(calls.path(), "calls.csv", THREE);
    for args in [&["load", &csv][..], &["load", &csv, "--dry-run"]] {
        let output = calls.run(args);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    assert_eq!(calls.count(), 3);
    let other = std::fs::read_to_string(&calls.design).unwrap().replace("\"calls\"", "\"other\"");
    calls.run(&["table", "create", "-d", &written(calls.path(), "other.toml", &other)]);
    let output = calls.run(&["load", &csv]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("name a table with --table: calls, other"), "{}", stderr(&output));
}

#[test]
fn a_topic_is_loaded_alone_and_with_its_own_options() {
    let calls = Calls::new();
    let csv = written(calls.path(), "calls.csv", THREE);
    for (args, wanted) in [
        (&["kafka://host:9092"][..], "it ends with / and a topic, as in kafka://host:9092/topic"),
        (&["kafka://host/calls", &csv], "a topic is loaded alone"),
        (&["kafka://host/calls", "--no-resume"], "--no-resume is of files"),
        (&["kafka://host/calls", "--from", "now"], "expected earliest, latest, stored or a time"),
        (&["kafka://host/calls", "--resume"], "no load of calls into this table is known that could go on"),
        (&["kafka://host/calls"], "say where it begins: --from earliest"),
        (&[&csv, "--until", "now"], "--until is of topics"),
    ] {
        let output = calls.run(&[&["load", "-t", "calls"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(wanted), "{}", stderr(&output));
    }
}

#[test]
#[cfg(not(feature = "kafka"))]
fn a_program_without_kafka_says_how_to_get_one_with_it() {
    let output = Calls::new().run(&["load", "-t", "calls", "kafka://host/calls", "--from", "earliest"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`cargo install --path crates/keystride-cli --features kafka`"));
}

#[test]
fn what_is_no_input_at_all_ends_with_2_and_stores_nothing() {
    let calls = Calls::new();
    for (name, text, wanted) in [
        ("empty.csv", "", "empty.csv"),
        ("header.csv", "phone;seconds;ts\n1;2;3\n", "no column for field"),
        ("more.csv", "phone,seconds,ts,imei\n1,2,3,4\n", "imei = { type = \"int\" }"),
        ("binary.csv", "\u{0}\u{1}\u{2}", "no column for field"),
    ] {
        let output = calls.load(name, text);
        assert_eq!(output.status.code(), Some(2), "{name}: {}", stderr(&output));
        assert!(stderr(&output).contains(wanted), "{name}: {}", stderr(&output));
    }
    for name in [".", "missing.csv", "*.nothing"] {
        assert_eq!(calls.run(&["load", "-t", "calls", name]).status.code(), Some(2), "{name}");
    }
    assert_eq!(calls.count(), 0);
}

#[test]
fn json_lines_and_packed_files_and_standard_input_are_read() {
    let calls = Calls::new();
    let lines = "{\"phone\":13800138000,\"seconds\":1,\"ts\":1586131200000}\n";
    assert_eq!(calls.load("calls.jsonl", lines).status.code(), Some(0));
    let packed = zstd::encode_all(THREE.replace("138001", "138002").as_bytes(), 1).unwrap();
    assert_eq!(calls.load("calls.csv.zst", packed).status.code(), Some(0));
    let mut child = calls.start(&["load", "-t", "calls", "-"]);
    child.stdin.take().unwrap().write_all(THREE.replace("138001", "138003").as_bytes()).unwrap();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
    assert_eq!(calls.count(), 7);
}

#[test]
fn a_dry_run_says_what_a_load_would_and_stores_nothing() {
    let calls = Calls::new();
    std::fs::write(calls.path().join("calls.csv"), THREE).unwrap();
    let dry = json(&calls.run(&["load", "-t", "calls", "calls.csv", "--dry-run", "--format", "json"]));
    assert_eq!(calls.count(), 0);
    let real = json(&calls.load("calls.csv", THREE));
    for figure in ["records", "rows", "cells", "bytes", "rows_by_region", "balance"] {
        assert_eq!(dry[figure], real[figure], "{figure}");
    }
}

#[test]
fn a_load_with_a_rate_stores_all_rows_and_no_faster() {
    let calls = Calls::new();
    std::fs::write(calls.path().join("calls.csv"), THREE).unwrap();
    let args = ["load", "-t", "calls", "calls.csv", "--way", "batches", "--batch", "1", "--rate", "5"];
    let start = std::time::Instant::now();
    let output = calls.run(&args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    // The second and the third row wait for 200 ms each.
    assert!(start.elapsed() >= std::time::Duration::from_millis(400));
    assert_eq!(calls.count(), 3);
    assert_eq!(calls.run(&["load", "-t", "calls", "calls.csv", "--rate", "fast"]).status.code(), Some(2));
}

#[test]
fn a_load_ends_as_it_does_though_nobody_reads_what_is_printed() {
    for (row, code) in [("1,a,b", 0), ("x,a,b", 5)] {
        let tried = Tried::new(TWO);
        let input = written(tried.path(), "rows.csv", &format!("id,a,b\n{row}\n"));
        let report = tried.path().join("r.json");
        let backend = format!("embedded:{}/store", tried.path().display());
        let mut load = program();
        load.args(["--backend", &backend, "load", "-t", "t", &input, "--report", report.to_str().unwrap()]);
        let mut child = load.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(code));
        assert!(std::fs::read_to_string(report).unwrap().contains("\"rows\""));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_glob_matches_names_that_are_not_utf8() {
    use std::os::unix::ffi::OsStrExt as _;
    let tried = Tried::new(TWO);
    written(tried.path(), "1.csv", "id,a,b\n1,a,b\n");
    let odd = tried.path().join(std::ffi::OsStr::from_bytes(b"2\xff.csv"));
    std::fs::write(&odd, "id,a,b\n2,a,b\n").unwrap();
    let glob = tried.path().join("*.csv").display().to_string();
    let loaded = tried.run(&["load", "-t", "t", &glob]);
    assert_eq!(loaded.status.code(), Some(0), "{}", stderr(&loaded));
    assert_eq!(tried.done(&["count", "t"]), "2\n");
}

#[test]
fn a_load_that_is_asked_to_sort_and_can_t_says_so() {
    let tried = Tried::new(TWO);
    let said = "only an empty table is filled sorted";
    assert!(!stderr(&tried.load("id,a,b\n1,a,9\n", &["--way", "sorted"])).contains(said));
    let again = tried.load("id,a,b\n2,a,9\n", &["--way", "sorted", "--load-id", "other"]);
    assert_eq!(again.status.code(), Some(0));
    assert!(stderr(&again).contains(said), "{}", stderr(&again));
}

#[test]
fn a_short_load_says_nothing_but_its_report() {
    let calls = Calls::new();
    for name in ["calls.csv", "more.csv"] {
        let output =
            calls.load(name, THREE.replace("138001", if name == "more.csv" { "138002" } else { "138001" }));
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{name}");
        assert!(json(&output)["rejects_file"].is_null(), "{name}");
    }
}

#[test]
fn the_report_of_a_load_has_the_figures_of_its_document() {
    let calls = Calls::new();
    let rows = format!("{THREE}13800138000,1,1586131200000\n13800138000,9,1586131200000\n1,2,3\n");
    std::fs::write(calls.path().join("calls.csv"), &rows).unwrap();
    let load = ["load", "-t", "calls", "calls.csv", "--report", "r.json", "--way", "batches"];
    let figures = |more: &[&str], code: i32| -> (Vec<(String, String)>, serde_json::Value) {
        let output = calls.run(&[&load[..], more].concat());
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        let lines = stdout(&output);
        let pair = |line: &str| {
            line.split_once('\t').map(|(name, value)| (name.to_owned(), value.to_owned())).unwrap()
        };
        let report = std::fs::read(calls.path().join("r.json")).unwrap();
        (lines.lines().map(pair).collect(), serde_json::from_slice(&report).unwrap())
    };
    let value = |figures: &[(String, String)], wanted: &str| {
        figures.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone())
    };
    let (begun, document) = figures(&["--load-id", "one"], 5);
    for (name, wanted) in [
        ("load", "one"),
        ("records", "6"),
        ("rows stored", "3"),
        ("cells", "3"),
        ("repeated rows skipped", "1"),
        ("rejects file", "calls.rejects.csv"),
        ("way", "in batches"),
        ("ended", "complete"),
    ] {
        assert_eq!(value(&begun, name).as_deref(), Some(wanted), "{name}: {begun:?}");
    }
    let rejected = begun.iter().filter(|(name, _)| name.starts_with("rejected: ")).count();
    assert_eq!((rejected, document["rejected"].as_object().unwrap().len()), (2, 2), "{begun:?}");
    for (name, wanted) in [("records", 6), ("rows", 3), ("cells", 3), ("repeats", 1), ("replaced", 0)] {
        assert_eq!(document[name], wanted, "{document}");
    }
    assert_eq!(value(&begun, "bytes"), document["bytes"].as_u64().map(|bytes| format!("{bytes} B")));
    for name in ["records of earlier runs", "replaced by a later row of the same key", "retries"] {
        assert_eq!(value(&begun, name), None);
    }
    let elapsed_ms = document["elapsed_ms"].as_f64().unwrap();
    assert_eq!(value(&begun, "seconds"), Some(format!("{:.1}", elapsed_ms / 1_000.0)));
    assert_eq!(value(&begun, "records a second"), Some(format!("{:.0}", 6_000.0 / elapsed_ms.max(1.0))));
    assert_eq!(document["durability"], "batch");
    assert_eq!(value(&begun, "acknowledged").as_deref(), Some("batch by batch, on disk (batch)"));
    for name in ["batch latency", "balance"] {
        assert!(value(&begun, name).is_some(), "{name}: {begun:?}");
    }

    std::fs::write(calls.path().join("calls.csv"), format!("{rows}13800138009,1,1586131200000\n")).unwrap();
    let (resumed, document) = figures(&["--load-id", "one", "--resume"], 5);
    assert_eq!(value(&resumed, "records of earlier runs").as_deref(), Some("6"), "{resumed:?}");
    assert_eq!((&document["resumed_from"], &document["ending"]), (&6.into(), &"complete".into()));
    let (later, document) = figures(&["--load-id", "three", "--durability", "interval:50ms"], 5);
    assert_eq!(document["durability"], "interval:50ms");
    assert_eq!(value(&later, "acknowledged").as_deref(), Some("batch by batch, on disk (interval:50ms)"));
    let (dry, _) = figures(&["--dry-run", "--load-id", "two"], 5);
    assert_eq!((value(&dry, "rows to store").as_deref(), value(&dry, "rows stored")), (Some("4"), None));
    assert_eq!((value(&dry, "acknowledged").as_deref(), value(&dry, "rejects file")), (Some("no"), None));
}

/// A device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn what_can_t_be_printed_is_a_failure_though_the_work_is_done() {
    let tried = Tried::new(TWO);
    assert_eq!(tried.load("id,a,b\n1,a,b\n2,a,b\n", &[]).status.code(), Some(0));
    let backend = format!("embedded:{}/store", tried.path().display());
    let input = written(tried.path(), "more.csv", "id,a,b\n3,a,b\n");
    for args in [
        &["query", "t"][..],
        &["count", "t"],
        &["version"],
        &["--help"],
        &["delete", "t", "--where", "id = 1", "--yes"],
        &["load", "-t", "t", &input],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = program().args(["--backend", &backend]).args(args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}: {}", stderr(&output));
    }
    assert_eq!(tried.done(&["query", "t", "--columns", "id", "--no-header"]), "2\n3\n");
}
