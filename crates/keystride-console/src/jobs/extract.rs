use std::sync::Arc;

use keystride_app::error_text::with_causes;
use keystride_app::extract::{ExtractDocument, ExtractJob};
use keystride_table::Table;
use keystride_table::extract::Extract;

use super::job::End;
use super::{Asked, Job, Jobs, Work};

/// Begins an extract, which goes on by itself.
pub(crate) fn begin_extract(
    jobs: &Jobs,
    table: &Table,
    extract: Extract,
    command: String,
    asked: Asked,
) -> Arc<Job> {
    let work = ExtractJob::new(table, extract, &asked.place.path);
    let handle = work.handle();
    let (name, folder) = (table.name().to_string(), asked.place.name());
    let job =
        jobs.add(|id| Job::new(id, name, (folder.clone(), Work::Extract(handle)), command, Some(asked)));
    let watched = Arc::clone(&job);
    tokio::spawn(async move {
        watched.set_end(match work.run().await {
            Ok(Some(done)) => End::Extracted { report: ExtractDocument::new(&done, folder.as_ref()) },
            Ok(None) => End::Cancelled,
            Err(error) => End::Failed { message: watched.named_in(&with_causes(&error)) },
        });
    });
    job
}
