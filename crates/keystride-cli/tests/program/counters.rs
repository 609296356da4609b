//! `stats`: the counters of regions and buckets.

use super::calls::{Calls, THREE};
use super::{example, keystride, stderr, stdout};

#[test]
fn the_counters_of_regions_add_up() {
    let calls = Calls::new();
    calls.load("calls.csv", format!("{THREE}13800138001,3,1586131200003\n"));
    let regions = stdout(&calls.run(&["stats", "calls", "--format", "csv"]));
    assert_eq!(regions.lines().count(), 17, "{regions}");
    let buckets = stdout(&calls.run(&["stats", "calls", "--by", "bucket", "--format", "csv"]));
    assert_eq!(buckets.lines().count(), 17, "{buckets}");
}

#[test]
fn the_counters_of_a_bucket_are_those_of_its_regions_whatever_their_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let backend = format!("embedded:{}/data", folder.path().display());
    let run = |args: &[&str]| stdout(&keystride(&[&["--backend", &backend], args].concat()));
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
fn regions_are_listed_by_key_or_the_busiest_first() {
    let calls = Calls::new();
    calls.load("calls.csv", format!("{THREE}13800138001,3,1586131200003\n"));
    let regions = |more: &[&str]| -> Vec<[u64; 2]> {
        let text = stdout(&calls.run(&[&["table", "regions", "calls", "--no-header"], more].concat()));
        let figures = |line: &str| {
            let words: Vec<&str> = line.split('\t').collect();
            [0, 4].map(|at| words[at].parse().unwrap())
        };
        text.lines().map(figures).collect()
    };
    let by_key = regions(&[]);
    assert!(by_key.iter().map(|[region, _]| *region).eq(0..16), "{by_key:?}");
    // Each command opens the folder anew, and has read nothing.
    assert_eq!(regions(&["--sort", "reads"]), by_key);
    let busiest = regions(&["--sort", "writes"]);
    assert_eq!(busiest[0], [15, 2]);
    assert!(busiest.is_sorted_by(|[_, one], [_, next]| one >= next), "{busiest:?}");
    let output = calls.run(&["stats", "calls", "--by", "server", "--format", "csv"]);
    assert!(
        stderr(&output).starts_with("hottest region: 8.00 × the mean of rows written"),
        "{}",
        stderr(&output)
    );
    let server = stdout(&output);
    let lines: Vec<&str> = server.lines().collect();
    assert_eq!(lines[0], "server,rows_written,cells_written,bytes_written,rows_read");
    let by_region = stdout(&calls.run(&["stats", "calls", "--format", "csv", "--no-header"]));
    let sum = |from_end: usize| -> u64 {
        by_region.lines().map(|line| line.rsplit(',').nth(from_end).unwrap().parse::<u64>().unwrap()).sum()
    };
    assert_eq!(lines[1..], [format!("(none),{},{},{},{}", sum(3), sum(2), sum(1), sum(0))]);
    assert_eq!((sum(3), sum(2)), (4, 4));
}
