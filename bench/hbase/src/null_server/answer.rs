//! What is answered to each call. Numbers of fields are those of HBase's `.proto` files.

use keystride_hbase::{CellWriter, LATEST};

use super::message::{Fields, Value, put_bytes, put_number};

/// A message, and the cells that go with it.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) message: Vec<u8>,
    pub(super) cells: Vec<u8>,
}

/// The one server, and the rows that hbase:meta has.
#[derive(Debug)]
pub(super) struct Cluster {
    port: u16,
    /// Keys of hbase:meta, ascending, with the first row of each region and the first row behind it.
    regions: Vec<(String, String, String)>,
}

const TABLE: &str = "null";
/// When each region was made.
const REGION_ID: u64 = 1_400_657_685_457;
const REGIONS: u64 = 16;
const START_CODE: u64 = 1;

impl Cluster {
    /// With its server at that port of this machine.
    pub(super) fn at(port: u16) -> Self {
        let bound = |at: u64| match at % REGIONS {
            0 => String::new(),
            inner => format!("{:08x}", inner << 28),
        };
        let region = |at| {
            let start = bound(at);
            // Nobody holds the hash to the name.
            let key = format!("{TABLE},{start},{REGION_ID}.{}.", "0".repeat(32));
            (key, start, bound(at + 1))
        };
        Self { port, regions: (0..REGIONS).map(region).collect() }
    }

    fn server(&self) -> Vec<u8> {
        server_name(self.port)
    }
}

/// The message `ServerName`.
pub(super) fn server_name(port: u16) -> Vec<u8> {
    let mut name = Vec::new();
    put_bytes(&mut name, 1, b"127.0.0.1");
    put_number(&mut name, 2, port.into());
    put_number(&mut name, 3, START_CODE);
    name
}

/// Answers a call; what is not known is done, without a word.
pub(super) fn answer(method: &[u8], message: &[u8], cluster: &Cluster) -> Answer {
    let mut out = Vec::new();
    match method {
        b"Multi" => acknowledge(message, &mut out),
        b"Scan" => return scan(message, cluster),
        b"GetClusterId" => put_bytes(&mut out, 1, b"null"),
        b"GetActiveMaster" | b"GetBootstrapNodes" => put_bytes(&mut out, 1, &cluster.server()),
        b"GetMetaRegionLocations" => {
            let mut location = Vec::new();
            put_bytes(&mut location, 1, &region_info(1, b"hbase", b"meta", ["", ""]));
            put_bytes(&mut location, 2, &cluster.server());
            put_number(&mut location, 3, 0);
            put_bytes(&mut out, 1, &location);
        }
        _ => {}
    }
    Answer { message: out, cells: Vec::new() }
}

/// An empty result for each action, under its own index.
fn acknowledge(multi: &[u8], out: &mut Vec<u8>) {
    let (mut results, mut result) = (Vec::new(), Vec::new());
    for region in Fields::of(multi) {
        let (1, Value::Bytes(region)) = region else { continue };
        results.clear();
        for action in Fields::of(region) {
            let (3, Value::Bytes(action)) = action else { continue };
            let index = match Fields::of(action).next() {
                Some((1, Value::Number(index))) => index,
                _ => 0,
            };
            result.clear();
            put_number(&mut result, 1, index);
            put_bytes(&mut result, 2, b"");
            put_bytes(&mut results, 1, &result);
        }
        put_bytes(out, 1, &results);
    }
}

/// What a scan asks for.
#[derive(Debug, Default)]
struct Question<'a> {
    start: &'a [u8],
    stop: &'a [u8],
    reversed: bool,
    most: usize,
}

fn question(request: &[u8]) -> Question<'_> {
    let mut question = Question { most: usize::MAX, ..Question::default() };
    for field in Fields::of(request) {
        match field {
            (2, Value::Bytes(scan)) => {
                for field in Fields::of(scan) {
                    match field {
                        (3, Value::Bytes(row)) => question.start = row,
                        (4, Value::Bytes(row)) => question.stop = row,
                        (15, Value::Number(reversed)) => question.reversed = reversed == 1,
                        _ => {}
                    }
                }
            }
            (4, Value::Number(rows)) => question.most = usize::try_from(rows).unwrap_or(usize::MAX),
            _ => {}
        }
    }
    question
}

/// Rows of hbase:meta: the only table with any.
fn scan(request: &[u8], cluster: &Cluster) -> Answer {
    let Question { start, stop, reversed, most } = question(request);
    let (lower, upper) = if reversed { (stop, start) } else { (start, stop) };
    let mut rows: Vec<_> = cluster.regions.iter().collect();
    rows.retain(|(key, ..)| lower <= key.as_bytes() && (upper.is_empty() || key.as_bytes() <= upper));
    if reversed {
        rows.reverse();
    }
    rows.truncate(most);
    let (mut message, mut cells) = (Vec::new(), CellWriter::default());
    for (key, start, end) in rows {
        let region = region_info(REGION_ID, b"default", TABLE.as_bytes(), [start, end]);
        let columns: [(&str, Vec<u8>); 4] = [
            ("regioninfo", [b"PBUF", &region[..]].concat()),
            ("server", format!("127.0.0.1:{}", cluster.port).into_bytes()),
            ("serverstartcode", START_CODE.to_be_bytes().to_vec()),
            ("state", b"OPEN".to_vec()),
        ];
        for (column, value) in &columns {
            let put = cells.put(key.as_bytes(), b"info", column.as_bytes(), LATEST, value);
            put.expect("all parts are short");
        }
        put_number(&mut message, 1, columns.len() as u64);
        // The row is whole.
        put_number(&mut message, 7, 0);
    }
    // A scanner that is over already: no more results, not in this region either.
    put_number(&mut message, 2, 1);
    put_number(&mut message, 3, 0);
    put_number(&mut message, 8, 0);
    Answer { message, cells: cells.into_bytes().to_vec() }
}

fn region_info(id: u64, namespace: &[u8], table: &[u8], [start, end]: [&str; 2]) -> Vec<u8> {
    let mut name = Vec::new();
    put_bytes(&mut name, 1, namespace);
    put_bytes(&mut name, 2, table);
    let mut info = Vec::new();
    put_number(&mut info, 1, id);
    put_bytes(&mut info, 2, &name);
    put_bytes(&mut info, 3, start.as_bytes());
    put_bytes(&mut info, 4, end.as_bytes());
    put_number(&mut info, 5, 0);
    put_number(&mut info, 6, 0);
    put_number(&mut info, 7, 0);
    info
}
