//! Loads that end before their input does, and go on later.

use std::process::Output;

use super::calls::{Calls, THREE, json};
use super::tried::{TWO, Tried};
use super::{example, stderr, stdout};

#[test]
fn a_load_that_is_done_again_stores_the_same_cells_and_says_so() {
    let calls = Calls::new();
    let first = calls.load("calls.csv", THREE);
    let told = |output: &Output| String::from_utf8_lossy(&output.stderr).contains("this load ran before");
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
    assert!(stderr(&output).contains("nothing to resume: no earlier run"), "{}", stderr(&output));
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
    let told = format!("stored {stored} of the first {stored} records");
    assert!(talk.contains(&told), "{talk}");
    let (_, id) = talk.split_once("--load-id '").unwrap();
    let id = id.split('\'').next().unwrap();
    let again = calls.run(&[&args[..], &["--resume", "--load-id", id]].concat());
    assert!(stderr(&again).contains(&told), "what the first run stored is told: {}", stderr(&again));
    std::fs::write(calls.path().join("calls.csv.zst"), &packed).unwrap();
    let resumed = calls.run(&[&args[..], &["--resume", "--load-id", id]].concat());
    assert_eq!((&json(&resumed)["resumed_from"], calls.count()), (&stored.into(), 50_000));

    std::fs::write(calls.path().join("calls.csv.zst"), &packed[..packed.len() / 2]).unwrap();
    let talk = stderr(&calls.run(&["load", "-t", "calls", "calls.csv.zst"]));
    assert!(talk.contains("no row was stored"), "{talk}");
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
fn loads_of_standard_input_are_loads_of_their_own() {
    let tried = Tried::new(TWO);
    assert_eq!(tried.load_piped("id,a,b\n1,a,9\n", &["-"]).status.code(), Some(0));
    let other = tried.load_piped("id,a,b\n1,a,10\n", &["-", "--check-stored"]);
    assert_eq!(other.status.code(), Some(5), "{}", stderr(&other));
    assert!(tried.done(&["get", "t", "id=1"]).contains("1\ta\t9"));
    let resumed = tried.load_piped("id,a,b\n", &["-", "--resume"]);
    assert_eq!(resumed.status.code(), Some(2));
    assert!(stderr(&resumed).contains("needs the --load-id"), "{}", stderr(&resumed));
}

#[test]
fn a_load_that_is_hotter_than_it_may_be_stops_and_goes_on_when_it_may() {
    let calls = Calls::new();
    let rows: Vec<String> =
        (0..200).map(|row| format!("13800138000,1,{}\n", 1_586_131_200_000_u64 + row)).collect();
    std::fs::write(calls.path().join("calls.csv"), format!("phone,seconds,ts\n{}", rows.concat())).unwrap();
    let load = ["load", "-t", "calls", "calls.csv", "--way", "batches", "--batch", "1", "--window", "10"];
    let run = |more: &[&str]| calls.run(&[&load[..], more].concat());
    let dry = run(&["--dry-run", "--abort-if-hot", "16"]);
    assert_eq!((dry.status.code(), calls.count()), (Some(1), 0), "{}", stderr(&dry));
    assert!(stderr(&dry).contains("nothing was stored"), "{}", stderr(&dry));

    let hot = run(&["--abort-if-hot", "16", "--format", "json"]);
    assert_eq!(hot.status.code(), Some(1), "{}", stderr(&hot));
    assert!(
        stderr(&hot).contains("stopped: hot 16.00") && stderr(&hot).contains("is stored"),
        "{}",
        stderr(&hot)
    );
    let stored = calls.count();
    assert_eq!((&json(&hot)["ending"], &json(&hot)["rows"]), (&"stopped".into(), &stored.into()));
    assert!((100..200).contains(&stored), "ten windows and what is under way: {stored}");

    let resumed = run(&["--resume", "--abort-if-hot", "16.01", "--format", "json"]);
    assert_eq!((resumed.status.code(), calls.count()), (Some(0), 200), "{}", stderr(&resumed));
    assert_eq!(
        (&json(&resumed)["ending"], &json(&resumed)["resumed_from"]),
        (&"complete".into(), &stored.into())
    );

    std::fs::write(calls.path().join("calls.csv"), format!("phone,seconds,ts\n{}", rows[..90].concat()))
        .unwrap();
    let output = run(&["--abort-if-hot", "2"]);
    assert_eq!(output.status.code(), Some(0), "fewer than ten windows say nothing: {}", stderr(&output));
}
