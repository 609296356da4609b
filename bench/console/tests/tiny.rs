//! Every path of the bench runs, on a small map.

use std::process::Command;

use keystride_browser_harness::browser_or_skip;

#[test]
fn every_figure_is_measured() {
    if browser_or_skip("every_figure_is_measured").is_none() {
        return;
    }
    let bench = Command::new(env!("CARGO_BIN_EXE_keystride-console-bench")).arg("--tiny").output();
    let bench = bench.expect("the bench is there");
    let [told, complained] =
        [&bench.stdout, &bench.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(bench.status.success(), "{complained}");
    for id in 0..=5 {
        assert!(told.contains(&format!("C{id} ")), "C{id} is not in\n{told}");
    }
}
