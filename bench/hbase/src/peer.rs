//! The clients that are compared, each a process of its own.
//!
//! All are asked the same, a line each, and answer with a line ([`Answer`]):
//!
//! | Line | What it does |
//! |---|---|
//! | `load WAY TABLE BUFFER_BYTES BATCH_ROWS` | writes all rows; a way takes the one or the other |
//! | `scan TABLE` | reads all rows and looks at each cell |
//! | `digest TABLE` | the same with a checksum, not measured |
//! | `get WAY TABLE IN_FLIGHT COUNT` | reads single rows, number *i* being row (48271 *i* + 11) mod all |
//! | `create TABLE REGIONS`, `flush TABLE`, `drop TABLE` | Java only |

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use keystride_hbase_harness::{Jars, JavaCommand, JavaProgram, Site};

use crate::Failure;
use crate::answer::Answer;

/// A client at work; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Peer {
    name: &'static str,
    child: Child,
    ask: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// Keeps what a Java program needs.
    _java: Option<JavaCommand>,
}

/// How many threads do a client's work at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Threads {
    One,
    /// As many as the machine has cores.
    Cores,
}

const JAVA_HEAP_MIB: u32 = 1024;

impl Peer {
    /// Our client, in this program.
    pub(crate) fn ours(cluster: &str, rows: &Path, threads: Threads) -> Result<Self, Failure> {
        let mut command = Command::new(std::env::current_exe()?);
        command
            .arg("client")
            .args((threads == Threads::One).then_some("--one-thread"))
            .arg(cluster)
            .arg(rows);
        Self::start("ours", command, None)
    }

    /// HBase's own client.
    pub(crate) fn java(site: &Site, rows: &Path) -> Result<Self, Failure> {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/java/Client.java");
        let program = JavaProgram::new(source).with_arguments([rows.display().to_string()]);
        let mut java = Jars::ready()?.command(&program, site, JAVA_HEAP_MIB)?;
        let command = std::mem::replace(&mut java.command, Command::new("true"));
        Self::start("java", command, Some(java))
    }

    /// gohbase, which finds a cluster by its ZooKeeper.
    pub(crate) fn gohbase(
        program: &Path,
        zookeeper: &str,
        rows: &Path,
        threads: Threads,
    ) -> Result<Self, Failure> {
        let mut command = Command::new(program);
        command.arg(zookeeper).arg(rows).envs((threads == Threads::One).then_some(("GOMAXPROCS", "1")));
        Self::start("gohbase", command, None)
    }

    /// happybase without a server.
    pub(crate) fn happybase(python: &Path, rows: &Path) -> Result<Self, Failure> {
        let mut command = Command::new(python);
        command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/python/encode.py")).arg(rows);
        Self::start("happybase", command, None)
    }

    fn start(name: &'static str, mut command: Command, java: Option<JavaCommand>) -> Result<Self, Failure> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (ask, answers) = pipes.ok_or("a process has no pipes")?;
        Ok(Self { name, child, ask, answers: BufReader::new(answers), _java: java })
    }

    /// Asks, and waits for the answer.
    ///
    /// # Errors
    ///
    /// What the client says went wrong.
    pub(crate) fn ask(&mut self, line: &str) -> Result<Answer, Failure> {
        writeln!(self.ask, "{line}")?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        if !answer.ends_with('\n') {
            return Err(format!("{} ended while it was asked: {line}", self.name).into());
        }
        Answer::parse(&answer).map_err(|said| format!("{}, asked: {line}: {said}", self.name).into())
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // One that has ended already needs no signal, and drop has nobody to tell.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
