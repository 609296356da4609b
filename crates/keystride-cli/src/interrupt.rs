//! Ctrl-C: the first ends a command in an orderly way, the second immediately.

use std::sync::atomic::{AtomicBool, Ordering};

use tokio::task::JoinSet;

/// The exit code of a command that was interrupted: 128 and the signal's number.
pub(crate) const INTERRUPTED: u8 = 130;

static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Waits for Ctrl-C, listening from the first poll on; after it, another Ctrl-C ends the program immediately.
pub(crate) async fn interrupted() {
    let mut listening = Box::pin(tokio::signal::ctrl_c());
    if futures_util::poll!(&mut listening).is_ready() {
        // The signal can't be caught: the system ends the program by default.
        return std::future::pending().await;
    }
    // A task of its own notices the signal even while the command prints without a pause. It ends with the wait.
    let mut tasks = JoinSet::new();
    tasks.spawn(async {
        if listening.await.is_err() {
            return std::future::pending().await;
        }
        IS_INTERRUPTED.store(true, Ordering::Relaxed);
        tokio::spawn(leave_next_time());
    });
    if !matches!(tasks.join_next().await, Some(Ok(()))) {
        std::future::pending::<()>().await;
    }
}

/// Whether Ctrl-C has been pressed since a command began to listen for it.
pub(crate) fn is_interrupted() -> bool {
    IS_INTERRUPTED.load(Ordering::Relaxed)
}

#[expect(clippy::exit, reason = "who presses Ctrl-C twice wants no more work done")]
async fn leave_next_time() {
    if tokio::signal::ctrl_c().await.is_ok() {
        std::process::exit(INTERRUPTED.into());
    }
}
