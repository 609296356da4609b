//! Rows into a table and out of it.

use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use super::{CALLS, example, program, stderr, stdout, written};

/// A folder with a store, and a table of calls in it.
struct Calls {
    folder: tempfile::TempDir,
    design: String,
}

impl Calls {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let text = CALLS.replace("ts = {", "seconds = { type = \"u32\" }\nts = {");
        let design = written(folder.path(), "d.toml", &text);
        let calls = Self { folder, design };
        assert_eq!(calls.run(&["table", "create", "-d", &calls.design]).status.code(), Some(0));
        calls
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = program();
        command.args(args).current_dir(self.path());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    fn load(&self, name: &str, text: impl AsRef<[u8]>) -> Output {
        std::fs::write(self.path().join(name), text).unwrap();
        self.run(&["load", "-t", "calls", name, "--format", "json"])
    }

    fn count(&self) -> u64 {
        stdout(&self.run(&["count", "calls"])).trim().parse().unwrap()
    }

    fn start(&self, args: &[&str]) -> Child {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(output)))
}

const THREE: &str = "phone,seconds,ts\n13800138000,1,1586131200000\n13800138001,2,1586131200001\n13800138002,3,1586131200002\n";

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
fn a_load_that_is_done_again_stores_the_same_cells_and_says_so() {
    let calls = Calls::new();
    let first = calls.load("calls.csv", THREE);
    let told =
        |output: &Output| String::from_utf8_lossy(&output.stderr).contains("this load was begun before");
    assert!(!told(&first));
    let before = stdout(&calls.run(&["scan", "calls"]));
    assert_eq!(before.lines().count(), 4, "{before}");
    let again = calls.run(&["load", "-t", "calls", "calls.csv"]);
    assert!(again.status.success() && told(&again));
    assert_eq!(stdout(&calls.run(&["scan", "calls"])), before);
    let resumed = calls.run(&["load", "-t", "calls", "calls.csv", "--resume", "--format", "json"]);
    assert_eq!(json(&resumed)["resumed_from"], 3);
    assert!(stderr(&resumed).contains("this load was complete"), "{}", stderr(&resumed));
}

#[test]
fn a_resume_without_an_earlier_run_says_so_and_loads() {
    let calls = Calls::new();
    std::fs::write(calls.path().join("calls.csv"), THREE).unwrap();
    let output = calls.run(&["load", "-t", "calls", "calls.csv", "--resume"]);
    assert_eq!((output.status.code(), calls.count()), (Some(0), 3));
    assert!(stderr(&output).contains("nothing to resume, as no earlier run"), "{}", stderr(&output));
}

