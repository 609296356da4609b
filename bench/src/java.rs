//! Java programs beside which ours are measured.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A program of `bench/java`, compiled.
#[derive(Debug)]
pub struct Java {
    name: &'static str,
    classes: TempDir,
}

impl Java {
    /// Compiles `bench/java/NAME.java`.
    ///
    /// # Errors
    ///
    /// Why there is none to run: no JDK, or not one that can compile it.
    pub fn compile(name: &'static str) -> Result<Self, String> {
        let classes = TempDir::new().map_err(|error| error.to_string())?;
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("java/{name}.java"));
        let mut javac = Command::new("javac");
        javac.arg("-d").arg(classes.path()).arg(&source);
        output(&mut javac)?;
        Ok(Self { name, classes })
    }

    /// Runs it; the lines it printed, cut at tabs.
    ///
    /// # Errors
    ///
    /// What it said when it failed.
    pub fn run(&self, arguments: &[PathBuf]) -> Result<Vec<Vec<String>>, String> {
        let mut java = Command::new("java");
        java.args(["-XX:+UseSerialGC", "-cp"]).arg(self.classes.path()).arg(self.name).args(arguments);
        let output = output(&mut java)?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect())
    }
}

fn output(command: &mut Command) -> Result<Output, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name}: {error}"))?;
    if output.status.success() {
        Ok(output)
    } else {
        Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr)))
    }
}
