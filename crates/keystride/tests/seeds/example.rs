use std::path::Path;

use keystride::escape::to_escaped;
use keystride::plan::PlanOrder;
use keystride::{Design, KeyCodec, Planner, Predicate, Row, ScanPlan, SplitPoints};

/// A design under `examples/` and the rows beside it.
pub(crate) struct Example {
    codec: KeyCodec,
    rows: Vec<Row>,
}

impl Example {
    pub(crate) fn read(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
        let text = |file| std::fs::read_to_string(folder.join(file)).expect("an example has two files");
        let design =
            Design::from_toml(&text("design.toml")).unwrap_or_else(|error| panic!("{name}: {error}"));
        let rows = rows(&design, &text("input.csv"));
        Self { codec: KeyCodec::new(design), rows }
    }

    /// The key of every row, as HBase shows it.
    pub(crate) fn keys(&self) -> Vec<String> {
        self.keys_in(|_| 0)
    }

    /// The same, where the bucket is not a function of the row but of its number.
    pub(crate) fn keys_in(&self, bucket: impl Fn(u64) -> u64) -> Vec<String> {
        let mut encoder = self.codec.encoder();
        let mut shown = Vec::new();
        for (number, row) in (0..).zip(&self.rows) {
            encoder.supply(bucket(number));
            let mut key = Vec::new();
            encoder.encode(row, &mut key).expect("every row has a key");
            shown.push(to_escaped(&key));
        }
        shown
    }

    /// The split points, as HBase shows them.
    pub(crate) fn points(&self) -> Vec<String> {
        self.split_points().keys().iter().map(ToString::to_string).collect()
    }

    /// The region of every row.
    pub(crate) fn regions(&self) -> Vec<usize> {
        let points = self.split_points();
        self.encoded().iter().map(|key| points.region_of(key)).collect()
    }

    /// How many ranges a predicate is planned to.
    pub(crate) fn ranges(&self, predicate: &str) -> usize {
        self.plan(predicate).ranges.len()
    }

    /// The rows that a plan reads and keeps, in the order of their keys.
    pub(crate) fn selected(&self, predicate: &str) -> Vec<usize> {
        let plan = self.plan(predicate);
        let keys = self.encoded();
        let wanted = |row: &usize| {
            let read = plan.ranges.iter().any(|planned| planned.range.contains(&keys[*row]));
            let kept = |filter: &Predicate| filter.matches(self.codec.design(), &self.rows[*row]);
            read && plan.filter.as_ref().is_none_or(kept)
        };
        let mut rows: Vec<usize> = (0..keys.len()).filter(wanted).collect();
        rows.sort_by_key(|row| &keys[*row]);
        rows
    }

    /// Asserts that a key gives back these fields, and no others.
    pub(crate) fn reads_back(&self, fields: &[&str]) {
        let design = self.codec.design();
        for (key, row) in self.encoded().iter().zip(&self.rows) {
            let mut expected = Row::new(row.len());
            for field in fields.iter().map(|name| field_of(design, name)) {
                expected.set(field, row.get(field).expect("a key field has a value"));
            }
            assert_eq!(self.codec.decode(key).expect("a key of the design").row, expected);
        }
    }

    /// Asserts that no key says where its parts end.
    pub(crate) fn reads_nothing_back(&self) {
        assert!(self.encoded().iter().all(|key| self.codec.decode(key).is_err()));
    }

    fn encoded(&self) -> Vec<Vec<u8>> {
        let mut encoder = self.codec.encoder();
        let mut encode = |row| {
            let mut key = Vec::new();
            encoder.encode(row, &mut key).expect("every row has a key");
            key
        };
        self.rows.iter().map(&mut encode).collect()
    }

    fn split_points(&self) -> SplitPoints {
        self.codec.design().split_points(&mut []).expect("the split needs no file")
    }

    fn plan(&self, predicate: &str) -> ScanPlan {
        let predicate = Predicate::parse(predicate, self.codec.design()).expect("a predicate");
        Planner::new(&self.codec).plan(Some(&predicate), PlanOrder::Any).expect("no order is asked for")
    }
}

/// Rows of a file whose first line names the fields; none of its texts holds a comma or a quote.
fn rows(design: &Design, csv: &str) -> Vec<Row> {
    let mut lines = csv.lines().map(|line| line.split(','));
    let header: Vec<usize> = lines.next().expect("a first line").map(|name| field_of(design, name)).collect();
    let read = |texts: std::str::Split<'_, char>| {
        let mut row = Row::new(design.fields().len());
        let texts: Vec<&str> = texts.collect();
        assert_eq!(texts.len(), header.len(), "{texts:?}");
        for (field, text) in header.iter().zip(texts) {
            design.read_value(&mut row, *field, text).expect("a value of its field");
        }
        row
    };
    lines.map(read).collect()
}

fn field_of(design: &Design, name: &str) -> usize {
    design.field_index(name).unwrap_or_else(|| panic!("the design has no field {name}"))
}
