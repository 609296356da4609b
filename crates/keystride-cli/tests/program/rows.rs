//! Rows into a table and out of it.

use super::calls::{Calls, THREE, json};
use super::{CALLS, keystride, stderr, stdout, written};

#[test]
fn rows_that_are_deleted_are_gone_once_that_is_confirmed() {
    let calls = Calls::new();
    calls.load("calls.csv", THREE);
    let delete = ["delete", "calls", "--where", "phone = '13800138001'"];
    let output = calls.run(&delete);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("rows that would go: 1;"), "{}", stderr(&output));
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
fn a_scan_prints_cells_between_two_keys_as_they_are() {
    let calls = Calls::new();
    calls.load("calls.csv", THREE);
    let all = stdout(&calls.run(&["scan", "calls", "--no-header"]));
    let mut lines: Vec<&str> = all.lines().collect();
    let key = |line: &str| line.split('\t').next().unwrap().to_owned();
    let (first, last) = (key(lines[0]), key(lines[2]));
    let args = ["scan", "calls", "--no-header", "--raw-start", &first, "--raw-stop", &last];
    assert_eq!(stdout(&calls.run(&args)), format!("{}\n{}\n", lines[0], lines[1]));
    let one = calls.run(&["scan", "calls", "--no-header", "--where", "phone = '13800138001'"]);
    assert_eq!(stdout(&one).trim_end(), *lines.iter().find(|line| line.contains("13800138001")).unwrap());
    lines.reverse();
    assert_eq!(stdout(&calls.run(&["scan", "calls", "--no-header", "--reverse"])), lines.join("\n") + "\n");
}

#[test]
fn a_day_is_extracted_and_not_written_over() {
    let calls = Calls::new();
    calls.load("calls.csv", THREE);
    let args = ["extract", "calls", "--to", "out", "--day", "2020-04-06", "--format", "json"];
    let extracted = json(&calls.run(&args));
    assert_eq!(
        (extracted["rows"].as_u64(), extracted["partitions"][0]["partition"].as_str()),
        (Some(3), Some("dt=2020-04-06"))
    );
    assert!(calls.path().join("out/dt=2020-04-06/_SUCCESS").exists());
    assert_eq!(calls.run(&args).status.code(), Some(2));
    assert_eq!(calls.run(&[&args[..], &["--overwrite"]].concat()).status.code(), Some(0));
    let wrong = calls.run(&["extract", "calls", "--to", "out", "--day", "yesterday"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("\"yesterday\" is no day"), "{}", stderr(&wrong));
}

#[test]
fn columns_are_named_once() {
    let calls = Calls::new();
    calls.load("calls.csv", THREE);
    for args in [&["query", "calls"][..], &["extract", "calls", "--to", "out"]] {
        let output = calls.run(&[args, &["--columns", "phone,ts,phone"]].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("column \"phone\" is named twice"), "{}", stderr(&output));
    }
    assert!(!calls.path().join("out").exists());
    let to = ["extract", "calls", "--to", "out", "--partition-by", "day", "--partition-column", "a/../b"];
    assert_eq!(calls.run(&to).status.code(), Some(2));
    let taken = calls.run(&[&to[..6], &["--partition-column", "Phone"]].concat());
    assert_eq!(taken.status.code(), Some(2), "{}", stderr(&taken));
    assert!(stderr(&taken).contains("with --partition-column"), "{}", stderr(&taken));
}

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
        serde_json::json!({ "format": 1, "table": "calls", "same": true, "differences": [] })
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
    assert_eq!(stderr(&run(&["table", "split", "calls", "--hex", "3038"])), "calls is cut at 08\n");
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

/// The key of a time before its period, as OpenTSDB has it: the last period of an open range has no key of its own.
#[test]
fn an_open_range_of_a_time_behind_its_period_has_all_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    let design = CALLS
        .replace(
            "{ bucket = 16, of = [\"phone\"] }, { field = \"phone\" }",
            "{ field = \"ts\", floor = \"1h\" }",
        )
        .replace("[split]\nby = \"bucket\"\n", "");
    let design = written(folder.path(), "d.toml", &design);
    let rows = "phone,ts\n13800138000,1586131200001\n13800138001,1586134800001\n13800138002,1586138400001\n";
    let calls = written(folder.path(), "calls.csv", rows);
    let backend = format!("embedded:{}/data", folder.path().display());
    let run = |args: &[&str]| keystride(&[&["--backend", &backend], args].concat());
    assert_eq!(run(&["table", "create", "-d", &design]).status.code(), Some(0));
    assert_eq!(run(&["load", "-d", &design, &calls]).status.code(), Some(0));
    for (predicate, count) in
        [("ts > 1586131200000", 3), ("ts > 1586134800000", 2), ("ts < 1586138400001", 2)]
    {
        let found = run(&["count", "calls", "--where", predicate]);
        assert_eq!(stdout(&found).trim(), count.to_string(), "{predicate}: {}", stderr(&found));
    }
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
        assert!(tsv.contains(&format!("6162\tab\\x00\t{wanted}\t")), "{tsv}");
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
    for args in [&["get", "calls", "phone=13800138000"][..], &["put", "calls", "phone=13800138000"], &encode]
    {
        let output = calls.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("the row has no key: "), "{}", stderr(&output));
    }
}

