//! Commands that are told to end before they are done, by a signal or their time limit.

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};

use super::calls::{Calls, THREE};
use super::{shell, stderr};

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Whether the handler of a signal is in one of the masks of a program, such as `SigCgt` or `SigIgn`.
#[cfg(target_os = "linux")]
fn has_signal(child: &Child, mask: &str, signal: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix(mask)?.strip_prefix(':')).unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap() >> (signal - 1) & 1 == 1
}

/// Waits until a program listens for the signal of Ctrl-C, which is the last that it begins to listen for.
#[cfg(target_os = "linux")]
fn wait_until_it_listens(child: &Child) {
    const SIGINT: u32 = 2;
    while !has_signal(child, "SigCgt", SIGINT) {
        std::thread::yield_now();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn each_signal_that_asks_for_an_end_ends_a_load_and_it_goes_on_later() {
    let calls = Calls::new();
    for signal in ["INT", "TERM", "HUP"] {
        let args = ["load", "-t", "calls", "-", "--load-id", signal, "--batch", "1"];
        let mut child = calls.start(&args);
        let mut input = child.stdin.take().unwrap();
        input.write_all(THREE.as_bytes()).unwrap();
        wait_until_it_listens(&child);
        send(signal, &child);
        let output = child.wait_with_output().unwrap();
        drop(input);
        assert_eq!(output.status.code(), Some(130), "{signal}: {}", stderr(&output));
        assert!(stderr(&output).contains(&format!("--resume --load-id {signal}")), "{}", stderr(&output));
        let mut child = calls.start(&[&args[..], &["--resume"]].concat());
        child.stdin.take().unwrap().write_all(THREE.as_bytes()).unwrap();
        assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
        assert_eq!(calls.count(), 3);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_hang_up_that_was_ignored_before_stays_ignored() {
    const SIGHUP: u32 = 1;
    let calls = Calls::new();
    let mut shell = shell("trap '' HUP; exec \"$0\" load -t calls -");
    shell.arg(env!("CARGO_BIN_EXE_keystride")).current_dir(calls.path());
    let mut child = shell.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    wait_until_it_listens(&child);
    assert!(has_signal(&child, "SigIgn", SIGHUP) && !has_signal(&child, "SigCgt", SIGHUP));
    send("HUP", &child);
    child.stdin.take().unwrap().write_all(THREE.as_bytes()).unwrap();
    assert_eq!((child.wait().unwrap().code(), calls.count()), (Some(0), 3));
}

/// What nobody reads is far more than a pipe holds.
#[test]
fn the_first_ctrl_c_and_the_time_limit_end_a_command_whose_output_nobody_reads() {
    let calls = Calls::new();
    let mut rows = "phone,seconds,ts\n".to_owned();
    (0..20_000).for_each(|row| rows.push_str(&format!("138{row:08},1,1586131200000\n")));
    assert_eq!(calls.load("calls.csv", &rows).status.code(), Some(0));
    for query in ["query calls", "scan calls", "query calls 2>&1", "query calls --format table"] {
        for (limit, code) in [("", 130), ("--timeout 1s", 3)] {
            let mut shell = shell(&format!("exec \"$0\" {limit} {query}"));
            shell.arg(env!("CARGO_BIN_EXE_keystride")).current_dir(calls.path());
            let mut child = shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            let mut output = child.stdout.take().unwrap();
            if limit.is_empty() {
                output.read_exact(&mut [0]).unwrap();
                send("INT", &child);
            }
            let mut told = String::new();
            child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
            assert_eq!(child.wait().unwrap().code(), Some(code), "{query} {limit}: {told}");
            let is_told = told.contains("interrupted") || told.contains("--timeout allows");
            assert!(is_told || query.contains("2>&1"), "{query} {limit}: {told}");
            drop(output);
        }
    }
}

#[test]
fn the_time_limit_ends_a_command_whose_input_never_comes() {
    let calls = Calls::new();
    let design = calls.design.as_str();
    for args in [
        &["load", "-t", "calls", "-"][..],
        &["load", "-d", design, "--dry-run", "-"],
        &["load", "-t", "calls", "--dry-run", "-"],
        &["key", "encode", "-d", design, "--csv", "-"],
        &["design", "new", "--from", "-"],
        &["splits", "--file", "/dev/stdin"],
    ] {
        let mut child = calls.start(&[&["--timeout", "100ms"], args].concat());
        let input = child.stdin.take().unwrap();
        let output = child.wait_with_output().unwrap();
        drop(input);
        assert_eq!(output.status.code(), Some(3), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("--timeout allows, 100 ms"), "{args:?}: {}", stderr(&output));
    }
    assert_eq!(calls.run(&["count", "calls", "--timeout", "213503982334d"]).status.code(), Some(0));
}

/// The store is closed before the input of a dry run is read, and signals still end the program.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_a_dry_run_that_waits_for_its_input() {
    let calls = Calls::new();
    let mut child = calls.start(&["load", "-t", "calls", "--dry-run", "-"]);
    let input = child.stdin.take().unwrap();
    wait_until_it_listens(&child);
    send("INT", &child);
    let output = child.wait_with_output().unwrap();
    drop(input);
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
}
