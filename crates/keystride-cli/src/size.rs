//! Sizes on the command line: `4MiB`, `500k`, `1073741824`.

use std::num::{NonZeroU64, NonZeroUsize};
use std::str::FromStr;

use keystride_advisor::grouped;
use keystride_app::duration::scaled;

/// Units by prefix, in bytes: `K` and `KiB` are 1024, `kB` is 1000.
const UNITS: [(&str, u64); 14] = [
    ("", 1),
    ("b", 1),
    ("k", 1 << 10),
    ("m", 1 << 20),
    ("g", 1 << 30),
    ("t", 1 << 40),
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("tb", 1_000_000_000_000),
];

/// Parses a size in bytes, which must not be zero; case does not matter.
pub(crate) fn parse_bytes(text: &str) -> Result<NonZeroUsize, String> {
    scaled(text, &UNITS, |unit, name| unit.trim().eq_ignore_ascii_case(name))
        .and_then(|bytes| NonZeroUsize::try_from(bytes).ok())
        .ok_or_else(|| format!("\"{text}\" is not a size: write 256MiB, 4M or a number of bytes"))
}

/// Parses a count, such as `200k`, `1M` or `5000`; case does not matter.
pub(crate) fn parse_count(text: &str) -> Result<NonZeroU64, String> {
    const UNITS: [(&str, u64); 4] = [("", 1), ("k", 1_000), ("m", 1_000_000), ("g", 1_000_000_000)];
    scaled(text, &UNITS, str::eq_ignore_ascii_case)
        .ok_or_else(|| format!("\"{text}\" is not a number of things: write 200k, 1M or 5000"))
}

/// Parses a whole number; what is wrong with a text is told in words for people.
pub(crate) fn parse_whole<N: FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| match text {
        "0" => "write a whole number from 1 on".to_owned(),
        _ => "write a whole number, such as 10".to_owned(),
    })
}

/// Returns a size for people: `1.5 MiB`.
pub(crate) fn bytes_text(bytes: u64) -> String {
    let units = [(1_u64 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    // What would be 1024.0 of a unit by rounding is 1.0 of the next.
    match units.into_iter().find(|(unit, _)| bytes >= unit - unit / 20_480) {
        Some((unit, name)) => format!("{:.1} {name}", as_float(bytes) / as_float(unit)),
        None => format!("{bytes} B"),
    }
}

/// Returns a count for people: `68.1 M`.
pub(crate) fn count_text(count: u64) -> String {
    let count_float = as_float(count);
    match count {
        0..10_000 => count.to_string(),
        10_000..999_500 => format!("{:.0} k", count_float / 1e3),
        999_500..999_950_000 => format!("{:.1} M", count_float / 1e6),
        _ => format!("{:.1} G", count_float / 1e9),
    }
}

/// Returns how many rows, as text: `1 row`, `2 rows`.
pub(crate) fn rows_text(count: u64) -> String {
    format!("{} {}", grouped(count), if count == 1 { "row" } else { "rows" })
}

#[expect(clippy::cast_precision_loss, reason = "for display, to three digits")]
pub(crate) fn as_float(number: u64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_row_is_no_rows() {
        assert_eq!([1, 2, 1_000].map(rows_text), ["1 row", "2 rows", "1,000 rows"]);
    }

    #[test]
    fn sizes_are_read_in_units_of_both_kinds() {
        for (text, bytes) in [("1", 1), ("4MiB", 4 << 20), ("4m", 4 << 20), ("2 KB", 2_000), ("1G", 1 << 30)]
        {
            assert_eq!(parse_bytes(text).map(NonZeroUsize::get), Ok(bytes), "{text}");
        }
        for text in ["", "MiB", "0", "-1", "1.5M", "4 apples", "99999999999999999999"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn counts_are_read_in_thousands() {
        for (text, count) in [("5000", 5_000), ("200k", 200_000), ("1M", 1_000_000)] {
            assert_eq!(parse_count(text).map(NonZeroU64::get), Ok(count), "{text}");
        }
        for text in ["", "k", "0", "-1", "1.5k", "1ki", "99999999999999999999"] {
            assert!(parse_count(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_and_counts_are_short_for_people() {
        for (bytes, text) in [
            (512, "512 B"),
            (1 << 10, "1.0 KiB"),
            ((1 << 20) - 52, "1023.9 KiB"),
            ((1 << 20) - 51, "1.0 MiB"),
            (3 << 19, "1.5 MiB"),
            ((1 << 30) - 1, "1.0 GiB"),
            (1 << 30, "1.0 GiB"),
            (1 << 40, "1.0 TiB"),
        ] {
            assert_eq!(bytes_text(bytes), text);
        }
        for (count, text) in [
            (9_999, "9999"),
            (10_000, "10 k"),
            (412_345, "412 k"),
            (999_499, "999 k"),
            (999_500, "1.0 M"),
            (1_000_000, "1.0 M"),
            (68_100_000, "68.1 M"),
            (999_949_999, "999.9 M"),
            (999_950_000, "1.0 G"),
            (1_000_000_000, "1.0 G"),
        ] {
            assert_eq!(count_text(count), text);
        }
    }
}
