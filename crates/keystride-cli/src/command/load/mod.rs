//! `keystride load`: loads files into a table.

mod options;
mod outputs;
mod reasons;
mod summary;
mod watch;

use std::cell::OnceCell;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use keystride::{Design, KeyCodec, SplitPoints};
use keystride_app::load::{FailedLoad, LoadHandle, LoadJob, embedded_options};
use keystride_store::{Store, StoreAddress, TableName, Writers};
use keystride_table::Table;
use keystride_table::input::{self, InputOptions, InputReader, RejectsWriter, Source, SourceSpec};
use keystride_table::load::{Ending, LoadError, LoadId, LoadOptions, WriteMethod};

use crate::design_file::DesignFile;
use crate::failure::{Code, Failure, ignore_closed_pipe};
use crate::global::Global;
use crate::input_args::InputArgs;
use crate::open_store::{Missing, run, with_store, with_store_of};
use crate::output::say;
use crate::table_args::NamedTable;
use crate::usage::Usage;
use options::LoadArgs;
use summary::print_report;
use watch::{Watch, broken};

/// Loads files into a table
///
/// Rows that can't be stored are counted and kept in a file with their line and the reason, and the load continues; the
/// exit code is then 5. An interrupted load continues with --resume.
#[derive(Debug, clap::Args)]
pub(crate) struct Load {
    /// Files, globs such as 'logs/*.csv.gz', or "-" for standard input
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
        let specs: Vec<SourceSpec> = self.files.iter().map(SourceSpec::parse).collect();
        let sources = input::expand(&specs)?;
        let id = self.told_id(&sources)?;
        if self.args.dry_run {
            let target = match &design {
                Some(file) => Target::of_file(file, global)?,
                None => self.stored_target(global)?,
            };
            return self.replay(global, target, sources, id);
        }
        let name = self.table_name(design.as_ref())?;
        let store_options = embedded_options(self.args.memory(), global.durability);
        let handle = OnceCell::new();
        let loaded = with_store_of(global, Missing::Fail, store_options, async |store| {
            let named = NamedTable { name: or_only(name, &*store).await?, design };
            let table = named.open_to_write(global, store).await?;
            self.load(global, &table, sources, id.clone(), &handle).await
        });
        loaded.map_err(|failure| match failure {
            Failure::Interrupted | Failure::TimedOut { .. } => {
                let rows = handle.get().map_or(0, LoadHandle::stored_rows);
                Failure::LoadCutOff { cause: Box::new(failure), rows, go_on: self.how_to_go_on(id.as_ref()) }
            }
            failure => failure,
        })
    }

    /// Says how a load that was cut off is continued.
    fn how_to_go_on(&self, id: Option<&LoadId>) -> String {
        if self.args.no_resume {
            return "No progress was kept: load all of the input again.".to_owned();
        }
        let id = id.map(|id| format!(" --load-id {id} and the same input")).unwrap_or_default();
        format!("Continue with --resume{id}.")
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
        sources: Vec<Source>,
        id: Option<LoadId>,
        handle: &OnceCell<LoadHandle>,
    ) -> Result<Code, Failure> {
        let options = self.options(table.design(), &sources, id)?;
        let rejects = self.rejects(&sources)?;
        let title = title(&sources);
        // A header may take long to arrive; Ctrl-C must work while waiting for it.
        let (design, input) = (Arc::new(table.design().clone()), self.input_options());
        let opening = tokio::task::spawn_blocking(move || InputReader::open(design, sources, input));
        let reader = opening.await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))?;
        let mut job = LoadJob::new(table, options).abort_if_hot(self.args.abort_if_hot);
        if let Some(rejects) = rejects {
            job = job.with_rejects(rejects);
        }
        let _ = handle.set(job.handle());
        let watch = Watch::new(global, &title, job.handle());
        self.finish(global, &table.name().to_string(), job, reader, watch).await
    }

    /// Reads and counts rows, and stores nothing.
    fn replay(
        &self,
        global: &Global,
        target: Target,
        sources: Vec<Source>,
        id: Option<LoadId>,
    ) -> Result<Code, Failure> {
        let Target { codec, points, writers } = target;
        let options = self.options(codec.design(), &sources, id)?;
        self.rejects(&sources)?;
        let title = title(&sources);
        let reader = InputReader::open(Arc::new(codec.design().clone()), sources, self.input_options())?;
        let job = LoadJob::trial(&codec, points, writers, options).abort_if_hot(self.args.abort_if_hot);
        let watch = Watch::new(global, &title, job.handle()).telling_rejects();
        let table = codec.design().table().name.clone();
        run(self.finish(global, &table, job, reader, watch))
    }

    /// Does the load, and tells how it ended.
    async fn finish(
        &self,
        global: &Global,
        table: &str,
        job: LoadJob,
        reader: InputReader,
        mut watch: Watch,
    ) -> Result<Code, Failure> {
        let id = Some(job.id().clone()).filter(|_| !self.args.no_resume);
        let done = job.run(reader, &mut watch).await;
        watch.finish(
            done.as_ref().map_or_else(|failed| &failed.set_aside, |loaded| &loaded.set_aside).as_ref(),
        );
        let loaded = done.map_err(|failed| broken(failed, id.clone()))?;
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
        let is_whole = report.ending == Ending::Complete && report.counts.rejected_count() == 0;
        let (records, rows) = (report.counts.records, report.counts.rows);
        loaded.kept.map_err(|cause| {
            broken(FailedLoad { error: LoadError::Rejects(cause), records, rows, set_aside: None }, id)
        })?;
        Ok(if is_whole { Code::Done } else { Code::Partly })
    }

    fn input_options(&self) -> InputOptions {
        InputOptions { memory_bytes: self.args.memory(), ..self.input.options() }
    }

    /// Returns the id that the user gave, or a fresh one for input that can be read only once; `None` if the id follows
    /// from the files.
    fn told_id(&self, sources: &[Source]) -> Result<Option<LoadId>, Usage> {
        if let Some(id) = &self.args.load_id {
            return Ok(Some(LoadId::new(id)));
        }
        if sources.iter().all(Source::has_fingerprint) {
            return Ok(None);
        }
        if self.args.resume {
            let needs = "the --load-id of the load to go on with, as nothing else tells which one it was";
            return Err(Usage::Needs { what: "--resume of standard input or a pipe", needs });
        }
        Ok(Some(LoadId::fresh()))
    }

    fn options(
        &self,
        design: &Design,
        sources: &[Source],
        id: Option<LoadId>,
    ) -> Result<LoadOptions, Failure> {
        if self.args.has_timeless_windows(design) {
            return Err(Usage::NoTimeForWindows.into());
        }
        let id = id.map_or_else(|| LoadId::of_sources(sources, design), Ok)?;
        Ok(self.args.options(id)?)
    }

    fn rejects(&self, sources: &[Source]) -> Result<Option<RejectsWriter>, Failure> {
        let read = sources.iter().filter_map(Source::path).chain(self.design.as_deref());
        outputs::rejects(&self.args, sources, &read.collect::<Vec<_>>())
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

fn title(sources: &[Source]) -> String {
    match sources {
        [one] => one.name().to_owned(),
        many => format!("{} files", many.len()),
    }
}
