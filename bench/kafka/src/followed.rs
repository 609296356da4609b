//! When the records of a topic were created, and when the load that reads them has acknowledged them.

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use keystride::Row;
use keystride_table::input::KeptRecord;
use keystride_table::load::{LoadObserver, Phase, Proceed, Progress, Rejected};
use keystride_table::source::topic::TopicSource;
use keystride_table::source::{Checkpoint, Polled, RecordSource, SourceError, SourceProgress};

/// When each record was created that is read and not acknowledged, in milliseconds since 1970, in the order of reading.
#[derive(Debug, Clone, Default)]
pub(crate) struct UnderWay(Arc<Mutex<VecDeque<i64>>>);

impl UnderWay {
    fn lock(&self) -> MutexGuard<'_, VecDeque<i64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A topic that notes the time of each record.
#[derive(Debug)]
pub(crate) struct Followed {
    topic: TopicSource,
    under_way: UnderWay,
    /// Hears of the first record.
    first: Option<Sender<()>>,
}

impl Followed {
    /// Notes the times of the records of `topic`, and tells `first` of the first one.
    pub(crate) fn new(topic: TopicSource, under_way: UnderWay, first: Sender<()>) -> Self {
        Self { topic, under_way, first: Some(first) }
    }
}

impl RecordSource for Followed {
    fn new_row(&self) -> Row {
        self.topic.new_row()
    }

    fn poll(&mut self, row: &mut Row, wait: Duration) -> Result<Polled, SourceError> {
        let polled = self.topic.poll(row, wait)?;
        if !matches!(polled, Polled::Idle | Polled::End) {
            self.under_way.lock().push_back(self.topic.time_ms().unwrap_or_default());
            if let Some(first) = self.first.take() {
                // Who no longer listens has failed, and says so.
                let _ = first.send(());
            }
        }
        Ok(polled)
    }

    fn others(&self) -> Vec<(&str, &str)> {
        self.topic.others()
    }

    fn name(&self) -> &str {
        self.topic.name()
    }

    fn part(&self) -> usize {
        self.topic.part()
    }

    fn line(&self) -> u64 {
        self.topic.line()
    }

    fn time_ms(&self) -> Option<i64> {
        self.topic.time_ms()
    }

    fn keep(&self, kept: &mut KeptRecord) {
        self.topic.keep(kept);
    }

    fn raw_beginning(&self) -> Vec<u8> {
        self.topic.raw_beginning()
    }

    fn checkpoint(&self) -> Option<Checkpoint> {
        self.topic.checkpoint()
    }

    fn resume(&mut self, checkpoint: &Checkpoint) -> Result<(), SourceError> {
        self.topic.resume(checkpoint)
    }

    fn is_endless(&self) -> bool {
        self.topic.is_endless()
    }

    fn progress(&self) -> SourceProgress {
        self.topic.progress()
    }

    fn lags(&self) -> Vec<(u32, u64)> {
        self.topic.lags()
    }

    fn memory_bytes(&self) -> usize {
        self.topic.memory_bytes()
    }
}

/// What a load tells, of which this notes how long each record took until it was acknowledged.
#[derive(Debug)]
pub(crate) struct Acknowledged {
    under_way: UnderWay,
    ms: Vec<f64>,
}

impl Acknowledged {
    /// Notes it of the records whose times are in `under_way`.
    pub(crate) fn of(under_way: UnderWay) -> Self {
        Self { under_way, ms: Vec::new() }
    }

    /// Milliseconds of each record, in the order in which they were read.
    pub(crate) fn into_ms(self) -> Vec<f64> {
        self.ms
    }

    /// The first `count` records of all are acknowledged at `now_ms`.
    #[expect(clippy::cast_precision_loss, reason = "of milliseconds of one run nothing is lost")]
    fn note(&mut self, count: u64, now_ms: i64) {
        let more = usize::try_from(count).unwrap_or(usize::MAX).saturating_sub(self.ms.len());
        let mut under_way = self.under_way.lock();
        let acknowledged = more.min(under_way.len());
        self.ms.extend(under_way.drain(..acknowledged).map(|created| (now_ms - created) as f64));
    }
}

impl LoadObserver for Acknowledged {
    fn rejected(&mut self, rejected: &Rejected) -> io::Result<()> {
        Err(io::Error::other(format!("offset {} is rejected: {}", rejected.line, rejected.reason)))
    }

    fn progress(&mut self, progress: &Progress<'_>) -> Proceed {
        if progress.phase == Phase::Storing {
            self.note(progress.counts.records, now_ms());
        }
        Proceed::On
    }
}

/// As Java's `System.currentTimeMillis()`.
fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::{Acknowledged, UnderWay};

    #[test]
    fn records_are_acknowledged_in_the_order_in_which_they_were_read() {
        let under_way = UnderWay::default();
        under_way.lock().extend([1_000, 1_001, 1_005]);
        let mut acknowledged = Acknowledged::of(under_way);
        acknowledged.note(0, 1_006);
        acknowledged.note(2, 1_007);
        acknowledged.note(2, 1_008);
        acknowledged.note(3, 1_010);
        assert_eq!(acknowledged.into_ms(), [7.0, 6.0, 5.0]);
    }
}
