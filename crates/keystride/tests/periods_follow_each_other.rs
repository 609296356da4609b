//! Periods on random instants, near changes of clocks above all: they leave no hole and never run back.

use keystride::time::{Period, Zone};
use proptest::prelude::*;

/// Zones whose clocks were once changed in an awkward way, with the epoch second of that change.
const CHANGES: [(&str, i64); 13] = [
    ("UTC", 0),
    ("America/New_York", 1_362_898_800),
    ("America/New_York", 1_383_458_400),
    ("America/St_Johns", 1_130_639_460),
    ("America/Sao_Paulo", 1_541_300_400),
    ("Australia/Lord_Howe", 1_586_012_400),
    ("Australia/Lord_Howe", 1_601_739_000),
    ("Pacific/Apia", 1_325_239_200),
    ("Pacific/Kwajalein", -7_988_400),
    ("Pacific/Kwajalein", 745_934_400),
    ("Asia/Manila", -3_944_621_032),
    ("America/Juneau", -3_225_223_727),
    ("Asia/Shanghai", -2_177_481_943),
];

const PERIODS: [&str; 12] = ["1s", "30s", "1m", "15m", "30m", "1h", "2h", "12h", "1d", "7d", "1mo", "1y"];

fn near_changes() -> impl Strategy<Value = (Zone, i64, i64)> {
    let far = 0..9_000_000_000_000_000_000_i64;
    let by = prop_oneof![-10_000_000..10_000_000_i64, -200_000_000..200_000_000_i64, far];
    (prop::sample::select(CHANGES.to_vec()), by, 0..100_000_000_i64).prop_map(
        |((name, second), by, later)| {
            let instant = second * 1000 + by;
            (Zone::parse(name).expect("a zone"), instant, instant + later)
        },
    )
}

fn periods() -> impl Strategy<Value = Period> {
    prop::sample::select(PERIODS.map(|text| text.parse().expect("a period")).to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn an_instant_lies_in_one_period((zone, instant, _) in near_changes(), period in periods()) {
        let (start, next) = (period.floor(instant, &zone), period.next(instant, &zone));
        prop_assert!(start <= instant && instant < next, "{start} {next}");
        for same in [start, next - 1] {
            prop_assert_eq!((period.floor(same, &zone), period.next(same, &zone)), (start, next));
        }
        prop_assert_eq!(period.floor(next, &zone), next);
    }

    #[test]
    fn later_instants_lie_in_later_periods((zone, instant, later) in near_changes(), period in periods()) {
        prop_assert!(period.floor(instant, &zone) <= period.floor(later, &zone));
    }
}
