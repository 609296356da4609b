//! Loads by the program `keystride` into stores of their own.

use std::io;
use std::path::Path;
use std::time::Duration;

use keystride_bench::Run;
use tempfile::TempDir;

use crate::board::micros_per;
use crate::{Bench, Failure};

impl Bench {
    /// The address of a topic.
    pub(crate) fn address(&self, topic: &str) -> String {
        format!("kafka://{}/{topic}", self.broker.bootstrap())
    }

    /// Loads what `arguments` say into an empty table of a design, which is gone afterwards.
    ///
    /// # Errors
    ///
    /// Not as many rows are stored as there are.
    pub(crate) fn load(&self, design: &Path, rows: u64, arguments: &[&str]) -> Result<Run, Failure> {
        let folder = TempDir::new()?;
        let design = design.display().to_string();
        let backend = format!("embedded:{}", folder.path().join("store").display());
        let options = ["--design", &design, "--backend", &backend];
        self.program.run(&[&["table", "create", "--quiet"], &options[..]].concat(), io::empty())?;
        let load = [&["load", "--format", "json", "--quiet"], &options[..], arguments].concat();
        let run = self.program.run(&load, io::empty())?;
        let report: serde_json::Value = serde_json::from_str(&run.stdout)?;
        match report["rows"].as_u64() {
            Some(stored) if stored == rows => Ok(run),
            stored => {
                Err(format!("keystride {}: {stored:?} rows of {rows} are stored", load.join(" ")).into())
            }
        }
    }

    /// Loads all that a topic has.
    ///
    /// # Errors
    ///
    /// Not as many rows are stored as there are.
    pub(crate) fn load_topic(&self, design: &Path, rows: u64, topic: &str) -> Result<Run, Failure> {
        let address = self.address(topic);
        let arguments = [&address, "--from", "earliest", "--until", "now", "--memory", "256MiB"];
        self.load(design, rows, &arguments)
    }
}

/// Microseconds a row.
pub(crate) fn micros_a_row(time: Duration, rows: u64) -> f64 {
    micros_per(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), rows)
}
