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
                write_pages(program.name("keystride"), "keystride", dir)?;
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

/// `keystride.1`, `keystride-design.1`, `keystride-design-lint.1`, …
fn write_pages(command: clap::Command, name: &str, dir: &Path) -> Result<(), Failure> {
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        write_pages(inner.clone(), &format!("{name}-{}", inner.get_name()), dir)?;
    }
    let path = dir.join(format!("{name}.1"));
    // A page is titled with the full name of its command; clap keeps names for the lifetime of the program.
    let titled = command.name(&*name.to_owned().leak()).disable_help_subcommand(true);
    std::fs::write(&path, page(titled)?).map_err(|cause| Failure::Write { path, cause })
}
