//! What ends a command before it is done: Ctrl-C, SIGTERM, SIGHUP, or its time limit.
//!
//! The first of them ends a command in an orderly way: the store is closed, and what is to be known is said. A second
//! signal ends the program immediately. So does the first where nothing is open, or a second later where nobody
//! reads what the command prints.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::sync::{Condvar, LazyLock, Mutex, Once, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::sync::watch;

use crate::failure::Failure;
use crate::format::Color;
use crate::output::report;

/// Why a command is to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    Interrupted,
    TimedOut { after: Duration },
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Interrupted => Self::Interrupted,
            Stop::TimedOut { after } => Self::TimedOut { after, waits_for: None },
        }
    }
}

/// What the command does at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doing {
    /// Nothing that an end could harm.
    Harmless,
    /// It works on a store, and looks for a stop.
    Working,
    /// It closes a store, which may take long and is never cut off.
    Closing,
}

static STOP: LazyLock<watch::Sender<Option<Stop>>> = LazyLock::new(|| watch::channel(None).0);
static DOING: Mutex<Doing> = Mutex::new(Doing::Harmless);
static CHANGED: Condvar = Condvar::new();

/// How long a single write may take while the command is to end. One that nobody reads has no end.
const PATIENCE: Duration = Duration::from_secs(1);

/// How many times as long a command may take to notice that it is to end. Most notice at once.
const PATIENCE_WITH_WORK: u32 = 15;

/// The number of writes of output that were begun or ended: odd while one is under way.
static WRITES: AtomicU64 = AtomicU64::new(0);

/// Does a write of output, which lasts as long as nobody reads it.
pub(crate) fn writing<T>(write: impl FnOnce() -> T) -> T {
    WRITES.fetch_add(1, Ordering::Relaxed);
    let written = write();
    WRITES.fetch_add(1, Ordering::Relaxed);
    written
}

/// Whether the work under way ends in its own order when it is asked to: see [`in_order`].
static ENDS_IN_ORDER: AtomicBool = AtomicBool::new(false);

/// Does work that is not dropped when the command is to end, but asked to end by `ask`.
pub(crate) async fn in_order<T>(work: impl Future<Output = T>, ask: impl FnOnce()) -> T {
    let mut work = std::pin::pin!(work);
    ENDS_IN_ORDER.store(true, Ordering::Relaxed);
    let done = tokio::select! {
        done = &mut work => done,
        _ = asked() => {
            ask();
            let done = work.await;
            // What is printed from now on is the result, which is whole.
            STOP.send_replace(None);
            done
        }
    };
    ENDS_IN_ORDER.store(false, Ordering::Relaxed);
    done
}

/// Returns why the command is to end, if it is.
pub(crate) fn stop() -> Option<Stop> {
    *STOP.borrow()
}

/// Waits until the command is to end, if what it does is to be dropped then.
pub(crate) async fn stopped() -> Failure {
    let stop = asked().await;
    if ENDS_IN_ORDER.load(Ordering::Relaxed) {
        return std::future::pending().await;
    }
    stop.into()
}

/// Waits until the command is to end.
async fn asked() -> Stop {
    let mut stop = STOP.subscribe();
    match stop.wait_for(Option::is_some).await.map(|stop| *stop) {
        Ok(Some(stop)) => stop,
        _ => std::future::pending().await,
    }
}

/// Work on a store that looks for a stop, until this is dropped.
pub(crate) struct Work {
    before: Doing,
}

impl Work {
    pub(crate) fn begin() -> Self {
        Self { before: set_doing(Doing::Working) }
    }
}

/// Says that the store is being closed, until the work is dropped.
pub(crate) fn now_closing() {
    set_doing(Doing::Closing);
}

impl Drop for Work {
    fn drop(&mut self) {
        set_doing(self.before);
    }
}

fn set_doing(doing: Doing) -> Doing {
    let before = std::mem::replace(&mut *DOING.lock().unwrap_or_else(PoisonError::into_inner), doing);
    CHANGED.notify_all();
    before
}

/// Stops the command after some time.
pub(crate) fn limit_time(after: Duration, color: Color) -> Result<(), Failure> {
    let wait = move || {
        thread::sleep(after);
        ask_for_end(Stop::TimedOut { after }, color);
    };
    thread::Builder::new().name("time limit".to_owned()).spawn(wait).map_err(Failure::Runtime)?;
    Ok(())
}

