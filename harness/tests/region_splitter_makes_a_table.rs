//! HBase's own programs run against the shared cluster.

use std::fmt::Write;

use keystride_hbase_harness::{HarnessError, Jars, JavaProgram, shared_or_skip};

#[test]
fn region_splitter_makes_a_table() -> Result<(), HarnessError> {
    let Some(hbase) = shared_or_skip("region_splitter_makes_a_table") else { return Ok(()) };
    let (jars, site) = (Jars::ready()?, hbase.address().client_site());
    let table = format!("region_splitter_makes_a_table_{}", std::process::id());
    jars.region_splitter(&table, "HexStringSplit", 4, &site)?;

    let meta = jars.text(&JavaProgram::dump().with_arguments(["hbase:meta"]), &site)?;
    // The region's name begins with the table's and its first row.
    for start in ["", "40000000", "80000000", "c0000000"] {
        let name = hex(&format!("{table},{start},"));
        assert!(meta.lines().any(|line| line.starts_with(&name)), "no region from {start:?}");
    }
    Ok(())
}

fn hex(text: &str) -> String {
    text.bytes().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("a String takes all that is written");
        hex
    })
}
