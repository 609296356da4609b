use super::*;

/// Writes `rows` keys that `key` makes of their numbers, and closes a column of a second.
fn second(traffic: &mut Traffic, n: i64, rows: u32, key: impl Fn(u32) -> String) -> Column {
    (0..rows).for_each(|row| traffic.written(key(row).as_bytes(), 10));
    traffic.close(n * 1_000, (n + 1) * 1_000)
}

fn scattered(row: u32) -> String {
    format!("{:08x}", row.wrapping_mul(0x9e37_79b9))
}

fn rates(column: &Column) -> Vec<f64> {
    let cells = column.cells.as_ref().unwrap();
    (0..cells.len()).map(|cell| cells.cell(cell).rates[Metric::RowsWritten.index()]).collect()
}

#[test]
fn every_row_is_counted_once_whatever_is_cut_and_joined() {
    let mut traffic = Traffic::default();
    for n in 0..30 {
        let prefix = n / 10;
        let column = second(&mut traffic, n, 5_000, |row| format!("{prefix}{}", scattered(row)));
        let cells = column.cells.unwrap();
        assert!((cells.total(Metric::RowsWritten) - 5_000.0).abs() < 10.0);
        assert!((cells.total(Metric::BytesWritten) - 50_000.0).abs() < 100.0);
        assert!(cells.total(Metric::RowsRead) < 0.1);
        assert!(cells.len() <= MOST_CELLS, "{}", cells.len());
    }
}

const MOST_CELLS: usize = 1_025;

#[test]
fn even_writes_are_even_in_the_map_and_its_boundaries_stay() {
    let mut traffic = Traffic::default();
    for n in 0..20 {
        second(&mut traffic, n, 20_000, scattered);
    }
    let (one, two) =
        (second(&mut traffic, 20, 20_000, scattered), second(&mut traffic, 21, 20_000, scattered));
    assert!(one.axis().unwrap().is_shared_with(two.axis().unwrap()));
    let rates = rates(&two);
    assert!(rates.len() > 150, "{}", rates.len());
    let most = rates.iter().copied().fold(0.0, f64::max);
    assert!(most < 4.0 * 20_000.0 / float_of(rates.len()), "{most}");
}

#[test]
fn one_hot_key_has_a_range_of_its_own() {
    let mut traffic = Traffic::default();
    let key = |row: u32| if row.is_multiple_of(4) { "8_hot".to_owned() } else { scattered(row) };
    for n in 0..20 {
        second(&mut traffic, n, 10_000, key);
    }
    let column = second(&mut traffic, 20, 10_000, key);
    let hot = rates(&column)[column.axis().unwrap().cell_of(b"8_hot")];
    assert!((2_450.0..2_700.0).contains(&hot), "{hot}: little else is in its range");
}

#[test]
fn boundaries_of_regions_and_buckets_are_kept_and_gone_when_told_so() {
    let mut traffic = Traffic::default();
    let (regions, borders) = (Axis::new(["4", "c"]).unwrap(), Axis::new(["8"]).unwrap());
    traffic.set_regions(&regions);
    traffic.set_borders(&borders);
    for n in 0..10 {
        second(&mut traffic, n, 10_000, |row| format!("9{}", scattered(row)));
    }
    let axis = traffic.close(10_000, 11_000).axis().unwrap().clone();
    assert!(regions.is_subset(&axis) && borders.is_subset(&axis));
    assert_eq!(axis.cell_of(b"3"), 0, "nothing was written there");
    traffic.set_regions(&Axis::whole());
    traffic.close(11_000, 12_000);
    let axis = traffic.close(12_000, 13_000).axis().unwrap().clone();
    assert!(!regions.is_subset(&axis) && borders.is_subset(&axis));
}

#[test]
fn keys_tell_who_was_there_then() {
    let mut traffic = Traffic::default();
    second(&mut traffic, 0, 3_000, |row| format!("a{}", row % 3));
    second(&mut traffic, 1, 1_000, |row| format!("b{}", row % 2));
    traffic.read(b"a1");
    traffic.close(2_000, 3_000);
    let rows = |metric, times, start: &str, stop: Option<&str>| {
        let keys = traffic.keys(metric, times, start.as_bytes(), stop.map(str::as_bytes));
        keys.iter().map(|(_, rows)| rows).sum::<f64>()
    };
    assert!((rows(Metric::RowsWritten, 0..3_000, "", None) - 4_000.0).abs() < 0.1);
    assert!((rows(Metric::BytesWritten, 1_000..3_000, "", None) - 1_000.0).abs() < 0.1);
    assert!(rows(Metric::RowsWritten, 0..1_000, "b", None) < 0.1);
    assert!((rows(Metric::RowsWritten, 0..1_000, "a1", Some("a2")) - 1_000.0).abs() < 500.0);
    assert!((rows(Metric::RowsRead, 0..9_000, "", None) - 1.0).abs() < 0.1);
}
