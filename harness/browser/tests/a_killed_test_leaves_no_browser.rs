//! `kill -9` of a test ends its chromedriver and its browsers, and their folder goes.

use std::error::Error;
use std::io;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use keystride_browser_harness::{Look, browser_or_skip};

const NAME: &str = "a_killed_test_leaves_no_browser";
/// Set for the process that is to be killed: this program, started by itself.
const VICTIM: &str = "KEYSTRIDE_BROWSER_VICTIM";

#[tokio::test]
async fn a_killed_test_leaves_no_browser() -> Result<(), Box<dyn Error>> {
    let Some(browser) = browser_or_skip(NAME) else { return Ok(()) };
    if env::var_os(VICTIM).is_some() {
        let _page = browser.page(Look::default()).await?;
        io::copy(&mut io::stdin(), &mut io::sink())?;
        return Ok(());
    }
    let temporary = tempfile::tempdir()?;
    let mut victim = Command::new(env::current_exe()?)
        .args(["--exact", NAME])
        .envs([(VICTIM, "1".as_ref()), ("TMPDIR", temporary.path().as_os_str())])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()?;
    let mut started = Vec::new();
    until("a Chromium that draws a page", || {
        started = started_by(victim.id())?;
        Ok(started.iter().any(|process| command(*process).contains("--type=renderer")))
    })?;

    // SIGKILL.
    victim.kill()?;
    victim.wait()?;
    until("no process and no file", || {
        let ended = started.iter().all(|process| command(*process).is_empty());
        Ok(ended && fs::read_dir(temporary.path())?.next().is_none())
    })
}

fn until(wanted: &str, mut found: impl FnMut() -> io::Result<bool>) -> Result<(), Box<dyn Error>> {
    let began = Instant::now();
    while !found()? {
        if began.elapsed() > Duration::from_mins(1) {
            return Err(format!("wanted {wanted}").into());
        }
        thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

/// The processes that a process started, and those that they started.
fn started_by(parent: u32) -> io::Result<Vec<u32>> {
    let mut found = Vec::new();
    for process in fs::read_dir("/proc")? {
        let Ok(process) = process?.file_name().to_string_lossy().parse() else { continue };
        if parent_of(process) == Some(parent) {
            found.push(process);
            found.extend(started_by(process)?);
        }
    }
    Ok(found)
}

/// Nothing for a process that ended while it was looked at.
fn parent_of(process: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // `PID (NAME) STATE PARENT ...`, where a name may hold anything.
    stat.rsplit_once(')')?.1.split(' ').nth(2)?.parse().ok()
}

/// Empty for a process that is gone, or waits to be counted as ended.
fn command(process: u32) -> String {
    let command = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&command).into_owned()
}
