//! Whether two commands are in one pipe.

use keystride_store::Holder;

/// Whether a process reads what this one writes, or writes what this one reads: it then waits for this one, and would never
/// give up what this one waits for.
#[cfg(target_os = "linux")]
pub(crate) fn waits_for_this(holder: &Holder) -> bool {
    let stream = |process: &str, number: u8| std::fs::read_link(format!("/proc/{process}/fd/{number}")).ok();
    let theirs = holder.process.to_string();
    let is_same_pipe = |own: u8, other: u8| {
        let pipe = stream("self", own).filter(|stream| stream.to_string_lossy().starts_with("pipe:"));
        pipe.is_some() && pipe == stream(&theirs, other)
    };
    is_same_pipe(0, 1) || is_same_pipe(1, 0)
}

/// It is not known here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn waits_for_this(_: &Holder) -> bool {
    false
}
