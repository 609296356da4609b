//! Rate limiting of a load.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::time::Duration;

use keystride_store::Clock;

use super::LoadOptions;

/// Delays batches so that the number of rows per second stays within the limit from the first batch on. Batches are
/// not divided: after a batch, the next one waits for as long as it should have taken.
#[derive(Debug)]
pub(super) struct Throttle {
    bucket: Option<TokenBucket>,
    clock: Arc<dyn Clock>,
}

impl Throttle {
    pub(super) fn of(options: &LoadOptions) -> Self {
        Self { bucket: options.rows_per_s.map(TokenBucket::new), clock: Arc::clone(&options.clock) }
    }

    /// Waits until `rows` rows may be written.
    pub(super) async fn let_through(&mut self, rows: u64) {
        let Some(bucket) = &mut self.bucket else { return };
        let wait = bucket.take(rows, self.clock.now_ms());
        if !wait.is_zero() {
            tokio::time::sleep(wait).await;
        }
    }
}

/// A token bucket that does not accumulate tokens but can be in debt.
#[derive(Debug)]
struct TokenBucket {
    per_s: NonZeroU64,
    /// When the debt is paid off, in microseconds of the clock.
    level_at_us: i128,
    /// How long the tokens of the last batch take to be paid off.
    last_us: i128,
}

impl TokenBucket {
    fn new(per_s: NonZeroU64) -> Self {
        Self { per_s, level_at_us: i128::MIN, last_us: 0 }
    }

    /// Takes tokens and returns how long to wait until the previous debt is paid off.
    fn take(&mut self, tokens: u64, now_ms: i64) -> Duration {
        let here_us = i128::from(now_ms) * 1_000;
        // The debt never exceeds the last batch, unless the clock was set back.
        let begin_us = self.level_at_us.min(here_us + self.last_us).max(here_us);
        self.last_us = i128::from(tokens) * 1_000_000 / i128::from(self.per_s.get());
        self.level_at_us = begin_us + self.last_us;
        Duration::from_micros(u64::try_from(begin_us - here_us).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::load::LoadId;

    #[tokio::test]
    async fn rows_wait_for_those_before_them_if_there_is_a_limit() {
        for (rows_per_s, waits) in [(None, false), (NonZeroU64::new(1), true)] {
            let mut throttle =
                Throttle::of(&LoadOptions { rows_per_s, ..LoadOptions::of(LoadId::new("rate")) });
            throttle.let_through(1_000).await;
            assert_eq!(throttle.let_through(1).now_or_never().is_none(), waits);
        }
    }

    #[test]
    fn no_more_go_in_a_second_than_are_allowed() {
        let mut bucket = TokenBucket::new(NonZeroU64::new(1_000).unwrap());
        assert_eq!(bucket.take(500, 10_000), Duration::ZERO);
        assert_eq!(bucket.take(2_000, 10_100), Duration::from_millis(400));
        assert_eq!(bucket.take(1, 12_500), Duration::ZERO);
        assert_eq!(bucket.take(1, 12_500), Duration::from_millis(1));
    }

    #[test]
    fn a_clock_that_is_set_back_holds_nothing_up() {
        let mut bucket = TokenBucket::new(NonZeroU64::new(10).unwrap());
        assert_eq!(bucket.take(20, 7_200_000), Duration::ZERO);
        assert_eq!(bucket.take(1, 0), Duration::from_secs(2));
    }

    #[test]
    fn time_without_rows_saves_nothing_up() {
        let mut bucket = TokenBucket::new(NonZeroU64::new(10).unwrap());
        assert_eq!(bucket.take(1, 0), Duration::ZERO);
        assert_eq!(bucket.take(10, 60_000), Duration::ZERO);
        assert_eq!(bucket.take(1, 60_000), Duration::from_secs(1));
    }
}
