//! How long the store takes to acknowledge batches.

use std::time::Duration;

use hdrhistogram::Histogram;

/// Latencies of the batches of a load, from handing one over to its acknowledgement, to two significant digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchLatency {
    /// Number of batches.
    pub batches: u64,
    /// The median.
    pub p50: Duration,
    /// The time within which 99 of 100 batches were acknowledged.
    pub p99: Duration,
    /// The longest.
    pub max: Duration,
}

impl BatchLatency {
    /// Returns the median, the 99th percentile and the maximum in milliseconds, to a tenth.
    pub fn milliseconds(&self) -> [f64; 3] {
        [self.p50, self.p99, self.max].map(|time| (time.as_secs_f64() * 10_000.0).round() / 10.0)
    }
}

/// Collects latencies in constant memory.
#[derive(Debug)]
pub(super) struct Latencies {
    micros: Histogram<u64>,
}

/// Longer latencies count as this one.
const MOST_MICROS: u64 = 24 * 3_600 * 1_000_000;

impl Latencies {
    pub(super) fn new() -> Self {
        Self {
            micros: Histogram::new_with_max(MOST_MICROS, 2).expect("two significant digits are supported"),
        }
    }

    pub(super) fn add(&mut self, latency: Duration) {
        self.micros.saturating_record(u64::try_from(latency.as_micros()).unwrap_or(MOST_MICROS));
    }

    /// Returns a summary; `None` if there was no batch.
    pub(super) fn summary(&self) -> Option<BatchLatency> {
        let micros = &self.micros;
        let at = |quantile| Duration::from_micros(micros.value_at_quantile(quantile));
        let (p50, p99, max) = (at(0.5), at(0.99), Duration::from_micros(micros.max()));
        (!micros.is_empty()).then(|| BatchLatency { batches: micros.len(), p50, p99, max })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_has_the_median_and_the_slowest_of_a_hundred() {
        let mut latencies = Latencies::new();
        assert_eq!(latencies.summary(), None);
        for ms in 1..=1_000 {
            latencies.add(Duration::from_millis(ms));
        }
        let BatchLatency { batches, p50, p99, max } = latencies.summary().unwrap();
        let near = |latency: Duration, ms: u128| latency.as_millis().abs_diff(ms) * 100 <= ms;
        assert_eq!(batches, 1_000);
        assert!(near(p50, 500) && near(p99, 990) && near(max, 1_000), "{p50:?} {p99:?} {max:?}");
        let [p50, p99, max] = [1_249, 12_350, 2_000_000].map(Duration::from_micros);
        let text = format!("{:?}", BatchLatency { batches, p50, p99, max }.milliseconds());
        assert_eq!(text, "[1.2, 12.4, 2000.0]");
        latencies.add(Duration::MAX);
        assert!(near(latencies.summary().unwrap().max, u128::from(MOST_MICROS / 1_000)));
    }
}
