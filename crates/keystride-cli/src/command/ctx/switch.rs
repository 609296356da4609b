use keystride_app::settings::{ContextName, Settings, UserFileEdit};

use crate::failure::{Code, Failure};
use crate::flags::GlobalArgs;
use crate::global::Global;
use crate::output::say;

/// Makes commands use a named store from now on
#[derive(Debug, clap::Args)]
pub(crate) struct Use {
    /// The name
    name: ContextName,
}

impl Use {
    pub(crate) fn run(&self, args: &GlobalArgs, global: &Global) -> Result<Code, Failure> {
        let mut file = UserFileEdit::open()?;
        file.put_to_use(&self.name)?;
        file.save()?;
        say(global, &format!("{} is in use, by {}", self.name, file.path().display()));
        // A file that is broken elsewhere is reported by the next command that reads it.
        if let Ok(settings) = Settings::resolve(args.layer()?) {
            say_stronger(global, &settings, &self.name);
        }
        Ok(Code::Done)
    }
}

/// Reports a setting that has precedence over the context.
fn say_stronger(global: &Global, settings: &Settings, name: &ContextName) {
    match (&settings.context, &settings.backend) {
        (Some(context), _) if context.value != *name => {
            say(global, &format!("but here {} names {}", context.origin, context.value));
        }
        (None, Ok(backend)) => say(global, &format!("but here {} names {}", backend.origin, backend.value)),
        _ => {}
    }
}
