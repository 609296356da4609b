//! The design file of a command that is about a design.

use std::path::{Path, PathBuf};

/// The design file: an argument or, as in commands whose arguments are something else, an option.
#[derive(Debug, Clone, clap::Args)]
#[group(required = true, multiple = false)]
pub(crate) struct DesignArg {
    /// The design file; -d FILE says the same
    #[arg(value_name = "DESIGN")]
    design_file: Option<PathBuf>,
    #[arg(short, long, value_name = "FILE", hide = true)]
    design: Option<PathBuf>,
}

impl DesignArg {
    pub(crate) fn path(&self) -> &Path {
        let path = self.design_file.as_deref().or(self.design.as_deref());
        path.expect("one of the two is required")
    }
}
