//! How soon the program serves.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use keystride_bench::{Bound, Figures, Program, Size};

use crate::{Failure, median};

/// A console that is up within this time is up at once, in ms.
const AT_ONCE_MS: f64 = 100.0;

/// A program that is ended when this is dropped.
struct Ended(Child);

/// Measures the time from the start of the program until it prints its address, with the store that it makes.
pub(crate) fn add(figures: &mut Figures, size: Size) -> Result<(), Failure> {
    let Some(program) = Program::find() else {
        figures.skip(
            "C5",
            "the program keystride is not beside this one: cargo build --release -p keystride-cli",
        );
        return Ok(());
    };
    let folder = tempfile::tempdir()?;
    let times = (0..size.pick(1, 11)).map(|_| served_after(program.path(), folder.path()));
    let times = times.collect::<Result<Vec<f64>, Failure>>()?;
    figures.add(
        "C5",
        "ms, from the start of the program until it serves",
        median(times),
        AT_ONCE_MS,
        Bound::AtMost(1.0, 0.5),
    );
    Ok(())
}

fn served_after(program: &Path, folder: &Path) -> Result<f64, Failure> {
    let store = format!("embedded:{}", folder.join("data").display());
    let begun = Instant::now();
    let child = Command::new(program)
        .args(["--backend", &store, "serve", "--allow-write", "--listen", "127.0.0.1:0"])
        .env("KEYSTRIDE_CONFIG", "/nonexistent/keystride.toml")
        .env("XDG_CACHE_HOME", folder)
        .env("XDG_STATE_HOME", folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut child = Ended(child);
    let stdout = child.0.stdout.take().ok_or("the program has no output")?;
    let mut line = String::new();
    BufReader::new(stdout).read_line(&mut line)?;
    let ms = begun.elapsed().as_secs_f64() * 1e3;
    if line.starts_with("http://") {
        Ok(ms)
    } else {
        Err(format!("keystride serve printed \"{line}\"").into())
    }
}

impl Drop for Ended {
    fn drop(&mut self) {
        // One that has ended is gone.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
