//! What the values of a column look like, for people who choose a key.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{Column, Kind, read_time};

/// What the values of a column look like.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ColumnProfile {
    /// How many rows have no value.
    pub missing: usize,
    /// The bytes of the shortest value.
    pub shortest: usize,
    /// The bytes of the longest one.
    pub longest: usize,
    /// How many different values there are.
    pub distinct: usize,
    /// The first bytes of the values, ascending, each with how many values begin with it.
    pub first_bytes: Vec<(u8, usize)>,
    /// How they go from row to row.
    pub trend: Trend,
    /// Three values from the beginning, the middle and the end of the sample; fewer if some are the same.
    pub examples: Vec<String>,
}

/// How values go from row to row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trend {
    /// Of a hundred steps, at most five go down.
    Rising,
    /// Of a hundred steps, at most five go up.
    Falling,
    /// All values are the same.
    Constant,
    /// Anything else.
    Mixed,
}

impl Column {
    /// Describes the values of the sample.
    pub fn profile(&self) -> ColumnProfile {
        let values: Vec<&str> =
            self.values.iter().map(String::as_str).filter(|value| !value.is_empty()).collect();
        let mut first_bytes = BTreeMap::new();
        for value in &values {
            *first_bytes.entry(value.as_bytes()[0]).or_default() += 1;
        }
        let lengths = || values.iter().map(|value| value.len());
        ColumnProfile {
            missing: self.values.len() - values.len(),
            shortest: lengths().min().unwrap_or(0),
            longest: lengths().max().unwrap_or(0),
            distinct: values.iter().collect::<BTreeSet<_>>().len(),
            first_bytes: first_bytes.into_iter().collect(),
            trend: self.trend(&values),
            examples: examples(&values),
        }
    }

    fn trend(&self, values: &[&str]) -> Trend {
        let mut steps = [0, 0];
        for pair in values.windows(2) {
            match self.kind.order(pair[0], pair[1]) {
                Ordering::Less => steps[0] += 1,
                Ordering::Greater => steps[1] += 1,
                Ordering::Equal => {}
            }
        }
        let few = values.len() / 20;
        match steps {
            [0, 0] => Trend::Constant,
            [up, down] if down <= few && up > down => Trend::Rising,
            [up, down] if up <= few && down > up => Trend::Falling,
            _ => Trend::Mixed,
        }
    }
}

impl Kind {
    /// Returns the type of its field, in the words of a design file.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Digits(_) => "digits",
            Self::Natural(_) | Self::Partition | Self::Int => "int",
            Self::Offset => "i64",
            Self::Epoch(_) | Self::Iso8601 { .. } | Self::Pattern(_) => "time",
            Self::Number => "f64",
            Self::Bool => "bool",
            Self::Uuid => "uuid",
            Self::Text => "string",
        }
    }

    /// Returns how a time is written: its pattern, or the unit that it is counted in.
    pub fn time_form(&self) -> Option<&'static str> {
        match self {
            Self::Epoch(unit) => Some(unit),
            Self::Iso8601 { .. } => Some("iso8601"),
            Self::Pattern(pattern) => Some(pattern),
            _ => None,
        }
    }

    /// Compares two texts as the values that they are.
    fn order(&self, one: &str, other: &str) -> Ordering {
        let [a, b] = [one, other];
        match self {
            Self::Natural(_) | Self::Partition | Self::Int | Self::Offset | Self::Epoch(_) => {
                a.parse::<i128>().ok().cmp(&b.parse::<i128>().ok())
            }
            Self::Number => a.parse::<f64>().unwrap_or(0.0).total_cmp(&b.parse::<f64>().unwrap_or(0.0)),
            Self::Iso8601 { .. } => read_time(a).cmp(&read_time(b)),
            _ => a.cmp(b),
        }
    }
}

fn examples(values: &[&str]) -> Vec<String> {
    let places = [0, values.len() / 2, values.len().saturating_sub(1)];
    let mut examples: Vec<String> =
        places.iter().filter_map(|place| values.get(*place)).map(|value| (*value).to_owned()).collect();
    examples.dedup();
    examples
}

#[cfg(test)]
mod tests {
    use super::super::SampleReader;
    use super::*;

    fn profile(values: &[&str]) -> ColumnProfile {
        let mut reader = SampleReader::default();
        for value in values {
            reader.add([("v", *value)]);
        }
        reader.finish().columns.remove(0).profile()
    }

    #[test]
    fn a_profile_counts_what_is_there_and_what_is_not() {
        let found = profile(&["b", "", "a1", "NA", "b"]);
        assert_eq!((found.missing, found.shortest, found.longest, found.distinct), (2, 1, 2, 2));
        assert_eq!(found.first_bytes, [(b'a', 1), (b'b', 2)]);
        assert_eq!(found.examples, ["b", "a1", "b"]);
        assert_eq!(profile(&["", ""]).examples, Vec::<String>::new());
    }

    #[test]
    fn values_rise_as_what_they_are_and_not_as_text() {
        for (values, trend) in [
            (&["9", "10", "11"][..], Trend::Rising),
            (&["11", "10", "9"], Trend::Falling),
            (&["x", "y", "x2"], Trend::Mixed),
            (&["7", "7"], Trend::Constant),
            (&["7"], Trend::Constant),
            (&["2020-01-01T00:00:00Z", "2020-01-01T08:30:00+08:00"], Trend::Rising),
            (&["-2", "1.5", "2"], Trend::Rising),
        ] {
            assert_eq!(profile(values).trend, trend, "{values:?}");
        }
    }
}