#[test]
fn a_load_that_a_damaged_file_ends_says_what_is_stored_and_goes_on_with_the_mended_one() {
    let calls = Calls::new();
    let mut text = "phone,seconds,ts\n".to_owned();
    (0..50_000).for_each(|n| text.push_str(&format!("138{n:08},1,1586131200000\n")));
    let packed = zstd::encode_all(text.as_bytes(), 1).unwrap();
    std::fs::write(calls.path().join("calls.csv.zst"), &packed[..packed.len() * 3 / 4]).unwrap();
    let args = ["load", "-t", "calls", "calls.csv.zst", "--batch", "10KiB", "--format", "json"];
    let broken = calls.run(&args);
    assert_eq!(broken.status.code(), Some(2), "{}", stderr(&broken));
    let talk = stderr(&broken);
    let stored = calls.count();
    assert!(stored > 0 && talk.contains("the zstd data ends in its middle"), "{talk}");
    assert!(talk.contains(&format!("{stored} rows of the first {stored} records are stored")), "{talk}");
    std::fs::write(calls.path().join("calls.csv.zst"), &packed).unwrap();
    let (_, id) = talk.split_once("--load-id '").unwrap();
    let id = id.split('\'').next().unwrap();
    let resumed = calls.run(&[&args[..], &["--resume", "--load-id", id]].concat());
    assert_eq!((&json(&resumed)["resumed_from"], calls.count()), (&stored.into(), 50_000));

    std::fs::write(calls.path().join("calls.csv.zst"), &packed[..packed.len() / 2]).unwrap();
    let talk = stderr(&calls.run(&["load", "-t", "calls", "calls.csv.zst"]));
    assert!(talk.contains("no row was stored"), "{talk}");
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
fn what_a_load_can_t_go_on_with_is_wrong_use() {
    let calls = Calls::new();
    calls.load("calls.csv", THREE);
    let load = ["load", "-t", "calls", "calls.csv", "--load-id"];
    assert_eq!(calls.run(&[&load[..], &[""]].concat()).status.code(), Some(2));
    let march = [&load[..], &["march"]].concat();
    assert_eq!(calls.run(&march).status.code(), Some(0));
    std::fs::write(calls.path().join("calls.csv"), THREE.replace("13800138001", "13800138009")).unwrap();
    let changed = calls.run(&[&march[..], &["--resume"]].concat());
    assert_eq!(changed.status.code(), Some(2));
    assert!(stderr(&changed).contains("the input is not what it was"), "{}", stderr(&changed));
    assert_eq!(calls.count(), 3);
}

#[test]
fn a_rejects_file_that_can_t_be_written_ends_a_load_and_says_how_to_name_another() {
    let calls = Calls::new();
    std::fs::write(calls.path().join("calls.csv"), format!("{THREE}1,2,3\n")).unwrap();
    let args = ["load", "-t", "calls", "calls.csv"];
    let named = calls.run(&[&args[..], &["--rejects", "calls.csv/rejects.csv"]].concat());
    assert_eq!((named.status.code(), calls.count()), (Some(2), 0), "{}", stderr(&named));
    std::fs::create_dir(calls.path().join("calls.rejects.csv")).unwrap();
    let output = calls.run(&args);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let talk = stderr(&output);
    assert!(talk.contains("calls.rejects.csv: ") && talk.contains("--rejects FILE"), "{talk}");
    assert!(talk.contains("3 rows of the first 4 records are stored"), "{talk}");
}

#[test]
fn a_dry_run_tells_rejects_and_leaves_the_file_of_an_earlier_load_alone() {
    let calls = Calls::new();
    let bad = format!("{THREE}1,2,3\n");
    assert_eq!(calls.load("calls.csv", &bad).status.code(), Some(5));
    let rejects = calls.path().join("calls.rejects.csv");
    let before = std::fs::read(&rejects).unwrap();
    std::fs::write(calls.path().join("calls.csv"), bad.replace("1,2,3\n", "1,2,3\n4,5,6\n")).unwrap();
    for more in [&[][..], &["--rejects", "other.csv"]] {
        let output = calls.run(&[&["load", "-t", "calls", "calls.csv", "--dry-run"], more].concat());
        assert_eq!(output.status.code(), Some(5));
        let talk = stderr(&output);
        assert!(talk.contains("calls.csv:5: column \"phone\"") && talk.contains("calls.csv:6:"), "{talk}");
        assert!(!stdout(&output).contains("rejects kept in"), "{}", stdout(&output));
    }
    assert_eq!(std::fs::read(&rejects).unwrap(), before);
    assert!(!calls.path().join("other.csv").exists());
}

/// Whether a program has asked for the signal of Ctrl-C, by the mask of its signals.
#[cfg(target_os = "linux")]
fn catches_interrupts(child: &Child) -> bool {
    const SIGINT: u32 = 2;
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap() >> (SIGINT - 1) & 1 == 1
}

#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_ends_a_load_with_130_and_it_goes_on_later() {
    let calls = Calls::new();
    let args = ["load", "-t", "calls", "-", "--load-id", "night", "--batch", "1"];
    let mut child = calls.start(&args);
    let mut input = child.stdin.take().unwrap();
    input.write_all(THREE.as_bytes()).unwrap();
    input.flush().unwrap();
    while !catches_interrupts(&child) {
        std::thread::yield_now();
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    drop(input);
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stderr(&output).contains("--resume"), "{}", stderr(&output));
    let mut child = calls.start(&[&args[..], &["--resume"]].concat());
    child.stdin.take().unwrap().write_all(THREE.as_bytes()).unwrap();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
    assert_eq!(calls.count(), 3);
}

