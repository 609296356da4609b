//! The state shared by the servers of a cluster.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::procedure::Procedure;
use super::scanner::Scanner;
use super::settings::Settings;
use super::table::FakeTable;
use super::{Fault, RecordedCall, When};
use crate::ServerName;

/// The whole state of a cluster except its sockets.
#[derive(Debug)]
pub(crate) struct State {
    /// By index. A stopped server keeps its last name.
    pub(crate) servers: Vec<ServerName>,
    pub(crate) up: Vec<bool>,
    pub(crate) master: Option<usize>,
    pub(crate) meta_at: Option<usize>,
    pub(crate) tables: BTreeMap<String, FakeTable>,
    /// Increments and appends made so far, by nonce group and nonce.
    pub(crate) nonces: HashSet<(u64, u64)>,
    pub(crate) scanners: HashMap<u64, Scanner>,
    pub(crate) procedures: HashMap<u64, Procedure>,
    /// Procedures by nonce group and nonce: a repeated request returns the same procedure.
    pub(crate) changes: HashMap<(u64, u64), u64>,
    pub(crate) next_procedure: Option<Procedure>,
    pub(crate) settings: Settings,
    pub(crate) seen: Vec<RecordedCall>,
    /// Requests that a real server would refuse.
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
            settings: Settings::default(),
            seen: Vec::new(),
            complaints: Vec::new(),
            faults: Vec::new(),
            last_number: 1_700_000_000_000,
        }
    }

    /// The next timestamp or id. Numbers ascend.
    pub(crate) fn next_number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    pub(crate) fn inject(&mut self, when: When, fault: Fault) {
        self.faults.push((when, fault));
    }

    pub(crate) fn complain(&mut self, what: impl Into<String>) {
        self.complaints.push(what.into());
    }

    pub(crate) fn scanner_table(&self, id: u64) -> Option<String> {
        self.scanners.get(&id).map(|scanner| scanner.table.clone())
    }
}
