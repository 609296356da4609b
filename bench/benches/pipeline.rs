//! P1 and P2: from CSV to keys and values that are ready to be put, beside Java (`bench/java/Pipeline.java`) with a key
//! tuned by hand and with the key as it was posted. All read the same file and show one digest of their keys and values.

use std::fs::File;
use std::hint::black_box;
use std::path::PathBuf;
use std::sync::Arc;

use keystride::KeyCodec;
use keystride_bench::{Bound, Cost, Figures, Input, Java, Size, least};
use keystride_store::MutationBatch;
use keystride_table::RowWriter;
use keystride_table::input::{InputOptions, InputReader, Next, Source};

/// Rows of a batch, after which it is emptied.
const BATCH_ROWS: usize = 4_096;

fn main() {
    let size = Size::of_process();
    let mut figures = Figures::new(size);
    for input in [Input::ten_columns, Input::recommend_log] {
        measure(size, &input(size.pick(200, 500_000)), &mut figures);
    }
    figures.print();
}

fn measure(size: Size, input: &Input, figures: &mut Figures) {
    let folder = tempfile::tempdir().expect("a folder for files that go");
    let path = folder.path().join("log.csv");
    std::fs::write(&path, &input.text).expect("the disk takes the rows");
    let rounds = size.pick(1, 7);
    let count = input.row_count;
    let costs = || {
        let costs = least(
            rounds,
            count,
            &mut [
                ("records to typed rows", &mut || Cost::of(|| read(input, &path))),
                ("records to a batch of puts", &mut || {
                    Cost::of(|| put(input, &path, |batch| _ = black_box(batch)))
                }),
            ],
        );
        costs.map(|cost| cost.ns_per(count))
    };
    // Java takes most of a minute, in which the machine may become another: ours goes before and after it.
    let before = costs();
    let java =
        Java::compile("Pipeline").and_then(|java| java.run(&[path.clone(), rounds.to_string().into()]));
    let after = costs();
    let [read, ours] = [0, 1].map(|side| f64::min(before[side], after[side]));
    match java {
        Ok(lines) => compare(figures, input.name, ours, &digest(input, &path), &lines),
        Err(why) => ["P1", "P2"].into_iter().for_each(|id| figures.skip(id, &why)),
    }
    let what = format!("{}: of it, records to typed rows", input.name);
    figures.add("", &what, read, ours, Bound::Told);
}

fn compare(figures: &mut Figures, name: &str, ours: f64, digest: &str, lines: &[Vec<String>]) {
    for line in lines {
        let [way, ns, their_digest] = line.as_slice() else { panic!("what Java printed: {line:?}") };
        assert_eq!(digest, their_digest, "our keys and values are not those of Java");
        let theirs = ns.parse().expect("nanoseconds");
        match way.as_str() {
            "tuned" => figures.add(
                "P1",
                &format!("{name}: CSV to puts beside tuned Java, ns a row"),
                ours,
                theirs,
                Bound::AtLeast(1.3, 5.0),
            ),
            _ => figures.add(
                "P2",
                &format!("{name}: CSV to puts beside Java as posted, ns a row"),
                ours,
                theirs,
                Bound::AtLeast(13.0, 40.0),
            ),
        }
    }
}

fn reader(input: &Input, path: &PathBuf) -> InputReader {
    let file = File::open(path).expect("the file was just written");
    let source = Source::reader("log.csv", file);
    let reader = InputReader::open(Arc::clone(&input.design), vec![source], InputOptions::default());
    reader.expect("the names in the first line are those of the design")
}

fn read(input: &Input, path: &PathBuf) {
    let mut reader = reader(input, path);
    let mut row = reader.new_row();
    while let Ok(Next::Row) = reader.next(&mut row) {
        black_box(&row);
    }
}

/// Puts all rows into a batch, which is given to `take` and emptied whenever it has many.
fn put(input: &Input, path: &PathBuf, mut take: impl FnMut(&MutationBatch)) {
    let mut reader = reader(input, path);
    let mut writer = RowWriter::new(&KeyCodec::new((*input.design).clone()));
    let (mut row, mut batch) = (reader.new_row(), MutationBatch::new());
    while let Ok(Next::Row) = reader.next(&mut row) {
        writer.write(&row, 1, &mut batch).expect("every row can be stored");
        if batch.rows().len() == BATCH_ROWS {
            take(&batch);
            batch.clear();
        }
    }
    take(&batch);
}

/// A digest of all keys and values, those of a row in the order of the file's columns.
fn digest(input: &Input, path: &PathBuf) -> String {
    let mut digest = crc32fast::Hasher::new();
    let fields = &input.design.columns().cells;
    let place = |qualifier: &[u8]| fields.iter().position(|column| column.qualifier.as_bytes() == qualifier);
    put(input, path, |batch| {
        for row in batch.rows() {
            digest.update(row.key());
            let mut cells: Vec<_> = row.cells().collect();
            cells.sort_by_key(|cell| place(cell.qualifier));
            for cell in cells {
                digest.update(cell.value);
            }
        }
    });
    format!("{:08x}", digest.finalize())
}
