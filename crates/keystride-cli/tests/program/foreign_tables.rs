//! Tables that others made: no design is kept with them.

use std::path::Path;
use std::process::Output;
use std::sync::Arc;

use keystride::value::Row;
use keystride::{Design, Value};
use keystride_hbase::Client;
use keystride_hbase_harness::shared_or_skip;
use keystride_store::{
    EmbeddedOptions, EmbeddedStore, Family, FamilyName, HBaseStore, Store, TableDescription, TableName,
};
use keystride_table::Table;

use super::{CALLS, program, stderr, stdout, written};

/// A table that was made without keystride, with 200 rows of a design.
struct Foreign {
    folder: tempfile::TempDir,
    backend: String,
    table: String,
}

/// Keys with bytes that are no text.
const PLAIN: &str = r#"
format = 1
[table]
name = "plain"
families = ["f"]
[fields]
id = { type = "u32" }
name = { type = "string" }
[key]
parts = [ { bucket = 4, of = ["id"] }, { field = "id", as = "be" } ]
[split]
by = "bucket"
"#;

impl Foreign {
    async fn in_folder() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        let store = EmbeddedStore::open(&data, EmbeddedOptions::default()).await.unwrap();
        let backend = format!("embedded:{}", data.display());
        Self::made(Arc::new(store), folder, backend, "plain".to_owned()).await
    }

    /// Nothing where there is no HBase.
    async fn on_hbase(test: &str) -> Option<Self> {
        let backend = format!("hbase+rpc://{}", shared_or_skip(test)?.address().master());
        let store = HBaseStore::new(Client::new(&backend).unwrap());
        let table = format!("{test}_{}", std::process::id());
        Some(Self::made(Arc::new(store), tempfile::tempdir().unwrap(), backend, table).await)
    }

    /// In a folder, and on a cluster if there is one.
    async fn all(test: &str) -> Vec<Self> {
        [Some(Self::in_folder().await), Self::on_hbase(test).await].into_iter().flatten().collect()
    }

    async fn made(store: Arc<dyn Store>, folder: tempfile::TempDir, backend: String, table: String) -> Self {
        let design = Design::from_toml(PLAIN).unwrap();
        let points = design.split_points(&mut []).unwrap();
        let name = TableName::new(&table).unwrap();
        let families = [Family::new(FamilyName::new("f").unwrap())];
        store.create(&TableDescription::new(name.clone(), families), &points).await.unwrap();
        let bound = Table::open_with(Arc::clone(&store), &name, design).await.unwrap();
        let rows: Vec<Row> = (0..200).map(row).collect();
        bound.put_rows(&rows).await.unwrap();
        store.close().await.unwrap();
        Self { folder, backend, table }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn design(&self, text: &str) -> String {
        written(self.path(), "d.toml", text)
    }

    /// Runs a command; `TABLE` is the table's name.
    fn run(&self, args: &[&str]) -> Output {
        let args = args.iter().map(|&arg| if arg == "TABLE" { &self.table } else { arg });
        program().args(["--backend", &self.backend]).args(args).current_dir(self.path()).output().unwrap()
    }

    /// What a command prints that ends well.
    fn ask(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
        stdout(&output)
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        self.run(&["table", "drop", "TABLE", "--yes"]);
    }
}

fn row(id: u32) -> Row {
    let mut row = Row::new(2);
    row.set(0, Value::Int(id.into()));
    row.set(1, Value::Text(&format!("n{id}")));
    row
}

#[tokio::test]
async fn cells_are_shown_without_a_design() {
    for foreign in Foreign::all("cells_are_shown_without_a_design").await {
        let all = foreign.ask(&["scan", "TABLE", "--format", "csv", "--no-header"]);
        assert_eq!(all.lines().count(), 200);
        let words: Vec<&str> = all.lines().next().unwrap().split(',').collect();
        let (key, value) = (words[0], words[3]);
        assert!(key.starts_with(r"0\x00\x00\x00"), "{key}");
        let got = foreign.ask(&["get", "TABLE", "--escaped", key, "--format", "csv", "--no-header"]);
        assert_eq!(got.lines().collect::<Vec<_>>(), [all.lines().next().unwrap()]);
        assert!(got.ends_with(&format!(",{value}\n")), "{got}");
        assert_eq!(foreign.run(&["get", "TABLE", "--hex", "00"]).status.code(), Some(1));
        for columns in ["g", "g:name"] {
            for command in [&["scan", "TABLE"][..], &["get", "TABLE", "--escaped", key]] {
                let refused = foreign.run(&[command, &["--columns", columns]].concat());
                assert_eq!(refused.status.code(), Some(2), "{columns}");
                let told = stderr(&refused);
                assert!(told.contains("has no column family \"g\"; it has f"), "{told}");
            }
        }
    }
}

#[tokio::test]
async fn rows_are_read_by_a_design_that_is_handed_over() {
    for foreign in Foreign::all("rows_are_read_by_a_design_that_is_handed_over").await {
        let design = foreign.design(PLAIN);
        for command in [&["count", "TABLE"][..], &["get", "TABLE", "id=7"], &["stats", "TABLE"]] {
            let refused = foreign.run(command);
            assert_eq!(refused.status.code(), Some(1), "{command:?}");
            assert!(stderr(&refused).contains("carries no design"), "{}", stderr(&refused));
            assert!(stderr(&refused).contains("with -d"), "{}", stderr(&refused));
        }
        let ask = |args: &[&str]| foreign.ask(&[args, &["-d", &design, "--no-header"]].concat());
        assert_eq!(ask(&["count", "TABLE"]), "200\n");
        assert_eq!(ask(&["get", "TABLE", "id=7"]), "7\tn7\n");
        assert_eq!(
            ask(&["query", "TABLE", "--where", "name = 'n9' or id = 12", "--ordered"]).lines().count(),
            2
        );
        assert_eq!(ask(&["stats", "TABLE"]).lines().count(), 4);
        assert_eq!(ask(&["scan", "TABLE", "--where", "id = 7"]).lines().count(), 1);
        ask(&["extract", "TABLE", "--to", "out"]);
        assert_eq!(ask(&["delete", "TABLE", "--where", "id < 50", "--yes"]), "50\n");
        ask(&["put", "TABLE", "id=7", "name=again"]);
        assert_eq!(ask(&["get", "TABLE", "id=7"]), "7\tagain\n");
    }
}

