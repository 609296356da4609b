//! Puts to a server that only acknowledges, in a process of its own: what remains is the client.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use keystride_hbase_harness::Address;

use crate::board::{Board, Bound, load_average, micros_per};
use crate::gohbase::Gohbase;
use crate::peer::{Peer, Threads};
use crate::rows::Rows;
use crate::{Failure, happybase, say};

/// How much is done
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Few rows and one round: it works, the figures say nothing
    #[arg(long)]
    tiny: bool,
    /// How often each is measured, after once that is not
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// How many rows
    #[arg(long, default_value_t = ROWS)]
    rows: usize,
    /// Not to compare with Java
    #[arg(long)]
    no_java: bool,
    /// Not to compare with happybase
    #[arg(long)]
    no_happybase: bool,
    #[command(flatten)]
    gohbase: Gohbase,
}

/// The server, which ends when this is dropped.
#[derive(Debug)]
struct Server {
    child: Child,
    port: u16,
    zookeeper: u16,
}

/// A way in which a client loads.
struct Way {
    client: Peer,
    /// As the client knows it.
    word: &'static str,
    /// As it is printed.
    side: &'static str,
    /// How often all rows are written, to have something to measure.
    passes: usize,
}

const TABLE: &str = "null";
/// Rows that are made up, unless it is said how many.
pub(crate) const ROWS: usize = 300_000;
const BATCH_ROWS: usize = 1_000;
const TINY_ROWS: usize = 3_000;

/// Runs it.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut board = Board::new(args.tiny);
    for cells in [1, 10] {
        measure(args, cells, &mut board)?;
    }
    for (cells, h1) in [(1, Bound::AtLeast(10.0, 20.0)), (10, Bound::AtLeast(8.0, 20.0))] {
        let what = cpu_of(cells);
        board.compare("H1", &what, "ours run", "gohbase", h1);
        board.compare("H1", &what, "ours run, 1 thread", "gohbase, 1 thread", h1);
        board.compare("H1", &what, "ours writer", "gohbase", Bound::Told);
        board.compare("H2", &what, "ours run", "happybase", Bound::AtLeast(15.0, 25.0));
        board.compare("H2", &what, "ours run, 1 thread", "happybase", Bound::AtLeast(15.0, 25.0));
        board.compare("", &what, "ours run", "java", Bound::Told);
        board.compare("", &what, "ours writer", "java", Bound::Told);
        board.compare("", &what, "ours mutations", "java", Bound::Told);
    }
    // A microsecond a row is one core for a million rows a second.
    board.compare_with("H4", &cpu_of(1), "ours run", 1_000.0, Bound::AtMost(1.0, 0.3));
    board.compare_with("H4", &cpu_of(1), "ours run, 1 thread", 1_000.0, Bound::AtMost(1.0, 0.3));
    board.compare_with("H4", &cpu_of(1), "ours writer", 1_000.0, Bound::Told);
    board.print();
    Ok(())
}

fn cpu_of(cells: usize) -> String {
    format!("puts of {cells} cells, client CPU ns a row")
}

fn measure(args: &Args, cells: usize, board: &mut Board) -> Result<(), Failure> {
    let rows = Rows::made_up(if args.tiny { TINY_ROWS } else { args.rows }, cells)?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("rows");
    rows.write(&path)?;
    let server = Server::start()?;
    let mut ways = start_clients(args, &server, &path, board, cells == 1)?;
    let buffer_bytes = writer_buffer(&rows);
    // Round 0 is not counted: Java compiles, and regions are found.
    for round in 0..=if args.tiny { 1 } else { args.rounds } {
        say(&format!("{cells} cells, round {round}, load average {}", load_average()));
        for way in &mut ways {
            let line = format!("load {} {TABLE} {buffer_bytes} {BATCH_ROWS}", way.word);
            let (mut cpu_ns, mut wall_ns, mut count) = (0, 0, 0);
            for _ in 0..way.passes {
                let answer = way.client.ask(&line)?;
                cpu_ns += answer.cpu_ns;
                wall_ns += answer.wall_ns;
                count += answer.rows;
            }
            if round > 0 {
                board.add(&cpu_of(cells), way.side, micros_per(cpu_ns, count) * 1e3);
                let what = format!("puts of {cells} cells, clock ns a row");
                board.add(&what, way.side, micros_per(wall_ns, count) * 1e3);
            }
        }
        ways.reverse();
    }
    Ok(())
}

/// So that each of the writer's four lanes sends batches of a thousand rows: it counts 160 bytes a row beside cells.
fn writer_buffer(rows: &Rows) -> usize {
    4 * (rows.cell_bytes(0..BATCH_ROWS.min(rows.len())) + 160 * BATCH_ROWS)
}

fn start_clients(
    args: &Args,
    server: &Server,
    rows: &Path,
    board: &mut Board,
    is_first: bool,
) -> Result<Vec<Way>, Failure> {
    let cluster = format!("hbase+rpc://127.0.0.1:{}", server.port);
    let passes = if args.tiny { 1 } else { 4 };
    let our = |word, side, threads| -> Result<Way, Failure> {
        Ok(Way { client: Peer::ours(&cluster, rows, threads)?, word, side, passes })
    };
    let mut ways = vec![
        our("run", "ours run", Threads::Cores)?,
        our("run", "ours run, 1 thread", Threads::One)?,
        our("writer", "ours writer", Threads::Cores)?,
        our("mutations", "ours mutations", Threads::Cores)?,
    ];
    let mut skip = |why: Failure| {
        if is_first {
            board.skip(&why.to_string());
        }
    };
    if args.tiny {
        skip("peers: not in a tiny run".into());
        return Ok(ways);
    }
    if !args.no_java {
        let site = Address::new(format!("127.0.0.1:{}", server.port)).client_site();
        ways.push(Way { client: Peer::java(&site, rows)?, word: "mutator", side: "java", passes: 1 });
    }
    let zookeeper = format!("127.0.0.1:{}", server.zookeeper);
    match args.gohbase.program() {
        Ok(program) => {
            for (side, threads) in [("gohbase", Threads::Cores), ("gohbase, 1 thread", Threads::One)] {
                let client = Peer::gohbase(&program, &zookeeper, rows, threads)?;
                ways.push(Way { client, word: "batch", side, passes: 1 });
            }
        }
        Err(why) => skip(why),
    }
    match happybase::python() {
        _ if args.no_happybase => skip("happybase: it was not wanted".into()),
        Ok(python) => {
            let client = Peer::happybase(&python, rows)?;
            ways.push(Way { client, word: "encode", side: "happybase", passes: 1 });
        }
        Err(why) => skip(why),
    }
    Ok(ways)
}

impl Server {
    fn start() -> Result<Self, Failure> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg("null-server")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        if let Some(stdout) = child.stdout.take() {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        let ports = line.trim().split_once(' ').ok_or("the server that only acknowledges did not start")?;
        Ok(Self { child, port: ports.0.parse()?, zookeeper: ports.1.parse()? })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that has ended already needs no signal, and drop has nobody to tell.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
