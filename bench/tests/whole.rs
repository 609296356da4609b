//! The programs of the benches run, on few rows.

use std::process::Command;

use keystride_bench::Program;

#[test]
fn the_program_is_loaded_and_watched() {
    if Program::find().is_none() {
        eprintln!("skipped: the program keystride is not built beside the tests");
        return;
    }
    let whole = Command::new(env!("CARGO_BIN_EXE_whole"))
        .args(["--rows", "2e3,3e3", "--memory", "8", "--rounds", "2"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&whole.stdout);
    assert!(whole.status.success(), "{text}{}", String::from_utf8_lossy(&whole.stderr));
    assert_eq!(text.matches("one day of ten to Parquet").count(), 8, "{text}");
    for id in ["L3", "M1", "M2"] {
        assert!(text.lines().any(|line| line.starts_with(id)), "{id}: {text}");
    }
}

#[test]
fn rows_are_generated_to_standard_output() {
    let rows =
        Command::new(env!("CARGO_BIN_EXE_generate")).args(["--rows", "1e3", "--seed", "4"]).output().unwrap();
    assert_eq!(rows.stdout.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).count(), 1_001);
}