/// Designs that the table was not made by, and what is said of each.
fn contradicting() -> [(String, &'static str); 4] {
    [
        (
            PLAIN.replace("bucket = 4", "bucket = 2"),
            "split points: 2 of the table's 4 regions can hold no key",
        ),
        (PLAIN.replace("bucket = 4", "bucket = 8"), "split points: at 4 of the design's 7 no region starts"),
        (PLAIN.replace("as = \"be\"", "pad = 4"), "keys: 200 of 200 sampled are none of the design's"),
        (PLAIN.replace("[\"f\"]", "[\"f\", \"g\"]"), "families: the table has no family \"g\""),
    ]
}

#[tokio::test]
async fn a_design_is_compared_with_a_table_that_carries_none() {
    for foreign in Foreign::all("a_design_is_compared_with_a_table_that_carries_none").await {
        let own = foreign.design(PLAIN);
        let check = foreign.run(&["table", "check", "TABLE", "-d", &own]);
        assert_eq!((check.status.code(), stdout(&check).as_str()), (Some(1), ""), "{}", stderr(&check));
        assert!(stderr(&check).contains("no design is kept with"), "{}", stderr(&check));
        let create = ["table", "create", "--if-not-exists", "-t", "TABLE", "-d"];
        let there = foreign.run(&[&create[..], &[&own]].concat());
        assert_eq!(there.status.code(), Some(1));
        assert!(stderr(&there).contains("no design is kept with"), "{}", stderr(&there));
        let rows = written(foreign.path(), "rows.csv", "id,name\n500,x\n");
        for (design, told) in contradicting() {
            let other = written(foreign.path(), "other.toml", &design);
            for command in [
                &["table", "check", "TABLE", "-d", &other][..],
                &[&create[..], &[&other]].concat(),
                &["table", "adopt", "-t", "TABLE", "-d", &other],
                &["load", "-t", "TABLE", "-d", &other, &rows],
                &["put", "TABLE", "id=500", "-d", &other],
            ] {
                let refused = foreign.run(command);
                let all = stdout(&refused) + &stderr(&refused);
                assert_eq!(refused.status.code(), Some(1), "{command:?}: {all}");
                assert!(all.contains(told), "{command:?}: {all}");
            }
        }
        assert_eq!(foreign.ask(&["count", "TABLE", "-d", &own]), "200\n");
        foreign.ask(&["load", "-t", "TABLE", "-d", &own, &rows]);
        assert_eq!(foreign.ask(&["count", "TABLE", "-d", &own]), "201\n");
    }
}

#[tokio::test]
async fn a_table_that_others_made_is_adopted() {
    for foreign in Foreign::all("a_table_that_others_made_is_adopted").await {
        let own = foreign.design(PLAIN);
        let adopt = ["table", "adopt", "-t", "TABLE", "-d", &own];
        foreign.ask(&[&adopt[..], &["--dry-run"]].concat());
        assert_eq!(foreign.run(&["count", "TABLE"]).status.code(), Some(1));
        let adopted = foreign.run(&adopt);
        assert!(stderr(&adopted).contains("200 keys were compared"), "{}", stderr(&adopted));
        assert_eq!(foreign.ask(&["count", "TABLE"]), "200\n");
        foreign.ask(&["table", "check", "TABLE", "-d", &own]);
        assert!(foreign.ask(&["table", "describe", "TABLE"]).contains("bucket = 4"));
        assert!(stderr(&foreign.run(&adopt)).contains("has this design already"));
        let other = written(foreign.path(), "other.toml", &PLAIN.replace("bucket = 4", "bucket = 8"));
        assert_eq!(foreign.run(&["table", "adopt", "-t", "TABLE", "-d", &other]).status.code(), Some(1));
    }
}

#[test]
fn a_design_that_is_not_the_tables_own_reads_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let own = written(folder.path(), "own.toml", CALLS);
    let other = written(folder.path(), "other.toml", &CALLS.replace("bucket = 16", "bucket = 8"));
    let backend = format!("embedded:{}/data", folder.path().display());
    let run = |args: &[&str]| super::keystride(&[&["--backend", &backend], args].concat());
    assert_eq!(run(&["table", "create", "-d", &own]).status.code(), Some(0));
    for command in [
        &["count", "calls"][..],
        &["scan", "calls"],
        &["get", "calls", "--hex", "00"],
        &["query", "calls"],
        &["stats", "calls"],
        &["put", "calls", "phone=13800138000", "ts=1"],
    ] {
        let refused = run(&[command, &["-d", &other]].concat());
        assert_eq!(refused.status.code(), Some(1), "{command:?}: {}", stderr(&refused));
        assert!(stderr(&refused).contains("bucket: 16 here, 8 there"), "{}", stderr(&refused));
    }
    assert_eq!(stdout(&run(&["count", "calls", "-d", &own])), "0\n");
}
