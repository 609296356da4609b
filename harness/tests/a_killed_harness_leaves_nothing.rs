//! `kill -9` of the harness ends its cluster or broker, and its folder goes.

use std::error::Error;
use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use keystride_hbase_harness::{KAFKA_VARIABLE, MASTER_VARIABLE, kafka_quick, quick};

#[test]
fn a_killed_harness_leaves_nothing() -> Result<(), Box<dyn Error>> {
    if quick("a_killed_harness_leaves_nothing") {
        return Ok(());
    }
    let mut harness = Command::new(env!("CARGO_BIN_EXE_hbase-run"));
    harness.args(["--regionservers", "1", "--heap", "512"]).env_remove(MASTER_VARIABLE);
    leaves_nothing(harness, MASTER_VARIABLE)
}

#[test]
fn a_killed_harness_leaves_no_kafka() -> Result<(), Box<dyn Error>> {
    if kafka_quick("a_killed_harness_leaves_no_kafka") {
        return Ok(());
    }
    let mut harness = Command::new(env!("CARGO_BIN_EXE_kafka-run"));
    harness.args(["--heap", "256"]).env_remove(KAFKA_VARIABLE);
    leaves_nothing(harness, KAFKA_VARIABLE)
}

fn leaves_nothing(mut harness: Command, variable: &str) -> Result<(), Box<dyn Error>> {
    let temporary = tempfile::tempdir()?;
    let mut harness =
        harness.env("TMPDIR", temporary.path()).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    // Open to the end: a harness that can't say all it has to ends itself.
    let mut output = harness.stdout.take().ok_or("no pipe")?;
    let mut said = vec![0; variable.len() + 1];
    output.read_exact(&mut said)?;
    assert_eq!(said, format!("{variable}=").as_bytes());
    assert_eq!(fs::read_dir(temporary.path())?.count(), 1);
    // Java and the shell that watches; Java starts others for a moment.
    until("two processes", temporary.path(), || Ok(processes_of(temporary.path())?.len() >= 2))?;

    // SIGKILL.
    harness.kill()?;
    harness.wait()?;
    drop(output);
    until("no process and no file", temporary.path(), || {
        Ok(processes_of(temporary.path())?.is_empty() && fs::read_dir(temporary.path())?.next().is_none())
    })
}

fn until(
    wanted: &str,
    folder: &Path,
    mut found: impl FnMut() -> io::Result<bool>,
) -> Result<(), Box<dyn Error>> {
    let started = Instant::now();
    while !found()? {
        if started.elapsed() > Duration::from_mins(2) {
            return Err(format!("wanted {wanted}, found {:?}", processes_of(folder)?).into());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

/// Commands of the processes that name the folder in them or work in it.
fn processes_of(folder: &Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    for process in fs::read_dir("/proc")? {
        let process = process?.path();
        // Other processes end while they are looked at.
        let command = fs::read(process.join("cmdline")).unwrap_or_default();
        let command = String::from_utf8_lossy(&command).replace('\0', " ");
        let works_in = fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd.starts_with(folder));
        if works_in || command.contains(&*folder.to_string_lossy()) {
            found.push(command);
        }
    }
    Ok(found)
}
