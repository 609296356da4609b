//! `keystride store`: repairs the store in a folder.

use clap::Subcommand;
use keystride_store::{EmbeddedStore, Repair, StoreAddress};

use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::open_store::{not_opened, run};
use crate::output::say;
use crate::usage::Usage;

#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// Goes on with what comes before a damage of the journal
    ///
    /// The journal of a store in a folder has the batches that may not be in the files of tables yet. When a command is
    /// killed and a journal is damaged after that, no command opens the store: batches that were acknowledged follow
    /// the damage. This shortens the journal to the batches before the damage. A copy of it and the journals after it go
    /// into a new folder of the store, damaged-1 or the like, and the message says how many batches that are.
    Repair,
}

impl StoreCommand {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        match self {
            Self::Repair => repair(global),
        }
    }
}

fn repair(global: &Global) -> Result<Code, Failure> {
    let StoreAddress::Embedded(folder) = global.backend()? else {
        return Err(Usage::FolderAlone { command: "store repair" }.into());
    };
    let repair = run(async { EmbeddedStore::repair(folder).await.map_err(not_opened) })?;
    say(global, &repair.map_or_else(|| "no journal is damaged: nothing was changed".to_owned(), told));
    Ok(Code::Done)
}

fn told(Repair { journal, from, to, following, aside }: Repair) -> String {
    format!(
        "bytes {from} to {to} of {} do not read back: the batches before them are kept; {following} batches that follow \
         are no longer in the store, and a copy of them is in {}",
        journal.display(),
        aside.display()
    )
}
