//! A design that is inferred from a sample of rows.
//!
//! ```
//! # use keystride_advisor::sample::{NewDesign, SampleReader};
//! let mut reader = SampleReader::default();
//! for ts in ["1586131200000", "1586131201000"] {
//!     reader.add([("phone", "13800138000"), ("ts", ts)]);
//! }
//! let sample = reader.finish();
//! let key = sample.guessed_key();
//! let toml = sample.design(&NewDesign { table: "calls", key: &key, buckets: Some(16), zone: None, marks: &[] });
//! assert!(toml.contains(r#"{ field = "ts", desc = 9999999999999 }"#));
//! # keystride::Design::from_toml(&toml)?;
//! # Ok::<(), keystride::design::DesignError>(())
//! ```

mod identifier;
mod key_guess;
mod new_design;
mod profile;
#[cfg(test)]
mod real_samples;

use std::collections::{BTreeMap, BTreeSet};

use keystride::design::field_name_of;
use keystride::internal::toml_text;
use keystride::time::{Pattern, Zone, read_iso8601};

pub use key_guess::SampleKey;
pub use new_design::NewDesign;
pub use profile::{ColumnProfile, Trend};

/// The number of rows of the sample that are examined, and of values and bytes after which no more are.
const LOOKED_AT: usize = 10_000;
const LOOKED_AT_VALUES: usize = 4_000_000;
const LOOKED_AT_BYTES: usize = 64 << 20;

/// What was found in the first rows of a file.
#[derive(Debug)]
pub struct Sample {
    /// The columns.
    pub columns: Vec<Column>,
    /// How many rows were looked at.
    pub row_count: usize,
    /// Whether there are columns without a name, which can't be fields.
    pub has_unnamed: bool,
    /// Texts that occur in place of missing values.
    null: BTreeSet<&'static str>,
}

/// Takes the rows of a sample.
#[derive(Debug, Default)]
pub struct SampleReader {
    /// The columns so far, by their names, with their places in `values`.
    places: BTreeMap<String, usize>,
    /// The values of each column.
    values: Vec<Vec<String>>,
    row_count: usize,
    read_bytes: usize,
    null: BTreeSet<&'static str>,
}

impl SampleReader {
    /// Creates one for columns of these names; rows may have others.
    pub fn new(header: &[String]) -> Self {
        let mut reader = Self::default();
        for name in header {
            reader.place_of(name);
        }
        reader
    }

    /// Whether further rows are looked at.
    pub fn wants_more(&self) -> bool {
        self.row_count < LOOKED_AT
            && self.row_count * self.values.len() < LOOKED_AT_VALUES
            && self.read_bytes < LOOKED_AT_BYTES
    }

    /// Returns how many columns there are so far.
    pub fn column_count(&self) -> usize {
        self.values.len()
    }

    /// Adds a row: names of columns and their texts; values that it lacks are missing.
    pub fn add<'a>(&mut self, row: impl IntoIterator<Item = (&'a str, &'a str)>) {
        for (name, text) in row {
            self.read_bytes += text.len();
            let null = NULLS.into_iter().find(|null| *null == text);
            self.null.extend(null);
            let place = self.place_of(name);
            self.values[place].push(if null.is_some() { String::new() } else { text.to_owned() });
        }
        self.row_count += 1;
        for values in &mut self.values {
            values.resize(self.row_count, String::new());
        }
    }

    fn place_of(&mut self, name: &str) -> usize {
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        self.places.insert(name.to_owned(), self.values.len());
        self.values.push(vec![String::new(); self.row_count]);
        self.values.len() - 1
    }

    /// Returns what was found in the rows.
    pub fn finish(mut self) -> Sample {
        let mut columns: Vec<(String, usize)> = self.places.into_iter().collect();
        columns.sort_by_key(|(_, place)| *place);
        let mut sample = Sample {
            columns: Vec::new(),
            row_count: self.row_count,
            has_unnamed: columns.iter().any(|(header, _)| header.is_empty()),
            null: self.null,
        };
        for (header, place) in columns.into_iter().filter(|(header, _)| !header.is_empty()) {
            let name = sample.free_name(field_name_of(&header));
            let values = std::mem::take(&mut self.values[place]);
            sample.columns.push(Column { kind: kind_of(&header, &values), name, header, values });
        }
        sample
    }
}

