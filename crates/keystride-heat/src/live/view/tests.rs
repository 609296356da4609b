use proptest::prelude::*;

use super::*;
use crate::live::{APPROX, Cell, Cells, NO_SERVER, UNKNOWN, rate_of};

fn column(t0_s: i64, bounds: &[&str], cells: &[Cell]) -> Arc<Column> {
    let cells = Some(Cells::new(Axis::new(bounds).unwrap(), [true, true, false], cells));
    Arc::new(Column { t0_ms: t0_s * 1000, t1_ms: t0_s * 1000 + 10_000, cells })
}

fn written(rate: f64) -> Cell {
    Cell::known([0.0, rate, 0.0], 0)
}

fn request() -> ViewRequest<'static> {
    ViewRequest::new(Metric::RowsWritten)
}

fn rates(view: &View, column: usize) -> Vec<f64> {
    view.codes_of(column).iter().map(|&code| rate_of(code).round()).collect()
}

#[test]
fn a_row_of_several_regions_shows_the_hottest_and_its_flags_are_those_of_all() {
    let unknown = Cell::unknown(NO_SERVER);
    let cells = [written(5.0), written(70.0), unknown, unknown, Cell { flags: APPROX, ..written(8.0) }];
    let columns = [column(0, &["b", "c", "d", "e"], &cells)];
    let rows = Axis::new(["c", "d", "e"]).unwrap();
    let view = View::of(&columns, &ViewRequest { rows: Rows::Exactly(&rows), ..request() });
    assert_eq!(rates(&view, 0), [70.0, 0.0, 0.0, 8.0]);
    assert_eq!(view.flags_of(0), [0, UNKNOWN, UNKNOWN, APPROX]);
    let under = columns[0].cells.as_ref().unwrap().under(b"a", Some(b"c"));
    assert_eq!((under.rates[1].round(), under.most[1].round(), under.regions), (75.0, 70.0, 2));
    let two = Axis::new(["c"]).unwrap();
    let view = View::of(&columns, &ViewRequest { rows: Rows::Exactly(&two), ..request() });
    assert_eq!(view.flags_of(0), [0, APPROX], "a part of the second row is unknown");
}

#[test]
fn gaps_and_metrics_that_are_not_counted_are_unknown() {
    let columns = [column(0, &["m"], &[written(1.0); 2]), Arc::new(Column::gap(10_000, 20_000))];
    let view = View::of(&columns, &request());
    assert_eq!((view.columns()[0].is_gap, view.columns()[1].is_gap), (false, true));
    assert_eq!((view.flags_of(0), view.flags_of(1)), (&[0, 0][..], &[UNKNOWN; 2][..]));
    let bytes = View::of(&columns, &ViewRequest::new(Metric::BytesWritten));
    assert_eq!(bytes.flags_of(0), [UNKNOWN; 2]);
    assert_eq!(View::of(&[], &request()).rows().cell_count(), 1);
}

#[test]
fn servers_are_those_of_the_regions_that_are_shown() {
    let cells = [Cell { server: 4, ..written(5.0) }, Cell { server: 2, ..written(9.0) }, written(1.0)];
    let columns = [column(0, &["b", "c"], &cells)];
    let rows = Axis::new(["c"]).unwrap();
    let view =
        View::of(&columns, &ViewRequest { mode: Mode::Server, rows: Rows::Exactly(&rows), ..request() });
    assert_eq!(view.servers_of(0), Some(&[2, 0][..]));
    assert_eq!(View::of(&columns, &request()).servers_of(0), None);
}

#[test]
fn density_is_the_rate_per_gib_of_the_region() {
    const GIB: u64 = 1 << 30;
    let columns = [column(0, &["m"], &[written(100.0); 2]), column(10, &[], &[written(60.0)])];
    let sizes = Sizes::new(Axis::new(["m"]).unwrap(), &[GIB, 4 * GIB]).unwrap();
    let view = View::of(&columns, &ViewRequest { mode: Mode::Density(&sizes), ..request() });
    assert_eq!((rates(&view, 0), rates(&view, 1)), (vec![100.0, 25.0], vec![12.0, 12.0]));
    assert!(Sizes::new(Axis::whole(), &[1, 2]).is_none());
    let empty = Sizes::new(Axis::whole(), &[0]).unwrap();
    let view = View::of(&columns, &ViewRequest { mode: Mode::Density(&empty), ..request() });
    let of_one_mib = 60.0 * 1024.0;
    assert!((rates(&view, 1)[0] / of_one_mib - 1.0).abs() < 0.001, "an empty region counts as 1 MiB");
}

fn buckets() -> [BucketRange; 3] {
    ["0", "1", "2"].map(|digit| BucketRange {
        prefix: digit.into(),
        stop: (digit != "2").then(|| vec![digit.as_bytes()[0] + 1]),
    })
}

#[test]
fn a_folded_map_adds_the_buckets_at_each_key_without_its_bucket() {
    let bounds = ["0m", "1", "1g", "1m", "2", "2m"];
    let cells = [1.0, 2.0, 10.0, 20.0, 30.0, 100.0, 200.0].map(written);
    let buckets = buckets();
    let folded = ViewRequest { mode: Mode::Folded(&buckets), ..request() };
    let view = View::of(&[column(0, &bounds, &cells)], &folded);
    assert_eq!(view.rows(), &Axis::new(["g", "m"]).unwrap());
    assert_eq!(rates(&view, 0), [111.0, 121.0, 232.0]);
    assert_eq!(view.flags_of(0), [0, 0, 0]);
    // One region of two buckets counts once.
    let view = View::of(&[column(0, &["2"], &[7.0, 100.0].map(written))], &folded);
    assert_eq!(rates(&view, 0), [107.0]);
    let view =
        View::of(&[column(0, &[], &[written(7.0)])], &ViewRequest { mode: Mode::Folded(&[]), ..request() });
    assert_eq!(view.flags_of(0), [UNKNOWN], "without buckets there is nothing to fold");
}

