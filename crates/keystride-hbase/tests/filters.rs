//! Filters, in forward and reverse scans.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod scratch;

use futures_util::TryStreamExt;
use keystride_hbase::{
    BitJoin, ColumnTest, Comparator, Compare, DependentColumn, FamilyDescriptor, FamilyName, Filter,
    FuzzyRow, Get, Mutation, Operation, Order, Regex, RegexEngine, Row, RowRange, Scan, Selection, Table,
    TableDescriptor,
};
use scratch::Scratch;

const ROWS: u32 = 24;

/// A filter, and the columns of rows that it keeps.
struct Case {
    filter: Filter,
    keeps: fn(u32, &str) -> bool,
}

fn case(filter: Filter, keeps: fn(u32, &str) -> bool) -> Case {
    Case { filter, keeps }
}

fn key(row: u32) -> String {
    format!("k{row:02}")
}

/// Row *n* has `f:a` = `vn` and `g:c` = `x`, both at *n* + 1, and if *n* is even `f:b` = the number, at 7.
async fn table(scratch: &Scratch) -> Table {
    let mut descriptor = TableDescriptor::new(scratch.name("t"));
    for family in ["f", "g"] {
        descriptor.set_family(FamilyDescriptor::new(FamilyName::new(family).unwrap()));
    }
    scratch.admin.create_table(&descriptor, &["k08", "k16"]).await.unwrap();
    let table = scratch.client.table(descriptor.name);
    let puts = (0..ROWS).map(|row| {
        let ts = i64::from(row) + 1;
        let put = Mutation::put(key(row)).value_at("f", "a", ts, format!("v{row:02}"));
        let put = put.value_at("g", "c", ts, "x");
        let put = if row % 2 == 0 { put.value_at("f", "b", 7, i64::from(row).to_be_bytes()) } else { put };
        Operation::from(put)
    });
    assert!(table.batch(puts.collect()).await.iter().all(Result::is_ok));
    table
}

fn columns(row: u32) -> &'static [&'static str] {
    if row.is_multiple_of(2) { &["a", "b", "c"] } else { &["a", "c"] }
}

async fn found(table: &Table, filter: &Filter, order: Order) -> Vec<String> {
    let scan = Scan::all().filter(filter.clone()).order(order).rows_per_call(5);
    let rows: Vec<Row> = table.scan(scan).try_collect().await.unwrap();
    let rows: Vec<&Row> =
        if order == Order::Reverse { rows.iter().rev().collect() } else { rows.iter().collect() };
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    rows.iter().flat_map(|row| row.cells()).map(|cell| text(cell.row) + &text(cell.qualifier)).collect()
}

fn expected(case: &Case) -> Vec<String> {
    let cells = (0..ROWS).flat_map(|row| columns(row).iter().map(move |column| (row, *column)));
    let kept = cells.filter(|&(row, column)| (case.keeps)(row, column));
    kept.map(|(row, column)| key(row) + column).collect()
}

