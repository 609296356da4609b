//! gohbase, brought by Go's own client and built below the target folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args as ClapArgs;

use crate::Failure;

/// Which gohbase
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct Gohbase {
    /// Not to compare with gohbase
    #[arg(long)]
    no_gohbase: bool,
    /// A program made of go/main.go, where `go get` does not bring gohbase
    #[arg(long, value_name = "PROGRAM")]
    gohbase: Option<PathBuf>,
}

impl Gohbase {
    /// The program.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub(crate) fn program(&self) -> Result<PathBuf, Failure> {
        match &self.gohbase {
            _ if self.no_gohbase => Err("gohbase: it was not wanted".into()),
            Some(program) => Ok(program.clone()),
            None => build(&scratch()?.join("gohbase")).map_err(|error| {
                format!("gohbase: {error}; --gohbase names a program made of go/main.go by hand").into()
            }),
        }
    }
}

/// Where programs of others are kept: below the target folder, which is no part of the repository.
pub(crate) fn scratch() -> Result<PathBuf, Failure> {
    let program = std::env::current_exe()?;
    // The program is in a folder named after its profile.
    let target = program.ancestors().nth(2).ok_or("this program is not below a target folder")?;
    let folder = target.join("hbase-bench");
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

fn build(folder: &Path) -> Result<PathBuf, Failure> {
    let program = folder.join("client");
    let source = include_str!("../go/main.go");
    if program.is_file() && fs::read_to_string(folder.join("main.go")).is_ok_and(|built| built == source) {
        return Ok(program);
    }
    fs::create_dir_all(folder)?;
    fs::write(folder.join("go.mod"), "module client\n\ngo 1.25\n")?;
    go(folder, &["get", "github.com/tsuna/gohbase@latest"])?;
    fs::write(folder.join("main.go"), source)?;
    let built = go(folder, &["mod", "tidy"]).and_then(|()| go(folder, &["build", "-o", "client", "."]));
    if built.is_err() {
        fs::remove_file(folder.join("main.go"))?;
    }
    built.map(|()| program)
}

fn go(folder: &Path, arguments: &[&str]) -> Result<(), Failure> {
    run(Command::new("go").args(arguments).current_dir(folder))
}

/// Runs a program to its end.
pub(crate) fn run(command: &mut Command) -> Result<(), Failure> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name} can't be run: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.trim_end().lines().last().unwrap_or_default().trim().to_owned();
    Err(format!("{command:?} failed: {last}").into())
}
