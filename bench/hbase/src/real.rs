//! The flights on a real cluster: what a row costs each client to write and to read, and how long a get takes.

use keystride_hbase_harness::{Cluster, ClusterOptions, Site};

use crate::answer::Answer;
use crate::board::{Board, Bound, load_average, micros_per};
use crate::gohbase::Gohbase;
use crate::peer::{Peer, Threads};
use crate::rows::Rows;
use crate::{Failure, say};

/// How much is done
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Few rows and one round: it works, the figures say nothing
    #[arg(long)]
    tiny: bool,
    /// How often each is measured, after once that is not
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// How many flights, of 336,776
    #[arg(long, default_value_t = usize::MAX)]
    rows: usize,
    #[command(flatten)]
    gohbase: Gohbase,
}

/// A way in which a client does something.
#[derive(Debug, Clone, Copy)]
struct Way {
    /// Of the client, in the order in which they were started.
    client: usize,
    /// As the client knows it.
    word: &'static str,
    /// As it is printed.
    side: &'static str,
}

/// All clients beside a cluster.
struct Bench {
    clients: Vec<Peer>,
    row_count: u64,
    batch_rows: usize,
    get_counts: [(usize, usize); 3],
    board: Board,
    // Behind the clients: it ends after them.
    _cluster: Cluster,
    _rows: tempfile::TempDir,
}

const OURS: usize = 0;
const OURS_OF_ONE: usize = 1;
const JAVA: usize = 2;
const GOHBASE: usize = 3;

const LOADS: [Way; 6] = [
    Way { client: OURS, word: "mutations", side: "ours mutations" },
    Way { client: OURS, word: "writer", side: "ours writer" },
    Way { client: OURS, word: "run", side: "ours run" },
    Way { client: OURS_OF_ONE, word: "run", side: "ours run, 1 thread" },
    Way { client: JAVA, word: "mutator", side: "java" },
    Way { client: GOHBASE, word: "batch", side: "gohbase" },
];
const SCANS: [Way; 4] = [
    Way { client: OURS, word: "", side: "ours" },
    Way { client: OURS_OF_ONE, word: "", side: "ours, 1 thread" },
    Way { client: JAVA, word: "", side: "java" },
    Way { client: GOHBASE, word: "", side: "gohbase" },
];
const GETS: [Way; 5] = [
    Way { client: OURS, word: "table", side: "ours" },
    Way { client: OURS_OF_ONE, word: "table", side: "ours, 1 thread" },
    Way { client: JAVA, word: "threads", side: "java threads" },
    Way { client: JAVA, word: "async", side: "java async" },
    Way { client: GOHBASE, word: "get", side: "gohbase" },
];

/// Java's `hbase.client.write.buffer`, for all.
const BUFFER_BYTES: usize = 2 << 20;
const REGIONS: usize = 16;
/// The table that all scan and get from.
const COMMON: &str = "common";
const TINY_ROWS: usize = 3_000;
/// Of scans and gets in a round: they are short, and a busy machine has good and bad seconds.
const TURNS: usize = 4;

/// Runs it.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut bench = Bench::start(args)?;
    bench.warm_up()?;
    for round in 0..if args.tiny { 1 } else { args.rounds } {
        say(&format!("round {}, load average {}", round + 1, load_average()));
        bench.loads(round)?;
        for turn in 0..if args.tiny { 1 } else { TURNS } {
            bench.scans(turn)?;
            bench.gets(turn)?;
        }
    }
    bench.judge();
    bench.board.print();
    Ok(())
}

