//! Runs each example on a cluster and checks its output.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::PathBuf;
use std::process::Command;

/// Runs an example and returns its output.
fn run(example: &str) -> Option<String> {
    let hbase = keystride_hbase_harness::shared_or_skip(example)?;
    let address = format!("hbase+rpc://{}", hbase.address().master());
    let program = program(example);
    assert!(program.exists(), "not built: `cargo build -p keystride-hbase --examples` does that");
    let output = Command::new(program).arg(address).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{example}: {out}{err}");
    Some(out.into_owned())
}

/// Cargo puts examples beside the tests when all targets of a crate are built.
fn program(example: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.ancestors()
        .nth(2)
        .unwrap()
        .join("examples")
        .join(example)
        .with_extension(std::env::consts::EXE_EXTENSION)
}

#[test]
fn rows() {
    let Some(said) = run("rows") else { return };
    assert_eq!(
        said,
        "name = Ada\ntown = London\nthen = Some(\"Turin\")\nvisits = Some([0, 0, 0, 0, 0, 0, 0, 2])\n\
         town is there: false\nnobody is there: false\n"
    );
}

#[test]
fn writing() {
    let Some(said) = run("writing") else { return };
    assert_eq!(said, "3000 rows, 0 of the last thousand failed\n");
}

#[test]
fn scanning() {
    let Some(said) = run("scanning") else { return };
    assert_eq!(
        said,
        "all: ada|1 ada|2 ada|3 tom|1 tom|2\nada's newest two: ada|3 ada|2\na range: ada|2 ada|3 tom|1\nfirsts: ada|1 tom|1\n"
    );
}

#[test]
fn conditions() {
    let Some(said) = run("conditions") else { return };
    assert_eq!(said, "ada has it: true\ntom has it: false\nsold: true\nsold: false\n");
}

#[test]
fn tables() {
    let Some(said) = run("tables") else { return };
    let starts: Vec<&str> =
        said.lines().filter_map(|line| line.strip_prefix("from ")?.split(':').next()).collect();
    assert_eq!(starts, ["\"\"", "\"m\"", "\"t\""]);
    assert!(said.contains("example_tables_copy has 3 regions\n"), "{said}");
}

#[test]
fn watching() {
    let Some(said) = run("watching") else { return };
    assert!(
        said.contains("there is no table example_that_is_not_there; what would help: GiveUp\n"),
        "{said}"
    );
}
