//! Output of many rows: it comes as rows are read, and ends when the user asks for it.

use std::path::Path;
use std::process::Output;

use serde_json::Value;

use super::{keystride, program, stderr, stdout, written};

const DESIGN: &str = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"u32\" }\n\
                      text = { type = \"string\" }\n[key]\nparts = [{ field = \"id\", as = \"be\" }]\n";

/// One more than there are in a table of the output.
const ROWS: usize = 10_001;

struct Table {
    folder: tempfile::TempDir,
}

impl Table {
    fn new(text: &str) -> Self {
        let table = Self { folder: tempfile::tempdir().unwrap() };
        let design = written(table.path(), "d.toml", DESIGN);
        let rows: Vec<_> = (0..ROWS).map(|id| format!("{id},{text}")).collect();
        let rows = written(table.path(), "rows.csv", &format!("id,text\n{}\n", rows.join("\n")));
        for args in [&["table", "create", "-d", &design][..], &["load", "-t", "t", &rows]] {
            let output = table.run(args);
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        }
        table
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn backend(&self) -> String {
        format!("embedded:{}/store", self.path().display())
    }

    fn run(&self, args: &[&str]) -> Output {
        keystride(&[&["--backend", &self.backend()], args].concat())
    }
}

#[test]
fn all_rows_come_in_every_format() {
    let table = Table::new("x");
    let query = |format| stdout(&table.run(&["query", "t", "--ordered", "--format", format]));
    let lines: Vec<Value> = query("ndjson").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), ROWS);
    let document: Value = serde_json::from_str(&query("json")).unwrap();
    assert_eq!(document, serde_json::json!({ "format": 1, "rows": lines }));
    let tables = query("table");
    assert_eq!(tables.lines().filter(|line| line.contains("10000")).count(), 1);
    let headers: Vec<usize> =
        tables.lines().enumerate().filter(|(_, line)| line.contains("text")).map(|(at, _)| at).collect();
    assert_eq!(headers.len(), 2, "a table of all but one row, and one of the last");
    assert_eq!(headers[1] - headers[0], ROWS - 1 + 4, "three borders and the header");
    let most = (ROWS - 1).to_string();
    let full = stdout(&table.run(&["query", "t", "--ordered", "--format", "table", "--limit", &most]));
    assert_eq!(full.lines().count(), ROWS - 1 + 4, "no empty table after a full one");
}

#[test]
fn a_table_ends_before_eight_mebibytes_of_text() {
    let folder = tempfile::tempdir().unwrap();
    let design = written(folder.path(), "d.toml", DESIGN);
    let text = "x".repeat(1 << 15);
    let rows: Vec<String> = (0..256).map(|id| format!("{id},{text}\n")).collect();
    let rows = written(folder.path(), "rows.csv", &format!("id,text\n{}", rows.concat()));
    let table = Table { folder };
    for args in [&["table", "create", "-d", &design][..], &["load", "-t", "t", &rows]] {
        let output = table.run(args);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    let tables = stdout(&table.run(&["query", "t", "--ordered", "--format", "table"]));
    let begin: Vec<usize> =
        tables.lines().enumerate().filter(|(_, line)| line.starts_with('┌')).map(|(at, _)| at).collect();
    assert_eq!(begin, [0, 255 + 4]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_command_prints_no_more() {
    use std::io::Read as _;
    use std::process::{Command, Stdio};

    let text = "x".repeat(2_000);
    let table = Table::new(&text);
    for args in [&["scan", "t"][..], &["query", "t", "--format", "json"], &["query", "t", "--ordered"]] {
        let mut child = program()
            .args([&["--backend", &table.backend()], args].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = child.stdout.take().unwrap();
        output.read_exact(&mut [0]).unwrap();
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        let mut rest = Vec::new();
        output.read_to_end(&mut rest).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{args:?}");
        assert!(rest.len() < ROWS * text.len(), "{args:?}: {} bytes", rest.len());
    }
}

/// The first Ctrl-C is noticed between two rows, and a row that nobody reads has no end.
#[cfg(unix)]
#[test]
fn a_second_ctrl_c_ends_a_command_whose_output_nobody_reads() {
    use std::io::Read as _;
    use std::process::{Command, Stdio};

    let table = Table::new(&"x".repeat(200));
    let mut child = program()
        .args(["--backend", &table.backend(), "query", "t"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut output = child.stdout.take().unwrap();
    output.read_exact(&mut [0]).unwrap();
    let ended = (0..10_000).find_map(|_| {
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        child.try_wait().unwrap()
    });
    drop(output);
    assert_eq!(ended.and_then(|status| status.code()), Some(130));
}