impl Bench {
    fn start(args: &Args) -> Result<Self, Failure> {
        let rows = Rows::flights(if args.tiny { TINY_ROWS } else { args.rows })?;
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("rows");
        rows.write(&path)?;
        let cell_bytes = rows.cell_bytes(0..rows.len());
        let batch_rows = (BUFFER_BYTES * rows.len() / cell_bytes.max(1)).clamp(1, 5_000);
        say(&format!("{} rows, {cell_bytes} bytes of cells, batches of {batch_rows}", rows.len()));

        let mut board = Board::new(args.tiny);
        let gohbase =
            if args.tiny { Err("gohbase: not in a tiny run".into()) } else { args.gohbase.program() };
        let cluster = start_cluster()?;
        let address = cluster.address();
        let master = format!("hbase+rpc://{}", address.master());
        let mut clients = vec![
            Peer::ours(&master, &path, Threads::Cores)?,
            Peer::ours(&master, &path, Threads::One)?,
            Peer::java(&address.client_site(), &path)?,
        ];
        match gohbase {
            Ok(program) => clients.push(start_gohbase(&program, &cluster, &path)?),
            Err(why) => board.skip(&why.to_string()),
        }
        let get_counts = if args.tiny {
            [(1, 50), (16, 500), (256, 1_000)]
        } else {
            [(1, 4_000), (16, 20_000), (256, 40_000)]
        };
        let row_count = rows.len() as u64;
        Ok(Self { clients, row_count, batch_rows, get_counts, board, _cluster: cluster, _rows: folder })
    }

    /// Every client does all it will be asked, so that Java has compiled it; and all read the same of what each wrote.
    fn warm_up(&mut self) -> Result<(), Failure> {
        say(&format!("warm-up, load average {}", load_average()));
        let mut digests: Vec<(&str, Answer)> = Vec::new();
        for way in self.present(&LOADS, 0) {
            let table = if way.client == JAVA { COMMON } else { "warm" };
            self.load(way, table)?;
            digests.push((way.side, self.clients[way.client].ask(&format!("digest {table}"))?));
            if table != COMMON {
                self.java(&format!("drop {table}"))?;
            }
        }
        let (_, first) = digests[0];
        for (side, digest) in &digests {
            say(&format!("{side} wrote and read: {digest}"));
            if digest.read() != first.read() || digest.rows != self.row_count {
                return Err(format!("{side} read something else than {}", digests[0].0).into());
            }
        }
        self.java(&format!("flush {COMMON}"))?;
        for client in self.present(&SCANS, 0).iter().map(|way| way.client) {
            let digest = self.clients[client].ask(&format!("digest {COMMON}"))?;
            if digest.read() != first.read() {
                return Err(format!("one table, read differently: {digest} and {first}").into());
            }
        }
        let board = std::mem::replace(&mut self.board, Board::new(true));
        self.scans(0)?;
        self.gets(0)?;
        self.board = board;
        Ok(())
    }

    /// Each into a table of its own, which is looked at and goes.
    fn loads(&mut self, round: usize) -> Result<(), Failure> {
        for way in self.present(&LOADS, round) {
            let table = format!("load_{round}_{}", way.word);
            let answer = self.load(way, &table)?;
            self.board.add("load, client CPU us a row", way.side, micros_per(answer.cpu_ns, answer.rows));
            self.board.add("load, clock us a row", way.side, micros_per(answer.wall_ns, answer.rows));
            let scanned = self.clients[OURS].ask(&format!("scan {table}"))?;
            if scanned.rows != self.row_count {
                return Err(format!("{} wrote {} rows of {}", way.side, scanned.rows, self.row_count).into());
            }
            self.java(&format!("drop {table}"))?;
        }
        Ok(())
    }

    fn load(&mut self, way: Way, table: &str) -> Result<Answer, Failure> {
        self.java(&format!("create {table} {REGIONS}"))?;
        let line = format!("load {} {table} {BUFFER_BYTES} {}", way.word, self.batch_rows);
        self.clients[way.client].ask(&line)
    }

    fn scans(&mut self, round: usize) -> Result<(), Failure> {
        let mut read = None;
        for way in self.present(&SCANS, round) {
            let answer = self.clients[way.client].ask(&format!("scan {COMMON}"))?;
            if *read.get_or_insert(answer.read()) != answer.read() || answer.rows != self.row_count {
                return Err(format!("{} scanned something else: {answer}", way.side).into());
            }
            self.board.add("scan, client CPU us a row", way.side, micros_per(answer.cpu_ns, answer.rows));
            self.board.add("scan, clock us a row", way.side, micros_per(answer.wall_ns, answer.rows));
        }
        Ok(())
    }

