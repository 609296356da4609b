//! The thread that brings acknowledged writes to disk at intervals.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use super::engine::Engine;

/// Runs until it is dropped, and has then ended.
#[derive(Debug)]
pub(super) struct Syncer {
    is_dirty: Arc<AtomicBool>,
    /// Never sent to: its end is the sign to stop.
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
                // An engine that could not sync refuses every write from then on, so the failure is not lost here.
                if dirty.swap(false, Ordering::AcqRel) && engine.sync().is_err() {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new().name("keystride-sync".into()).spawn(work)?;
        Ok(Self { is_dirty, stop: Some(stop), thread: Some(thread) })
    }

    /// Says that there is something to bring to disk.
    pub(super) fn wake(&self) {
        self.is_dirty.store(true, Ordering::Release);
    }
}

impl Drop for Syncer {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // It panics for no reason of its own, and a drop is no place to pass on another's.
            let _ = thread.join();
        }
    }
}
