use keystride_app::settings::{ContextName, Removed, UserFileEdit};

use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::output::say;

/// Removes a name; the store itself is not changed
#[derive(Debug, clap::Args)]
pub(crate) struct Remove {
    /// The name
    name: ContextName,
}

impl Remove {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let mut file = UserFileEdit::open()?;
        let removed = file.remove(&self.name)?;
        file.save()?;
        say(
            global,
            &match removed {
                Removed::InUse => format!("{} is removed; it was in use, and now no context is", self.name),
                Removed::Unused => format!("{} is removed", self.name),
            },
        );
        Ok(Code::Done)
    }
}