#[test]
fn work_that_takes_longer_than_it_may_ends_with_3() {
    let calls = Calls::new();
    let mut child = calls.start(&["load", "-t", "calls", "-", "--timeout", "100ms"]);
    let input = child.stdin.take().unwrap();
    let output = child.wait_with_output().unwrap();
    drop(input);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("--timeout allows, 100ms"), "{}", stderr(&output));
    assert_eq!(calls.run(&["count", "calls", "--timeout", "1h"]).status.code(), Some(0));
    assert_eq!(calls.run(&["count", "calls", "--timeout", "soon"]).status.code(), Some(2));
}

#[test]
fn rows_that_are_deleted_are_gone_once_that_is_confirmed() {
    let calls = Calls::new();
    calls.load("calls.csv", THREE);
    let delete = ["delete", "calls", "--where", "phone = '13800138001'"];
    let output = calls.run(&delete);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("rows that would go: 1;"), "{}", stderr(&output));
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
fn the_counters_of_regions_add_up() {
    let calls = Calls::new();
    calls.load("calls.csv", THREE);
    let regions = stdout(&calls.run(&["stats", "calls", "--format", "csv"]));
    assert_eq!(regions.lines().count(), 17, "{regions}");
    let buckets = stdout(&calls.run(&["stats", "calls", "--by", "bucket", "--format", "csv"]));
    assert_eq!(buckets.lines().count(), 17, "{buckets}");
}

#[test]
fn the_counters_of_a_bucket_are_those_of_its_regions_whatever_their_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let backend = format!("embedded:{}/data", folder.path().display());
    let run = |args: &[&str]| stdout(&super::keystride(&[&["--backend", &backend], args].concat()));
    // Its regions begin with 0|, 1| and so on, which are above all keys of buckets 0, 1 and so on.
    let (design, input) = (example("seed-000/design.toml"), example("seed-000/input.csv"));
    run(&["table", "create", "-d", &design]);
    run(&["load", "-d", &design, &input]);
    let keys = run(&["key", "encode", "-d", &design, "--csv", &input, "--as", "text"]);
    let expected: Vec<String> = (0..6)
        .map(|bucket| {
            let rows = keys.lines().filter(|key| key.starts_with(&format!("{bucket}_"))).count();
            format!("{bucket}\t{rows}")
        })
        .collect();
    let stats = run(&["stats", "calls", "--by", "bucket", "--no-header"]);
    let found: Vec<String> =
        stats.lines().map(|line| line.split('\t').take(2).collect::<Vec<_>>().join("\t")).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_watch_of_regions_prints_them_again_and_again_until_nobody_reads() {
    use std::io::Read as _;
    let calls = Calls::new();
    calls.load("calls.csv", THREE);
    let watch = ["stats", "calls", "--watch", "1ms", "--format", "ndjson"];
    let twice = calls.run(&[&watch[..], &["--rounds", "2"]].concat());
    assert_eq!(twice.status.code(), Some(0), "{}", stderr(&twice));
    assert_eq!(stdout(&twice).lines().count(), 32);
    assert!(stdout(&twice).lines().all(|line| line.starts_with('{')));
    let lines = stdout(&calls.run(&["stats", "calls", "--watch", "1ms", "--rounds", "2", "--format", "csv"]));
    assert_eq!(lines.lines().filter(|line| line.starts_with("region,")).count(), 1, "{lines}");
    let mut child = calls.start(&watch);
    child.stdout.take().unwrap().read_exact(&mut [0; 10]).unwrap();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
    assert_eq!(calls.run(&["stats", "calls", "--watch", "1s", "--format", "json"]).status.code(), Some(2));
}