    fn gets(&mut self, round: usize) -> Result<(), Failure> {
        for (in_flight, count) in self.get_counts {
            let mut read = None;
            for way in self.present(&GETS, round) {
                let line = format!("get {} {COMMON} {in_flight} {count}", way.word);
                let answer = self.clients[way.client].ask(&line)?;
                if *read.get_or_insert(answer.read()) != answer.read() || answer.rows != count as u64 {
                    return Err(format!("{} got something else: {answer}", way.side).into());
                }
                let mut add = |what: &str, nanos, rows| {
                    self.board.add(&gets_of(in_flight, what), way.side, micros_per(nanos, rows));
                };
                add("p50 us", answer.p50_ns, 1);
                add("p99 us", answer.p99_ns, 1);
                add("client CPU us each", answer.cpu_ns, answer.rows);
                add("clock us each", answer.wall_ns, answer.rows);
            }
        }
        Ok(())
    }

    /// Java's, which also makes and drops tables.
    fn java(&mut self, line: &str) -> Result<Answer, Failure> {
        self.clients[JAVA].ask(line)
    }

    /// The ways of those clients that there are, there and back by turns.
    fn present(&self, ways: &[Way], round: usize) -> Vec<Way> {
        let mut ways: Vec<Way> = ways.iter().copied().filter(|way| way.client < self.clients.len()).collect();
        if round % 2 == 1 {
            ways.reverse();
        }
        ways
    }

    fn judge(&mut self) {
        let board = &mut self.board;
        let load = "load, client CPU us a row";
        for ours in ["ours run", "ours run, 1 thread", "ours writer", "ours mutations"] {
            board.compare("H3", load, ours, "java", Bound::AtMost(0.25, 0.1));
            board.compare("H3", load, ours, "gohbase", Bound::AtMost(0.5, 0.2));
        }
        for ours in ["ours run", "ours run, 1 thread", "ours writer"] {
            board.compare("H3", "load, clock us a row", ours, "java", Bound::AtMost(1.0, 1.0));
        }
        let scan = "scan, client CPU us a row";
        for ours in ["ours", "ours, 1 thread"] {
            board.compare("", scan, ours, "java", Bound::AtMost(0.25, 0.1));
            board.compare("", scan, ours, "gohbase", Bound::AtMost(0.5, 0.2));
            board.compare("", "scan, clock us a row", ours, "java", Bound::Told);
        }
        for (in_flight, _) in self.get_counts {
            for what in ["p50 us", "p99 us"] {
                let what = gets_of(in_flight, what);
                let java = faster(board, &what, "java threads", "java async");
                board.compare("", &what, "ours", java, Bound::AtMost(1.0, 0.8));
                board.compare("", &what, "ours, 1 thread", java, Bound::AtMost(1.0, 0.8));
                board.compare("", &what, "ours", "gohbase", Bound::Told);
            }
            let what = gets_of(in_flight, "client CPU us each");
            let java = faster(board, &what, "java threads", "java async");
            board.compare("", &what, "ours", java, Bound::Told);
            board.compare("", &what, "ours", "gohbase", Bound::Told);
        }
    }
}

/// Which of two costs less.
fn faster(board: &Board, what: &str, one: &'static str, other: &'static str) -> &'static str {
    if board.median(what, other) < board.median(what, one) { other } else { one }
}

fn gets_of(in_flight: usize, what: &str) -> String {
    format!("gets, {in_flight} in flight, {what}")
}

fn start_gohbase(
    program: &std::path::Path,
    cluster: &Cluster,
    rows: &std::path::Path,
) -> Result<Peer, Failure> {
    let zookeeper = cluster.address().zookeeper().ok_or("the cluster does not tell its ZooKeeper")?;
    Peer::gohbase(program, zookeeper, rows, Threads::Cores)
}

/// Three region servers that share a heap: each is told of less, as it takes all for its own.
fn start_cluster() -> Result<Cluster, Failure> {
    let site = Site::new()
        .with("hbase.regionserver.global.memstore.size", "0.12")
        .with("hfile.block.cache.size", "0.1")
        .with("hbase.hregion.memstore.flush.size", 16_777_216);
    Ok(Cluster::start(&ClusterOptions { heap_mib: 2_048, site, ..ClusterOptions::default() })?)
}
