//! `keystride load`: loads files, or a topic, into a table.

mod inputs;
mod options;
mod outputs;
mod reasons;
mod summary;
mod topic;
mod watch;

use std::cell::OnceCell;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use keystride::{KeyCodec, SplitPoints};
use keystride_app::load::{FailedLoad, LoadHandle, LoadJob, embedded_options};
use keystride_store::{Store, StoreAddress, TableName, Writers};
use keystride_table::Table;
use keystride_table::input::InputOptions;
use keystride_table::load::{Ending, LoadError, WriteMethod};
use keystride_table::source::RecordSource;

use crate::design_file::DesignFile;
use crate::failure::{Code, Failure, ignore_closed_pipe};
use crate::global::Global;
use crate::input_args::InputArgs;
use crate::open_store::{Missing, run, with_store, with_store_of};
use crate::output::say;
use crate::stop;
use crate::table_args::NamedTable;
use crate::usage::Usage;
use inputs::{Inputs, Opened};
use options::LoadArgs;
use summary::print_report;
use topic::TopicArgs;
use watch::{Watch, broken};

/// Loads files, or a topic of Kafka, into a table
///
/// Rows that can't be stored are counted and kept in a file with their line and the reason, and the load continues; the
/// exit code is then 5. An interrupted load continues with --resume. A topic is followed until Ctrl-C or --until; the same
/// command goes on where it ended.
#[derive(Debug, clap::Args)]
pub(crate) struct Load {
    /// Files, globs such as 'logs/*.csv.gz', "-" for standard input, or a topic: `kafka://host:9092/topic`
    #[arg(value_name = "FILE", required = true)]
    files: Vec<OsString>,
    /// The table [default: the design's, or the only one that there is]
    #[arg(short, long, value_name = "NAME")]
    table: Option<String>,
    /// The design file of a table with which none is stored; else it must be the table's own
    #[arg(short, long, value_name = "FILE")]
    design: Option<PathBuf>,
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    args: LoadArgs,
    #[command(flatten)]
    topic: TopicArgs,
}

/// The target of a dry run.
struct Target {
    codec: KeyCodec,
    points: SplitPoints,
    writers: Writers,
}

impl Target {
    /// Returns the table that a design file makes.
    fn of_file(file: &DesignFile, global: &Global) -> Result<Self, Failure> {
        // No store is opened, so an unknown context does not matter here.
        let writers = global.backend.as_ref().map_or(Writers::Alone, StoreAddress::writers);
        Ok(Self { codec: file.codec.clone(), points: file.split_points(global)?, writers })
    }
}