#[test]
fn many_files_are_loaded_with_a_rejects_file_that_says_which() {
    let calls = Calls::new();
    calls.load("a.csv", THREE);
    std::fs::write(calls.path().join("b.csv"), "phone,seconds,ts\n1,2,3\n").unwrap();
    let output = calls.run(&["load", "-t", "calls", "*.csv"]);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    let kept = std::fs::read_to_string(calls.path().join("input.rejects.csv")).unwrap();
    assert!(kept.starts_with("source,line") && kept.contains("\nb.csv,2,phone,"), "{kept}");
}

/// A limit on the size of files stands for a disk that is full.
#[test]
#[cfg(unix)]
fn a_disk_that_takes_no_more_ends_a_load_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (design, flights) = (example("flights/design.toml"), example("flights/flights.csv.zst"));
    let program = env!("CARGO_BIN_EXE_keystride");
    let shell = |script: &str| {
        let script = format!("trap '' XFSZ; {script}");
        super::shell(&script).current_dir(folder.path()).output().unwrap()
    };
    assert_eq!(shell(&format!("{program} table create -d {design}")).status.code(), Some(0));
    let load = format!("{program} load -t flights {flights} --way batches");
    let full = shell(&format!("ulimit -f 16000; {load}"));
    assert_eq!(full.status.code(), Some(1), "{}", stderr(&full));
    assert!(stderr(&full).contains("error: the stor"), "{}", stderr(&full));
    let count = || stdout(&shell(&format!("{program} count flights"))).trim().parse::<u64>().unwrap();
    let kept = count();
    assert!(0 < kept && kept < 336_776, "{kept}");
    let resumed = shell(&format!("{load} --resume --format json"));
    assert_eq!(resumed.status.code(), Some(0), "{}", stderr(&resumed));
    assert_eq!(json(&resumed)["resumed_from"], kept);
    assert_eq!(count(), 336_776);
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
    let run = |args: &[&str]| super::keystride(&[&["--backend", &backend], args].concat());
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
    let run = |args: &[&str]| super::keystride(&[&["--backend", &backend], args].concat());
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
    let run = |args: &[&str]| super::keystride(&[&["--backend", &backend], args].concat());
    assert_eq!(run(&["table", "create", "-d", &design]).status.code(), Some(0));
    let output = run(&["query", "calls", "--newest", "1"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[test]
fn looking_for_tables_makes_no_store() {
    let folder = tempfile::tempdir().unwrap();
    for place in [folder.path().to_owned(), folder.path().join("missing")] {
        let backend = format!("embedded:{}", place.display());
        let output = super::keystride(&["--backend", &backend, "table", "list"]);
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn the_newest_of_two_times_are_by_the_one_that_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let design = CALLS.replace("ts = {", "answered = { type = \"time\", unit = \"s\" }\nts = {");
    let design = written(folder.path(), "d.toml", &design);
    let backend = format!("embedded:{}/data", folder.path().display());
    let run = |args: &[&str]| super::keystride(&[&["--backend", &backend], args].concat());
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
    }
    let get = calls.run(&[&["get", "calls", "--columns", "seconds", "--no-header"], &row[..]].concat());
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
    assert_eq!(calls.run(&["scan", "calls", "--columns", "f,f:note"]).status.code(), Some(2));
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
    let run = |args: &[&str]| super::keystride(&[&["--backend", &backend], args].concat());
    assert_eq!(run(&["table", "create", "-d", &design]).status.code(), Some(0));
    for (time, remaining) in [("1586131200000", 0), ("4586131200000", 1)] {
        assert_eq!(run(&["put", "calls", "phone=13800138000", &format!("ts={time}")]).status.code(), Some(0));
        let output = run(&["delete", "calls", "--where", "phone = '13800138000'", "--yes"]);
        assert_eq!(output.status.code(), Some(if remaining > 0 { 5 } else { 0 }), "{}", stderr(&output));
        assert_eq!(stderr(&output).contains("rows still there: 1;"), remaining > 0, "{}", stderr(&output));
    }
}
