//! Where reading a topic begins and ends.

use std::collections::BTreeMap;

use super::error::Gap;
use super::{Bounds, Offsets, Topic, TopicError, TopicLog};
use crate::source::Checkpoint;

/// Where reading a topic begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TopicStart {
    /// At the first records that are there.
    Earliest,
    /// After the last records that are there now.
    Latest,
    /// At the first record of this time or later, in milliseconds since 1970.
    At {
        /// The time.
        time_ms: i64,
    },
    /// Where an earlier load ended: see [`RecordSource::resume`](crate::source::RecordSource::resume).
    Stored,
}

/// Where reading a topic ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum TopicEnd {
    /// Nowhere.
    #[default]
    Never,
    /// Behind the last records that are there now.
    Now,
    /// Before this offset of every partition.
    Before(u64),
    /// Before these offsets; partitions without one are not read.
    BeforeEach(Offsets),
}

impl TopicStart {
    /// Returns the offsets; `None` for what is stored.
    pub(super) fn offsets(
        self,
        log: &mut dyn TopicLog,
        bounds: &BTreeMap<u32, Bounds>,
    ) -> Result<Option<Offsets>, TopicError> {
        let of_bounds = |offset: fn(&Bounds) -> u64| {
            bounds.iter().map(|(partition, bounds)| (*partition, offset(bounds))).collect()
        };
        Ok(match self {
            Self::Earliest => Some(of_bounds(|bounds| bounds.first)),
            Self::Latest => Some(of_bounds(|bounds| bounds.end)),
            Self::At { time_ms } => Some(log.offsets_at(time_ms)?),
            Self::Stored => None,
        })
    }
}

impl TopicEnd {
    /// Returns the offset before which each partition ends; `None` if they have no end.
    pub(super) fn offsets(self, bounds: &BTreeMap<u32, Bounds>) -> Option<Offsets> {
        let of_all = |end: &dyn Fn(&Bounds) -> u64| {
            Some(bounds.iter().map(|(partition, bounds)| (*partition, end(bounds))).collect())
        };
        match self {
            Self::Never => None,
            Self::Now => of_all(&|bounds| bounds.end),
            Self::Before(offset) => of_all(&|_| offset),
            Self::BeforeEach(offsets) => Some(offsets),
        }
    }
}

/// Returns the checkpoint of a topic that goes on at these offsets.
pub(super) fn checkpoint(topic: &Topic, next: &Offsets) -> Checkpoint {
    let next: serde_json::Map<_, _> =
        next.iter().map(|(partition, offset)| (partition.to_string(), (*offset).into())).collect();
    Checkpoint::new(serde_json::json!({ "topic": topic.name, "id": topic.id, "next": next }).to_string())
}

/// Returns the offsets of a checkpoint, if the topic still has all that comes after them. Partitions that the topic has
/// got since then begin with their first record.
pub(super) fn resumed(
    checkpoint: &Checkpoint,
    topic: &Topic,
    bounds: &BTreeMap<u32, Bounds>,
) -> Result<Offsets, TopicError> {
    let (id, stored) = parse(checkpoint.as_str())
        .ok_or_else(|| TopicError::Checkpoint { found: checkpoint.as_str().to_owned() })?;
    if let (Some(stored), Some(found)) = (id, &topic.id)
        && stored != *found
    {
        return Err(TopicError::OtherTopic { topic: topic.name.clone(), stored, found: found.clone() });
    }
    check(&topic.name, &stored, bounds)?;
    let firsts = bounds.iter().map(|(partition, bounds)| (*partition, bounds.first));
    Ok(firsts.chain(stored).collect())
}

