//! Threads for the client, which works in a runtime of its own.

use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use crate::source::topic::TopicError;

/// Begins work on a thread of this name, and returns what it tells first. The caller needs no runtime, and may block.
pub(super) fn begin<T: Send + 'static, W: Future<Output = ()>>(
    name: &str,
    brokers: &str,
    work: impl FnOnce(SyncSender<Result<T, TopicError>>) -> W + Send + 'static,
) -> Result<T, TopicError> {
    let failed = |cause| TopicError::Client { brokers: brokers.to_owned(), cause: Box::new(cause) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    let (tell, told) = sync_channel(1);
    let run = move || runtime.block_on(work(tell));
    thread::Builder::new().name(name.to_owned()).spawn(run).map_err(failed)?;
    told.recv().unwrap_or_else(|_| Err(ended(brokers)))
}

/// Returns the error of a thread that has ended, which nobody expects.
pub(super) fn ended(brokers: &str) -> TopicError {
    let cause = "the thread of the client has ended".into();
    TopicError::Client { brokers: brokers.to_owned(), cause }
}
