//! Java's client makes a table, fills it and reads it back.

use keystride_hbase_harness::{HarnessError, Jars, JavaProgram, shared_or_skip};

const CELLS: &str = "\
61\t66\t71\t20\tPut\t0102
61\t66\t71\t10\tPut\t
62\t66\t71\t30\tDeleteColumn\t
62\t66\t71\t25\tDelete\t
62\t66\t71\t20\tPut\t03
63\t66\t\t40\tDeleteFamily\t
63\t66\t\t39\tDeleteFamilyVersion\t
63\t66\t71\t41\tPut\t04
";

#[test]
fn java_reads_what_java_wrote() -> Result<(), HarnessError> {
    let Some(hbase) = shared_or_skip("java_reads_what_java_wrote") else { return Ok(()) };
    let (jars, site) = (Jars::ready()?, hbase.address().client_site());
    let table = format!("java_reads_what_java_wrote_{}", std::process::id());
    let fill = |options: &[&str], cells: &str| {
        let fill = JavaProgram::fill().with_arguments(options.iter().copied()).with_arguments([&table]);
        jars.text(&fill.with_input(cells), &site)
    };
    let dump = |options: &[&str]| {
        let dump = JavaProgram::dump().with_arguments(options.iter().copied()).with_arguments([&table]);
        jars.text(&dump, &site)
    };

    fill(&["--create", "f", "--splits", "62"], CELLS)?;
    assert_eq!(dump(&["--raw"])?, CELLS);
    assert_eq!(dump(&[])?, "61\t66\t71\t20\tPut\t0102\n63\t66\t71\t41\tPut\t04\n");
    assert_eq!(dump(&["--versions", "all", "--stop", "62"])?.lines().count(), 2);

    // A time to live is a tag of type 8 with eight bytes.
    fill(&[], "64\t66\t71\t50\tPut\t05\t9000000000000\n")?;
    assert_eq!(dump(&["--start", "64"])?, "64\t66\t71\t50\tPut\t05\t0009080000082f79cd9000\n");

    let tables = jars.text(&JavaProgram::dump().with_arguments(["--tables"]), &site)?;
    assert!(tables.lines().any(|name| name == table), "{tables}");
    Ok(())
}