/// Checks that a topic still has all records from these offsets on.
pub(in crate::source) fn check(
    topic: &str,
    next: &Offsets,
    bounds: &BTreeMap<u32, Bounds>,
) -> Result<(), TopicError> {
    let topic = || topic.to_owned();
    let mut gaps = Vec::new();
    for (&partition, &next) in next {
        let Some(&Bounds { first, end }) = bounds.get(&partition) else {
            return Err(TopicError::NoPartition { topic: topic(), partition });
        };
        if next > end {
            return Err(TopicError::Shrunk { topic: topic(), partition, next, end });
        }
        if next < first {
            gaps.push(Gap { partition, next, first });
        }
    }
    if gaps.is_empty() { Ok(()) } else { Err(TopicError::Gone { topic: topic(), gaps }) }
}

/// Returns at which offsets a load of a topic goes on after a checkpoint; `None` if it is none of a topic.
pub fn offsets_of(checkpoint: &Checkpoint) -> Option<Offsets> {
    parse(checkpoint.as_str()).map(|(_, next)| next)
}

/// Returns the topic's id, if it is known, and the offsets.
fn parse(text: &str) -> Option<(Option<String>, Offsets)> {
    let json: serde_json::Value = serde_json::from_str(text).ok()?;
    let next = json["next"].as_object()?.iter();
    let next = next.map(|(partition, offset)| Some((partition.parse().ok()?, offset.as_u64()?)));
    Some((json["id"].as_str().map(str::to_owned), next.collect::<Option<_>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topic(id: &str) -> Topic {
        Topic { name: "calls".to_owned(), id: Some(id.to_owned()) }
    }

    fn bounds(of: &[(u32, u64, u64)]) -> BTreeMap<u32, Bounds> {
        of.iter().map(|&(partition, first, end)| (partition, Bounds { first, end })).collect()
    }

    fn resume(next: &[(u32, u64)], now: &Topic, of: &[(u32, u64, u64)]) -> Result<Offsets, TopicError> {
        resumed(&checkpoint(&topic("a"), &next.iter().copied().collect()), now, &bounds(of))
    }

    #[test]
    fn a_load_goes_on_where_it_was_and_at_the_beginning_of_new_partitions() {
        let found = resume(&[(0, 5), (1, 9)], &topic("a"), &[(0, 5, 5), (1, 0, 12), (2, 3, 4)]).unwrap();
        assert_eq!(found, Offsets::from([(0, 5), (1, 9), (2, 3)]));
    }

    #[test]
    fn what_is_gone_is_counted() {
        let gone = resume(&[(0, 5), (1, 9)], &topic("a"), &[(0, 7, 8), (1, 10, 12)]).unwrap_err();
        assert_eq!(
            gone.to_string(),
            "3 records of calls are gone, which were not read: partition 0 begins at offset 7, not 5, partition 1 begins \
             at offset 10, not 9; give --from earliest, latest or a time to go on without them"
        );
    }

    #[test]
    fn another_topic_of_the_name_is_refused() {
        let at = |next, now: &Topic, of: &[_]| resume(&[(0, next)], now, of).unwrap_err();
        assert!(matches!(at(5, &topic("b"), &[(0, 0, 9)]), TopicError::OtherTopic { .. }));
        assert!(matches!(at(5, &topic("a"), &[(0, 0, 4)]), TopicError::Shrunk { end: 4, .. }));
        assert!(matches!(at(5, &topic("a"), &[(1, 0, 9)]), TopicError::NoPartition { partition: 0, .. }));
        // Brokers before 2.8 tell no id.
        let unknown = Topic { id: None, ..topic("a") };
        assert_eq!(resume(&[(0, 5)], &unknown, &[(0, 0, 9)]).unwrap(), Offsets::from([(0, 5)]));
    }

    #[test]
    fn what_is_no_position_is_an_error() {
        for text in ["", "7", "{}", r#"{"next": {"0": -1}}"#, r#"{"next": {"x": 1}}"#] {
            let found = resumed(&Checkpoint::new(text), &topic("a"), &bounds(&[(0, 0, 9)]));
            assert!(matches!(found, Err(TopicError::Checkpoint { .. })), "{text}");
        }
    }
}
