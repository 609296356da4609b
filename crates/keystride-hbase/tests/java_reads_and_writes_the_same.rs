//! Java's client reads what is written here, and the other way round: all versions, tags and delete markers.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod scratch;

use std::fmt::Write;

use futures_util::TryStreamExt;
use keystride_hbase::{
    Cell, CellKind, Client, ClientOptions, FamilyDescriptor, FamilyName, Mutation, Operation, Row, Scan,
    Selection, Table, TableDescriptor,
};
use keystride_hbase_harness::{Jars, JavaProgram, Site, shared_or_skip};
use scratch::Scratch;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

/// A cell in the format of the Java programs.
fn line(cell: &Cell<'_>) -> String {
    let kind = match cell.kind {
        CellKind::Put => "Put",
        CellKind::Delete => "Delete",
        CellKind::DeleteFamilyVersion => "DeleteFamilyVersion",
        CellKind::DeleteColumn => "DeleteColumn",
        CellKind::DeleteFamily => "DeleteFamily",
    };
    let [row, family, qualifier, value] = [cell.row, cell.family, cell.qualifier, cell.value].map(hex);
    let tags = if cell.tags.is_empty() { String::new() } else { format!("\t{}", hex(cell.tags)) };
    format!("{row}\t{family}\t{qualifier}\t{}\t{kind}\t{value}{tags}", cell.ts)
}

/// The tag of a time to live: length in two bytes, tag type, milliseconds in eight bytes.
const TTL_TAG: &str = "\t000908";

/// A line in the input format of the Java program that writes: milliseconds instead of the tag.
fn fillable(line: &str) -> String {
    match line.split_once(TTL_TAG) {
        None => line.to_owned(),
        Some((cell, ms)) => format!("{cell}\t{}", i64::from_str_radix(ms, 16).unwrap()),
    }
}

/// Long enough for cells with timestamps in 1970.
const TTL_MS: i64 = 1 << 50;

/// Random changes of few rows and columns, so that they overlap.
fn changes(seed: u64, count: usize) -> Vec<Mutation> {
    let mut random = fastrand::Rng::with_seed(seed);
    let bytes = |random: &mut fastrand::Rng, most: usize| {
        let len = random.usize(..most);
        (0..len).map(|_| random.u8(..)).collect::<Vec<u8>>()
    };
    let rows: Vec<Vec<u8>> = (0..40_u8).map(|at| [vec![at], bytes(&mut random, 30)].concat()).collect();
    let qualifiers: Vec<Vec<u8>> = (0..6_u8)
        .map(|at| if at == 0 { vec![] } else { [vec![at], bytes(&mut random, 9)].concat() })
        .collect();
    (0..count)
        .map(|_| {
            let row = &rows[random.usize(..rows.len())];
            let qualifier = &qualifiers[random.usize(..qualifiers.len())];
            let (family, ts) = (["f", "g"][random.usize(..2)], random.i64(1..20));
            let (delete, put) = (Mutation::delete(row), Mutation::put(row));
            match random.u8(..8) {
                0 => delete.delete_marker(CellKind::Delete, family, qualifier, ts),
                1 => delete.delete_marker(CellKind::DeleteColumn, family, qualifier, ts),
                2 => delete.delete_marker(CellKind::DeleteFamily, family, [], ts),
                3 => delete.delete_marker(CellKind::DeleteFamilyVersion, family, [], ts),
                4 => put.time_to_live_ms(TTL_MS).value_at(family, qualifier, ts, bytes(&mut random, 50)),
                _ => put.value_at(family, qualifier, ts, bytes(&mut random, 50)),
            }
        })
        .collect()
}

/// All cells of a table in all versions; with `raw`, also delete markers.
async fn ours(table: &Table, raw: bool) -> Vec<String> {
    let selection = Selection::all().versions(i32::MAX.cast_unsigned());
    let selection = if raw { selection.attribute("_raw_", [0xff]) } else { selection };
    let rows: Vec<Row> = table.scan(Scan::all().select(selection)).try_collect().await.unwrap();
    rows.iter().flat_map(Row::cells).map(|cell| line(&cell)).collect()
}

fn javas(jars: &Jars, site: &Site, table: &Table, raw: bool) -> Vec<String> {
    let name = table.name().to_string();
    let mut arguments = vec!["--versions", "all"];
    if raw {
        arguments.push("--raw");
    }
    arguments.push(&name);
    let text = jars.text(&JavaProgram::dump().with_arguments(arguments), site).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// A table whose client reads and writes tags.
async fn versioned(scratch: &Scratch, name: &str) -> Table {
    let mut descriptor = TableDescriptor::new(scratch.name(name));
    for family in ["f", "g"] {
        let mut family = FamilyDescriptor::new(FamilyName::new(family).unwrap());
        family.set_versions(30);
        descriptor.set_family(family);
    }
    scratch.admin.create_table(&descriptor, &[b"\x0a", b"\x14"]).await.unwrap();
    let address = format!("hbase+rpc://{}", scratch.master()).parse().unwrap();
    let options = ClientOptions::default().with(|options| options.tags = true);
    Client::with_options(&address, options).table(descriptor.name)
}

#[tokio::test(flavor = "multi_thread")]
async fn both_clients_see_the_same_cells() {
    let Some(hbase) = shared_or_skip("both_clients_see_the_same_cells") else { return };
    let Some(scratch) = Scratch::new("both_clients_see_the_same_cells") else { return };
    let (jars, site) = (Jars::ready().unwrap(), hbase.address().client_site());
    scratch
        .run(async {
            let table = versioned(&scratch, "ours").await;
            let operations: Vec<Operation> = changes(1, 2_000).into_iter().map(Operation::from).collect();
            assert!(table.batch(operations).await.iter().all(Result::is_ok));
            for raw in [true, false] {
                let (ours, javas) = (ours(&table, raw).await, javas(&jars, &site, &table, raw));
                assert!(ours.len() > 100);
                assert!(ours.iter().filter(|line| line.contains(TTL_TAG)).count() > 10);
                assert_eq!(ours, javas);
            }

            // A table filled by Java has the same cells too.
            let copy = versioned(&scratch, "javas").await;
            let lines: Vec<String> = ours(&table, true).await.iter().map(|line| fillable(line)).collect();
            let lines = lines.join("\n") + "\n";
            let fill = JavaProgram::fill().with_arguments([copy.name().to_string()]).with_input(lines);
            jars.text(&fill, &site).unwrap();
            for raw in [true, false] {
                assert_eq!(ours(&copy, raw).await, ours(&table, raw).await);
            }
        })
        .await;
}