impl Load {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let design = self.design.as_deref().map(DesignFile::read).transpose()?;
        let inputs = self.inputs(global)?;
        if self.args.dry_run {
            let target = match &design {
                Some(file) => Target::of_file(file, global)?,
                None => self.stored_target(global)?,
            };
            return self.replay(global, target, inputs);
        }
        let name = self.table_name(design.as_ref())?;
        let store_options = embedded_options(self.args.memory(), global.durability);
        let (handle, go_on) = (OnceCell::new(), self.how_to_go_on(&inputs));
        let loaded = with_store_of(global, Missing::Fail, store_options, async |store| {
            let named = NamedTable { name: or_only(name, &*store).await?, design };
            let table = named.open_to_write(global, store).await?;
            Box::pin(self.load(global, &table, inputs, &handle)).await
        });
        loaded.map_err(|failure| match failure {
            Failure::Interrupted | Failure::TimedOut { .. } => {
                let rows = handle.get().map_or(0, LoadHandle::stored_rows);
                Failure::LoadCutOff { cause: Box::new(failure), rows, go_on }
            }
            failure => failure,
        })
    }

    /// Says how a load that was cut off is continued.
    fn how_to_go_on(&self, inputs: &Inputs) -> String {
        match inputs {
            Inputs::Topic { .. } => "The same command, without --from, goes on from there.".to_owned(),
            Inputs::Files { .. } if self.args.no_resume => {
                "No progress was kept: load all of the input again.".to_owned()
            }
            Inputs::Files { id, .. } => {
                let id = id.as_ref().map(|id| format!(" --load-id {id} and the same input"));
                format!("Continue with --resume{}.", id.unwrap_or_default())
            }
        }
    }

    /// Returns the table that is named, or else the design's.
    fn table_name(&self, file: Option<&DesignFile>) -> Result<Option<TableName>, Failure> {
        let name = self.table.as_deref().or(file.map(|file| file.design().table().name.as_str()));
        Ok(name.map(TableName::new).transpose()?)
    }

    /// Returns the table as it is stored.
    fn stored_target(&self, global: &Global) -> Result<Target, Failure> {
        let name = self.table_name(None)?;
        with_store(global, Missing::Fail, async |store| {
            let named = NamedTable { name: or_only(name, &*store).await?, design: None };
            let table = named.open(global, store).await?;
            let points = table.store().split_points(table.name()).await?;
            Ok(Target { codec: table.codec().clone(), points, writers: table.store().writers() })
        })
    }

    async fn load(
        &self,
        global: &Global,
        table: &Table,
        inputs: Inputs,
        handle: &OnceCell<LoadHandle>,
    ) -> Result<Code, Failure> {
        let (title, is_topic) = (inputs.title(), inputs.is_topic());
        let rejects = self.rejects(&inputs)?;
        let design = Arc::new(table.design().clone());
        let (source, options) = inputs.open(self, global, table, design).await?;
        let mut job = LoadJob::new(table, options).abort_if_hot(self.args.abort_if_hot);
        if let Some(rejects) = rejects {
            job = job.with_rejects(rejects);
        }
        let _ = handle.set(job.handle());
        let watch = Watch::new(global, &title, job.handle()).of_topic(is_topic);
        let name = table.name().to_string();
        match source {
            Opened::Files(reader) => Box::pin(self.finish(global, &name, job, *reader, watch)).await,
            Opened::Topic(topic, outlet) => {
                if let Some(outlet) = outlet {
                    job = job.with_outlet(outlet);
                }
                Box::pin(self.finish(global, &name, job, *topic, watch)).await
            }
        }
    }

    /// Reads and counts rows, and stores nothing.
    fn replay(&self, global: &Global, target: Target, inputs: Inputs) -> Result<Code, Failure> {
        let Target { codec, points, writers } = target;
        let (title, is_topic) = (inputs.title(), inputs.is_topic());
        self.rejects(&inputs)?;
        let (source, options) = inputs.open_to_try(self, Arc::new(codec.design().clone()))?;
        let job = LoadJob::trial(&codec, points, writers, options).abort_if_hot(self.args.abort_if_hot);
        let watch = Watch::new(global, &title, job.handle()).of_topic(is_topic).telling_rejects();
        let table = codec.design().table().name.clone();
        run(async {
            match source {
                Opened::Files(reader) => Box::pin(self.finish(global, &table, job, *reader, watch)).await,
                Opened::Topic(topic, _) => Box::pin(self.finish(global, &table, job, *topic, watch)).await,
            }
        })
    }

    /// Does the load, and tells how it ended.
    async fn finish(
        &self,
        global: &Global,
        table: &str,
        job: LoadJob,
        source: impl RecordSource + 'static,
        mut watch: Watch,
    ) -> Result<Code, Failure> {
        let is_endless = source.is_endless();
        let go_on = if is_endless {
            "the same command, without --from, goes on from there".to_owned()
        } else if self.args.no_resume {
            "no progress was kept, so load all of the input again".to_owned()
        } else {
            // A file that was mended has another id.
            format!("go on from there with --resume --load-id '{}', also when a file was mended", job.id())
        };
        let handle = job.handle();
        let work = job.run(source, &mut watch);
        let done = if is_endless { stop::in_order(work, || handle.cancel()).await } else { work.await };
        watch.finish(
            done.as_ref().map_or_else(|failed| &failed.set_aside, |loaded| &loaded.set_aside).as_ref(),
        );
        let loaded = done.map_err(|failed| broken(failed, &go_on))?;
        let report = &loaded.report;
        if self.args.wants_sorting() && report.way == WriteMethod::Batches {
            say(
                global,
                "only an empty table is filled sorted, by a load from its beginning: this one was loaded in batches",
            );
        }
        ignore_closed_pipe(print_report(global, table, self.args.report.as_deref(), &loaded))?;
        if let Some(hot) = loaded.hot.filter(|_| report.ending == Ending::Stopped) {
            return Err(Failure::TooHot { hot, is_stored: !self.args.dry_run });
        }
        let has_ended = report.ending == Ending::Complete || (is_endless && report.ending == Ending::Stopped);
        // What earlier runs have rejected was told by them.
        let are_told = is_endless && !self.args.dry_run && loaded.rejects.is_none();
        let has_rejects = report.counts.rejected_count() > 0 && !are_told;
        let is_whole = has_ended && !has_rejects;
        let (records, rows) = (report.counts.records, report.counts.rows);
        loaded.kept.map_err(|cause| {
            broken(FailedLoad { error: LoadError::Rejects(cause), records, rows, set_aside: None }, &go_on)
        })?;
        Ok(if is_whole { Code::Done } else { Code::Partly })
    }

    fn input_options(&self) -> InputOptions {
        InputOptions { memory_bytes: self.args.memory(), ..self.input.options() }
    }
}

/// Returns the name given, or that of the only table that there is.
async fn or_only(name: Option<TableName>, store: &dyn Store) -> Result<TableName, Failure> {
    if let Some(name) = name {
        return Ok(name);
    }
    let mut tables = store.list().await?;
    match (tables.pop(), tables.as_slice()) {
        (Some(only), []) => Ok(only),
        (None, _) => Err(Usage::NoTables.into()),
        (Some(last), others) => {
            let names: Vec<String> = others.iter().chain([&last]).map(TableName::to_string).collect();
            Err(Usage::ManyTables { names: names.join(", ") }.into())
        }
    }
}