/// Filters of single rows or cells.
fn of_rows_and_cells() -> Vec<Case> {
    use Compare::{Equal, GreaterOrEqual, Less, NotEqual};
    let regex = |pattern| Comparator::regex(Regex::new(pattern));
    let test = || ColumnTest {
        keep_if_missing: false,
        ..ColumnTest::new("f", "b", GreaterOrEqual, Comparator::long(10))
    };
    let joni = Comparator::regex(Regex::new("^k0[3-5]$").with_engine(RegexEngine::Joni));
    vec![
        case(Filter::row(Equal, regex("^k0[3-5]$")), |row, _| (3..=5).contains(&row)),
        case(Filter::row(Equal, joni), |row, _| (3..=5).contains(&row)),
        case(Filter::row(Less, Comparator::binary("k05")), |row, _| row < 5),
        case(Filter::row(Equal, Comparator::substring("1")), |row, _| key(row).contains('1')),
        case(Filter::prefix("k1"), |row, _| row / 10 == 1),
        case(Filter::row_ranges([RowRange::of("k10"..="k12"), RowRange::of("k02".."k04")]), |row, _| {
            (10..=12).contains(&row) || (2..4).contains(&row)
        }),
        case(Filter::fuzzy_rows([FuzzyRow::new().fixed("k").free(1).fixed("3")]), |row, _| row % 10 == 3),
        case(Filter::random_rows(1.0), |_, _| true),
        case(Filter::nothing(), |_, _| false),
        case(Filter::row_ranges([]), |_, _| false),
        case(Filter::fuzzy_rows([]), |_, _| false),
        case(Filter::any([]), |_, _| false),
        case(Filter::skip(Filter::nothing()), |_, _| false),
        case(Filter::while_match(Filter::nothing()), |_, _| false),
        case(Filter::all([Filter::nothing(), Filter::prefix("k")]), |_, _| false),
        case(Filter::any([Filter::nothing(), Filter::prefix("k1")]), |row, _| row / 10 == 1),
        case(Filter::all([]), |_, _| true),
        case(Filter::family(Equal, Comparator::binary("g")), |_, column| column == "c"),
        case(Filter::qualifier(NotEqual, Comparator::binary("b")), |_, column| column != "b"),
        case(Filter::column_prefix("b"), |_, column| column == "b"),
        case(Filter::column_prefixes(["c", "a"]), |_, column| column != "b"),
        case(Filter::column_range("b".."c"), |_, column| column == "b"),
        case(Filter::column_page_from(1, "b"), |row, column| column == columns(row)[1]),
        case(Filter::first_key_only(), |_, column| column == "a"),
        case(
            Filter::timestamps([3, 7]),
            |row, column| if column == "b" { true } else { row == 2 || row == 6 },
        ),
        case(
            Filter::timestamps_by_seeking([3, 7]),
            |row, column| if column == "b" { true } else { row == 2 || row == 6 },
        ),
        case(Filter::dependent_column(DependentColumn::new("f", "a")), |row, column| {
            column != "b" || row == 6
        }),
        case(Filter::value(Equal, Comparator::binary("x")), |_, column| column == "c"),
        case(Filter::value(Equal, Comparator::binary_prefix("v1")), |row, column| {
            column == "a" && row / 10 == 1
        }),
        case(Filter::value(Equal, Comparator::bits([0xff; 8], BitJoin::And)), |row, column| {
            column == "b" && row > 0
        }),
        case(
            Filter::all([
                Filter::column_prefix("a"),
                Filter::value(Equal, Comparator::binary_component("1", 1)),
            ]),
            |row, column| column == "a" && row / 10 == 1,
        ),
        case(Filter::column_value("f", "b", GreaterOrEqual, Comparator::long(10)), |row, column| {
            column == "b" && row >= 10
        }),
        // Eight bytes are a scale of 0 and a number of four bytes.
        case(Filter::column_value("f", "b", Less, Comparator::big_decimal(100, 1)), |row, column| {
            column == "b" && row < 10
        }),
        case(Filter::value(Equal, Comparator::null()), |_, _| false),
        case(Filter::single_column_value(test()), |row, _| row % 2 == 0 && row >= 10),
        case(Filter::single_column_value_exclude(test()), |row, column| {
            row % 2 == 0 && row >= 10 && column != "b"
        }),
        case(Filter::skip(Filter::value(NotEqual, Comparator::binary("v05"))), |row, _| row != 5),
        case(Filter::any([Filter::prefix("k1"), Filter::row(Equal, regex("3$"))]), |row, _| {
            row / 10 == 1 || row % 10 == 3
        }),
        case(
            Filter::all([
                Filter::any([Filter::prefix("k1"), Filter::prefix("k2")]),
                Filter::qualifier(Equal, Comparator::binary("b")),
            ]),
            |row, column| row >= 10 && column == "b",
        ),
    ]
}