impl Sample {
    /// Returns a name that no column has yet: this one, or this one with a number.
    fn free_name(&self, name: String) -> String {
        let is_free = |name: &String| self.columns.iter().all(|column| column.name != *name);
        if is_free(&name) {
            return name;
        }
        // Of one more number than there are columns, one is free.
        let mut numbered = (2..self.columns.len() + 3).map(|number| format!("{name}_{number}"));
        numbered.find(is_free).unwrap_or_default()
    }
}

/// What was found in a column of the sample.
#[derive(Debug)]
pub struct Column {
    /// The name of its field.
    pub name: String,
    /// Its own name.
    pub header: String,
    /// What its values are.
    pub kind: Kind,
    /// The value in each row; empty where there is none.
    pub values: Vec<String>,
}

/// What the values of a column are.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// All values have this many digits.
    Digits(usize),
    /// Whole numbers, none negative, with at most this many digits.
    Natural(usize),
    /// Numbers of a topic's partitions.
    Partition,
    /// Offsets in a partition.
    Offset,
    /// Whole numbers.
    Int,
    /// Epochs; the unit is known from the number of digits.
    Epoch(&'static str),
    /// Texts of times, with the coarsest unit that counts all of them.
    Iso8601 {
        /// `ms`, `us` or `ns`.
        unit: &'static str,
        /// Whether all of them have as many digits as those of today, counted in that unit since 1970.
        has_digits_of_today: bool,
    },
    /// Texts of times in a pattern of digits.
    Pattern(&'static str),
    /// Numbers, some of them fractions.
    Number,
    /// `true` and `false`.
    Bool,
    /// UUIDs as they are printed.
    Uuid,
    /// Anything else.
    Text,
}

impl Column {
    /// Returns the declaration of its field; a time is one of `zone`. Only numbers in the key have a least and a largest
    /// value, for which they are padded.
    pub fn declaration(&self, is_in_key: bool, zone: Option<&str>) -> String {
        self.declared(&self.name, is_in_key, zone)
    }

    fn declared(&self, name: &str, is_in_key: bool, zone: Option<&str>) -> String {
        let zone = zone.map(|zone| format!(", zone = \"{zone}\"")).unwrap_or_default();
        let kind = match &self.kind {
            Kind::Digits(len) => format!("type = \"digits\", len = {len}"),
            // More digits than its part is padded to have no key, so that its type has none of them.
            Kind::Natural(digits) if is_in_key => {
                format!("type = \"int\", min = 0, max = {}", "9".repeat(padded(*digits)))
            }
            Kind::Partition => "type = \"int\", min = 0, max = 9999".to_owned(),
            Kind::Offset => "type = \"i64\", min = 0".to_owned(),
            Kind::Natural(_) | Kind::Int => "type = \"int\"".to_owned(),
            Kind::Epoch(unit) => format!("type = \"time\", unit = \"{unit}\"{zone}"),
            Kind::Iso8601 { unit, .. } => {
                format!("type = \"time\", unit = \"{unit}\", input = \"iso8601\"{zone}")
            }
            Kind::Pattern(pattern) => format!("type = \"time\", format = \"{pattern}\"{zone}"),
            Kind::Number => "type = \"f64\"".to_owned(),
            Kind::Bool => "type = \"bool\"".to_owned(),
            Kind::Uuid => "type = \"uuid\"".to_owned(),
            Kind::Text if is_in_key && self.has_default() => "type = \"string\", default = \"-\"".to_owned(),
            Kind::Text => "type = \"string\"".to_owned(),
        };
        if self.header == name {
            return format!("{{ {kind} }}");
        }
        format!("{{ {kind}, column = {} }}", toml_text(&self.header))
    }

    /// Returns its field, outside of the key, under a name that is not taken, and the declaration of that.
    pub fn as_field(&self, taken: &[String], zone: Option<&str>) -> (String, String) {
        let names = (2..taken.len() + 3).map(|number| format!("{}_{number}", self.name));
        let mut names = std::iter::once(self.name.clone()).chain(names);
        let name = names.find(|name| !taken.contains(name)).unwrap_or_default();
        let declaration = self.declared(&name, false, zone);
        (name, declaration)
    }

    /// Whether some of its values are local times: which instants they are depends on the zone.
    pub fn has_local_times(&self) -> bool {
        match self.kind {
            Kind::Pattern(_) => true,
            Kind::Iso8601 { .. } => {
                let Ok(other) = Zone::parse("+01:00") else { return false };
                let is_local = |text: &str| {
                    let [utc, hour_off] =
                        [&Zone::utc(), &other].map(|zone| read_iso8601(text.as_bytes(), zone).ok());
                    utc != hour_off
                };
                self.values.iter().any(|value| is_local(value))
            }
            _ => false,
        }
    }

    /// Returns a part that sorts as the values do.
    pub fn part(&self, desc: bool) -> String {
        let name = &self.name;
        match (&self.kind, desc) {
            (Kind::Epoch("s"), true) => format!("field = \"{name}\", desc = 9999999999"),
            (
                Kind::Epoch("ms")
                | Kind::Pattern(_)
                | Kind::Iso8601 { unit: "ms", has_digits_of_today: true },
                true,
            ) => {
                format!("field = \"{name}\", desc = 9999999999999")
            }
            (Kind::Epoch(_) | Kind::Iso8601 { has_digits_of_today: true, .. }, true) => {
                format!("field = \"{name}\", desc = \"long-max\"")
            }
            // Numbers that may be negative, and times that differ in their number of digits.
            (Kind::Int | Kind::Number | Kind::Iso8601 { has_digits_of_today: false, .. }, false) => {
                format!("field = \"{name}\", as = \"ordered\"")
            }
            (Kind::Int | Kind::Number | Kind::Iso8601 { has_digits_of_today: false, .. }, true) => {
                format!("field = \"{name}\", as = \"ordered\", desc = \"invert\"")
            }
            (Kind::Partition, false) => format!("field = \"{name}\", pad = 4"),
            (Kind::Partition, true) => format!("field = \"{name}\", desc = 9999"),
            (Kind::Offset, false) => format!("field = \"{name}\", pad = 19"),
            (Kind::Offset, true) => format!("field = \"{name}\", desc = \"long-max\""),
            (Kind::Natural(digits), false) => format!("field = \"{name}\", pad = {}", padded(*digits)),
            (Kind::Natural(digits), true) => {
                format!("field = \"{name}\", desc = {}", "9".repeat(padded(*digits)))
            }
            (_, true) => format!("field = \"{name}\", desc = \"invert\""),
            (_, false) => format!("field = \"{name}\""),
        }
    }
}

/// Returns for how many digits numbers are padded of which the largest in the sample has so many: later ones may be
/// larger by far, and would have no key.
fn padded(digits: usize) -> usize {
    (digits + 2).clamp(10, 18)
}

/// Texts that commonly stand for missing values.
const NULLS: [&str; 5] = ["NA", "N/A", "NULL", "null", "\\N"];

fn kind_of(name: &str, values: &[String]) -> Kind {
    let sample: Vec<&str> = values.iter().map(String::as_str).filter(|value| !value.is_empty()).collect();
    let all = |test: fn(&str) -> bool| !sample.is_empty() && sample.iter().all(|value| test(value));
    let width = sample.first().map_or(0, |value| value.len());
    let same_width = sample.iter().all(|value| value.len() == width);
    let has_padded = sample.iter().any(|value| is_padded(value));
    if all(|value| value.bytes().all(|byte| byte.is_ascii_digit())) {
        return match width {
            1..=4 if name == "_partition" => Kind::Partition,
            1..19 if name == "_offset" => Kind::Offset,
            10 if is_of_time(name) && same_width && all(is_recent) => Kind::Epoch("s"),
            13 if is_of_time(name) && same_width && all(is_recent) => Kind::Epoch("ms"),
            8 if is_of_time(name) && all(|value| is_date(value, "yyyyMMdd")) => Kind::Pattern("yyyyMMdd"),
            14 if is_of_time(name) && all(|value| is_date(value, "yyyyMMddHHmmss")) => {
                Kind::Pattern("yyyyMMddHHmmss")
            }
            // A number with leading zeros, or a long number of constant width, is an identifier.
            _ if same_width
                && width > 1
                && (width >= 8 || sample.iter().any(|value| value.starts_with('0'))) =>
            {
                Kind::Digits(width)
            }
            _ if !has_padded && sample.iter().all(|value| value.len() < 19) => {
                Kind::Natural(sample.iter().map(|value| value.len()).max().unwrap_or(1))
            }
            _ => Kind::Text,
        };
    }
    if !has_padded && all(|value| value.parse::<i64>().is_ok()) {
        return Kind::Int;
    }
    if !has_padded && all(is_float) {
        return Kind::Number;
    }
    if all(|value| matches!(value, "true" | "false")) {
        return Kind::Bool;
    }
    if all(is_uuid) {
        return Kind::Uuid;
    }
    let times: Option<Vec<i128>> = sample.iter().map(|value| read_time(value)).collect();
    times.filter(|times| !times.is_empty()).map_or(Kind::Text, |times| kind_of_times(&times))
}

/// `nanos` are times in nanoseconds since 1970.
fn kind_of_times(nanos: &[i128]) -> Kind {
    let units = [("ms", 1_000_000), ("us", 1_000)];
    let counts_all = |nanos_a_unit: i128| nanos.iter().all(|nanos| nanos % nanos_a_unit == 0);
    let unit =
        units.into_iter().find(|(_, nanos_a_unit)| counts_all(*nanos_a_unit)).map_or("ns", |(unit, _)| unit);
    // From 2001 to 2286, an epoch has 10 digits in seconds and 19 in nanoseconds.
    let ours = 1_000_000_000_000_000_000..10_000_000_000_000_000_000;
    Kind::Iso8601 { unit, has_digits_of_today: nanos.iter().all(|nanos| ours.contains(nanos)) }
}

/// Whether a text is a number that 64 bits hold.
fn is_float(value: &str) -> bool {
    value
        .parse::<f64>()
        .is_ok_and(|number| number.is_finite() || !value.contains(|c: char| c.is_ascii_digit()))
}

/// Whether a number has more before or behind it than its digits, which a field of numbers would not give back: `007`, `+1`,
/// `1.10`. A whole number of a column of fractions, `5.0`, is common.
fn is_padded(value: &str) -> bool {
    let digits = value.strip_prefix('-').unwrap_or(value);
    let ends_padded =
        value.split_once('.').is_some_and(|(_, fraction)| fraction != "0" && fraction.ends_with('0'));
    ends_padded || matches!(digits.as_bytes(), [b'+', ..] | [b'0', b'0'..=b'9', ..])
}

/// Whether a text of digits is a time of a pattern between 1900 and 2199.
fn is_date(value: &str, pattern: &str) -> bool {
    let is_read = |pattern: Pattern| pattern.read(value.as_bytes(), &Zone::utc()).is_ok();
    ["19", "20", "21"].iter().any(|century| value.starts_with(century))
        && Pattern::parse(pattern).is_ok_and(is_read)
}

/// Whether a text is a UUID as it is printed, in lower case with hyphens.
fn is_uuid(value: &str) -> bool {
    let is_fit = |(at, byte)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
    };
    value.len() == 36 && value.bytes().enumerate().all(is_fit)
}

