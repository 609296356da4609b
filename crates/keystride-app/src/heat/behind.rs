//! Who is behind a part of a map.

use std::collections::BTreeMap;
use std::ops::Range;

use keystride::codec::PartKind;
use keystride::design::TimeStyle;
use keystride::escape::to_shown;
use keystride::{KeyCodec, KeyRange};
use keystride_heat::live::Metric;
use serde::Serialize;

/// A part of a heat map: some keys, for some time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeatArea {
    /// Of what.
    pub metric: Metric,
    /// The time, in ms since 1970-01-01 UTC.
    pub times_ms: Range<i64>,
    /// The keys.
    pub keys: KeyRange,
}

/// What the rows of an area have in common, from a few of their keys.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Behind {
    /// How many keys are known.
    pub key_count: usize,
    /// About how many rows they stand for.
    pub rows: f64,
    /// The parts of the keys, in their order, without literal text; none without a design.
    pub parts: Vec<PartBehind>,
    /// Those that are at least a fiftieth of all, the most frequent first.
    pub keys: Vec<ValueBehind>,
}

/// The values of a part of the keys.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PartBehind {
    /// The field, or `bucket`.
    pub name: String,
    /// How many different values are known.
    pub value_count: usize,
    /// Those with at least a fiftieth of the keys, the most frequent first.
    pub values: Vec<ValueBehind>,
    /// The first value in the order of keys, and the last.
    pub ends: [String; 2],
}

/// A value, and the share of all rows that it has.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ValueBehind {
    /// The value.
    pub text: String,
    /// From 0 to 1.
    pub share: f64,
}

/// So many of the most frequent values are told.
const MOST_VALUES: usize = 5;
/// A value is frequent with this share of the keys, and if it is known more than once.
const FREQUENT: usize = 50;

/// How often something is known, and the rows that it stands for.
#[derive(Debug, Clone, Default)]
struct Seen {
    text: String,
    times: usize,
    rows: f64,
}

/// What is known by its bytes, in their order.
type ByBytes<'a> = BTreeMap<&'a [u8], Seen>;

impl Behind {
    /// Describes keys, each with the number of rows that it stands for.
    pub fn of(keys: &[(Vec<u8>, f64)], codec: Option<&KeyCodec>, style: &TimeStyle) -> Self {
        let rows = keys.iter().map(|(_, rows)| rows).sum();
        let mut whole = ByBytes::new();
        // By the part's place in the design.
        let mut parts: BTreeMap<usize, (String, ByBytes<'_>)> = BTreeMap::new();
        for (key, rows) in keys {
            see(&mut whole, key, *rows, || to_shown(key));
            let Some(codec) = codec else { continue };
            // Keys that others wrote may be none of the design.
            let described = codec.describe(key).unwrap_or_else(|_| codec.describe_prefix(key).parts);
            for (place, part) in described.iter().enumerate().filter(|(_, part)| part.kind != PartKind::Text)
            {
                let bytes = &key[part.span.clone()];
                let text = || part.value_text(codec.design(), style).unwrap_or_else(|| to_shown(bytes));
                let named = || (part.kind.name(codec.design()).to_owned(), ByBytes::new());
                see(&mut parts.entry(place).or_insert_with(named).1, bytes, *rows, text);
            }
        }
        let parts = parts.into_values().filter_map(|(name, seen)| PartBehind::of(name, &seen, rows));
        Self { key_count: keys.len(), rows, parts: parts.collect(), keys: frequent(&whole, rows) }
    }
}

impl PartBehind {
    fn of(name: String, seen: &ByBytes<'_>, rows: f64) -> Option<Self> {
        let (first, last) = (seen.values().next()?, seen.values().next_back()?);
        let ends = [first.text.clone(), last.text.clone()];
        Some(Self { name, value_count: seen.len(), values: frequent(seen, rows), ends })
    }
}

fn see<'a>(seen: &mut ByBytes<'a>, bytes: &'a [u8], rows: f64, text: impl FnOnce() -> String) {
    let seen = seen.entry(bytes).or_insert_with(|| Seen { text: text(), ..Seen::default() });
    seen.times += 1;
    seen.rows += rows;
}

fn frequent(seen: &ByBytes<'_>, rows: f64) -> Vec<ValueBehind> {
    let least = seen.values().map(|seen| seen.times).sum::<usize>().div_ceil(FREQUENT).max(2);
    let mut often: Vec<&Seen> = seen.values().filter(|seen| seen.times >= least).collect();
    often.sort_by(|one, two| two.rows.total_cmp(&one.rows));
    let value = |seen: &&Seen| ValueBehind { text: seen.text.clone(), share: seen.rows / rows };
    often.iter().take(MOST_VALUES).map(value).collect()
}

#[cfg(test)]
mod tests {
    use keystride::Design;

    use super::*;

    const DESIGN: &str = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
        user = { type = \"digits\", len = 3 }\nn = { type = \"u32\" }\n\
        [key]\nparts = [{ field = \"user\" }, { text = \"_\" }, { field = \"n\" }]\n";

    #[test]
    fn frequent_values_have_their_share_of_the_rows() {
        let codec = KeyCodec::new(Design::from_toml(DESIGN).unwrap());
        let key = |user: &str, n: u32| format!("{user}_{n}").into_bytes();
        let mut keys: Vec<_> = (0..8).map(|n| (key("111", n), 10.0)).collect();
        keys.push((key("222", 9), 20.0));
        let behind = Behind::of(&keys, Some(&codec), &TimeStyle::Epoch);
        assert_eq!((behind.key_count, behind.rows), (9, 100.0));
        let [user, n] = &behind.parts[..] else { panic!("{behind:?}") };
        assert_eq!((user.name.as_str(), user.value_count), ("user", 2));
        assert_eq!(user.values, [ValueBehind { text: "111".to_owned(), share: 0.8 }]);
        assert_eq!((n.values.len(), n.value_count), (0, 9), "each one is seen once");
        assert_eq!(n.ends, ["0", "9"]);
        assert!(behind.keys.is_empty());
    }

    #[test]
    fn without_a_design_a_key_that_comes_again_and_again_is_told() {
        let keys = vec![(b"hot\x00".to_vec(), 3.0), (b"hot\x00".to_vec(), 3.0), (b"x".to_vec(), 4.0)];
        let behind = Behind::of(&keys, None, &TimeStyle::Epoch);
        assert_eq!(behind.keys, [ValueBehind { text: "hot\\x00".to_owned(), share: 0.6 }]);
        assert!(behind.parts.is_empty());
        assert_eq!(Behind::of(&[], None, &TimeStyle::Epoch).key_count, 0);
    }
}