#[test]
fn the_newest_rows_of_a_table_without_a_time_are_wrong_use() {
    let folder = tempfile::tempdir().unwrap();
    let design = CALLS.replace("{ type = \"time\", unit = \"ms\" }", "{ type = \"int\" }");
    let design = written(folder.path(), "d.toml", &design);
    let backend = format!("embedded:{}/data", folder.path().display());
    let run = |args: &[&str]| keystride(&[&["--backend", &backend], args].concat());
    assert_eq!(run(&["table", "create", "-d", &design]).status.code(), Some(0));
    let output = run(&["query", "calls", "--newest", "1"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
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
fn the_newest_of_two_times_are_by_the_one_that_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let design = CALLS.replace("ts = {", "answered = { type = \"time\", unit = \"s\" }\nts = {");
    let design = written(folder.path(), "d.toml", &design);
    let backend = format!("embedded:{}/data", folder.path().display());
    let run = |args: &[&str]| keystride(&[&["--backend", &backend], args].concat());
    assert_eq!(run(&["table", "create", "-d", &design]).status.code(), Some(0));
    for (ts, answered) in [("1586131200000", "1586131299"), ("1586131200001", "1586131201")] {
        let (ts, answered) = (format!("ts={ts}"), format!("answered={answered}"));
        assert_eq!(run(&["put", "calls", "phone=13800138000", &ts, &answered]).status.code(), Some(0));
    }
    let newest = ["query", "calls", "--newest", "1", "--columns", "ts", "--format", "csv", "--no-header"];
    let unsaid = run(&newest);
    assert_eq!(unsaid.status.code(), Some(2));
    assert!(stderr(&unsaid).contains("several times (answered, ts)"), "{}", stderr(&unsaid));
    for (on, wanted) in [("ts", "1586131200001"), ("answered", "1586131200000")] {
        assert_eq!(stdout(&run(&[&newest[..], &["--on", on]].concat())).trim(), wanted, "{on}");
    }
    for args in [&["query", "calls", "--on", "ts"][..], &[&newest[..], &["--on", "phone"]].concat()] {
        assert_eq!(run(args).status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn rows_come_in_the_order_of_keys_or_against_it() {
    let calls = Calls::new();
    calls.load("calls.csv", THREE);
    let query = ["query", "calls", "--columns", "phone", "--no-header"];
    let phones = |more: &[&str]| {
        let text = stdout(&calls.run(&[&query[..], more].concat()));
        text.lines().map(|phone| phone[10..].to_owned()).collect::<String>()
    };
    assert_eq!((phones(&["--ordered"]).as_str(), phones(&["--reverse"]).as_str()), ("012", "210"));
    assert_eq!(phones(&["--reverse", "--limit", "2"]), "21");
    for (limit, wanted) in [("1", "2"), ("2", "21"), ("9", "21")] {
        assert_eq!(phones(&["--newest", "2", "--limit", limit]), wanted);
    }
    let scanned = |more: &[&str]| {
        let scan = ["scan", "calls", "--no-header", "--where", "seconds > 0", "--reverse"];
        let text = stdout(&calls.run(&[&scan[..], more].concat()));
        text.lines().map(|line| line[12..13].to_owned()).collect::<String>()
    };
    assert_eq!((scanned(&[]).as_str(), scanned(&["--limit", "2"]).as_str()), ("210", "21"));
}

#[test]
fn truth_values_and_large_numbers_are_values_of_json() {
    let folder = tempfile::tempdir().unwrap();
    let fields = "answered = { type = \"bool\" }\ncost = { type = \"u64\" }\nts = {";
    let design = written(folder.path(), "d.toml", &CALLS.replace("ts = {", fields));
    let backend = format!("embedded:{}/data", folder.path().display());
    let run = |args: &[&str]| keystride(&[&["--backend", &backend], args].concat());
    assert_eq!(run(&["table", "create", "-d", &design]).status.code(), Some(0));
    let key = ["phone=13800138000", "ts=1586131200000"];
    let put = [&["put", "calls", "answered=true", "cost=18446744073709551615"], &key[..]].concat();
    assert_eq!(run(&put).status.code(), Some(0));
    let row = &json(&run(&[&["get", "calls", "--format", "json"], &key[..]].concat()))["rows"][0];
    assert_eq!((&row["answered"], &row["cost"]), (&true.into(), &u64::MAX.into()));
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
    assert_eq!(scanned(&[]), ["f:a=b=1=2", r"f:note=a\x00", "f:seconds=7"]);
    for by in [&[][..], &["--where", "phone = '13800138000'"]] {
        let columns = [by, &["--columns", "f:note,f:seconds"]].concat();
        assert_eq!(scanned(&columns), [r"f:note=a\x00", "f:seconds=7"]);
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
fn get_refuses_a_field_that_the_key_does_not_depend_on() {
    let calls = Calls::new();
    let row = ["phone=13800138000", "ts=1586131200000"];
    let put = [&["put", "calls", "seconds=5"], &row[..]].concat();
    assert_eq!(calls.run(&put).status.code(), Some(0));
    let output = calls.run(&[&["get", "calls", "seconds=6"], &row[..]].concat());
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
    assert!(stderr(&output).contains("field \"seconds\" is not part of the key"), "{}", stderr(&output));
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
    assert_eq!(row, serde_json::json!({ "phone": "13800138000", "ts": "1586131200001" }));
    let explained = stdout(&run(&["query", "calls", "--where", "phone = '13800138000'", "--explain"]));
    assert!(explained.contains("RANGE SCAN x1, 1 of 16 buckets"), "{explained}");
    assert_eq!(run(&["get", "calls", "phone=13800138000", "ts=1586131200002"]).status.code(), Some(1));
    let wrong = run(&["query", "calls", "--where", "phone = "]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("--where:1:9"), "{}", stderr(&wrong));
    let other = written(folder.path(), "other.toml", &CALLS.replace("bucket = 16", "bucket = 32"));
    let check = run(&["table", "check", "calls", "-d", &other]);
    assert_eq!((check.status.code(), stdout(&check).contains("16 here, 32 there")), (Some(1), true));
    assert_eq!(run(&["table", "drop", "calls"]).status.code(), Some(2));
    assert_eq!(run(&["table", "drop", "calls", "--yes"]).status.code(), Some(0));
}
