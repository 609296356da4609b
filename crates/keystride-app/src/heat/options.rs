//! How tables are watched.

use std::sync::Arc;
use std::time::Duration;

use keystride_store::{Clock, SystemClock, TableReader, Writers};

/// How tables are watched.
#[derive(Debug, Clone)]
pub struct HeatOptions {
    /// How often counters are read: 1 to 60 s, and at least 3 s for a cluster, whose servers count no faster. A period
    /// outside of that is taken to its nearest end. It is the width of the finest columns.
    pub period: Duration,
    /// The time of columns.
    pub clock: Arc<dyn Clock>,
}

/// The period for a cluster, and for a store that nobody else has open.
const OF_CLUSTER: Duration = Duration::from_secs(10);
const ALONE: Duration = Duration::from_secs(2);

impl HeatOptions {
    /// Returns those that suit a store: 10 s for a cluster, 2 s for an embedded store, and the machine's clock.
    pub fn of(store: &dyn TableReader) -> Self {
        let period = if is_alone(store) { ALONE } else { OF_CLUSTER };
        Self { period, clock: Arc::new(SystemClock) }
    }

    pub(super) fn period_for(&self, store: &dyn TableReader) -> Duration {
        let shortest = if is_alone(store) { 1 } else { 3 };
        self.period.clamp(Duration::from_secs(shortest), Duration::from_secs(60))
    }
}

/// Whether the counters are in this process.
pub(super) fn is_alone(store: &dyn TableReader) -> bool {
    store.writers() == Writers::Alone
}
