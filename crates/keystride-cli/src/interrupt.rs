//! Ctrl-C: the first ends a command in an orderly way, the second immediately.

/// The exit code of a command that was interrupted: 128 and the signal's number.
pub(crate) const INTERRUPTED: u8 = 130;

/// Waits for Ctrl-C; from then on, another Ctrl-C ends the program immediately.
pub(crate) async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        // If the signal can't be caught, the system ends the program by default.
        return std::future::pending().await;
    }
    tokio::spawn(async {
        if tokio::signal::ctrl_c().await.is_ok() {
            leave();
        }
    });
}

#[expect(clippy::exit, reason = "who presses Ctrl-C twice wants no more work done")]
fn leave() {
    std::process::exit(INTERRUPTED.into());
}
