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

/// What one side took in each round.
#[derive(Debug, Clone, Default)]
pub struct Rounds(Vec<Cost>);

impl Rounds {
    /// The least time on the processor and the least by the clock, each of its own round: neighbours on the machine only
    /// ever take time away.
    pub fn least(&self) -> Cost {
        let least = |of: fn(&Cost) -> Duration| self.0.iter().map(of).min().unwrap_or_default();
        Cost { cpu: least(|cost| cost.cpu), wall: least(|cost| cost.wall) }
    }

    /// What this side and `other` took together in each round.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let sum =
            |(one, other): (&Cost, &Cost)| Cost { wall: one.wall + other.wall, cpu: one.cpu + other.cpu };
        Self(self.0.iter().zip(&other.0).map(sum).collect())
    }

    /// What this side and `peer` took in the round of which the ratio is the median, as `ns` counts it. A machine that is
    /// slower for a while is so for both sides of a round.
    pub fn beside(&self, peer: &Self, ns: impl Fn(Cost) -> f64) -> (f64, f64) {
        let mut pairs: Vec<_> =
            self.0.iter().zip(&peer.0).map(|(ours, peer)| (ns(*ours), ns(*peer))).collect();
        pairs.sort_by(|(ours, peer), (other_ours, other_peer)| {
            (ours / peer).total_cmp(&(other_ours / other_peer))
        });
        pairs.get(pairs.len() / 2).copied().unwrap_or_default()
    }
}

/// Measures the sides in turn, there and back, and prints the least of each.
pub fn in_turn<const N: usize>(rounds: usize, rows: u64, sides: &mut [Side<'_>; N]) -> [Rounds; N] {
    let mut costs = std::array::from_fn(|_| Rounds::default());
    for round in 0..rounds.max(1) {
        for at in 0..N {
            let at = if round % 2 == 0 { at } else { N - 1 - at };
            costs[at].0.push(sides[at].1());
        }
    }
    for ((name, _), costs) in sides.iter().zip(&costs) {
        let least = costs.least();
        let (cpu, clock) = (least.ns_per(rows), least.clock_ns_per(rows));
        crate::figures::say(&format!("{name:<52} {cpu:>9.1} ns of CPU {clock:>9.1} ns by the clock"));
    }
    costs
}

/// As [`in_turn`], of which the least of each side is returned.
pub fn least<const N: usize>(rounds: usize, rows: u64, sides: &mut [Side<'_>; N]) -> [Cost; N] {
    in_turn(rounds, rows, sides).each_ref().map(Rounds::least)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn rounds(ns: &[u64]) -> Rounds {
        let cost = |ns| Cost { wall: Duration::from_nanos(ns), cpu: Duration::from_nanos(2 * ns) };
        Rounds(ns.iter().copied().map(cost).collect())
    }

    #[test]
    fn sides_are_compared_within_the_round_of_the_median_ratio() {
        let (ours, peer) = (rounds(&[10, 30, 8]), rounds(&[10, 20, 10]));
        assert_eq!(ours.beside(&peer, |cost| cost.clock_ns_per(1).round()), (10.0, 10.0));
        assert_eq!(ours.beside(&peer, |cost| cost.ns_per(1).round()), (20.0, 20.0));
        assert_eq!(ours.plus(&peer).beside(&ours, |cost| cost.clock_ns_per(1).round()), (20.0, 10.0));
        assert_eq!(ours.least(), Cost { wall: Duration::from_nanos(8), cpu: Duration::from_nanos(16) });
    }
}
