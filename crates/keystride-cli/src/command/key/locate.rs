use std::path::PathBuf;

use keystride::{Design, Key, SplitPoints};
use keystride_app::key_text::KeyTextError;
use keystride_store::{Region, TableName};
use keystride_table::{KeyLocation, Table};

use crate::design_file::DesignFile;
use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::key_text::KeyArg;
use crate::open_store::{Missing, with_store};
use crate::output::{Rows, say};
use crate::row_args::read_row;
use crate::usage::Usage;

#[derive(Debug, clap::Args)]
pub(crate) struct Locate {
    /// The design file
    #[arg(short, long, value_name = "FILE")]
    design: PathBuf,
    /// A stored table, whose current regions are used instead of the design's initial ones
    #[arg(short, long, value_name = "TABLE")]
    table: Option<String>,
    /// The key as text, or the row's fields
    #[arg(value_name = "KEY | FIELD=VALUE")]
    words: Vec<String>,
    /// The key in hex
    #[arg(long, value_name = "HEX", conflicts_with_all = ["escaped", "words"])]
    hex: Option<String>,
    /// The key in HBase's escaped form, such as '\x00a'
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "words")]
    escaped: Option<String>,
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
        let key = self.key(global, &file)?;
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

    fn key(&self, global: &Global, file: &DesignFile) -> Result<Key, Failure> {
        if self.words.iter().any(|word| begins_with_field(file.design(), word)) {
            let row = read_row(&global.times().reading(file.design()), &self.words)?;
            let mut key = Vec::new();
            file.codec.encoder().encode(&row, &mut key)?;
            return Ok(Key::new(key).map_err(KeyTextError::from).map_err(Usage::from)?);
        }
        if let [_, second, ..] = self.words.as_slice() {
            return Err(Usage::NotAnAssignment { found: second.clone() }.into());
        }
        let arg =
            KeyArg { key: self.words.first().cloned(), hex: self.hex.clone(), escaped: self.escaped.clone() };
        let key = arg.read()?;
        if let Err(cause) = file.codec.decode(key.as_bytes()) {
            say(global, &format!("note: not a key of this design: {cause}{}", arg.hint()));
        }
        Ok(key)
    }
}

/// Whether a word is a field of the design and its value, and no key as text.
fn begins_with_field(design: &Design, word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| design.field_index(name).is_some())
}
