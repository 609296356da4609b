//! What the servers of a cluster share.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::knobs::Knobs;
use super::procedure::Procedure;
use super::scanner::Scanner;
use super::table::FakeTable;
use super::{Fault, Seen, When};
use crate::ServerName;

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
    pub(super) faults: Vec<(When, Fault)>,
    last_number: u64,
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

    pub(crate) fn scanner_table(&self, id: u64) -> Option<String> {
        self.scanners.get(&id).map(|scanner| scanner.table.clone())
    }
}
