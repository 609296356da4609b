//! `put`, `delete`, and what they refuse.

use super::calls::{Calls, THREE, json};
use super::{CALLS, keystride, stderr, stdout, written};

#[test]
fn rows_that_are_deleted_are_gone_once_that_is_confirmed() {
    let calls = Calls::new();
    calls.load("calls.csv", THREE);
    let delete = ["delete", "calls", "--where", "phone = '13800138001'"];
    let output = calls.run(&delete);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("Would delete 1 row;"), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    let asked = calls.run(&[&delete[..], &["--format", "json"]].concat());
    assert_eq!((asked.status.code(), json(&asked)["would_delete"].as_u64()), (Some(1), Some(1)));
    let explained = calls.run(&[&delete[..], &["--yes", "--explain"]].concat());
    assert_eq!((explained.status.code(), calls.count()), (Some(0), 3));
    assert!(stdout(&explained).contains("RANGE SCAN x1"), "{}", stdout(&explained));
    assert_eq!(stdout(&calls.run(&[&delete[..], &["--yes"]].concat())).trim(), "1");
    assert_eq!(calls.count(), 2);
}

#[test]
fn bytes_and_floats_are_printed_as_they_are_put() {
    let folder = tempfile::tempdir().unwrap();
    let fields = "hex = { type = \"bytes\", input = \"hex\" }\nraw = { type = \"bytes\", input = \"escaped\" }\n\
                  short = { type = \"f32\" }\nlong = { type = \"f64\" }\nts = {";
    let design = written(folder.path(), "d.toml", &CALLS.replace("ts = {", fields));
    let backend = format!("embedded:{}/data", folder.path().display());
    let run = |args: &[&str]| keystride(&[&["--backend", &backend], args].concat());
    assert_eq!(run(&["table", "create", "-d", &design]).status.code(), Some(0));
    let key = ["phone=13800138000", "ts=1586131200000"];
    for (short, long, wanted) in [("0.1", "1e300", "0.1\t1e+300"), ("-Infinity", "NaN", "-Infinity\tNaN")] {
        let (short, long) = (format!("short={short}"), format!("long={long}"));
        let put = run(&[&["put", "calls", "hex=6162", r"raw=ab\x00", &short, &long], &key[..]].concat());
        assert_eq!(put.status.code(), Some(0), "{}", stderr(&put));
        let tsv = stdout(&run(&[&["get", "calls", "--no-header"], &key[..]].concat()));
        assert!(tsv.contains(&format!("6162\tab\\\\x00\t{wanted}\t")), "{tsv}");
    }
    let document = json(&run(&[&["get", "calls", "--format", "json"], &key[..]].concat()));
    assert_eq!(
        (&document["rows"][0]["short"], &document["rows"][0]["long"]),
        (&"-Infinity".into(), &"NaN".into())
    );
    let mangled = run(&[&["put", "calls", r"raw=\xff"], &key[..]].concat());
    assert_eq!(mangled.status.code(), Some(2), "{}", stderr(&mangled));
}

#[test]
fn a_row_without_its_key_is_wrong_use() {
    let calls = Calls::new();
    let encode = ["key", "encode", "-d", &calls.design, "phone=13800138000"];
    let get = calls.run(&["get", "calls", "phone=13800138000"]);
    assert_eq!(get.status.code(), Some(2));
    let wanted = "the key also needs ts; `keystride query calls --where` finds rows by a part of it";
    assert!(stderr(&get).contains(wanted), "{}", stderr(&get));
    for args in [&["put", "calls", "phone=13800138000"][..], &encode] {
        let output = calls.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("the row has no key: "), "{}", stderr(&output));
    }
}

#[test]
fn a_field_that_the_design_computes_is_not_given() {
    let folder = tempfile::tempdir().unwrap();
    let design = written(
        folder.path(),
        "d.toml",
        &CALLS.replace("ts = {", "day = { from = \"floor(ts,1d)\" }\nts = {"),
    );
    let encode = ["key", "encode", "-d", &design, "phone=13800138000", "ts=1586131200000"];
    assert_eq!(keystride(&encode).status.code(), Some(0));
    let output = keystride(&[&encode[..], &["day=1586131200000"]].concat());
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(stderr(&output).contains("\"day\" is computed by the design"), "{}", stderr(&output));
}

#[test]
fn a_field_given_twice_is_refused() {
    let calls = Calls::new();
    let row = ["phone=13800138000", "ts=1586131200000"];
    for args in [
        &[&["put", "calls", "phone=13800138001"], &row[..]].concat(),
        &[&["get", "calls", "ts=1"], &row[..]].concat(),
        &[&["key", "encode", "-d", &calls.design, "ts=1"], &row[..]].concat(),
        &vec!["query", "calls", "--columns", "ts,phone,ts"],
    ] {
        let output = calls.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
        let told = stderr(&output);
        assert!(told.contains("is given twice") || told.contains("is named twice"), "{told}");
    }
}

