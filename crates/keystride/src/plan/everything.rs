//! Whether a plan reads the whole table.

use super::ScanPlan;
use crate::KeyCodec;
use crate::design::Part;
use crate::language::reachable_buckets;
use crate::range::KeyRange;

impl ScanPlan {
    /// Whether the ranges hold every key of the codec's design: with a leading bucket, all that begin with any bucket.
    pub fn reads_everything(&self, codec: &KeyCodec) -> bool {
        heads(codec).iter().all(|head| self.holds(&KeyRange::prefix(head)))
    }

    fn holds(&self, keys: &KeyRange) -> bool {
        let after = self.ranges.partition_point(|planned| planned.range.start() <= keys.start());
        let before = self.ranges[..after].last();
        before.is_some_and(|planned| planned.range.intersect(keys).as_ref() == Some(keys))
    }
}

/// Returns what keys begin with: the texts at their head and, where a bucket follows, each bucket with the texts behind it.
fn heads(codec: &KeyCodec) -> Vec<Vec<u8>> {
    let parts = codec.design().parts();
    let mut head = Vec::new();
    let at = texts(codec, 0, &mut head);
    let Some(Part::Bucket(bucket)) = parts.get(at) else { return vec![head] };
    let with_bucket = |number: u32| {
        let mut head = head.clone();
        bucket.write(number, &mut head);
        texts(codec, at + 1, &mut head);
        head
    };
    reachable_buckets(codec, at).into_iter().map(with_bucket).collect()
}

/// Appends the text parts from the one at `from` on, and returns the index of the part after them.
fn texts(codec: &KeyCodec, from: usize, head: &mut Vec<u8>) -> usize {
    let parts = &codec.design().parts()[from..];
    let count = parts.iter().take_while(|part| matches!(part, Part::Text(_))).count();
    (from..from + count).for_each(|part| head.extend_from_slice(codec.text_bytes(part)));
    from + count
}

#[cfg(test)]
mod tests {
    use super::super::{PlanOrder, Planner, Predicate};
    use super::*;
    use crate::Design;

    const DESIGN: &str = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
        phone = { type = \"digits\", len = 4 }\nat = { type = \"time\", format = \"yyyyMMdd\", zone = \"+08:00\" }\n[key]\n\
        parts = [{ text = \"x\" }, { bucket = 4, of = [\"phone\"] }, { text = \"_\" }, { field = \"phone\" }, \
        { field = \"at\" }]\n";

    #[test]
    fn what_narrows_no_range_reads_everything() {
        let codec = KeyCodec::new(Design::from_toml(DESIGN).unwrap());
        let reads_everything = |text: &str| {
            let predicate = Predicate::parse(text, codec.design()).unwrap();
            let plan = Planner::new(&codec).plan(Some(&predicate), PlanOrder::Any).unwrap();
            plan.reads_everything(&codec)
        };
        assert!(reads_everything("left(at,6) = '202004'"));
        assert!(reads_everything("at > '20200406'"));
        assert!(!reads_everything("phone > '0001'"));
        assert!(!reads_everything("phone = '0001' and left(at,6) = '202004'"));
    }
}
