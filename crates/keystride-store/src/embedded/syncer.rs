//! The thread that periodically syncs acknowledged writes to disk.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use super::engine::Engine;

/// A handle to the thread; dropping it stops the thread and waits for it.
#[derive(Debug)]
pub(super) struct Syncer {
    is_dirty: Arc<AtomicBool>,
    /// Nothing is ever sent; closing the channel tells the thread to stop.
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Syncer {
    pub(super) fn start(engine: Engine, interval: Duration) -> std::io::Result<Self> {
        let (stop, stopped) = mpsc::channel();
        let is_dirty = Arc::new(AtomicBool::new(false));
        let dirty = Arc::clone(&is_dirty);
        let work = move || {
            while stopped.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                // The error need not be reported here: an engine that failed to sync rejects all further writes.
                if dirty.swap(false, Ordering::AcqRel) && engine.sync().is_err() {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new().name("keystride-sync".into()).spawn(work)?;
        Ok(Self { is_dirty, stop: Some(stop), thread: Some(thread) })
    }

    /// Signals that there is something to sync.
    pub(super) fn wake(&self) {
        self.is_dirty.store(true, Ordering::Release);
    }
}

impl Drop for Syncer {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // The thread has no panics of its own, and a destructor should not propagate any other.
            let _ = thread.join();
        }
    }
}