#[test]
fn cells_are_put_beside_fields_and_scanned_by_column() {
    let calls = Calls::new();
    let row = ["phone=13800138000", "ts=1586131200000"];
    let put = |cells: &[&str]| calls.run(&[&["put", "calls"], &row[..], cells].concat());
    let output = put(&["seconds=7", r"f:note=a\x00", r"f:a\x3Db=1=2"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let scanned = |columns: &[&str]| {
        let text = stdout(&calls.run(&[&["scan", "calls", "--no-header"], columns].concat()));
        let cell = |line: &str| {
            let words: Vec<&str> = line.split('\t').collect();
            format!("{}={}", words[1], words[3])
        };
        text.lines().map(cell).collect::<Vec<_>>()
    };
    assert_eq!(scanned(&[]), ["f:a=b=1=2", r"f:note=a\\x00", "f:seconds=7"]);
    for by in [&[][..], &["--where", "phone = '13800138000'"]] {
        let columns = [by, &["--columns", "f:note,f:seconds"]].concat();
        assert_eq!(scanned(&columns), [r"f:note=a\\x00", "f:seconds=7"]);
        assert!(scanned(&[by, &["--columns", "f:other"]].concat()).is_empty());
        assert_eq!(scanned(&[by, &["--columns", "f"]].concat()).len(), 3);
    }
    let get = calls.run(&[&["get", "calls", "--columns", " seconds", "--no-header"], &row[..]].concat());
    assert_eq!(stdout(&get).trim(), "7");
    for (cell, wanted) in [
        ("g:note=1", "no column family \"g\"; it has f"),
        ("f:seconds=1", "holds field \"seconds\""),
        ("f:note=中", "is not ASCII"),
    ] {
        let refused = put(&[cell]);
        assert_eq!(refused.status.code(), Some(2), "{cell}");
        assert!(stderr(&refused).contains(wanted), "{}", stderr(&refused));
    }
    assert_eq!(put(&["f:note=1", "f:note=2"]).status.code(), Some(2));
    for twice in ["f,f:note", "f:note,f", "f,f", "f:note,f:note"] {
        let output = calls.run(&["scan", "calls", "--columns", twice]);
        assert_eq!(output.status.code(), Some(2), "{twice}");
        assert!(stderr(&output).contains("is named twice"), "{}", stderr(&output));
    }
}

#[test]
fn the_cell_that_marks_a_row_is_not_put() {
    let calls = Calls::new();
    let output = calls.run(&["put", "calls", "phone=13800138000", "ts=1586131200000", "f:=x"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("column \"f:\" marks rows that have no other cell"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn rows_whose_cells_are_newer_than_a_delete_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let text = CALLS.replace("[split]", "[columns]\ncell_time = \"ts\"\n[split]");
    let design = written(folder.path(), "d.toml", &text);
    let backend = format!("embedded:{}/data", folder.path().display());
    let run = |args: &[&str]| keystride(&[&["--backend", &backend], args].concat());
    assert_eq!(run(&["table", "create", "-d", &design]).status.code(), Some(0));
    for (time, remaining) in [("1586131200000", 0), ("4586131200000", 1)] {
        assert_eq!(run(&["put", "calls", "phone=13800138000", &format!("ts={time}")]).status.code(), Some(0));
        let output = run(&["delete", "calls", "--where", "phone = '13800138000'", "--yes"]);
        assert_eq!(output.status.code(), Some(if remaining > 0 { 5 } else { 0 }), "{}", stderr(&output));
        assert_eq!(stderr(&output).contains("rows still there: 1;"), remaining > 0, "{}", stderr(&output));
    }
}

#[test]
fn a_row_put_is_found_by_its_key_and_by_a_query_from_one_range() {
    let folder = tempfile::tempdir().unwrap();
    let design = written(folder.path(), "d.toml", CALLS);
    let backend = format!("embedded:{}", folder.path().join("data").display());
    let run = |args: &[&str]| keystride(&[&["--backend", &backend], args].concat());
    let missing = run(&["table", "list"]);
    assert_eq!(missing.status.code(), Some(3), "{}", stderr(&missing));
    assert_eq!(run(&["table", "create", "-d", &design]).status.code(), Some(0));
    assert_eq!(run(&["table", "create", "-d", &design]).status.code(), Some(1));
    assert_eq!(run(&["table", "create", "-d", &design, "--if-not-exists"]).status.code(), Some(0));
    assert_eq!(stdout(&run(&["table", "splits", "calls"])).lines().count(), 15);
    for ts in ["1586131200000", "1586131200001"] {
        let put = run(&["put", "calls", "phone=13800138000", &format!("ts={ts}")]);
        assert_eq!(put.status.code(), Some(0), "{}", stderr(&put));
    }
    assert_eq!(stdout(&run(&["count", "calls"])).trim(), "2");
    let query = ["query", "calls", "--where", "phone = '13800138000'", "--newest", "1", "--format", "ndjson"];
    let row: serde_json::Value = serde_json::from_str(&stdout(&run(&query))).unwrap();
    assert_eq!(row, serde_json::json!({ "phone": "13800138000", "ts": "2020-04-06T00:00:00.001Z" }));
    let explained = stdout(&run(&["query", "calls", "--where", "phone = '13800138000'", "--explain"]));
    assert!(explained.contains("RANGE SCAN x1, 1 of 16 buckets"), "{explained}");
    let missed = run(&["get", "calls", "phone=13800138000", "ts=1586131200002"]);
    assert_eq!((missed.status.code(), stderr(&missed).as_str()), (Some(1), "no row has this key\n"));
    let wrong = run(&["query", "calls", "--where", "phone = "]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("--where:1:9"), "{}", stderr(&wrong));
    let other = written(folder.path(), "other.toml", &CALLS.replace("bucket = 16", "bucket = 32"));
    let check = run(&["table", "check", "calls", "-d", &other]);
    assert_eq!((check.status.code(), stdout(&check).contains("16 here, 32 there")), (Some(1), true));
    assert_eq!(run(&["table", "drop", "calls"]).status.code(), Some(2));
    assert_eq!(run(&["table", "drop", "calls", "--yes"]).status.code(), Some(0));
}
