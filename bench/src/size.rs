//! How much a bench does.

/// How much a bench does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// Each path once on few rows: what it prints says nothing, but it works.
    Tiny,
    /// Enough for figures that hold.
    Full,
}

impl Size {
    /// Full under `cargo bench`, tiny under `cargo test` and where `KEYSTRIDE_BENCH` is `tiny`.
    pub fn of_process() -> Self {
        let asked = std::env::var("KEYSTRIDE_BENCH").is_ok_and(|word| word == "tiny");
        // Cargo tells a bench by this argument that it is one.
        let is_bench = std::env::args().any(|argument| argument == "--bench");
        if asked || !is_bench { Self::Tiny } else { Self::Full }
    }

    /// One number or the other.
    pub fn pick<T>(self, tiny: T, full: T) -> T {
        match self {
            Self::Tiny => tiny,
            Self::Full => full,
        }
    }
}

/// Reads a count such as `250000` or `1e8`.
///
/// # Errors
///
/// What would do instead.
pub fn parse_count(text: &str) -> Result<u64, String> {
    let whole = match text.split_once('e') {
        Some((digits, zeros)) => digits.parse::<u64>().ok().zip(zeros.parse().ok()),
        None => text.parse().ok().map(|number| (number, 0)),
    };
    let count = whole.and_then(|(digits, zeros)| digits.checked_mul(10_u64.checked_pow(zeros)?));
    count.filter(|count| *count > 0).ok_or_else(|| format!("\"{text}\" is no count: write 250000 or 1e8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_may_have_an_exponent() {
        assert_eq!((parse_count("250000"), parse_count("3e7")), (Ok(250_000), Ok(30_000_000)));
        for text in ["", "0", "1.5e3", "e3", "1e99", "-1"] {
            assert!(parse_count(text).is_err(), "{text}");
        }
    }
}
