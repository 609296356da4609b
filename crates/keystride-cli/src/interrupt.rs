//! Ctrl-C: the first ends a command well, the second at once.

/// The exit code of a command that was interrupted: 128 and the signal's number.
pub(crate) const INTERRUPTED: u8 = 130;

/// Waits for Ctrl-C; the next one ends the program, whatever it does.
pub(crate) async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        // Where nobody can listen, the system ends the program as ever.
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
