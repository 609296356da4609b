//! The program `keystride`, run and watched from outside.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::Cost;

/// The built program.
#[derive(Debug)]
pub struct Program {
    path: PathBuf,
}

/// What came of a run.
#[derive(Debug, Clone)]
pub struct Run {
    /// What it took; the CPU time in hundredths of a second.
    pub cost: Cost,
    /// The part of the CPU time that the kernel took for it.
    pub system: Duration,
    /// The most memory it had, in bytes.
    pub peak_bytes: u64,
    /// What it printed.
    pub stdout: String,
}

/// Its memory only grows in the kernel's account, so that what is missed is what came in the last moment.
const POLL: Duration = Duration::from_millis(5);

impl Program {
    /// The one built beside the running program, or in the folder above it, as for tests.
    pub fn find() -> Option<Self> {
        let here = std::env::current_exe().ok()?;
        let folders = here.ancestors().skip(1).take(2);
        let path = folders.map(|folder| folder.join("keystride")).find(|path| path.is_file())?;
        Some(Self { path })
    }

    /// The one of that path.
    ///
    /// # Errors
    ///
    /// When there is no such file.
    pub fn at(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.canonicalize()? })
    }

    /// Returns where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs it with `input` as its standard input.
    ///
    /// # Errors
    ///
    /// When it can't be started or ends with another code than 0.
    pub fn run(&self, arguments: &[&str], input: impl Read + Send + 'static) -> io::Result<Run> {
        let (started, before) = (Instant::now(), children_cpu_times());
        let mut command = Command::new(&self.path);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        // What the user has set for other work, such as durability, would change what is measured.
        let names = std::env::vars_os().map(|(name, _)| name);
        for name in names.filter(|name| name.to_string_lossy().starts_with("KEYSTRIDE_")) {
            command.env_remove(name);
        }
        let child = command.env("KEYSTRIDE_CONFIG", "/nonexistent/keystride.toml").spawn();
        let mut child = child
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", self.path.display())))?;
        let feeding = feed(&mut child, input);
        let reading = read_all(&mut child);
        let peak_bytes = watch(&mut child)?;
        let status = child.wait()?;
        let wall = started.elapsed();
        let after = children_cpu_times();
        let [user, system] = [0, 1].map(|at| after[at].saturating_sub(before[at]));
        let stdout = reading.join().map_err(|_| io::Error::other("the reading thread panicked"))??;
        // Who needs no more input may end before all of it is there.
        let _ = feeding.join();
        if !status.success() {
            return Err(io::Error::other(format!("keystride {}: {status}", arguments.join(" "))));
        }
        Ok(Run { cost: Cost { wall, cpu: user + system }, system, peak_bytes, stdout })
    }
}

fn feed(child: &mut Child, mut input: impl Read + Send + 'static) -> thread::JoinHandle<io::Result<u64>> {
    let mut stdin = child.stdin.take();
    thread::spawn(move || stdin.as_mut().map_or(Ok(0), |stdin| io::copy(&mut input, stdin)))
}

fn read_all(child: &mut Child) -> thread::JoinHandle<io::Result<String>> {
    let stdout = child.stdout.take();
    thread::spawn(move || {
        let mut text = String::new();
        stdout.map_or(Ok(0), |mut stdout| stdout.read_to_string(&mut text))?;
        Ok(text)
    })
}

/// The most memory a process has until it ends.
fn watch(child: &mut Child) -> io::Result<u64> {
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let mut peak = 0;
    while child.try_wait()?.is_none() {
        peak = peak.max(peak_bytes(&status).unwrap_or(0));
        thread::sleep(POLL);
    }
    Ok(peak)
}

fn peak_bytes(status: &Path) -> Option<u64> {
    let text = fs::read_to_string(status).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kib| kib * 1024)
}

/// CPU times of the children that were waited for: their own, and what the kernel took for them.
fn children_cpu_times() -> [Duration; 2] {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name before the last bracket may hold anything; hundredths of a second, user and system, are 13 words on.
    let words = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    let mut times = words.skip(13).map(|word| Duration::from_millis(word.parse().unwrap_or(0) * 10));
    [times.next().unwrap_or_default(), times.next().unwrap_or_default()]
}
