use super::*;
use crate::live::{Axis, Cell, Cells};

/// Columns of 10 s from the rate that a function gives for each column and region.
fn stream(regions: u32, columns: u32, rate: impl Fn(u32, u32) -> f64) -> Vec<Arc<Column>> {
    stream_on(regions, columns, |region| u16::try_from(region % 4).unwrap(), rate)
}

fn stream_on(
    regions: u32,
    columns: u32,
    server: impl Fn(u32) -> u16,
    rate: impl Fn(u32, u32) -> f64,
) -> Vec<Arc<Column>> {
    let axis = Axis::new((1..regions).map(|region| format!("{region:03}"))).unwrap();
    let column = |n: u32| {
        let cell = |region| Cell::known([0.0, rate(n, region), 0.0], server(region));
        let cells: Vec<Cell> = (0..regions).map(cell).collect();
        let cells = Some(Cells::new(axis.clone(), [false, true, false], &cells));
        let t0_ms = i64::from(n) * 10_000;
        Arc::new(Column { t0_ms, t1_ms: t0_ms + 10_000, cells })
    };
    (0..columns).map(column).collect()
}

fn found(columns: &[Arc<Column>]) -> Vec<Finding> {
    findings(columns, Metric::RowsWritten, &[])
}

/// The names of what is found.
fn names(columns: &[Arc<Column>]) -> Vec<String> {
    let name = |finding: Finding| {
        let text = format!("{finding:?}");
        text.split(' ').next().unwrap_or_default().to_owned()
    };
    found(columns).into_iter().map(name).collect()
}

/// A number from 0 to 1 that looks random.
fn noise(column: u32, region: u32) -> f64 {
    let mixed =
        (u64::from(column) << 32 | u64::from(region)).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    f64::from(u16::try_from(mixed >> 48).unwrap()) / 65_536.0
}

fn flat(column: u32, region: u32) -> f64 {
    1000.0 + 20.0 * noise(column, region)
}

#[test]
fn even_regions_are_even_and_one_of_twice_the_mean_is_not() {
    let even = stream(16, 30, flat);
    assert_eq!(names(&even), ["Even"]);
    let Finding::Even { imbalance, chance, .. } = found(&even)[0] else { panic!() };
    assert!(imbalance > 1.0 && imbalance < 1.03 && chance > 1.0 && chance < 1.03);
    let twice = stream(16, 30, |column, region| flat(column, region) * if region == 3 { 2.0 } else { 1.0 });
    assert!(names(&twice).is_empty());
    // Few rows are uneven by chance.
    let few = stream(16, 30, |column, region| if (column + region) % 16 < 3 { 0.4 } else { 0.1 });
    assert_eq!(names(&few), ["Even"]);
}

#[test]
fn a_region_is_hot_in_most_columns_or_not_at_all() {
    let hot = |part: u32| {
        stream(
            16,
            40,
            move |column, region| {
                if region == 5 && column % 10 < part { 9000.0 } else { flat(column, region) }
            },
        )
    };
    assert_eq!(names(&hot(9)), ["HotRegion"]);
    let Finding::HotRegion { area, share_of_columns, .. } = &found(&hot(9))[0] else { panic!() };
    assert_eq!(
        (area.regions.clone(), &*area.start, area.stop.as_deref()),
        (5..6, &b"005"[..], Some(&b"006"[..]))
    );
    assert_eq!((area.t0_ms, area.t1_ms), (100_000, 400_000), "the last 30 columns");
    assert!((share_of_columns - 0.9).abs() < 1e-9);
    assert!(!names(&hot(6)).contains(&"HotRegion".to_owned()));
}

