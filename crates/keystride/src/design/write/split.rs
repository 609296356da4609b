//! Words of `[split]`.

use crate::SplitPoints;
use crate::design::Design;
use crate::design::print::{Doc, bytes, int, list, table, text};
use crate::design::split_rule::SplitRule;
use crate::split::PARTITION_SUFFIX;

impl Design {
    pub(super) fn split_doc(&self, points: Option<&SplitPoints>) -> Option<Doc> {
        if let Some(points) = points {
            let keys = list(points.keys().iter().map(|key| bytes(key.as_bytes())));
            return (!points.keys().is_empty()).then(|| table(vec![("by", text("list")), ("points", keys)]));
        }
        let rule = &self.split.as_ref()?.rule;
        let mut words = vec![("by", text(rule.word()))];
        words.extend(split_words(rule));
        Some(table(words))
    }
}

fn split_words(rule: &SplitRule) -> Vec<(&'static str, Doc)> {
    let regions = |regions: u32| ("regions", int(regions.into()));
    let suffixed = |suffix: &[u8]| (!suffix.is_empty()).then(|| ("suffix", bytes(suffix)));
    match rule {
        SplitRule::Bucket { regions: count, suffix } => {
            count.map(regions).into_iter().chain(suffixed(suffix)).collect()
        }
        SplitRule::List(points) => vec![("points", list(points.iter().map(|point| bytes(point))))],
        SplitRule::File { path } => vec![("path", text(path))],
        SplitRule::Algorithm { regions: count, first, last, .. } => {
            let mut words = vec![regions(*count)];
            words.extend(first.as_ref().map(|first| ("first", text(first))));
            words.extend(last.as_ref().map(|last| ("last", text(last))));
            words
        }
        SplitRule::PartitionKeys { regions: count, width, suffix } => {
            let mut words = vec![regions(*count)];
            words.extend(width.map(|width| ("width", int(width as i128))));
            words.extend((suffix != PARTITION_SUFFIX).then(|| ("suffix", bytes(suffix))));
            words
        }
        SplitRule::Range { start, end, regions: count } => {
            vec![("start", bytes(start)), ("end", bytes(end)), regions(*count)]
        }
        SplitRule::Sample { regions: count, path } => vec![regions(*count), ("path", text(path))],
    }
}
