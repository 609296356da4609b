//! Every command of rows and tables does on a cluster what it does in a folder.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::Output;

use keystride_hbase_harness::{Jars, JavaProgram, shared_or_skip};
use serde_json::Value;

use super::on_hbase::{Both, demand_same, flights};
use super::{CALLS, example, stderr, stdout, written};

const ROWS: usize = 400;
const FLIGHTS: usize = 5_000;

/// A call that is in the file.
const KEY: [&str; 2] = ["phone=13800138005", "ts=1586149200000"];

/// The design of calls in four buckets, with a length and a place.
fn design() -> String {
    let text = CALLS.replace("bucket = 16", "bucket = 4");
    text.replace("ts = {", "seconds = { type = \"u32\" }\nplace = { type = \"string\", max_len = 9 }\nts = {")
}

/// Calls of 40 phones in the seventeen days from 2020-04-06 on, one an hour, some without a place.
fn rows() -> String {
    let mut text = "phone,ts,seconds,place\n".to_owned();
    for n in 0..ROWS {
        let (phone, ts) = (13_800_138_000 + n % 40, 1_586_131_200_000 + n * 3_600_000);
        writeln!(text, "{phone},{ts},{},{}", n * 7 % 90, ["", "here", "北京"][n % 3]).unwrap();
    }
    text
}

/// The same table twice, with the same rows.
struct Calls {
    both: Both,
    /// The reports of the loads, of the cluster and of the folder.
    reports: [Value; 2],
}

impl Calls {
    /// Nothing where there is no HBase.
    fn new(test: &str, design: &str) -> Option<Self> {
        Self::with_rows(test, design, &rows())
    }

    fn with_rows(test: &str, design: &str, rows: &str) -> Option<Self> {
        let hbase = shared_or_skip(test)?;
        let both = Both::new(hbase.address(), test, design);
        let reports = both.backends().map(|backend| both.load(&backend, rows, &[]));
        Some(Self { both, reports })
    }

    fn name(&self) -> String {
        self.both.table().to_string()
    }

    /// The exit code and what is printed by a command that does the same on both; `TABLE` is the table's name.
    fn same(&self, args: &[&str]) -> (i32, String) {
        let [there, beside] = self.each(args);
        assert_eq!(there.0, beside.0, "{args:?}\nthere  {there:?}\nbeside {beside:?}");
        demand_same(&there.1, &beside.1);
        there
    }

    /// What both print that end well and the same.
    fn text(&self, args: &[&str]) -> String {
        let (code, text) = self.same(args);
        assert_eq!(code, 0, "{args:?}: {text}");
        text
    }

    /// What a command does on the cluster and in the folder; the timestamps of the loads read `load`.
    fn each(&self, args: &[&str]) -> [(i32, String); 2] {
        let name = self.name();
        let args: Vec<&str> = args.iter().map(|&arg| if arg == "TABLE" { &name } else { arg }).collect();
        let [there, beside] = &self.reports;
        let [cluster, folder] = self.both.backends();
        [(cluster, there), (folder, beside)].map(|(backend, report)| {
            let output = self.both.run(&backend, &args);
            let text = stdout(&output).replace(&format!("\t{}\t", report["stamp_ms"]), "\tload\t");
            let code = output.status.code().unwrap();
            let told = if text.is_empty() { said(&output).replace(&backend, "BACKEND") } else { text };
            (code, told)
        })
    }

    /// All cells of both, which are the same.
    fn cells(&self) -> String {
        self.text(&["scan", "TABLE"])
    }
}

/// The first columns of a table in TSV.
fn first_columns(text: &str, count: usize) -> String {
    let line = |line: &str| line.split('\t').take(count).collect::<Vec<_>>().join("\t") + "\n";
    text.lines().map(line).collect()
}

/// What a command says, without that a slow cluster is waited for.
fn said(output: &Output) -> String {
    let text = stderr(output);
    let is_wait = |line: &&str| line.starts_with("waiting: ") || line.starts_with("it goes on, ");
    text.lines().filter(|line| !is_wait(line)).map(|line| format!("{line}\n")).collect::<Vec<_>>().concat()
}