#[test]
fn a_front_moves_and_flicker_does_not() {
    let front = stream(10, 40, |column, region| if region == column / 4 { 5000.0 } else { 10.0 });
    let Finding::MovingFront { direction, correlation, area } = &found(&front)[0] else {
        panic!("{:?}", names(&front))
    };
    assert!(*direction == Direction::Up && *correlation > 0.99);
    assert_eq!(area.regions, 0..10);
    // One step back is no diagonal any more, but still a front.
    let back = stream(10, 40, |column, region| {
        let at = if column == 20 { 4 } else { column / 4 };
        if region == 9 - at { 5000.0 } else { 10.0 }
    });
    assert!(matches!(&found(&back)[0], Finding::MovingFront { direction: Direction::Down, .. }));
    let flicker = stream(10, 40, |column, region| if region == column * 7 % 10 { 5000.0 } else { 10.0 });
    assert_eq!(names(&flicker), ["HotInTurn"]);
    let Finding::HotInTurn { share, region_count, .. } = found(&flicker)[0] else { panic!() };
    assert!(region_count == 10 && (share - 5000.0 / 5090.0).abs() < 0.001);
    let by_chance = stream(16, 40, |column, region| if column * 7 % 16 == region { 0.3 } else { 0.1 });
    assert_eq!(names(&by_chance), ["Even"], "three rows of twenty");
    // The load has ended.
    let idle =
        stream(10, 80, |column, region| if column < 40 && region == column * 7 % 10 { 5000.0 } else { 0.0 });
    let ended = found(&idle).into_iter().find_map(|finding| match finding {
        Finding::HotInTurn { area, .. } => Some((area.t0_ms, area.t1_ms)),
        _ => None,
    });
    assert_eq!(ended, Some((100_000, 400_000)), "the last 30 columns with rows");
    // Long ago it was elsewhere.
    let again = stream(10, 80, |column, region| if region == (column + 30) / 8 % 10 { 5000.0 } else { 10.0 });
    assert_eq!(names(&again), ["MovingFront"]);
    let even = stream(10, 40, |column, region| 1000.0 + if region == column / 4 { 10.0 } else { 0.0 });
    assert_eq!(names(&even), ["Even"], "what chance explains does not move");
}

fn buckets(count: u8) -> Vec<BucketRange> {
    let bucket = |n: u8| BucketRange {
        prefix: format!("{n:02}").into_bytes(),
        stop: (n + 1 < count).then(|| format!("{:02}", n + 1).into_bytes()),
    };
    (0..count).map(bucket).collect()
}

#[test]
fn a_front_at_the_end_is_in_the_last_region_of_each_bucket() {
    // Regions 000 to 039: ten of each of four buckets.
    let at_end = stream(40, 20, |column, region| if region % 10 == 9 { flat(column, region) } else { 5.0 });
    let of_buckets = findings(&at_end, Metric::RowsWritten, &buckets(4));
    let front = of_buckets.iter().find_map(|finding| match finding {
        Finding::FrontAtEnd { share, areas } => Some((*share, areas.len(), areas[1].regions.clone())),
        _ => None,
    });
    assert!(front.is_some_and(|(share, count, regions)| share > 0.9 && count == 4 && regions == (19..20)));
    assert!(
        !names(&at_end).contains(&"FrontAtEnd".to_owned()),
        "without buckets, three of them are elsewhere"
    );
    let last = stream(10, 20, |_, region| if region == 9 { 900.0 } else { 1.0 });
    assert!(names(&last).contains(&"FrontAtEnd".to_owned()));
    let two = stream(4, 20, |_, region| if region == 3 { 900.0 } else { 100.0 });
    assert!(!names(&two).contains(&"FrontAtEnd".to_owned()));
    let one_each = findings(&stream(40, 20, flat), Metric::RowsWritten, &buckets(40));
    assert!(one_each.iter().all(|finding| matches!(finding, Finding::Even { .. })));
}

#[test]
fn a_front_in_buckets_moves_by_keys_without_them() {
    let columns =
        stream(
            40,
            40,
            |column, region| {
                if region % 10 == column / 4 && region / 10 == column % 4 { 5000.0 } else { 10.0 }
            },
        );
    let is_front =
        |finding: &Finding| matches!(finding, Finding::MovingFront { direction: Direction::Up, .. });
    assert!(findings(&columns, Metric::RowsWritten, &buckets(4)).iter().any(is_front));
    assert!(!found(&columns).iter().any(is_front));
}

#[test]
fn a_sudden_change_is_one_of_medians() {
    let change = |factor: f64| {
        stream(8, 40, move |column, region| flat(column, region) * if column < 25 { 1.0 } else { factor })
    };
    for factor in [8.0, 0.1] {
        let found = found(&change(factor));
        let at = found.iter().find_map(|finding| match finding {
            Finding::SuddenChange { at_ms, before, after, .. } => {
                Some((*at_ms, (after / before * 10.0).round()))
            }
            _ => None,
        });
        assert_eq!(at, Some((250_000, factor * 10.0)));
    }
    assert_eq!(names(&change(4.0)), ["Even"]);
    let spike = stream(8, 40, |column, region| flat(column, region) * if column == 25 { 50.0 } else { 1.0 });
    assert_eq!(names(&spike), ["Even"]);
}