/// Whether a column's name speaks of time; without that, digits like those of an epoch may be an identifier.
fn is_of_time(name: &str) -> bool {
    const WORDS: [&str; 13] = [
        "time", "date", "day", "stamp", "epoch", "when", "created", "updated", "start", "end", "时间",
        "日期", "时刻",
    ];
    let name = name.to_ascii_lowercase();
    let is_whole = |word: &str| matches!(word, "ts" | "t" | "at" | "ms" | "s" | "sec" | "seconds" | "millis");
    WORDS.iter().any(|word| name.contains(word)) || name.split('_').any(is_whole)
}

/// Whether an epoch in seconds or milliseconds lies between 2001 and 2033.
fn is_recent(digits: &str) -> bool {
    digits.starts_with('1')
}

fn read_time(value: &str) -> Option<i128> {
    read_iso8601(value.as_bytes(), &Zone::utc()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(name: &str, values: &[&str]) -> String {
        let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
        let kind = kind_of(name, &values);
        Column { name: name.to_owned(), header: name.to_owned(), kind, values }.declaration(false, None)
    }

    #[test]
    fn a_type_gives_back_the_texts_of_its_column() {
        for (name, values, expected) in [
            ("price", &["12.5", "3.25"][..], "\"f64\""),
            ("delay", &["5.0", "-11.0"], "\"f64\""),
            ("version", &["1.1", "1.10"], "\"string\""),
            ("price", &["12.50"], "\"string\""),
            ("zip", &["00501"], "\"digits\", len = 5"),
            ("depth", &["0", "1"], "\"int\""),
            ("_partition", &["0", "11"], "\"int\", min = 0, max = 9999"),
            ("_offset", &["5", "17000000000"], "\"i64\", min = 0"),
            ("ts", &["1586131200000", "158613120000"], "\"int\""),
            ("is_open", &["true", "false", ""], "\"bool\""),
            ("is_open", &["True"], "\"string\""),
            ("id", &["c61475d6-0f04-4e1c-9c3f-16d2a8a9c9b1"], "\"uuid\""),
            ("id", &["C61475D6-0F04-4E1C-9C3F-16D2A8A9C9B1"], "\"string\""),
        ] {
            assert_eq!(declared(name, values), format!("{{ type = {expected} }}"), "{values:?}");
        }
    }

    #[test]
    fn digits_of_a_date_are_a_time_where_the_name_is_of_one() {
        assert_eq!(
            declared("start", &["20240611173228"]),
            "{ type = \"time\", format = \"yyyyMMddHHmmss\" }"
        );
        assert_eq!(declared("day", &["20240611", "20241231"]), "{ type = \"time\", format = \"yyyyMMdd\" }");
        assert_eq!(declared("day", &["20240611", "20241331"]), "{ type = \"digits\", len = 8 }");
        for (name, value) in [
            ("caller", "20240611173228"),
            ("caller", "20240611"),
            ("caller", "1586131200000"),
            ("caller", "1586131200"),
            ("day", "18991231"),
        ] {
            let digits = format!("{{ type = \"digits\", len = {} }}", value.len());
            assert_eq!(declared(name, &[value]), digits, "{name} {value}");
        }
    }

    #[test]
    fn a_time_without_an_offset_is_local() {
        for (value, is_local) in [
            ("2024-03-01 08:00:47", true),
            ("2024-03-01T08:00:47.5", true),
            ("2024-03-01", true),
            ("20240301080047", true),
            ("2024-03-01T08:00:47Z", false),
            ("2024-03-01 08:00:47+08:00", false),
            ("1709251247", false),
            ("", false),
        ] {
            let values = vec![value.to_owned()];
            let column = Column {
                name: "time".to_owned(),
                header: "time".to_owned(),
                kind: kind_of("time", &values),
                values,
            };
            assert_eq!(column.has_local_times(), is_local, "{value}");
        }
    }

    /// The declaration of a column in the key, and its part as the values sort and against it.
    fn keyed(values: &[&str]) -> [String; 3] {
        let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
        let column =
            Column { name: "ts".to_owned(), header: "ts".to_owned(), kind: kind_of("ts", &values), values };
        let part = |desc| column.part(desc).strip_prefix("field = \"ts\"").unwrap().to_owned();
        let declared = column.declaration(true, None);
        [declared[10..declared.len() - 2].to_owned(), part(false), part(true)]
    }

    #[test]
    fn a_part_of_the_key_sorts_as_its_column_does() {
        let ordered = [", as = \"ordered\"", ", as = \"ordered\", desc = \"invert\""];
        let invert = ["", ", desc = \"invert\""];
        for (values, declared, [up, down]) in [
            (&["13800138000"][..], "digits\", len = 11", invert),
            (&["01"], "digits\", len = 2", invert),
            (&["20240611"], "time\", format = \"yyyyMMdd\"", ["", ", desc = 9999999999999"]),
            (&["1586131200"], "time\", unit = \"s\"", ["", ", desc = 9999999999"]),
            (&["2586131200"], "digits\", len = 10", invert),
            (
                &["1586131200", "158613120"],
                "int\", min = 0, max = 999999999999",
                [", pad = 12", ", desc = 999999999999"],
            ),
            (&["1586131200000"], "time\", unit = \"ms\"", ["", ", desc = 9999999999999"]),
            (&["7", "12"], "int\", min = 0, max = 9999999999", [", pad = 10", ", desc = 9999999999"]),
            (&["7"], "int\", min = 0, max = 9999999999", [", pad = 10", ", desc = 9999999999"]),
            (
                &["7", "1234567890123456"],
                "int\", min = 0, max = 999999999999999999",
                [", pad = 18", ", desc = 999999999999999999"],
            ),
            (
                &["7", "123456789012345678"],
                "int\", min = 0, max = 999999999999999999",
                [", pad = 18", ", desc = 999999999999999999"],
            ),
            (&["7", "1234567890123456789"], "string\"", invert),
            (&["-3", "4"], "int\"", ordered),
            (&["-3", "4.5"], "f64\"", ordered),
            (&["NaN", "inf", "1e3"], "f64\"", ordered),
            (&["1e999"], "string\"", invert),
            (&["true", "false"], "bool\"", invert),
            (&[], "string\"", invert),
        ] {
            assert_eq!(keyed(values), [declared, up, down].map(str::to_owned), "{values:?}");
        }
    }

    #[test]
    fn texts_of_times_have_the_coarsest_unit_that_counts_them() {
        let ordered = [", as = \"ordered\"", ", as = \"ordered\", desc = \"invert\""];
        let (ms, long) = (["", ", desc = 9999999999999"], ["", ", desc = \"long-max\""]);
        for (values, unit, [up, down]) in [
            (&["2020-01-01T00:00:00"][..], "ms", ms),
            (&["2020-01-01T00:00:00.001Z", "2020-01-01T00:00:00Z"], "ms", ms),
            (&["2020-01-01T00:00:00.000001Z", "2020-01-01T00:00:00Z"], "us", long),
            (&["2020-01-01T00:00:00.000000001Z", "2020-01-01T00:00:00.001Z"], "ns", long),
            (&["2001-09-09T01:46:40Z", "2286-11-20T17:46:39Z"], "ms", ms),
            (&["2020-01-01T00:00:00", "2001-09-09T01:46:39Z"], "ms", ordered),
            (&["2020-01-01T00:00:00", "2286-11-20T17:46:40Z"], "ms", ordered),
        ] {
            let declared = format!("time\", unit = \"{unit}\", input = \"iso8601\"");
            assert_eq!(keyed(values), [declared.as_str(), up, down].map(str::to_owned), "{values:?}");
        }
    }
}