#[tokio::test]
async fn filters_keep_the_same_forwards_and_backwards() {
    let Some(scratch) = Scratch::new("filters_keep_the_same") else { return };
    scratch
        .run(async {
            let table = table(&scratch).await;
            for case in of_rows_and_cells() {
                for order in [Order::Forward, Order::Reverse] {
                    let found = found(&table, &case.filter, order).await;
                    assert_eq!(found, expected(&case), "{:?} {order:?}", case.filter);
                }
            }
        })
        .await;
}

/// Filters that count or end the scan, in its order.
fn of_places() -> Vec<(Order, Case)> {
    use Order::{Forward, Reverse};
    let page = || Filter::page(2);
    let until = |compare| Filter::while_match(Filter::row(compare, Comparator::binary("k05")));
    vec![
        (Forward, case(page(), |row, _| row % 8 < 2)),
        (Reverse, case(page(), |row, _| row % 8 >= 6)),
        (Forward, case(Filter::inclusive_stop("k05"), |row, _| row <= 5)),
        (Reverse, case(Filter::inclusive_stop("k05"), |row, _| row >= 5)),
        (Forward, case(until(Compare::Less), |row, _| row < 5)),
        (Reverse, case(until(Compare::Greater), |row, _| row > 5)),
        (Forward, case(Filter::first_key_until(["b"]), |row, column| row % 2 == 1 || column != "c")),
    ]
}

#[tokio::test]
async fn filters_that_count_or_stop_do_so_from_where_a_scan_begins() {
    let Some(scratch) = Scratch::new("filters_that_count_or_stop") else { return };
    scratch
        .run(async {
            let table = table(&scratch).await;
            for (order, case) in of_places() {
                assert_eq!(found(&table, &case.filter, order).await, expected(&case), "{:?}", case.filter);
            }
        })
        .await;
}

#[tokio::test]
async fn columns_come_page_by_page() {
    let Some(scratch) = Scratch::new("columns_come_page_by_page") else { return };
    scratch
        .run(async {
            let table = scratch.table("t", &[b"r1"]).await;
            for row in ["r0", "r1", "r2"] {
                let put = (0..10).fold(Mutation::put(row), |put, at| put.value("f", format!("q{at}"), "v"));
                table.mutate(put).await.unwrap();
            }
            for order in [Order::Forward, Order::Reverse] {
                let page = found(&table, &Filter::column_page(3, 4), order).await;
                let row = |row: &str| ["q4", "q5", "q6"].map(|column| format!("{row}{column}"));
                assert_eq!(page, ["r0", "r1", "r2"].map(row).concat(), "{order:?}");
            }
            let first = Selection::all().filter(Filter::column_count(2));
            assert_eq!(table.get(&Get::new("r1").select(first)).await.unwrap().cells().count(), 2);
        })
        .await;
}

#[tokio::test]
async fn keys_come_without_values_and_servers_count_what_they_keep() {
    let Some(scratch) = Scratch::new("keys_come_without_values") else { return };
    scratch
        .run(async {
            let table = table(&scratch).await;
            let rows: Vec<Row> =
                table.scan(Scan::all().filter(Filter::key_only())).try_collect().await.unwrap();
            assert!(rows.iter().flat_map(Row::cells).all(|cell| cell.value.is_empty()));
            let lengths = Scan::all().filter(Filter::key_and_length());
            let rows: Vec<Row> = table.scan(lengths).try_collect().await.unwrap();
            assert!(rows.iter().all(|row| row.value(b"f", b"a") == Some(&[0, 0, 0, 3])));

            let mut scanner = table.scan(Scan::all().filter(Filter::prefix("k2")).with_metrics());
            let mut count = 0;
            while let Some(rows) = scanner.next_rows().await.unwrap() {
                count += rows.len() as u64;
            }
            let metrics = scanner.metrics();
            assert_eq!(count, 4);
            assert!(metrics.rows_scanned >= count && metrics.rows_filtered > 0, "{metrics:?}");
            let of_regions: u64 = scanner.take_rows_scanned().iter().map(|(_, rows)| rows).sum();
            assert_eq!(of_regions, metrics.rows_scanned);
        })
        .await;
}