/// Listens for signals from now on, so that the first one is a stop.
pub(crate) fn listen(color: Color) -> Result<(), Failure> {
    static LISTENING: Once = Once::new();
    if LISTENING.is_completed() {
        return Ok(());
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
    let runtime = runtime.map_err(Failure::Runtime)?;
    let (ready, is_ready) = mpsc::channel();
    let wait = move || {
        runtime.block_on(async {
            let mut signals = signals::Signals::listen();
            // Whoever waits for it takes the end of the channel for the same.
            let _ = ready.send(());
            loop {
                signals.next().await;
                if stop().is_some() {
                    exit(Stop::Interrupted);
                }
                // A second signal must be noticed meanwhile.
                thread::spawn(move || ask_for_end(Stop::Interrupted, color));
            }
        });
    };
    thread::Builder::new().name("signals".to_owned()).spawn(wait).map_err(Failure::Runtime)?;
    LISTENING.call_once(|| {
        // An error says that the thread has ended: then nothing listens.
        let _ = is_ready.recv();
    });
    Ok(())
}

/// Asks the command to end, and ends the program if that is not noticed or not needed.
fn ask_for_end(stop: Stop, color: Color) {
    // What it does is looked at before it can notice, and be done.
    let mut doing = DOING.lock().unwrap_or_else(PoisonError::into_inner);
    let is_first = STOP.send_if_modified(|before| {
        let is_first = before.is_none();
        before.get_or_insert(stop);
        is_first
    });
    if !is_first {
        return;
    }
    let (mut is_noticed, mut is_held_up) = (false, *doing == Doing::Harmless);
    let (mut waits, mut writes) = (0, WRITES.load(Ordering::Relaxed));
    while !is_held_up {
        let waited = CHANGED.wait_timeout(doing, PATIENCE).unwrap_or_else(PoisonError::into_inner);
        doing = waited.0;
        is_noticed |= *doing == Doing::Closing;
        waits = if waited.1.timed_out() { waits + 1 } else { 0 };
        let writes_before = std::mem::replace(&mut writes, WRITES.load(Ordering::Relaxed));
        let is_unread = waits > 0 && writes == writes_before && writes % 2 == 1;
        is_held_up = *doing != Doing::Closing && (is_unread || waits == PATIENCE_WITH_WORK);
    }
    if !is_noticed {
        // Stderr may be what holds the command up.
        let (told, is_told) = mpsc::channel();
        thread::spawn(move || {
            report(&stop.into(), color);
            told.send(())
        });
        let _ = is_told.recv_timeout(PATIENCE / 4);
    }
    exit(stop);
}

#[expect(clippy::exit, reason = "nothing else ends a program that is held up")]
fn exit(stop: Stop) -> ! {
    std::process::exit(Failure::from(stop).exit_number().into())
}

#[cfg(unix)]
mod signals {
    use std::task::Poll;

    use tokio::signal::unix::{Signal, SignalKind, signal};

    /// The signals that ask for an end.
    pub(super) struct Signals(Vec<Signal>);

    impl Signals {
        /// Listens for them, but for those that were ignored when the program began, as SIGHUP is under nohup. Who sends
        /// SIGINT means it: shells have programs in the background ignore it.
        pub(super) fn listen() -> Self {
            let others = [SignalKind::terminate(), SignalKind::hangup()];
            let kinds = others.into_iter().filter(|kind| !is_ignored(*kind)).chain([SignalKind::interrupt()]);
            // One that can't be caught ends the program, as it does by default.
            Self(kinds.filter_map(|kind| signal(kind).ok()).collect())
        }

        pub(super) async fn next(&mut self) {
            let any = |context: &mut std::task::Context<'_>| {
                let is_any = self.0.iter_mut().any(|signal| signal.poll_recv(context).is_ready());
                if is_any { Poll::Ready(()) } else { Poll::Pending }
            };
            std::future::poll_fn(any).await;
        }
    }

    /// Whether a signal is ignored, by the mask of the process. Only Linux tells, so elsewhere SIGHUP is left alone.
    fn is_ignored(kind: SignalKind) -> bool {
        if !cfg!(target_os = "linux") {
            return kind == SignalKind::hangup();
        }
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_none_or(|mask| mask >> (kind.as_raw_value() - 1) & 1 == 1)
    }
}

#[cfg(not(unix))]
mod signals {
    pub(super) struct Signals;

    impl Signals {
        pub(super) fn listen() -> Self {
            Self
        }

        pub(super) async fn next(&mut self) {
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending().await
            }
        }
    }
}