#[test]
fn rows_are_read_alike() {
    let Some(calls) = Calls::new("rows_are_read_alike", &design()) else { return };
    let (who, when) = ("phone = '13800138005'", "ts >= '2020-04-08' and ts < '2020-04-10'");
    let some = format!("{who} and {when}");
    assert_eq!(calls.text(&["count", "TABLE"]).trim(), ROWS.to_string());
    assert_eq!(calls.text(&["count", "TABLE", "--where", who]).trim(), "10");
    for predicate in
        [who, when, &some, "place = '北京'", "seconds < 10 and place is null", "phone = '19999999999'"]
    {
        calls.text(&["count", "TABLE", "--where", predicate]);
        calls.text(&["query", "TABLE", "--where", predicate, "--ordered"]);
        calls.text(&["query", "TABLE", "--where", predicate, "--reverse", "--limit", "3"]);
        calls.text(&["query", "TABLE", "--where", predicate, "--newest", "4"]);
        calls.text(&["query", "TABLE", "--where", predicate, "--oldest", "4", "--columns", "ts,place"]);
        calls.text(&["query", "TABLE", "--where", predicate, "--explain"]);
        calls.text(&["scan", "TABLE", "--where", predicate]);
        calls.text(&["scan", "TABLE", "--where", predicate, "--reverse", "--limit", "3"]);
    }
    assert_eq!(calls.text(&["query", "TABLE", "--newest", "5", "--format", "csv"]).lines().count(), 6);
    calls.text(&["query", "TABLE", "--ordered", "--limit", "7"]);
}

