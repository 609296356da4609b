use super::radix::RadixRule;

/// HBase's `DecimalStringSplit`: eight decimal digits from 00000000 to 99999999, both inclusive.
pub(super) const DECIMAL_STRING: RadixRule =
    RadixRule { name: "DecimalStringSplit", radix: 10, digits: "0-9", first: "00000000", last: "99999999" };

#[cfg(test)]
mod tests {
    use crate::SplitPoints;
    use crate::split::SplitAlgorithm::DecimalString;

    #[test]
    fn days_of_a_year_are_split_as_numbers() {
        let points = DecimalString.split(12, Some("20200101"), Some("20201231")).unwrap();
        assert_eq!(points.keys()[0].as_bytes(), b"20200195");
        assert_eq!(points.keys()[10].as_bytes(), b"20201135");
    }

    #[test]
    fn ten_digits_reach_beyond_32_bits() {
        assert_eq!(
            DecimalString.split(3, Some("0000000000"), Some("9999999999")),
            SplitPoints::new(["3333333333", "6666666666"])
        );
    }

    #[test]
    fn hex_digits_are_refused() {
        let refused = DecimalString.split(2, Some("ff"), None).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "row \"ff\" is not a number: DecimalStringSplit takes the digits 0-9"
        );
    }
}
