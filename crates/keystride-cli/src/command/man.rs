use std::path::{Path, PathBuf};

use crate::failure::{Code, Failure};
use crate::output::Out;

#[derive(Debug, clap::Args)]
pub(crate) struct Man {
    /// The folder to write one page per command to; without it, the first page is printed
    dir: Option<PathBuf>,
}

impl Man {
    pub(crate) fn run(&self, program: clap::Command) -> Result<Code, Failure> {
        match &self.dir {
            Some(dir) => {
                std::fs::create_dir_all(dir).map_err(|cause| Failure::Write { path: dir.clone(), cause })?;
                write_pages(program, "keystride", dir)?;
            }
            None => {
                let mut out = Out::new();
                out.write(&page(program)?)?;
                out.finish()?;
            }
        }
        Ok(Code::Done)
    }
}

fn page(command: clap::Command) -> Result<Vec<u8>, Failure> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(page)
}

/// Writes `keystride.1`, `keystride-design.1`, `keystride-design-lint.1`, …, of a command that is run as `called`.
fn write_pages(command: clap::Command, called: &str, dir: &Path) -> Result<(), Failure> {
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        write_pages(inner.clone(), &format!("{called} {}", inner.get_name()), dir)?;
    }
    let name = called.replace(' ', "-");
    let path = dir.join(format!("{name}.1"));
    // A page is titled with the full name of its command; clap keeps names for the lifetime of the program.
    let titled = command.name(&*name.leak()).bin_name(called).disable_help_subcommand(true);
    std::fs::write(&path, page(titled)?).map_err(|cause| Failure::Write { path, cause })
}

#[cfg(test)]
mod tests {
    use clap::Command;

    use super::*;

    #[test]
    fn pages_are_named_for_the_command_and_say_how_it_is_run() {
        let program =
            Command::new("program").subcommand(Command::new("design").subcommand(Command::new("lint")));
        let folder = tempfile::tempdir().unwrap();
        write_pages(program, "program", folder.path()).unwrap();
        let page = std::fs::read_to_string(folder.path().join("program-design-lint.1")).unwrap();
        let (name, rest) = page.split_once(".SH SYNOPSIS").unwrap();
        assert!(name.contains(r"program\-design\-lint"), "{page}");
        assert!(rest.trim_start().starts_with(r"\fBprogram design lint\fR"), "{page}");
    }
}
