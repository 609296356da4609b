//! A scratch folder, and the process that ends what runs in it with the harness.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use crate::{HarnessError, Tool, jvm};

/// Started processes and their folder: both end when this is dropped, and when the harness dies in any other way.
///
/// A shell in a process group of its own holds them; see `watchdog.sh`, which this speaks with.
#[derive(Debug)]
pub struct Watchdog {
    folder: PathBuf,
    shell: Child,
    /// Taken out when the servers are to end: the shell sees the end of its input.
    pipes: Mutex<Option<Pipes>>,
}

#[derive(Debug)]
struct Pipes {
    ask: ChildStdin,
    answer: BufReader<ChildStdout>,
}

/// What a server's process is told.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Signal {
    Kill,
    Terminate,
    Stop,
    Continue,
}

impl Watchdog {
    /// A new empty folder under the system's temporary one, watched; its name says what for.
    ///
    /// # Errors
    ///
    /// The folder can't be written, or `bash` can't be started.
    pub fn start(purpose: &str) -> Result<Self, HarnessError> {
        Tool::Bash.find()?;
        let temporary = std::env::temp_dir();
        let folder = tempfile::Builder::new()
            .prefix(&format!("keystride-{purpose}-"))
            .tempdir()
            .map_err(HarnessError::file(&temporary))?;
        let script = folder.path().join("watchdog.sh");
        fs::write(&script, include_str!("watchdog.sh")).map_err(HarnessError::file(&script))?;
        let mut shell = shell(&script, folder.path()).map_err(run_error)?;
        let pipes = shell.stdin.take().zip(shell.stdout.take());
        let pipes = pipes.map(|(ask, answer)| Pipes { ask, answer: BufReader::new(answer) });
        // From here on the shell removes the folder.
        let watchdog = Self { folder: folder.keep(), shell, pipes: Mutex::new(pipes) };
        fs::create_dir(watchdog.tmp()).map_err(HarnessError::file(watchdog.tmp()))?;
        Ok(watchdog)
    }

    /// The folder, which goes with the processes.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where the processes keep their temporary files.
    pub fn tmp(&self) -> PathBuf {
        self.folder.join("tmp")
    }

    /// The file with what a process has printed.
    pub fn log(&self, process: &str) -> PathBuf {
        self.folder.join(format!("{process}.log"))
    }

    /// Starts `java` with these arguments as the server of that name.
    pub(crate) fn start_java(&self, server: &str, arguments: &[String]) -> Result<(), HarnessError> {
        let file = self.folder.join(format!("{server}.args"));
        fs::write(&file, jvm::argument_file(arguments)).map_err(HarnessError::file(file))?;
        self.start_process(server, &["java".to_owned(), format!("@{server}.args")])
    }

    /// Starts a program with its arguments as the process of that name, in the folder and in a process group of its own.
    ///
    /// # Errors
    ///
    /// Its command can't be written, or the watchdog is gone. A program that can't be run says so in its log.
    pub fn start_process(&self, process: &str, command: &[String]) -> Result<(), HarnessError> {
        let file = self.folder.join(format!("{process}.command"));
        let words: String = command.iter().flat_map(|word| [word, "\0"]).collect();
        fs::write(&file, words).map_err(HarnessError::file(file))?;
        self.ask(&format!("start {process}")).map(drop)
    }

    /// Returns when the signal is sent; after [`Signal::Kill`], when the process is gone.
    pub(crate) fn signal(&self, server: &str, signal: Signal) -> Result<(), HarnessError> {
        let name = match signal {
            Signal::Kill => "KILL",
            Signal::Terminate => "TERM",
            Signal::Stop => "STOP",
            Signal::Continue => "CONT",
        };
        self.ask(&format!("signal {server} {name}")).map(drop)
    }

    /// Whether a process still runs.
    ///
    /// # Errors
    ///
    /// The watchdog is gone.
    pub fn is_alive(&self, process: &str) -> Result<bool, HarnessError> {
        Ok(self.ask(&format!("alive {process}"))? == "yes")
    }

    fn ask(&self, line: &str) -> Result<String, HarnessError> {
        let mut pipes = self.pipes.lock().unwrap_or_else(PoisonError::into_inner);
        let pipes = pipes.as_mut().ok_or_else(|| run_error(io::ErrorKind::BrokenPipe.into()))?;
        pipes.ask(line).map_err(run_error)
    }
}

impl Pipes {
    fn ask(&mut self, line: &str) -> io::Result<String> {
        self.ask.write_all(format!("{line}\n").as_bytes())?;
        let mut answer = String::new();
        match self.answer.read_line(&mut answer)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(answer.trim_end().to_owned()),
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        *self.pipes.lock().unwrap_or_else(PoisonError::into_inner) = None;
        // A shell that cannot be waited for is gone, and drop has nobody to tell.
        let _ = self.shell.wait();
    }
}

fn shell(script: &Path, folder: &Path) -> io::Result<Child> {
    Command::new("bash")
        .args([script, folder])
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
}

fn run_error(source: io::Error) -> HarnessError {
    HarnessError::Run { tool: Tool::Bash, source }
}
