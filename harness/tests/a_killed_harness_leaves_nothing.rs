//! `kill -9` of the harness ends its cluster, and its folder goes.

use std::error::Error;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use keystride_hbase_harness::{MASTER_VARIABLE, quick};

#[test]
fn a_killed_harness_leaves_nothing() -> Result<(), Box<dyn Error>> {
    if quick("a_killed_harness_leaves_nothing") {
        return Ok(());
    }
    let temporary = tempfile::tempdir()?;
    let mut harness = Command::new(env!("CARGO_BIN_EXE_hbase-run"))
        .args(["--regionservers", "1", "--heap", "512"])
        .env("TMPDIR", temporary.path())
        .env_remove(MASTER_VARIABLE)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut said = [0; 16];
    harness.stdout.take().ok_or("no pipe")?.read_exact(&mut said)?;
    assert_eq!(&said, b"KEYSTRIDE_HBASE=");
    assert_eq!(fs::read_dir(temporary.path())?.count(), 1);
    // Java and the shell that watches; Java starts others for a moment.
    assert!(processes_of(temporary.path()) >= 2);

    // SIGKILL.
    harness.kill()?;
    harness.wait()?;
    let killed = Instant::now();
    while processes_of(temporary.path()) > 0 || fs::read_dir(temporary.path())?.count() > 0 {
        assert!(killed.elapsed() < Duration::from_mins(2), "servers or files are left");
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

/// Processes that name the folder in their command or work in it.
fn processes_of(folder: &Path) -> usize {
    let name = folder.as_os_str().as_encoded_bytes();
    let named = |file: &Path| {
        fs::read(file.join("cmdline")).is_ok_and(|line| line.windows(name.len()).any(|part| part == name))
            || fs::read_link(file.join("cwd")).is_ok_and(|cwd| cwd.starts_with(folder))
    };
    fs::read_dir("/proc").map_or(0, |all| all.flatten().filter(|process| named(&process.path())).count())
}
