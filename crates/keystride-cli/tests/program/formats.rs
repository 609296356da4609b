//! A format that is asked for is given, or refused.

use serde_json::Value;

use super::{CALLS, keystride, stderr, stdout, written};

/// A folder with a design, a file and a table of two calls.
fn calls() -> (tempfile::TempDir, String, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let design = written(folder.path(), "d.toml", CALLS);
    let rows = "phone,ts\n13800138000,1586131200000\n13800138001,1586131200001\n1,2\n";
    let csv = written(folder.path(), "calls.csv", rows);
    let backend = format!("embedded:{}/data", folder.path().display());
    for args in [&["table", "create", "-d", &design][..], &["load", "-t", "calls", &csv]] {
        let output = keystride(&[&["--backend", &backend], args].concat());
        assert!(matches!(output.status.code(), Some(0 | 5)), "{}", stderr(&output));
    }
    (folder, design, csv, backend)
}

fn objects(text: &str) -> Vec<Value> {
    let object = |line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}"));
    text.lines().map(object).collect()
}

#[test]
fn every_command_gives_the_format_asked_for_or_refuses_it() {
    let (_folder, design, csv, backend) = calls();
    let who = "phone = '13800138000'";
    let commands: [&[&str]; 26] = [
        &["query", "calls"],
        &["query", "calls", "--where", who, "--explain"],
        &["get", "calls", "phone=13800138000", "ts=1586131200000"],
        &["scan", "calls"],
        &["count", "calls"],
        &["delete", "calls", "--where", who],
        &["delete", "calls", "--where", who, "--explain"],
        &["stats", "calls"],
        &["table", "list"],
        &["table", "describe", "calls"],
        &["table", "regions", "calls"],
        &["table", "splits", "calls"],
        &["table", "check", "calls", "-d", &design],
        &["table", "create", "-d", &design, "--dry-run"],
        &["key", "encode", "-d", &design, "phone=13800138000", "ts=1586131200000"],
        &["key", "encode", "-d", &design, "--csv", &csv],
        &["key", "decode", "-d", &design, "09138001380001586131200000"],
        &["splits", "-d", &design],
        &["splits", "-d", &design, "--as", "java"],
        &["design", "show", &design],
        &["design", "show", &design, "--as", "ddl"],
        &["design", "lint", &design],
        &["design", "explain"],
        &["design", "explain", "SPL05"],
        &["design", "new", "--from", &csv, "--key", "phone, ts"],
        &["version"],
    ];
    for command in commands {
        let run = |format: &str| keystride(&[&["--backend", &backend, "--format", format], command].concat());
        for format in ["json", "ndjson", "csv", "tsv", "table"] {
            let output = run(format);
            let (code, text, told) = (output.status.code(), stdout(&output), stderr(&output));
            if code == Some(2) {
                assert!(
                    text.is_empty() && told.contains(&format!("--format {format}")),
                    "{command:?}: {told}"
                );
                continue;
            }
            assert!(matches!(code, Some(0 | 1 | 5)), "{command:?} {format}: {told}");
            match format {
                "json" => {
                    let document: Value = serde_json::from_str(&text).unwrap();
                    assert_eq!(document["format"], 1, "{command:?}: {text}");
                }
                "ndjson" => assert!(objects(&text).iter().all(Value::is_object), "{command:?}: {text}"),
                "csv" => assert!(!text.is_empty() && !text.contains('\t'), "{command:?}: {text}"),
                _ => {}
            }
        }
    }
}

#[test]
fn an_explanation_is_a_document_too() {
    let (_folder, _, _, backend) = calls();
    let query = ["query", "calls", "--where", "phone = '13800138000'", "--newest", "1", "--explain"];
    let run = |format: &str| keystride(&[&["--backend", &backend, "--format", format], &query[..]].concat());
    let document: Value = serde_json::from_str(&stdout(&run("json"))).unwrap();
    assert_eq!((&document["scan"], &document["buckets"]["read"]), (&"range".into(), &1.into()));
    assert_eq!(document["ranges"][0]["start"], "0913800138000");
    assert_eq!(document["regions"], serde_json::json!({ "read": 1, "all": 16 }));
    assert_eq!([&document["store_filters"], &document["reader_filters"]], [&serde_json::json!([]); 2]);
    assert_eq!(objects(&stdout(&run("ndjson"))), [document]);
    assert_eq!(run("csv").status.code(), Some(2));
    let filtered = |filter: &str| {
        let query = ["query", "calls", "--where", filter, "--explain", "--format", "json"];
        let output = keystride(&[&["--backend", backend.as_str()], &query[..]].concat());
        let document: Value = serde_json::from_str(&stdout(&output)).unwrap();
        ["store_filters", "reader_filters"].map(|filters| document[filters].as_array().unwrap().len())
    };
    assert_eq!(filtered("right(phone, 1) = '1'"), [0, 1]);
}

