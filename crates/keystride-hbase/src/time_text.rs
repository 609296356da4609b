//! Durations as text.

use std::fmt;
use std::time::Duration;

/// Displays a duration for people: `200 ms`, `1.5 s`, `129 s`.
///
/// ```
/// # use std::time::Duration;
/// # use keystride_hbase::Seconds;
/// assert_eq!(Seconds(Duration::from_millis(128_951)).to_string(), "129 s");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seconds(pub Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = self.0.as_millis();
        let tenths = (ms + 50) / 100;
        match ms {
            0..1_000 => write!(f, "{ms} ms"),
            _ if tenths < 100 && !tenths.is_multiple_of(10) => write!(f, "{}.{} s", tenths / 10, tenths % 10),
            _ => write!(f, "{} s", (ms + 500) / 1_000),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_as_exact_as_people_need_it() {
        for (ms, text) in [
            (0, "0 ms"),
            (999, "999 ms"),
            (1_000, "1 s"),
            (1_540, "1.5 s"),
            (9_960, "10 s"),
            (10_400, "10 s"),
            (128_951, "129 s"),
        ] {
            assert_eq!(Seconds(Duration::from_millis(ms)).to_string(), text);
        }
    }
}
