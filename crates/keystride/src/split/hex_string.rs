use super::radix::RadixRule;

/// HBase's `HexStringSplit`: eight lower-case hex digits from 00000000 to ffffffff, both inclusive.
pub(super) const HEX_STRING: RadixRule = RadixRule {
    name: "HexStringSplit",
    radix: 16,
    digits: "0-9 and a-f",
    first: "00000000",
    last: "ffffffff",
};

#[cfg(test)]
mod tests {
    use crate::SplitPoints;
    use crate::split::{SplitAlgorithm::HexString, SplitError};

    #[test]
    fn the_last_region_takes_the_slack() {
        let points = HexString.split(10, None, None).unwrap();
        assert_eq!(points.keys()[0].as_bytes(), b"19999999");
        assert_eq!(points.keys()[8].as_bytes(), b"e6666661");
    }

    #[test]
    fn the_last_row_sets_the_width_and_the_case_is_lower() {
        assert_eq!(HexString.split(4, Some("0"), Some("FF")), SplitPoints::new(["40", "80", "c0"]));
        assert_eq!(HexString.split(2, Some("0000000000"), Some("FF")), SplitPoints::new(["80"]));
    }

    #[test]
    fn one_region_has_no_points_and_none_is_refused() {
        assert_eq!(HexString.split(1, None, None), Ok(SplitPoints::default()));
        let refused = HexString.split(0, None, None).unwrap_err();
        assert_eq!(refused.to_string(), "HexStringSplit makes 1 regions or more, not 0");
    }

    #[test]
    fn more_regions_than_rows_are_refused() {
        let refused = HexString.split(17, Some("0"), Some("F")).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "16 rows can't make 17 regions: ask for at most 16, or widen the range"
        );
        assert_eq!(HexString.split(16, Some("0"), Some("F")).unwrap().region_count(), 16);
    }

    #[test]
    fn ends_that_are_no_hex_numbers_are_refused() {
        let refused = HexString.split(2, Some("xyz"), Some("FF")).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "row \"xyz\" is not a number: HexStringSplit takes the digits 0-9 and a-f"
        );
        assert_eq!(HexString.split(2, Some(""), None), Err(SplitError::EmptyNumber));
        assert!(matches!(HexString.split(1, Some("5"), Some("5")), Err(SplitError::EmptyRange { .. })));
    }

    #[test]
    fn rows_may_be_wider_than_128_bits() {
        let last = "f".repeat(40);
        let points = HexString.split(16, Some("0"), Some(&last)).unwrap();
        assert_eq!(points.keys()[14].as_bytes(), format!("f{}", "0".repeat(39)).as_bytes());
    }
}
