use clap_complete::Shell;

use crate::failure::{Code, Failure};
use crate::output::Out;

#[derive(Debug, clap::Args)]
pub(crate) struct Completions {
    /// The shell to print it for
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, mut program: clap::Command) -> Result<Code, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "keystride", &mut script);
        let mut out = Out::new();
        out.write(&script)?;
        out.finish()?;
        Ok(Code::Done)
    }
}
