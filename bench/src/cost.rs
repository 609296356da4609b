//! Time, as work costs it.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, Timespec, clock_gettime};

/// What work took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cost {
    /// By the clock on the wall, which also runs while others have the processor.
    pub wall: Duration,
    /// On the processor, of all threads of the process together.
    pub cpu: Duration,
}

/// One of several ways that are compared.
pub type Side<'a> = (&'a str, &'a mut dyn FnMut() -> Cost);

impl Cost {
    /// What `work` takes.
    pub fn of(work: impl FnOnce()) -> Self {
        let (wall, cpu) = (Instant::now(), cpu_time());
        work();
        Self { wall: wall.elapsed(), cpu: cpu_time().saturating_sub(cpu) }
    }

    /// Nanoseconds on the processor for each of `count` rows.
    pub fn ns_per(self, count: u64) -> f64 {
        self.cpu.as_secs_f64() * 1e9 / as_float(count.max(1))
    }

    /// Nanoseconds by the clock for each of `count` rows.
    pub fn clock_ns_per(self, count: u64) -> f64 {
        self.wall.as_secs_f64() * 1e9 / as_float(count.max(1))
    }
}

/// Measures the sides in turn, there and back, and prints each; of every side the least time on the processor and the
/// least by the clock are returned, each of its own round, as neighbours on the machine only ever take time away.
pub fn least<const N: usize>(rounds: usize, rows: u64, sides: &mut [Side<'_>; N]) -> [Cost; N] {
    let mut least = [None; N];
    for round in 0..rounds.max(1) {
        for at in 0..N {
            let at = if round % 2 == 0 { at } else { N - 1 - at };
            let cost = sides[at].1();
            let known = least[at].get_or_insert(cost);
            *known = Cost { cpu: known.cpu.min(cost.cpu), wall: known.wall.min(cost.wall) };
        }
    }
    let least = least.map(Option::unwrap_or_default);
    for ((name, _), cost) in sides.iter().zip(least) {
        let (cpu, clock) = (cost.ns_per(rows), cost.clock_ns_per(rows));
        crate::figures::say(&format!("{name:<52} {cpu:>9.1} ns of CPU {clock:>9.1} ns by the clock"));
    }
    least
}

/// CPU time of all threads of this process so far.
pub fn cpu_time() -> Duration {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = u64::try_from(tv_sec).unwrap_or_default();
    Duration::new(seconds, u32::try_from(tv_nsec).unwrap_or_default())
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
pub(crate) fn as_float(number: u64) -> f64 {
    number as f64
}
