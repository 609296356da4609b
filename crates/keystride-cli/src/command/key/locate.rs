use std::path::PathBuf;

use keystride::{Design, SplitPoints};
use keystride_store::{Region, TableName};
use keystride_table::{KeyLocation, Table};

use crate::design_file::DesignFile;
use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::key_text::KeyArg;
use crate::open_store::{Missing, with_store};
use crate::output::{Rows, say};

#[derive(Debug, clap::Args)]
pub(crate) struct Locate {
    /// The design file
    #[arg(short, long, value_name = "FILE")]
    design: PathBuf,
    /// A stored table, whose current regions are used instead of the design's initial ones
    #[arg(short, long, value_name = "TABLE")]
    table: Option<String>,
    #[command(flatten)]
    key: KeyArg,
}

/// The regions of a table: where they begin, and the servers of those that are stored.
struct Regions {
    points: SplitPoints,
    servers: Vec<Option<String>>,
}

impl Regions {
    /// Returns the current regions of a stored table, whose keys the design must tell.
    fn of_table(global: &Global, name: &TableName, design: &Design) -> Result<Self, Failure> {
        with_store(global, Missing::Fail, async |store| {
            let table = Table::open_with(store, name, design.clone()).await?;
            let regions = table.store().regions(name).await?;
            let points = Region::split_points(&regions)?;
            Ok(Self { points, servers: regions.into_iter().map(|region| region.server).collect() })
        })
    }
}

impl Locate {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let file = DesignFile::read(&self.design)?;
        let key = self.key.read()?;
        if let Err(cause) = file.codec.decode(key.as_bytes()) {
            say(global, &format!("note: not a key of this design: {cause}{}", self.key.hint()));
        }
        let Regions { points, servers } = match &self.table {
            Some(table) => Regions::of_table(global, &TableName::new(table)?, file.design())?,
            None => Regions { points: file.split_points(global)?, servers: Vec::new() },
        };
        let style = global.times_in_words();
        let location = KeyLocation::find(&file.codec, &points, &servers, key.as_bytes(), &style);
        let rows = Rows::new(global, ["region", "of", "start", "stop", "from", "before", "server"]);
        rows.print_documents(location)?;
        Ok(Code::Done)
    }
}
