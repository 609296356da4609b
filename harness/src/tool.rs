//! The programs of the system that the harness runs.

use std::ffi::OsStr;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;

use crate::HarnessError;

/// A program that must be on the `PATH`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tool {
    /// Ends the servers when the harness ends.
    Bash,
    /// Drives Chromium.
    Chromedriver,
    /// The browser that tests of pages run in.
    Chromium,
    /// Runs HBase and Kafka.
    Java,
    /// Compiles the Java programs that tests compare with.
    Javac,
    /// Makes the certificates of servers with TLS.
    Keytool,
    /// Brings what the harness takes from Maven Central.
    Maven,
}

impl Tool {
    /// The Debian packages that have it and what it works with.
    pub fn package(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Chromedriver | Self::Chromium => "chromium chromium-driver",
            Self::Java | Self::Javac | Self::Keytool => "openjdk-17-jdk-headless",
            Self::Maven => "maven",
        }
    }

    /// Its name on the `PATH`.
    pub fn program(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Chromedriver => "chromedriver",
            Self::Chromium => "chromium",
            Self::Java => "java",
            Self::Javac => "javac",
            Self::Keytool => "keytool",
            Self::Maven => "mvn",
        }
    }

    /// Looks for the program on the `PATH`.
    ///
    /// # Errors
    ///
    /// It is not there; the message names the packages that bring it.
    pub fn find(self) -> Result<(), HarnessError> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let found = std::env::split_paths(&path).any(|folder| folder.join(self.program()).is_file());
        if found { Ok(()) } else { Err(HarnessError::MissingTool { tool: self }) }
    }

    /// A call of the program that the system ends when the thread that started it ends.
    ///
    /// So a Java program that waits for a cluster does not outlive a harness that was killed.
    pub(crate) fn bound_command(self) -> Command {
        if !cfg!(target_os = "linux") {
            return Command::new(self.program());
        }
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL", "--", self.program()]);
        command
    }

    /// Runs the program to its end, with nothing on standard input, and demands that it ends with 0.
    pub(crate) fn run<S: AsRef<OsStr>>(self, arguments: &[S], folder: &Path) -> Result<Output, HarnessError> {
        self.find()?;
        let mut command = self.bound_command();
        command.args(arguments).current_dir(folder);
        let output = output_of(command, &[]).map_err(|source| HarnessError::Run { tool: self, source })?;
        self.demand_success(&output)?;
        Ok(output)
    }

    /// An error with all that the program printed where it did not end with 0.
    pub(crate) fn demand_success(self, output: &Output) -> Result<(), HarnessError> {
        if output.status.success() {
            return Ok(());
        }
        let said = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
        Err(HarnessError::Failed { tool: self, output: String::from_utf8_lossy(&said).into_owned() })
    }
}

impl fmt::Display for Tool {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.program())
    }
}

/// Runs a program to its end, with `input` on its standard input.
pub(crate) fn output_of(mut command: Command, input: &[u8]) -> io::Result<Output> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let pipe = child.stdin.take();
    thread::scope(|scope| {
        // A program may end before it has read all of its input: its exit code says whether that is an error.
        scope.spawn(move || pipe.map(|mut pipe| pipe.write_all(input)));
        child.wait_with_output()
    })
}
