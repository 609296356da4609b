//! What the servers of a cluster share.

use std::collections::{BTreeMap, HashMap, HashSet};

use bytes::Bytes;

use super::master::Procedure;
use super::regions::FakeRegion;
use super::scan::Scanner;
use super::{Answer, Exception, Fault, Incoming, Phase, Seen, Stored, When, handle};
use crate::{ServerName, proto};

/// All that a cluster is, besides its sockets.
#[derive(Debug)]
pub(crate) struct State {
    /// By number; a server that is down keeps its last name.
    pub(crate) servers: Vec<ServerName>,
    pub(crate) up: Vec<bool>,
    pub(crate) master: Option<usize>,
    pub(crate) meta_at: Option<usize>,
    pub(crate) tables: BTreeMap<String, FakeTable>,
    /// Increments and appends that were made: group and nonce.
    pub(crate) nonces: HashSet<(u64, u64)>,
    pub(crate) scanners: HashMap<u64, Scanner>,
    pub(crate) procedures: HashMap<u64, Procedure>,
    /// Procedures by group and nonce: a change that is asked for again is the same.
    pub(crate) changes: HashMap<(u64, u64), u64>,
    /// What becomes of the next procedure that is begun.
    pub(crate) next_procedure: Option<Procedure>,
    pub(crate) knobs: Knobs,
    pub(crate) seen: Vec<Seen>,
    /// What no server would have accepted.
    pub(crate) complaints: Vec<String>,
    faults: Vec<(When, Fault)>,
    last_number: u64,
}

#[derive(Debug, Default)]
pub(crate) struct FakeTable {
    pub(crate) state: proto::table_state::State,
    pub(crate) rows: BTreeMap<Bytes, Vec<Stored>>,
    pub(crate) regions: Vec<FakeRegion>,
}

/// How servers behave when nothing is spoiled.
#[derive(Debug, Clone)]
pub(crate) struct Knobs {
    /// Most cells in an answer to a scan, where the client takes parts of rows.
    pub(crate) cells_per_answer: usize,
    /// So many answers of each scanner bring nothing but a sign of life before each that brings rows.
    pub(crate) heartbeats: u32,
    /// Whether a row whose last cell fills an answer is said to go on.
    pub(crate) vague_partials: bool,
    /// Whether a region that gave its last row says so at once; if not, the next answer is empty.
    pub(crate) knows_its_end: bool,
    /// Whether a region that went elsewhere is known to its old server.
    pub(crate) tells_where_it_moved: bool,
    /// Multis of more bytes are refused.
    pub(crate) largest_multi: usize,
    /// A service that one of the servers does not have.
    pub(crate) lacks: Option<(usize, String)>,
}

impl Default for Knobs {
    fn default() -> Self {
        Self {
            cells_per_answer: usize::MAX,
            heartbeats: 0,
            vague_partials: false,
            knows_its_end: true,
            tells_where_it_moved: true,
            largest_multi: usize::MAX,
            lacks: None,
        }
    }
}

impl State {
    pub(crate) fn new(servers: Vec<ServerName>) -> Self {
        Self {
            up: vec![true; servers.len()],
            servers,
            master: Some(0),
            meta_at: Some(0),
            tables: BTreeMap::new(),
            nonces: HashSet::new(),
            scanners: HashMap::new(),
            procedures: HashMap::new(),
            changes: HashMap::new(),
            next_procedure: None,
            knobs: Knobs::default(),
            seen: Vec::new(),
            complaints: Vec::new(),
            faults: Vec::new(),
            last_number: 1_700_000_000_000,
        }
    }

    /// The clock, and what makes ids: each is greater than the one before.
    pub(crate) fn next_number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    pub(crate) fn spoil(&mut self, when: When, fault: Fault) {
        self.faults.push((when, fault));
    }

    pub(crate) fn complain(&mut self, what: impl Into<String>) {
        self.complaints.push(what.into());
    }

    /// Makes a call, and says what is to become of its answer.
    pub(crate) fn take(
        &mut self,
        server: usize,
        service: &str,
        request: &Incoming,
    ) -> (Result<Answer, Exception>, Option<Fault>) {
        if !request.header.request_param() {
            self.complain("a request without request_param");
        }
        let seen = Seen::new(self, server, request);
        let fault = self.faults.iter_mut().find_map(|(when, fault)| when.takes(&seen).then(|| fault.clone()));
        let phase = seen.phase;
        self.seen.push(seen);
        let outcome = match &fault {
            Some(fault) if !fault.lets_it_happen() => Ok(Answer::default()),
            _ => handle::handle(self, server, service, request),
        };
        if let Some(Fault::Exception(exception) | Fault::LateException(exception)) = &fault {
            self.forget_scanner(phase, request, exception);
            return (Err(exception.clone()), None);
        }
        (outcome, fault)
    }

    /// Exceptions that say that a scanner is gone are true.
    fn forget_scanner(&mut self, phase: Phase, request: &Incoming, exception: &Exception) {
        let gone =
            ["UnknownScannerException", "exceptions.ScannerResetException", "regionserver.LeaseException"];
        if phase == Phase::Next && gone.iter().any(|class| exception.is(class)) {
            let scan: proto::ScanRequest = request.read().unwrap_or_default();
            self.scanners.remove(&scan.scanner_id());
        }
    }

    pub(crate) fn scanner_table(&self, id: u64) -> Option<String> {
        self.scanners.get(&id).map(|scanner| scanner.table.clone())
    }
}
