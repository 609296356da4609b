//! The thread that writes.
//!
//! The memory of rows is allocated by whoever writes them, and allocators keep what a thread has freed for that thread.
//! With a single one, what flushed rows leave behind is used by the next rows. The engine writes one batch at a time
//! anyway.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, Sender};

use tokio::sync::oneshot;

use crate::StoreError;

type Work = Box<dyn FnOnce() + Send>;

/// A handle to the thread, which ends once it is dropped and all work is done.
#[derive(Debug)]
pub(super) struct Writer {
    work: Sender<Work>,
}

impl Writer {
    pub(super) fn start() -> std::io::Result<Self> {
        let (work, works) = mpsc::channel::<Work>();
        let run = move || works.into_iter().for_each(|work| work());
        std::thread::Builder::new().name("keystride-write".into()).spawn(run)?;
        Ok(Self { work })
    }

    /// Runs `work` after all that was given before, also if the returned future is dropped; propagates its panic.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        doing: &'static str,
        work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        let work = move || {
            // There may be nobody left to be answered.
            let _ = answer.send(catch_unwind(AssertUnwindSafe(work)));
        };
        self.work.send(Box::new(work)).map_err(|_| StoreError::TaskLost { doing })?;
        match answered.await {
            Ok(Ok(done)) => done,
            Ok(Err(panic)) => resume_unwind(panic),
            Err(_) => Err(StoreError::TaskLost { doing }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_is_done_in_turn_by_one_thread() {
        let writer = Writer::start().unwrap();
        let here = || Ok(std::thread::current().id());
        let first = writer.run("", here).await.unwrap();
        assert_eq!(writer.run("", here).await.unwrap(), first);
        assert!(matches!(writer.run("", || Err::<(), _>(StoreError::Closed)).await, Err(StoreError::Closed)));
    }

    #[tokio::test]
    async fn a_panic_reaches_who_asked_and_nobody_else() {
        let writer = std::sync::Arc::new(Writer::start().unwrap());
        let asking = std::sync::Arc::clone(&writer);
        let asked =
            tokio::spawn(async move { asking.run("", || -> Result<(), _> { panic!("asked for") }).await });
        assert!(asked.await.unwrap_err().is_panic());
        assert_eq!(writer.run("", || Ok(1)).await.unwrap(), 1);
    }
}
