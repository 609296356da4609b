//! What work takes.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, Timespec, clock_gettime};

/// A clock on the wall, and the one of this process on all processors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    begun: Instant,
    cpu: Duration,
}

impl Clock {
    /// Begins now.
    pub(crate) fn start() -> Self {
        Self { begun: Instant::now(), cpu: cpu_time() }
    }

    /// Nanoseconds on the processor, of all threads together and in the kernel too, and by the clock.
    pub(crate) fn stop(self) -> (u64, u64) {
        (nanos(cpu_time().saturating_sub(self.cpu)), nanos(self.begun.elapsed()))
    }
}

pub(crate) fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn cpu_time() -> Duration {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(tv_sec).unwrap_or_default(), u32::try_from(tv_nsec).unwrap_or_default())
}
