//! Rows out of a table.

use super::calls::{Calls, THREE, json};
use super::{CALLS, keystride, stderr, stdout, written};

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
    assert!(stderr(&wrong).contains("\"yesterday\" is not a day"), "{}", stderr(&wrong));
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
fn the_newest_of_two_times_are_by_the_one_that_is_named_or_in_the_key() {
    let folder = tempfile::tempdir().unwrap();
    let text = CALLS.replace("ts = {", "answered = { type = \"time\", unit = \"s\" }\nts = {");
    let design = written(folder.path(), "d.toml", &text);
    let backend = format!("embedded:{}/data", folder.path().display());
    let run = |args: &[&str]| keystride(&[&["--backend", &backend], args].concat());
    assert_eq!(run(&["table", "create", "-d", &design]).status.code(), Some(0));
    for (ts, answered) in [("1586131200000", "1586131299"), ("1586131200001", "1586131201")] {
        let (ts, answered) = (format!("ts={ts}"), format!("answered={answered}"));
        assert_eq!(run(&["put", "calls", "phone=13800138000", &ts, &answered]).status.code(), Some(0));
    }
    let newest = ["query", "calls", "--newest", "1", "--columns", "ts", "--format", "csv", "--no-header"];
    assert_eq!(stdout(&run(&newest)).trim(), "1586131200001");
    for (on, wanted) in [("ts", "1586131200001"), ("answered", "1586131200000")] {
        assert_eq!(stdout(&run(&[&newest[..], &["--on", on]].concat())).trim(), wanted, "{on}");
    }
    for args in [&["query", "calls", "--on", "ts"][..], &[&newest[..], &["--on", "phone"]].concat()] {
        assert_eq!(run(args).status.code(), Some(2), "{args:?}");
    }
    let both = text.replace("{ field = \"ts\" }", "{ field = \"ts\" }, { field = \"answered\" }");
    let both = written(folder.path(), "both.toml", &both);
    assert_eq!(run(&["table", "create", "-d", &both, "-t", "both"]).status.code(), Some(0));
    let unsaid = run(&["query", "both", "--newest", "1"]);
    assert_eq!(unsaid.status.code(), Some(2));
    assert!(stderr(&unsaid).contains("several times (answered, ts)"), "{}", stderr(&unsaid));
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
fn truth_values_are_values_of_json_and_numbers_up_to_where_floats_are_exact() {
    let folder = tempfile::tempdir().unwrap();
    let fields = "answered = { type = \"bool\" }\ncost = { type = \"u64\" }\nts = {";
    let design = written(folder.path(), "d.toml", &CALLS.replace("ts = {", fields));
    let backend = format!("embedded:{}/data", folder.path().display());
    let run = |args: &[&str]| keystride(&[&["--backend", &backend], args].concat());
    assert_eq!(run(&["table", "create", "-d", &design]).status.code(), Some(0));
    let key = ["phone=13800138000", "ts=1586131200000"];
    let put = [&["put", "calls", "answered=true"], &key[..]].concat();
    let most = 1_u64 << 53;
    let texts = [most + 1, u64::MAX].map(|cost| (cost, cost.to_string().into()));
    for (cost, wanted) in [(0, 0.into()), (most, most.into())].into_iter().chain(texts) {
        assert_eq!(run(&[&put[..], &[&format!("cost={cost}")]].concat()).status.code(), Some(0));
        let row = &json(&run(&[&["get", "calls", "--format", "json"], &key[..]].concat()))["rows"][0];
        assert_eq!((&row["answered"], &row["cost"]), (&true.into(), &wanted));
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
