//! Numbers for people, with commas.

use std::fmt::Display;

/// Returns the digits of a whole number that is not negative with a comma between each three: `1,000,000`.
///
/// ```
/// assert_eq!([999, 1_000, 12_345].map(keystride_advisor::grouped), ["999", "1,000", "12,345"]);
/// ```
pub fn grouped(number: impl Display) -> String {
    let digits = number.to_string();
    let comma = |at: usize| at > 0 && (digits.len() - at).is_multiple_of(3);
    let with_commas =
        digits.char_indices().flat_map(|(at, digit)| comma(at).then_some(',').into_iter().chain([digit]));
    with_commas.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_have_a_comma_between_each_three_digits() {
        let texts = [0, 999, 1_000, 12_345, 1_000_000].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "12,345", "1,000,000"]);
    }
}
