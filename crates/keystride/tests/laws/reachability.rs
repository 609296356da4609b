use keystride::{KeyLanguage, SplitPoints};
use proptest::prelude::*;

use crate::designs::small_design;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_region_proved_empty_holds_no_key(
        design in small_design(),
        cuts in prop::collection::btree_set(prop::collection::vec(prop::sample::select(vec![0, 1, 0x21, 0x30, 0x31, 0x39, 0x61, 0x62, 0x7f, 0x80, 0xff]), 1..4), 1..6),
    ) {
        let codec = design.codec();
        let language = KeyLanguage::new(&codec);
        let points = SplitPoints::new(&cuts).unwrap();
        let keys = design.all_keys();
        for region in points.regions() {
            let reachable = language.meets(region.start(), region.stop());
            let holds = keys.iter().any(|key| region.contains(key));
            prop_assert!(reachable || !holds, "{region} is said to be empty\n{}", design.toml);
        }
    }

    /// Without buckets and hashes the values of different parts are independent, and the language is exact.
    #[test]
    fn without_buckets_the_language_is_exact(design in small_design(), probe in prop::collection::vec(any::<u8>(), 0..6)) {
        if design.toml.contains("bucket") {
            return Ok(());
        }
        let language = KeyLanguage::new(&design.codec());
        let keys = design.all_keys();
        let probes = keys.iter().flat_map(|key| [key.clone(), [key.as_slice(), &[0]].concat()]).chain([probe]);
        for probe in probes {
            let expected = keys.iter().find(|key| **key >= probe).cloned();
            let found = language.first_at_or_after(&probe);
            prop_assert_eq!(found, expected, "after {:?}\n{}", probe, design.toml);
        }
    }

    #[test]
    fn shares_rise_from_nothing_to_all(design in small_design()) {
        let language = KeyLanguage::new(&design.codec());
        let keys = design.all_keys();
        let shares: Vec<f64> = keys.iter().map(|key| language.share_below(key)).collect();
        prop_assert!(shares.windows(2).all(|pair| pair[0] <= pair[1] + 1e-9), "{shares:?}\n{}", design.toml);
        prop_assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
    }
}
