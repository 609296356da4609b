//! What can go wrong on the way to a running HBase or Kafka.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::Tool;

/// Why there is no cluster, or no answer from a Java program.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HarnessError {
    /// A program that the harness runs is not on the `PATH`.
    #[error("{tool} is missing; on Debian, `apt-get install {}` brings it", .tool.package())]
    MissingTool {
        /// The program.
        tool: Tool,
    },
    /// What names no version of HBase.
    #[error("{found:?} is no version of HBase; one is 1.4.14, another 2.5.10-hadoop3")]
    NoVersion {
        /// The text.
        found: String,
    },
    /// What names no version of Kafka.
    #[error("{found:?} is not a version of Kafka; one is 4.3.1, another 3.9.1")]
    NotAKafkaVersion {
        /// The text.
        found: String,
    },
    /// Neither `XDG_CACHE_HOME` nor `HOME` is set.
    #[error("no folder to keep jars in; set XDG_CACHE_HOME or HOME")]
    NoCacheFolder,
    /// A file or folder could not be read or written.
    #[error("{}: {source}", .path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A program could not be started, or its pipes broke.
    #[error("{tool}: {source}")]
    Run {
        /// The program.
        tool: Tool,
        /// What the system said.
        source: io::Error,
    },
    /// A program ended with another code than 0.
    #[error("{tool} failed:\n{output}")]
    Failed {
        /// The program.
        tool: Tool,
        /// What it printed.
        output: String,
    },
    /// A Java program of `java/` printed what it should not.
    #[error("{program} printed what is not expected of it:\n{output}")]
    Answer {
        /// The program.
        program: &'static str,
        /// What it printed.
        output: String,
    },
    /// No free port could be had.
    #[error("no free port on 127.0.0.1: {source}")]
    NoPort {
        /// What the system said.
        source: io::Error,
    },
    /// A server found its port taken by another process.
    #[error("{server}: its port was taken; the end of its log:\n{log_tail}")]
    PortTaken {
        /// The server's name in the harness: `hbase`, `master-0`, `broker-0`, ...
        server: String,
        /// The last lines of its log.
        log_tail: String,
    },
    /// A server ended while it was waited for.
    #[error("{server} ended before it was ready; the end of its log:\n{log_tail}")]
    Ended {
        /// The server's name in the harness.
        server: String,
        /// The last lines of its log.
        log_tail: String,
    },
    /// A server was told to stop, and still runs.
    #[error("{server} still runs {waited_s} s after it was told to stop; the end of its log:\n{log_tail}")]
    StillRuns {
        /// The server's name in the harness.
        server: String,
        /// How long it was waited for.
        waited_s: u64,
        /// The last lines of its log.
        log_tail: String,
    },
    /// A server runs, but was not ready in time.
    #[error("{servers} not ready after {waited_s} s; the end of its log:\n{log_tail}")]
    NotReady {
        /// The servers' names in the harness.
        servers: String,
        /// How long it was waited for.
        waited_s: u64,
        /// The last lines of its log.
        log_tail: String,
    },
}

impl HarnessError {
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { path, source }
    }
}
