//! The durations (`10m`, `90d`) and sizes (`64KiB`) of a design file.

use super::problem::Problem;
use super::reader::{Complaints, TableReader};

const SECONDS: [(&str, u64); 5] = [("s", 1), ("m", 60), ("h", 3600), ("d", 86_400), ("w", 604_800)];
const BYTES: [(&str, u64); 8] = [
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("B", 1),
];

/// Returns the seconds of a duration such as `10m`; `None` when it is not one.
pub fn parse_seconds(text: &str) -> Option<u64> {
    parse_measure(text, &SECONDS)
}

/// Returns the bytes of a size such as `64KiB`; `None` when it is not one.
pub fn parse_bytes(text: &str) -> Option<u64> {
    parse_measure(text, &BYTES)
}

fn parse_measure(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let (unit, scale) = units.iter().find(|(unit, _)| text.ends_with(unit))?;
    let number = text.strip_suffix(unit)?.trim_end();
    number.parse::<u64>().ok()?.checked_mul(*scale)
}

/// Reads a duration of at least one second.
pub(crate) fn read_seconds(
    table: &mut TableReader<'_>,
    word: &'static str,
    complaints: &mut Complaints,
) -> Option<u64> {
    read_measure(
        table,
        word,
        parse_seconds,
        "a duration such as \"30s\", \"10m\", \"24h\" or \"90d\"",
        complaints,
    )
}

/// Reads a size of at least one byte.
pub(crate) fn read_bytes_count(
    table: &mut TableReader<'_>,
    word: &'static str,
    complaints: &mut Complaints,
) -> Option<u64> {
    read_measure(table, word, parse_bytes, "a size such as \"64KiB\"", complaints)
}

fn read_measure(
    table: &mut TableReader<'_>,
    word: &'static str,
    parse: fn(&str) -> Option<u64>,
    expected: &'static str,
    complaints: &mut Complaints,
) -> Option<u64> {
    let text = table.text(word, complaints)?;
    let value = parse(&text.value).filter(|value| *value > 0);
    if value.is_none() {
        let found = format!("\"{}\"", text.value);
        table.complain(complaints, word, Problem::BadValue { found, expected: expected.to_owned() });
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_sizes_have_units() {
        assert_eq!(parse_seconds("10m"), Some(600));
        assert_eq!(parse_seconds("90d"), Some(7_776_000));
        assert_eq!(parse_seconds("10"), None);
        assert_eq!(parse_bytes("64KiB"), Some(65_536));
        assert_eq!(parse_bytes("300 B"), Some(300));
        assert_eq!(parse_bytes("99999999999TiB"), None);
    }
}