#[test]
fn a_period_is_found_and_a_slow_change_is_none() {
    let wave = |period: f64| {
        stream(4, 360, move |column, region| {
            flat(column, region) * (1.5 + (f64::from(column) / period * std::f64::consts::TAU).sin())
        })
    };
    let period = found(&wave(60.0)).into_iter().find_map(|finding| match finding {
        Finding::Periodic { period_ms, correlation, .. } => Some((period_ms, correlation)),
        _ => None,
    });
    assert!(
        period.is_some_and(|(ms, correlation)| ms.abs_diff(600_000) <= 10_000 && correlation > 0.9),
        "{period:?}"
    );
    let has_period = |columns: &[Arc<Column>]| names(columns).contains(&"Periodic".to_owned());
    assert!(!has_period(&wave(1000.0)), "less than a period");
    assert!(
        !has_period(&wave(15.0))
            || matches!(found(&wave(15.0))[1], Finding::Periodic { period_ms: 300_000, .. })
    );
    assert!(!has_period(&stream(4, 360, |column, region| f64::from(column) + flat(column, region))));
    assert!(!has_period(&stream(4, 360, |column, _| 1000.0 * noise(column, 0))));
}

#[test]
fn a_stripe_is_of_all_regions_and_ends() {
    let pause =
        |but: u32, until: u32| {
            stream(8, 40, move |column, region| {
                if (20..until).contains(&column) && region != but { 3.0 } else { flat(column, region) }
            })
        };
    assert_eq!(names(&pause(99, 22)), ["Even", "Stripe"]);
    let Finding::Stripe { area, .. } = &found(&pause(99, 22))[1] else { panic!() };
    assert_eq!((area.t0_ms, area.t1_ms, area.regions.clone()), (200_000, 220_000, 0..8));
    assert!(!names(&pause(3, 22)).contains(&"Stripe".to_owned()), "one region goes on");
    assert!(!names(&pause(99, 40)).contains(&"Stripe".to_owned()), "it has not ended");
}

#[test]
fn regions_are_never_used_while_the_table_gets_many_rows() {
    let unused =
        |rate: f64| stream(18, 20, move |_, region| if region == 0 || region == 17 { 0.0 } else { rate });
    let found = found(&unused(1000.0));
    let (count, areas) = found
        .iter()
        .find_map(|finding| match finding {
            Finding::NeverUsed { region_count, areas, .. } => Some((*region_count, areas)),
            _ => None,
        })
        .unwrap();
    assert_eq!((count, areas[0].regions.clone(), areas[1].stop.clone()), (2, 0..1, None));
    assert!(!names(&unused(2.0)).contains(&"NeverUsed".to_owned()), "too few rows say nothing");
    let rare = stream(18, 20, |column, region| if region == 17 && column > 0 { 0.0 } else { 1000.0 });
    assert!(!names(&rare).contains(&"NeverUsed".to_owned()));
}

#[test]
fn a_server_is_hot_while_its_regions_are_even() {
    let badly = |region: u32| u16::try_from(if region < 10 { 0 } else { region % 4 }).unwrap();
    let columns = stream_on(16, 30, badly, flat);
    assert_eq!(names(&columns), ["Even", "HotServer"]);
    let Finding::HotServer { server, imbalance, .. } = found(&columns)[1] else { panic!() };
    assert!(server == 0 && imbalance > 2.5);
    let by_key =
        stream_on(16, 30, badly, |column, region| flat(column, region) * if region < 4 { 4.0 } else { 1.0 });
    assert!(!names(&by_key).contains(&"HotServer".to_owned()), "it is the keys");
}

#[test]
fn few_columns_and_gaps_say_nothing() {
    assert!(names(&stream(4, 9, flat)).is_empty());
    let gaps: Vec<_> = (0..50).map(|n| Arc::new(Column::gap(n, n + 1))).collect();
    assert!(names(&gaps).is_empty());
    assert!(names(&stream(1, 30, flat)).is_empty(), "one region is always even");
    assert!(names(&stream(4, 30, |_, _| 0.0)).is_empty());
}
