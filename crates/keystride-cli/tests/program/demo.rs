//! The demo: every printed figure follows from its raw counters, and what it says to try next works.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::serving::Serving;
use super::{keystride, program, shell, stderr, stdout, written};

fn demo(folder: &Path, format: &[&str]) -> String {
    let args = [&["demo", "--dir", folder.to_str().unwrap()], format].concat();
    let output = keystride(&args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output)
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn the_demo_counts_what_it_prints_and_what_to_try_next_works() {
    let folder = tempfile::tempdir().unwrap();
    let document: Value =
        serde_json::from_str(&demo(&folder.path().join("raw"), &["--format", "json"])).unwrap();
    let house = folder.path().join("shown");
    let printed = demo(&house, &[]);
    let has = |wanted: &str| assert!(printed.contains(wanted), "{wanted} is not in\n{printed}");
    for design in document["designs"].as_array().unwrap() {
        check_design(design, &has);
    }
    for question in document["questions"].as_array().unwrap() {
        has(&format!("{} rows, {} read for them", question["rows"], question["rows_read"]));
        for line in question["first"].as_array().unwrap() {
            has(line.as_str().unwrap());
        }
    }
    let [newest, ..] = document["questions"].as_array().unwrap().as_slice() else { panic!("{document}") };
    assert_eq!((number(&newest["rows_read"]), newest["ranges"].as_array().unwrap().len()), (5, 1));
    has(&format!("{} rows in {} files", document["extracted"]["rows"], document["extracted"]["files"]));
    try_next(&printed);
    assert!(house.join("extract/dt=2013-03-08/_SUCCESS").exists());
}

/// Sums, bars and means by the counters of regions.
fn check_design(design: &Value, has: &impl Fn(&str)) {
    let routed = &design["routed"];
    let regions: Vec<u64> = routed["rows_by_region"].as_array().unwrap().iter().map(number).collect();
    assert_eq!(regions.iter().sum::<u64>(), number(&routed["rows"]));
    assert_eq!(routed["rows"], 336_776);
    for (region, rows) in regions.iter().enumerate() {
        has(&format!("region {region:>2}  {rows:>7} rows"));
    }
    #[expect(clippy::cast_precision_loss, reason = "row counts of a year")]
    let imbalance =
        *regions.iter().max().unwrap() as f64 * regions.len() as f64 / number(&routed["rows"]) as f64;
    has(&format!("whole year: {imbalance:.2} × the mean"));
    let balance = &routed["balance"];
    let figure = |of: &str, which: &str| balance[of][which].as_f64().unwrap();
    let (hot, chance) = (figure("imbalance", "median"), figure("chance", "median"));
    has(&format!("hot {hot:.2} (chance alone {chance:.2}), worst {:.2}", figure("imbalance", "max")));
    for finding in design["findings"].as_array().unwrap() {
        has(&format!("[{}]", finding.as_str().unwrap()));
    }
}

/// The last lines but the one that opens a browser, as a shell runs them; a lint that finds something says so with 1.
pub(super) fn try_next(printed: &str) {
    let (_, commands) = printed.split_once("Try next:\n").unwrap();
    let commands: Vec<&str> = commands.lines().map(str::trim).collect();
    let [commands @ .., open] = &commands[..] else { panic!("{printed}") };
    assert!(commands.len() == 3 && open.contains(" demo --open --dir "), "{printed}");
    for (command, code) in commands.iter().zip([0, 0, 1]) {
        let output = shell(command).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{command}: {}", stderr(&output));
        assert!(!output.stdout.is_empty() || !output.stderr.is_empty(), "{command}");
    }
}

#[test]
fn a_folder_that_is_not_the_demos_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("thesis.tex"), "years of work").unwrap();
    let output = keystride(&["demo", "--dir", folder.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no demo made"), "{}", stderr(&output));
    assert!(folder.path().join("thesis.tex").exists());
}

/// A folder of programs in which what opens a browser writes down the address.
fn browser(folder: &Path) -> String {
    let opened = folder.join("opened").display().to_string();
    for name in ["xdg-open", "open"] {
        let script = written(folder, name, &format!("#!/bin/sh\necho \"$1\" > '{opened}'\n"));
        assert!(shell(&format!("chmod +x '{script}'")).status().unwrap().success());
    }
    opened
}

#[test]
fn the_open_demo_loads_flights_into_three_tables_until_it_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let opened = browser(folder.path());
    let mut path = std::env::var_os("PATH").unwrap();
    path = [folder.path().as_os_str(), &path].join(":".as_ref());
    let mut demo = program();
    demo.args(["demo", "--open", "--dir"]).arg(folder.path().join("demo")).env("PATH", path);
    let serving = Serving::of(demo.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    let cookie = serving.session();
    let begun = Instant::now();
    let jobs = loop {
        let answer = serving.get("/api/v1/jobs", &cookie);
        let jobs: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
        let jobs = jobs["jobs"].as_array().unwrap().clone();
        if jobs.len() == 3 && jobs.iter().all(|job| number(&job["progress"]["rows"]) > 0) {
            break jobs;
        }
        assert!(begun.elapsed() < Duration::from_mins(2), "{jobs:?}");
    };
    assert!(jobs.iter().all(|job| job["end"].is_null() && job["kind"] == "load"), "{jobs:?}");
    let mut tables: Vec<&str> = jobs.iter().map(|job| job["table"].as_str().unwrap()).collect();
    tables.sort_unstable();
    tables.dedup();
    assert_eq!(tables.len(), 3, "{tables:?}");
    let page = std::fs::read_to_string(opened).unwrap();
    assert!(page.starts_with(&serving.url) && page.trim_end().ends_with("#/t/flights/heat"), "{page}");
    serving.end();
}