#[test]
fn too_many_rows_are_joined_where_it_is_cold_and_borders_stay() {
    let bounds: Vec<String> = (1..400).map(|n| format!("{n:03}")).collect();
    let bounds: Vec<&str> = bounds.iter().map(String::as_str).collect();
    let mut cells = vec![written(1.0); 400];
    cells[123] = written(500.0);
    let columns = [column(0, &bounds, &cells)];
    let borders = ["100", "200", "300"].map(|key| key.as_bytes().to_vec());
    let few = ViewRequest { most_rows: 20, borders: &borders, ..request() };
    let view = View::of(&columns, &few);
    assert_eq!(view.rows().cell_count(), 20);
    assert!(borders.iter().all(|border| view.rows().bounds().any(|bound| bound == border)));
    let hot = view.rows().cell_of(b"123");
    assert_eq!((view.rows().start(hot), view.rows().stop(hot)), (&b"123"[..], Some(&b"124"[..])));

    // The rows stay while they show what is hot, and do not when it moves into one of several regions.
    let next = |hot: usize| {
        let mut cells = vec![written(2.0); 400];
        cells[hot] = written(500.0);
        [column(10, &bounds, &cells)]
    };
    let prefer = ViewRequest { rows: Rows::Prefer(view.rows()), ..few };
    assert_eq!(View::of(&next(123), &prefer).rows(), view.rows());
    let moved = View::of(&next(250), &prefer);
    assert_ne!(moved.rows(), view.rows());
    assert_eq!(moved.rows().stop(moved.rows().cell_of(b"250")), Some(&b"251"[..]));
}

#[test]
fn the_scale_is_of_nearly_all_values_and_one_spike_is_above_it() {
    let mut columns: Vec<_> =
        (0..200).map(|n| column(n * 10, &["b", "c", "d", "e", "f"], &[written(200.0); 6])).collect();
    columns.push(column(
        2000,
        &["b", "c", "d", "e", "f"],
        &[1e6, 200.0, 200.0, 200.0, 200.0, 200.0].map(written),
    ));
    let scale = View::of(&columns, &request()).scale();
    assert!((scale.max - 200.0).abs() < 1.0 && scale.floor > 1.0, "{scale:?}");
    assert!(scale.even_share > 200.0 && scale.even_share < 2000.0);
    // Before a region is split, many rows show it: it is one value all the same.
    let bounds: Vec<String> = (10..99).map(|bound| bound.to_string()).collect();
    let bounds: Vec<&str> = bounds.iter().map(String::as_str).collect();
    let mut split = vec![column(0, &[], &[written(18_000.0)])];
    split.extend((1..30).map(|n| column(n * 10, &bounds, &[written(200.0); 90])));
    let scale = View::of(&split, &request()).scale();
    assert!((scale.max - 200.0).abs() < 1.0, "{scale:?}");
    let nothing = View::of(&[column(0, &[], &[written(0.0)])], &request()).scale();
    assert_eq!((nothing.floor, nothing.max, nothing.even_share), (1.0, 1.0, 0.0));
}

#[test]
fn the_block_has_codes_then_servers_then_flags() {
    let columns =
        [column(0, &["m"], &[written(1.0), Cell::unknown(3)]), Arc::new(Column::gap(10_000, 20_000))];
    let view = View::of(&columns, &ViewRequest { mode: Mode::Server, ..request() });
    let block = view.block();
    assert_eq!(block[..2], 1420_u16.to_be_bytes());
    assert_eq!(block[8..], [0, 0, 0, 3, 255, 255, 255, 255, 0, UNKNOWN, UNKNOWN, UNKNOWN]);
    let plain = View::of(&columns, &request());
    assert_eq!(plain.block().len(), 12);
}

proptest! {
    #[test]
    fn every_row_shows_the_highest_rate_of_the_regions_that_have_its_keys(
        own in prop::collection::btree_map(prop::collection::vec(0..4_u8, 1..3), 1..1000_u32, 1..14),
        rows in prop::collection::btree_set(prop::collection::vec(0..4_u8, 1..3), 0..8),
    ) {
        let cells: Vec<Cell> = own.values().chain([&5]).map(|&rate| written(f64::from(rate))).collect();
        let axis = Axis::new(own.keys()).unwrap();
        let rows = Axis::new(&rows).unwrap();
        let cells = Some(Cells::new(axis.clone(), [false, true, false], &cells));
        let columns = [Arc::new(Column { t0_ms: 0, t1_ms: 1, cells })];
        let view = View::of(&columns, &ViewRequest { rows: Rows::Exactly(&rows), ..request() });
        for row in 0..rows.cell_count() {
            let under = columns[0].cells.as_ref().unwrap().under(rows.start(row), rows.stop(row));
            prop_assert!((rate_of(view.codes_of(0)[row]) - under.most[1]).abs() < 0.001);
            let is_inside = row > 0 && axis.bounds().all(|bound| bound != rows.start(row));
            prop_assert_eq!(view.flags_of(0)[row] & CONTINUES != 0, is_inside);
        }
    }
}
