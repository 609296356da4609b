use std::io;
use std::sync::Arc;

use keystride_app::error_text::with_causes;
use keystride_app::load::{FailedLoad, LoadDocument, LoadJob, Loaded};
use keystride_table::Table;
use keystride_table::input::{InputReader, RejectsWriter};
use keystride_table::load::{Earlier, Ending, LoadObserver, LoadOptions, Proceed, Progress, Rejected};

use super::job::End;
use super::{Asked, Job, Jobs, Work};

/// A load of a file that is opened.
#[derive(Debug)]
pub struct FileLoad {
    /// The table.
    pub table: Table,
    /// Its rows.
    pub reader: InputReader,
    /// How it is loaded.
    pub options: LoadOptions,
    /// Where rejected records are kept.
    pub rejects: Option<RejectsWriter>,
    /// The name of the file.
    pub what: String,
    /// The command that does the same.
    pub command: String,
}

/// Begins a load, which goes on by itself.
pub(crate) fn begin_load(jobs: &Jobs, load: FileLoad, asked: Option<Asked>) -> Arc<Job> {
    let FileLoad { table, reader, options, rejects, what, command } = load;
    let mut work = LoadJob::new(&table, options);
    if let Some(rejects) = rejects {
        work = work.with_rejects(rejects);
    }
    let handle = work.handle();
    let name = table.name().to_string();
    let job = jobs.add(|id| Job::new(id, name, (what, Work::Load(handle)), command, asked));
    let watched = Arc::clone(&job);
    tokio::spawn(async move {
        let done = work.run(reader, &mut Log(Arc::clone(&watched))).await;
        watched.set_end(end_of(&watched, done));
    });
    job
}

fn end_of(job: &Job, done: Result<Loaded, FailedLoad>) -> End {
    match done {
        Ok(loaded) => {
            if let Err(error) = &loaded.kept {
                job.say(&format!("rejected records can't be kept: {error}"));
            }
            if loaded.report.ending == Ending::Stopped {
                job.say("stopped; what was read is stored, and the load can be resumed");
            }
            let rejects = loaded.rejects.map(|path| match &job.place {
                Some(place) => place.name_beside(&path),
                None => path,
            });
            let document = LoadDocument::new(&loaded.report, None, rejects.as_ref());
            End::Loaded { report: Box::new(document) }
        }
        Err(failed) => {
            let message = job.named_in(&with_causes(&failed.error));
            job.say(&format!("{} rows are stored", failed.rows));
            End::Failed { message }
        }
    }
}

/// What a load tells, in the log of its job.
struct Log(Arc<Job>);

impl LoadObserver for Log {
    fn earlier(&mut self, earlier: &Earlier) {
        self.0.say(&match earlier {
            Earlier::Repeated { .. } => {
                "this load ran before: its cells are written again, with the timestamps of then. What was changed or \
                 deleted since then stays as it is: load the file as a new load to store it again"
                    .to_owned()
            }
            Earlier::Nothing => "nothing to resume: it begins with the first record".to_owned(),
            Earlier::Broken(counts) => format!("continuing after the first {} records", counts.records),
            Earlier::Complete(counts) => {
                format!("it was complete: only what comes after its {} records is stored", counts.records)
            }
        });
    }

    fn rejected(&mut self, rejected: &Rejected) -> io::Result<()> {
        self.0.say(&format!("rejected {rejected}"));
        Ok(())
    }

    fn progress(&mut self, _: &Progress<'_>) -> Proceed {
        Proceed::On
    }
}
