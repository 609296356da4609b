use keystride_app::settings::{ContextName, SettingsError, UserFileEdit};
use keystride_hbase::{BadAddress, ClusterAddress};
use keystride_store::StoreAddress;

use crate::failure::{Code, Failure};
use crate::flags::GlobalArgs;
use crate::global::Global;
use crate::output::say;
use crate::usage::Usage;

/// Names a store
///
/// The name is kept in the user file. The store is given by --hbase or, for any kind, by --backend.
#[derive(Debug, clap::Args)]
pub(crate) struct Add {
    /// The name: letters, digits, "-", "_" and "."
    name: ContextName,
    /// The ZooKeeper servers of a cluster, such as zk1,zk2:2181/hbase
    #[arg(long, value_name = "ZOOKEEPER", value_parser = parse_cluster)]
    hbase: Option<ClusterAddress>,
    /// Replace the store of a name that exists
    #[arg(long)]
    replace: bool,
}

impl Add {
    pub(crate) fn run(&self, args: &GlobalArgs, global: &Global) -> Result<Code, Failure> {
        let backend = self.backend(args)?;
        let mut file = UserFileEdit::open()?;
        let name = self.name.clone();
        if file.has(&name) && !self.replace {
            return Err(SettingsError::ContextExists { path: file.path().to_owned(), name }.into());
        }
        file.set(&name, &backend)?;
        file.save()?;
        say(global, &format!("{name} is {backend}, by {}", file.path().display()));
        if file.in_use() != Some(name.as_str()) {
            say(
                global,
                &format!("it is used with --context {name}, or from now on after `keystride ctx use {name}`"),
            );
        }
        Ok(Code::Done)
    }

    fn backend(&self, args: &GlobalArgs) -> Result<StoreAddress, Failure> {
        match (&self.hbase, &args.backend) {
            (Some(address), None) => Ok(StoreAddress::HBase(address.clone())),
            (None, Some(backend)) => wherever(backend),
            (Some(_), Some(_)) => Err(Usage::TwoBackends.into()),
            (None, None) => Err(Usage::Needs { what: "ctx add", needs: "--hbase or --backend" }.into()),
        }
    }
}

/// Returns the same store, valid in every working folder.
fn wherever(backend: &StoreAddress) -> Result<StoreAddress, Failure> {
    let here = std::env::current_dir();
    let here = here.map_err(|cause| Failure::Read { path: ".".into(), cause })?;
    Ok(backend.seen_from(&here))
}

/// Parses ZooKeeper's servers, or a cluster's whole address.
fn parse_cluster(text: &str) -> Result<ClusterAddress, BadAddress> {
    if text.contains("://") { text.parse() } else { format!("hbase://{text}").parse() }
}