#[test]
fn each_call_to_a_server_is_shown_where_it_is_asked_for() {
    let Some(calls) = Calls::new("each_call_to_a_server_is_shown_where_it_is_asked_for", &design()) else {
        return;
    };
    let shown = |flag| {
        let output =
            calls.both.run(&calls.both.cluster(), &[&["get", &calls.name(), flag][..], &KEY].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        stderr(&output)
    };
    let (once, twice) = (shown("-v"), shown("-vv"));
    assert!(!once.contains("called method="), "{once}");
    let about = format!("table={} region=", calls.name());
    let call = twice.lines().find(|line| line.contains("called method=") && line.contains(&about));
    assert!(call.is_some_and(|line| line.contains("server=") && line.contains("ms=")), "{twice}");
}

#[test]
fn cells_are_read_alike() {
    let Some(calls) = Calls::new("cells_are_read_alike", &design()) else { return };
    let stored = calls.cells();
    let key = |line: usize| stored.lines().nth(line).unwrap().split('\t').next().unwrap();
    let (first, last) = (key(100), key(300));
    for more in [
        &["--limit", "5"][..],
        &["--limit", "5", "--reverse"],
        &["--reverse"],
        &["--raw-start", first, "--raw-stop", last],
        &["--raw-start", first, "--raw-stop", last, "--reverse", "--limit", "9"],
        &["--columns", "f:place", "--limit", "5"],
        &["--columns", "f:nothing"],
        &["--format", "json", "--columns", "f:seconds", "--limit", "0"],
    ] {
        calls.text(&[&["scan", "TABLE"], more].concat());
    }
    let row = calls.text(&[&["get", "TABLE", "--no-header"], &KEY[..]].concat());
    assert!(row.starts_with("13800138005\t"), "{row}");
    calls.text(&[&["get", "TABLE", "--columns", "place,seconds"], &KEY[..]].concat());
    assert_eq!(calls.same(&["get", "TABLE", "phone=13800138005", "ts=1586149200001"]).0, 1);
    assert_eq!(calls.same(&["get", "TABLE", "phone=13800138005"]).0, 2);
    assert_eq!(calls.same(&["get", "nothing", "phone=13800138005"]).0, 1);
}

#[test]
fn rows_are_put_and_deleted_alike() {
    let Some(calls) = Calls::new("rows_are_put_and_deleted_alike", &design()) else { return };
    let put = |more: &[&str]| calls.same(&[&["put", "TABLE"], &KEY[..], more].concat()).0;
    let get =
        || calls.text(&[&["get", "TABLE", "--columns", "seconds,place", "--no-header"], &KEY[..]].concat());
    assert_eq!(put(&["seconds=11", "place=there", r"f:note=a\x00"]), 0);
    assert_eq!(get(), "11\tthere\n");
    assert_eq!(put(&["seconds=12"]), 0);
    assert_eq!(get(), "12\tthere\n");
    assert_eq!(put(&["g:note=1"]), 2);
    let all = |columns: &[&str]| -> String {
        let stored = calls.each(&[&["scan", "TABLE"], columns].concat());
        // Those that were put have timestamps of their own.
        let [there, beside] = stored.map(|(_, text)| text.lines().map(without_timestamp).collect::<String>());
        demand_same(&there, &beside);
        there
    };
    assert_eq!(all(&["--columns", "f:note"]).lines().count(), 2);
    let delete = ["delete", "TABLE", "--where", "phone = '13800138005' and ts < '2020-04-08'"];
    assert_eq!(calls.same(&delete).0, 1);
    calls.text(&[&delete[..], &["--explain"]].concat());
    assert_eq!(calls.text(&[&delete[..], &["--yes"]].concat()).trim(), "2");
    assert_eq!(calls.text(&[&delete[..], &["--yes"]].concat()).trim(), "0");
    assert_eq!(calls.same(&[&["get", "TABLE"], &KEY[..]].concat()).0, 1);
    assert_eq!(calls.text(&["count", "TABLE"]).trim(), (ROWS - 2).to_string());
    assert_eq!(calls.text(&["delete", "TABLE", "--where", "seconds < 45", "--yes"]), all_below_45());
    assert_eq!(put(&["seconds=13"]), 0);
    assert_eq!(get(), "13\t\n");
    all(&[]);
}

fn without_timestamp(line: &str) -> String {
    let words: Vec<&str> = line.split('\t').collect();
    format!("{}\t{}\t{}\n", words[0], words[1], words[3])
}

/// How many calls are shorter than 45 seconds, without those of one phone on two days.
fn all_below_45() -> String {
    let below = (0..ROWS).filter(|n| n * 7 % 90 < 45 && !(n % 40 == 5 && *n < 48));
    format!("{}\n", below.count())
}

#[test]
fn tables_are_shown_cut_and_emptied_alike() {
    let Some(calls) = Calls::new("tables_are_shown_cut_and_emptied_alike", &design()) else { return };
    let folder = calls.both.path();
    let own = written(folder, "own.toml", &design());
    let other = written(folder, "other.toml", &design().replace("bucket = 4", "bucket = 8"));
    assert!(calls.text(&["table", "describe", "TABLE"]).contains("bucket = 4"));
    calls.text(&["table", "describe", "TABLE", "--format", "json"]);
    assert_eq!(calls.same(&["table", "check", "TABLE", "-d", &own]).0, 0);
    let (code, told) = calls.same(&["table", "check", "TABLE", "-d", &other]);
    assert!(code == 1 && told.contains("bucket: 4 here, 8 there"), "{told}");
    for (_, listed) in calls.each(&["table", "list", "--no-header"]) {
        assert!(listed.lines().any(|line| line == format!("{}\t4", calls.name())), "{listed}");
    }
    let regions = |count: usize| {
        let [there, beside] = calls.each(&["table", "regions", "TABLE", "--no-header"]);
        let [there, beside] = [there, beside].map(|(_, text)| first_columns(&text, 3));
        demand_same(&there, &beside);
        assert_eq!(there.lines().count(), count, "{there}");
        assert_eq!(calls.text(&["table", "splits", "TABLE", "--no-header"]).lines().count(), count - 1);
        for by in ["region", "bucket"] {
            let [there, beside] = calls.each(&["stats", "TABLE", "--by", by, "--no-header"]);
            assert_eq!((there.0, beside.0), (0, 0), "{} {}", there.1, beside.1);
            assert_eq!(there.1.lines().count(), beside.1.lines().count());
        }
        let [there, beside] = calls.each(&["stats", "TABLE", "--by", "server", "--no-header"]);
        assert!(!there.1.is_empty() && !there.1.contains("(none)"), "{}", there.1);
        assert!(beside.1.starts_with("(none)\t"), "{}", beside.1);
    };
    regions(4);
    let stored = calls.cells();
    assert_eq!(calls.same(&["table", "split", "TABLE", "213800138010"]).0, 0);
    regions(5);
    assert_eq!(calls.same(&["table", "split", "TABLE", "213800138010"]).0, 1);
    let located = calls.each(&["key", "locate", "-d", &own, "-t", "TABLE", "3138", "--no-header"]);
    for ((_, located), has_server) in located.iter().zip([true, false]) {
        let located: Vec<&str> = located.trim_end_matches('\n').split('\t').collect();
        assert_eq!((located[..3].join(" "), located[4]), ("4 5 3".to_owned(), "bucket 3"));
        assert_eq!(!located[6].is_empty(), has_server, "{located:?}");
    }
    assert_eq!(calls.cells(), stored);
    // The one merges files, the other is asked to, and both say so.
    assert!(
        calls
            .each(&["table", "compact", "TABLE"])
            .iter()
            .all(|(code, said)| *code == 0 && said.contains("merge"))
    );
    assert_eq!(calls.same(&["table", "compact", "none"]).0, 1);
    assert_eq!(calls.cells(), stored);
    let grown = design()
        .replace("[\"f\"]", "[\"f\", \"g\"]")
        .replace("place =", "cost = { type = \"u32\" }\nplace =");
    let grown = written(folder, "grown.toml", &(grown + "[columns]\ncost = { family = \"g\" }\n"));
    assert_eq!(calls.same(&["table", "alter", "-t", "TABLE", "-d", &grown]).0, 0);
    assert_eq!(calls.cells(), stored);
    assert_eq!(calls.same(&["table", "check", "TABLE", "-d", &grown]).0, 0);
    assert_eq!(calls.same(&[&["put", "TABLE"], &KEY[..], &["cost=7"]].concat()).0, 0);
    assert_eq!(
        calls.text(&["query", "TABLE", "--where", "cost > 5", "--columns", "cost", "--no-header"]),
        "7\n"
    );
    assert_eq!(calls.same(&["table", "truncate", "TABLE"]).0, 2);
    assert_eq!(calls.same(&["table", "truncate", "TABLE", "--preserve", "--yes"]).0, 0);
    regions(5);
    assert_eq!(calls.text(&["count", "TABLE"]).trim(), "0");
    assert_eq!(calls.same(&["table", "truncate", "TABLE", "--yes"]).0, 0);
    regions(1);
    assert_eq!(calls.same(&["table", "create", "-d", &own, "-t", &calls.name()]).0, 1);
    assert_eq!(calls.same(&["table", "drop", "TABLE", "--yes"]).0, 0);
    assert_eq!(calls.same(&["count", "TABLE"]).0, 1);
    assert_eq!(calls.same(&["table", "drop", "TABLE", "--yes"]).0, 1);
}

#[tokio::test]
async fn a_table_that_is_disabled_is_shown_and_dropped() {
    let test = "a_table_that_is_disabled_is_shown_and_dropped";
    let Some(calls) = Calls::new(test, &design()) else { return };
    let both = &calls.both;
    both.client().admin().disable_table(&both.table()).await.unwrap();
    let run = |args: &[&str]| both.run(&both.cluster(), args);
    let listed = stdout(&run(&["table", "list", "--no-header"]));
    assert!(listed.lines().any(|line| line == format!("{}\t4", calls.name())), "{listed}");
    for command in ["describe", "regions", "splits"] {
        assert!(!both.ask(&both.cluster(), &["table", command, &calls.name()]).is_empty(), "{command}");
    }
    let refused = run(&["count", &calls.name(), "--timeout", "60s"]);
    assert_eq!(refused.status.code(), Some(1), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("disabled"), "{}", stderr(&refused));
    assert_eq!(run(&["table", "drop", &calls.name(), "--yes"]).status.code(), Some(0));
}

#[test]
fn rows_are_extracted_alike() {
    let Some(calls) = Calls::new("rows_are_extracted_alike", &design()) else { return };
    let who = "phone = '13800138005'";
    for (at, more) in [
        &[][..],
        &["--day", "2020-04-08"],
        &["--partition-by", "day"],
        &["--partition-by", "day", "--where", who],
        &["--where", who, "--columns", "ts,place"],
    ]
    .into_iter()
    .enumerate()
    {
        let extract = |backend: &str, to: &str| {
            let to = format!("{to}{at}");
            let name = calls.name();
            let args = [&["extract", &name, "--to", &to, "--format", "json"], more].concat();
            let document: Value = serde_json::from_str(&calls.both.ask(backend, &args)).unwrap();
            assert_eq!(calls.both.run(backend, &args).status.code(), Some(2), "written over");
            let figure = |counts: &Value| (counts["partition"].clone(), counts["rows"].as_u64().unwrap());
            document["partitions"].as_array().unwrap().iter().map(figure).collect::<Vec<_>>()
        };
        let [cluster, folder] = calls.both.backends();
        let there = extract(&cluster, "there");
        assert_eq!(there, extract(&folder, "beside"), "{more:?}");
        assert!(there.iter().map(|(_, rows)| rows).sum::<u64>() > 0, "{there:?}");
    }
}

#[tokio::test]
async fn a_load_that_is_done_again_changes_no_cell() {
    let test = "a_load_that_is_done_again_changes_no_cell";
    let design = design().replace("families = [\"f\"]\n", "families.f = { versions = 3 }\n");
    let Some(calls) = Calls::new(test, &design) else { return };
    let (stored, versions) = (calls.cells(), calls.both.version_count().await);
    assert_eq!(versions, stored.lines().count() - 1);
    for backend in calls.both.backends() {
        for more in [&[][..], &["--batch", "1KiB"], &["--resume"]] {
            calls.both.load(&backend, &rows(), more);
        }
    }
    demand_same(&calls.cells(), &stored);
    assert_eq!(calls.both.version_count().await, versions);
}

#[test]
fn cells_are_stamped_by_the_time_that_the_design_names() {
    let test = "cells_are_stamped_by_the_time_that_the_design_names";
    let design = design() + "\n[columns]\ncell_time = \"ts\"\n";
    let Some(calls) = Calls::new(test, &design) else { return };
    let stored = calls.cells();
    assert!(stored.contains("\tf:seconds\t1586149200000\t35\n"), "{stored}");
    for backend in calls.both.backends() {
        calls.both.load(&backend, &rows(), &["--load-id", "again"]);
    }
    demand_same(&calls.cells(), &stored);
}

#[test]
fn many_flights_are_read_cut_and_deleted_alike() {
    let design = std::fs::read_to_string(example("flights/design.toml")).unwrap();
    let flights = flights(FLIGHTS);
    let test = "many_flights_are_read_cut_and_deleted_alike";
    let Some(calls) = Calls::with_rows(test, &design, &flights) else { return };
    let stored = calls.cells();
    assert_eq!(calls.text(&["count", "TABLE"]).trim(), FLIGHTS.to_string());
    let late = "dep_delay > 300";
    for predicate in ["tailnum = 'N14228'", "carrier = 'HA' and time_hour < '2013-01-08'", late] {
        calls.text(&["query", "TABLE", "--where", predicate, "--ordered"]);
        calls.text(&["scan", "TABLE", "--where", predicate, "--reverse"]);
    }
    let key = |line: usize| stored.lines().nth(line).unwrap().split('\t').next().unwrap();
    calls.text(&["scan", "TABLE", "--reverse", "--raw-start", key(2_000), "--raw-stop", key(60_000)]);
    assert_eq!(calls.same(&["table", "split", "TABLE", "4N"]).0, 0);
    demand_same(&calls.cells(), &stored);
    for backend in calls.both.backends() {
        calls.both.load(&backend, &flights, &["--load-id", "again", "--batch", "64KiB"]);
    }
    let values = |text: &str| text.lines().map(without_timestamp).collect::<String>();
    for (_, again) in calls.each(&["scan", "TABLE"]) {
        demand_same(&values(&again), &values(&stored));
    }
    calls.text(&["delete", "TABLE", "--where", late, "--yes"]);
    assert_eq!(calls.text(&["count", "TABLE", "--where", late]).trim(), "0");
    calls.text(&["count", "TABLE"]);
}

#[test]
fn a_cluster_is_reached_by_its_zookeeper() {
    let test = "a_cluster_is_reached_by_its_zookeeper";
    let Some(hbase) = shared_or_skip(test) else { return };
    let Some(zookeeper) = hbase.address().zookeeper() else { return };
    let both = Both::new(hbase.address(), test, &design());
    both.load(&both.cluster(), &rows(), &[]);
    for path in ["", "/hbase"] {
        assert_eq!(both.count(&format!("hbase://{zookeeper}{path}")), ROWS as u64);
    }
    let nowhere = both.run(&format!("hbase://{zookeeper}/elsewhere"), &["count", &both.table().to_string()]);
    assert_eq!(nowhere.status.code(), Some(3), "{}", stderr(&nowhere));
}

#[tokio::test]
async fn java_sees_a_plain_table() {
    let Some(calls) = Calls::new("java_sees_a_plain_table", &design()) else { return };
    let site = shared_or_skip("java_sees_a_plain_table").unwrap().address().client_site();
    let dump = JavaProgram::dump().with_arguments(["--versions", "all", &calls.name()]);
    let text = Jars::ready().unwrap().text(&dump, &site).unwrap();
    let dumped: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(dumped.len(), calls.both.version_count().await);
    assert!(dumped.iter().all(|cell| cell[4] == "Put"));
    let rows: BTreeSet<&str> = dumped.iter().map(|cell| cell[0]).collect();
    assert_eq!(rows.len(), ROWS);
}
