//! `keystride extract`: rows of a table as a folder of files.

use std::cell::Cell;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::ValueEnum;
use keystride::Design;
use keystride_app::extract::ExtractDocument;
use keystride_app::fields::{fields_named, time_named};
use keystride_store::EmbeddedOptions;
use keystride_table::extract::{Day, DayFormat, Existing, Extract as Job, Extracted, Partition};

use crate::failure::{Code, Failure};
use crate::format::Format;
use crate::global::Global;
use crate::input_args::FileFormat;
use crate::open_store::{Missing, store_options, with_store_of};
use crate::output::{Rows, print_document, say};
use crate::predicate_args::parse_any;
use crate::size::parse_whole;
use crate::table_args::TableArgs;
use crate::usage::Usage;

/// Writes rows of a table to a folder of Parquet, CSV or JSON files
///
/// Files have hidden names until all are complete; _SUCCESS is written last. An interrupted extract continues with
/// --resume.
#[derive(Debug, clap::Args)]
pub(crate) struct Extract {
    #[command(flatten)]
    table: TableArgs,
    /// The folder to write to
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    /// The format of the files: CSV with a header, or one JSON object a line, as `load` reads them
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "parquet")]
    to_format: FileFormat,
    /// The rows of one day, such as 2013-03-08
    #[arg(long, value_name = "DAY")]
    day: Option<String>,
    /// Which rows, such as "phone = '13800138000'"
    #[arg(long = "where", value_name = "PREDICATE")]
    predicate: Option<String>,
    /// The time field that days refer to [default: the only one, or the only one in the key]
    #[arg(long, value_name = "FIELD")]
    on: Option<String>,
    /// A folder for each day
    #[arg(long, value_enum, value_name = "BY")]
    partition_by: Option<PartitionBy>,
    /// The name of the partitions' column
    #[arg(long, value_name = "NAME", default_value = "dt")]
    partition_column: String,
    /// How the folders' names write their day, as a Java pattern such as yyyyMMdd [default: yyyy-MM-dd]
    #[arg(long, value_name = "PATTERN")]
    partition_format: Option<DayFormat>,
    /// Write only these fields
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    columns: Option<Vec<String>>,
    /// Replace the files of earlier extracts
    #[arg(long, conflicts_with = "resume")]
    overwrite: bool,
    /// Keep what an earlier run of the same extract finished
    #[arg(long)]
    resume: bool,
    /// How many parts to read at a time [default: the machine's cores]
    #[arg(long, value_name = "N", value_parser = parse_whole::<NonZeroUsize>)]
    workers: Option<NonZeroUsize>,
}

/// What a folder contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PartitionBy {
    /// The local days of a time
    Day,
}

impl Extract {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let is_begun = Cell::new(false);
        let workers = self.workers.unwrap_or(Job::default().workers);
        let options = EmbeddedOptions { reading: Job::reading(workers), ..store_options(global) };
        let named = self.table.read()?;
        let extracted = with_store_of(global, Missing::Fail, options, async |store| {
            let table = named.open(global, store).await?;
            is_begun.set(true);
            let job = self.job(table.design(), &global.reading(table.design()), workers)?;
            Ok(table.extract(&job, &self.to).await?)
        });
        if let Err(Failure::Interrupted | Failure::TimedOut { .. }) = extracted
            && is_begun.get()
        {
            say(global, "what is done is kept aside; go on with --resume and the same folder");
        }
        self.print(global, &extracted?)?;
        Ok(Code::Done)
    }

    /// Returns the extract's job. `reading` is the design by which the predicate is read; days are in the fields' own
    /// zones.
    fn job(&self, design: &Design, reading: &Design, workers: NonZeroUsize) -> Result<Job, Failure> {
        let fields = self.columns.as_deref().map(|names| fields_named(design, names));
        Ok(Job {
            predicate: parse_any(self.predicate.as_deref(), reading)?,
            format: self.to_format.format(),
            partition: self.partition(design)?,
            partition_column: self.partition_column.clone(),
            day_format: self.partition_format.clone().unwrap_or_default(),
            fields: fields.transpose().map_err(Usage::from)?,
            existing: match (self.overwrite, self.resume) {
                (true, _) => Existing::Overwrite,
                (_, true) => Existing::Resume,
                _ => Existing::Refuse,
            },
            workers,
            part_rows: Job::default().part_rows,
        })
    }

    fn partition(&self, design: &Design) -> Result<Partition, Failure> {
        match (&self.day, self.partition_by) {
            (Some(day), _) => Ok(Partition::Day(Day::parse(day, design, self.time(design)?)?)),
            (None, Some(PartitionBy::Day)) => Ok(Partition::ByDay { field: self.time(design)? }),
            (None, None) if self.partition_format.is_some() => {
                Err(Usage::Needs { what: "--partition-format", needs: "--day or --partition-by day" }.into())
            }
            (None, None) => Ok(Partition::Whole),
        }
    }

    /// Returns the field that days refer to: the one named, or else the only time.
    fn time(&self, design: &Design) -> Result<usize, Usage> {
        time_named(design, self.on.as_deref())?.ok_or(Usage::NoTime)
    }

    fn print(&self, global: &Global, extracted: &Extracted) -> Result<(), Failure> {
        if global.format == Some(Format::Json) {
            return print_document(global, &ExtractDocument::new(extracted, &self.to));
        }
        let mut rows = Rows::new(global, ["folder", "rows", "bytes", "files"]);
        for (name, counts) in &extracted.partitions {
            let folder = self.to.join(name).display().to_string();
            rows.push(vec![folder.into(), counts.rows.into(), counts.bytes.into(), counts.files.into()])?;
        }
        rows.print()
    }
}
