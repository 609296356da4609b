//! Counters of a client.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Counters since the client was created.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Metrics {
    /// Successful calls.
    pub calls: u64,
    /// Failed calls.
    pub failed_calls: u64,
    /// Attempts after the first.
    pub retries: u64,
    /// Connections opened.
    pub connects: u64,
    /// Connections open now.
    pub connections: u64,
    /// Lookups answered from the cache.
    pub located_from_cache: u64,
    /// Lookups in hbase:meta.
    pub meta_lookups: u64,
    /// Regions cached now.
    pub cached_regions: u64,
    /// Number of calls by duration: entry *i* counts those from 2^(*i* - 1) (inclusive) to 2^*i* microseconds
    /// (exclusive).
    pub latencies: [u64; 32],
}

#[derive(Debug, Default)]
pub(crate) struct Counters {
    calls: AtomicU64,
    failed_calls: AtomicU64,
    retries: AtomicU64,
    connects: AtomicU64,
    located_from_cache: AtomicU64,
    meta_lookups: AtomicU64,
    latencies: [AtomicU64; 32],
}

impl Counters {
    pub(crate) fn called(&self, took: Duration, well: bool) {
        bump(if well { &self.calls } else { &self.failed_calls });
        let micros = took.as_micros().max(1);
        let class = (128 - micros.leading_zeros() as usize).min(self.latencies.len() - 1);
        bump(&self.latencies[class]);
    }

    pub(crate) fn retried(&self) {
        bump(&self.retries);
    }

    pub(crate) fn connected(&self) {
        bump(&self.connects);
    }

    pub(crate) fn located(&self, from_cache: bool) {
        bump(if from_cache { &self.located_from_cache } else { &self.meta_lookups });
    }

    pub(crate) fn snapshot(&self, connections: usize, cached_regions: usize) -> Metrics {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Metrics {
            calls: read(&self.calls),
            failed_calls: read(&self.failed_calls),
            retries: read(&self.retries),
            connects: read(&self.connects),
            connections: connections as u64,
            located_from_cache: read(&self.located_from_cache),
            meta_lookups: read(&self.meta_lookups),
            cached_regions: cached_regions as u64,
            latencies: std::array::from_fn(|class| read(&self.latencies[class])),
        }
    }
}

impl Metrics {
    /// An upper bound for the latency of this percentage of all calls. `None` before the first call.
    ///
    /// ```
    /// # use keystride_hbase::Metrics;
    /// let mut metrics = Metrics::default();
    /// metrics.latencies[10] = 99;
    /// metrics.latencies[14] = 1;
    /// assert_eq!(metrics.latency_below(50).unwrap().as_micros(), 1_024);
    /// ```
    pub fn latency_below(&self, percent: u8) -> Option<Duration> {
        let all: u64 = self.latencies.iter().sum();
        let mut below = 0;
        let class = self.latencies.iter().position(|&count| {
            below += count;
            all > 0 && below * 100 >= all * u64::from(percent)
        })?;
        Some(Duration::from_micros(1 << class))
    }
}

fn bump(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}