#[test]
fn keys_of_a_file_are_rows_where_a_format_is_asked_for() {
    let (_folder, design, csv, _) = calls();
    let output = keystride(&["key", "encode", "-d", &design, "--csv", &csv, "--format", "ndjson"]);
    let keys: Vec<Value> = objects(&stdout(&output)).iter().map(|row| row["key"].clone()).collect();
    assert_eq!(keys, ["09138001380001586131200000".into(), "15138001380011586131200001".into(), Value::Null]);
}

#[test]
fn the_schema_is_one_document_and_one_line_of_ndjson() {
    let run = |format: &str| stdout(&keystride(&["design", "schema", "--format", format]));
    let document: Value = serde_json::from_str(&run("json")).unwrap();
    assert_eq!(objects(&run("ndjson")), [document]);
}

#[test]
fn a_row_that_is_not_there_is_a_document_without_rows() {
    let (_folder, _, _, backend) = calls();
    let get = ["get", "calls", "phone=13800138009", "ts=1586131200000", "--backend", &backend];
    let run = |format: &[&str]| keystride(&[&get[..], format].concat());
    let output = run(&["--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let document: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!((&document["format"], &document["rows"]), (&1.into(), &serde_json::json!([])));
    assert!(run(&[]).stdout.is_empty());
}

#[test]
fn parquet_is_a_format_of_files_alone() {
    let (folder, _, _, backend) = calls();
    let to = format!("{}/out", folder.path().display());
    for command in [&["extract", "calls", "--to", &to][..], &["query", "calls"]] {
        let output = keystride(&[command, &["--backend", &backend, "--format", "parquet"]].concat());
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        assert!(stderr(&output).contains("--to-format"), "{}", stderr(&output));
    }
    assert!(!folder.path().join("out").exists());
}

#[test]
fn extracts_of_every_format_load_again_and_tell_it_in_the_format_asked_for() {
    let (folder, design, _, backend) = calls();
    let run = |args: &[&str]| keystride(&[&["--backend", &backend], args].concat());
    let scanned = |table: &str| stdout(&run(&["query", table, "--ordered"]));
    for format in ["parquet", "csv", "json"] {
        let to = format!("{}/{format}", folder.path().display());
        let extract = ["extract", "calls", "--to", &to, "--to-format", format, "--format", "csv"];
        let report = stdout(&run(&extract));
        assert!(report.starts_with("folder,rows,bytes,files\n") && report.contains(",2,"), "{report}");
        let ending = if format == "json" { "jsonl" } else { format };
        let (name, glob) = (format!("calls_{format}"), format!("{to}/part-*.{ending}"));
        for args in [&["table", "create", "-d", &design, "-t", &name][..], &["load", "-t", &name, &glob]] {
            let output = run(args);
            assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
        }
        assert_eq!(scanned(&name), scanned("calls"));
    }
}

#[test]
fn folders_of_days_are_named_in_the_pattern_asked_for() {
    let (folder, _, _, backend) = calls();
    let to = format!("{}/out", folder.path().display());
    let extract = |more: &[&str]| {
        let extract =
            ["extract", "calls", "--backend", &backend, "--to", &to, "--partition-column", "opera_day"];
        keystride(&[&extract[..], more].concat())
    };
    let by_day = ["--partition-by", "day"];
    for pattern in ["yyyyMM", "yyyy/MM/dd", "day"] {
        let refused = extract(&[&by_day[..], &["--partition-format", pattern]].concat());
        assert_eq!(refused.status.code(), Some(2), "{pattern}");
        assert!(stderr(&refused).contains("yyyyMMdd"), "{}", stderr(&refused));
    }
    let whole = extract(&["--partition-format", "yyyyMMdd"]);
    assert_eq!(whole.status.code(), Some(2), "{}", stdout(&whole));
    let done = extract(&[&by_day[..], &["--partition-format", "yyyyMMdd"]].concat());
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(folder.path().join("out/opera_day=20200406/_SUCCESS").is_file());
    let of_day = extract(&["--day", "2020-04-06", "--partition-format", "yyyyMMdd", "--overwrite"]);
    assert!(stdout(&of_day).contains("opera_day=20200406\t2\t"), "{}", stdout(&of_day));
    assert_eq!(extract(&by_day).status.code(), Some(2), "its readers would find the rows twice");
}

#[test]
fn an_extract_to_a_file_is_wrong_usage() {
    let (_folder, _, csv, backend) = calls();
    for to in [csv.clone(), format!("{csv}/below")] {
        let output = keystride(&["extract", "calls", "--to", &to, "--backend", &backend]);
        assert_eq!(output.status.code(), Some(2), "{to}: {}", stderr(&output));
    }
}

#[test]
fn what_is_done_is_told_where_it_is_asked_for() {
    let (_folder, _, _, backend) = calls();
    let query = ["--backend", &backend, "query", "calls", "--where", "phone = '13800138000'"];
    let (silent, told) = (keystride(&query), keystride(&[&query[..], &["-v"]].concat()));
    assert_eq!((stdout(&silent), stderr(&silent)), (stdout(&told), String::new()));
    for word in ["opening the store", "query planned", "ranges=1"] {
        assert!(stderr(&told).contains(word), "{word}: {}", stderr(&told));
    }
    assert!(!stderr(&told).contains("keystride_table::"), "{}", stderr(&told));
    assert_eq!(keystride(&["version", "-v", "-q"]).status.code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn a_design_that_never_ends_is_refused() {
    let output = keystride(&["design", "lint", "/dev/zero"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("larger than 16 MiB"), "{}", stderr(&output));
}

#[test]
fn a_report_says_how_long_batches_took() {
    let (_folder, _, csv, backend) = calls();
    let load = ["--backend", &backend, "load", "-t", "calls", &csv, "--way", "batches", "--format", "json"];
    let report: Value = serde_json::from_str(&stdout(&keystride(&load))).unwrap();
    let latency = &report["batch_latency"];
    assert_eq!(latency["batches"], 1, "{latency}");
    assert!(latency["p50_ms"].as_f64() > Some(0.0), "{latency}");
    assert!(latency["p50_ms"].as_f64() <= latency["p99_ms"].as_f64(), "{latency}");
}

#[test]
fn a_number_is_bare_or_has_its_name_in_the_format_asked_for() {
    let (_folder, _, _, backend) = calls();
    let count =
        |format: &[&str]| stdout(&keystride(&[&["--backend", &backend, "count", "calls"], format].concat()));
    assert_eq!(count(&[]), "2\n");
    for (format, wanted) in [
        ("csv", "count\n2\n"),
        ("tsv", "count\n2\n"),
        ("ndjson", "{\"format\":1,\"count\":2}\n"),
        ("json", "{\n  \"format\": 1,\n  \"count\": 2\n}\n"),
    ] {
        assert_eq!(count(&["--format", format]), wanted);
    }
    let table = count(&["--format", "table"]);
    assert!(table.starts_with('┌') && table.contains("count") && table.contains('2'), "{table}");
    let bare = count(&["--format", "table", "--no-header"]);
    assert!(bare.lines().count() == 3 && !bare.contains("count"), "{bare}");
    assert_eq!(count(&["--format", "csv", "--no-header"]), "2\n");
}

#[test]
fn the_version_is_a_document_where_that_is_asked_for() {
    let printed = |args: &[&str]| stdout(&keystride(&[&["version"], args].concat()));
    let document: Value = serde_json::from_str(&printed(&["--json"])).unwrap();
    assert_eq!((&document["format"], &document["name"]), (&1.into(), &"keystride".into()));
    assert_eq!(printed(&["--json"]), printed(&["--format", "json"]));
    assert_eq!(printed(&[]), format!("keystride {}\n", document["version"].as_str().unwrap()));
}

#[test]
fn what_is_one_document_has_no_rows() {
    let (folder, design, _, _) = calls();
    let demo = folder.path().join("demo").display().to_string();
    for command in
        [&["design", "schema"][..], &["design", "show", &design, "--as", "json"], &["demo", "--dir", &demo]]
    {
        for format in ["csv", "tsv"] {
            let output = keystride(&[command, &["--format", format]].concat());
            assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""), "{command:?}");
            assert!(stderr(&output).contains(&format!("--format {format}")), "{}", stderr(&output));
        }
    }
    let show = |more: &[&str]| stdout(&keystride(&[&["design", "show", &design], more].concat()));
    assert_eq!(show(&["--format", "json"]), show(&["--as", "json"]));
    assert!(show(&["--format", "csv"]).starts_with("part,bytes,order,reads back,how\nbucket,2,,yes,"));
}
