//! Form B: a region server and the working master are killed, and what was written is still there.

use std::io::Write;
use std::time::Instant;

use keystride_hbase_harness::{HarnessError, Jars, JavaProgram, ServerCluster, ServerOptions, quick};

const ROWS: usize = 1000;

#[test]
fn killed_servers_come_back() -> Result<(), HarnessError> {
    if quick("killed_servers_come_back") {
        return Ok(());
    }
    let started = Instant::now();
    let options =
        ServerOptions { region_server_count: 2, master_count: 2, heap_mib: 256, ..ServerOptions::default() };
    let cluster = ServerCluster::start(&options)?;
    say(&format!("ready after {:.1?}", started.elapsed()));
    let (jars, site) = (Jars::ready()?, cluster.address().client_site());
    let cells: String =
        (0..ROWS).map(|row| format!("{row:04x}\t66\t71\t7\tPut\t01\n")).collect::<Vec<_>>().concat();
    let fill = JavaProgram::fill().with_arguments(["--create", "f", "--splits", "0100,0200,0300", "t"]);
    jars.text(&fill.with_input(cells.as_str()), &site)?;
    let dump = || jars.text(&JavaProgram::dump().with_arguments(["t"]), &site);

    let server = cluster.region_server(0);
    server.kill()?;
    assert!(!server.is_alive()?);
    assert_eq!(dump()?, cells);
    server.start_again()?;
    say(&format!("the region server is back after {:.1?}", started.elapsed()));

    let first = cluster.active_master()?;
    first.kill()?;
    let second = cluster.active_master()?;
    say(&format!("the other master works after {:.1?}", started.elapsed()));
    assert_ne!(first.index(), second.index());
    first.start_again()?;
    assert_eq!(cluster.active_master()?.index(), second.index());

    cluster.region_server(1).pause()?;
    assert!(cluster.region_server(1).is_alive()?);
    cluster.region_server(1).resume()?;
    assert_eq!(dump()?, cells);
    Ok(())
}

/// Seen without `--nocapture` too.
fn say(line: &str) {
    // A test that nobody watches goes on.
    let _ = writeln!(std::io::stderr(), "{line}");
}
