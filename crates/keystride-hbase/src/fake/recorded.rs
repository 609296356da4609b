//! Recorded calls.

use bytes::Bytes;
use prost::Message;

use super::{Incoming, State};
use crate::proto;

#[derive(Debug, Clone)]
pub(crate) struct RecordedCall {
    pub(crate) server: usize,
    pub(crate) method: String,
    /// For scans; otherwise [`Phase::Other`].
    pub(crate) phase: Phase,
    /// The table; for a Multi, that of its first action.
    pub(crate) table: Option<String>,
    pub(crate) header: proto::RequestHeader,
    pub(crate) message: Bytes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Open,
    Next,
    Renew,
    Close,
    Other,
}

impl RecordedCall {
    pub(crate) fn new(state: &State, server: usize, request: &Incoming) -> Self {
        let method = request.header.method_name().to_owned();
        let (phase, table) = subject(state, &method, request);
        let (header, message) = (request.header.clone(), request.message.clone());
        Self { server, method, phase, table, header, message }
    }

    pub(crate) fn read<M: Message + Default>(&self) -> M {
        M::decode(self.message.clone()).unwrap()
    }

    pub(crate) fn is(&self, method: &str, table: &str) -> bool {
        self.method == method && self.table.as_deref() == Some(table)
    }

    pub(crate) fn is_scan(&self, phase: Phase, table: &str) -> bool {
        self.is("Scan", table) && self.phase == phase
    }
}

fn subject(state: &State, method: &str, request: &Incoming) -> (Phase, Option<String>) {
    let region = match method {
        "Get" => request.read().ok().map(|get: proto::GetRequest| get.region),
        "Mutate" => request.read().ok().map(|mutate: proto::MutateRequest| mutate.region),
        "Multi" => request.read().ok().and_then(|multi: proto::MultiRequest| {
            multi.region_action.into_iter().next().map(|action| action.region)
        }),
        "Scan" => return scan_subject(state, &request.read().unwrap_or_default()),
        _ => None,
    };
    (Phase::Other, region.and_then(|region| table_of(&region.value)))
}

fn scan_subject(state: &State, scan: &proto::ScanRequest) -> (Phase, Option<String>) {
    let Some(id) = scan.scanner_id else {
        let region = scan.region.as_ref();
        return (Phase::Open, region.and_then(|region| table_of(&region.value)));
    };
    let phase = match scan {
        _ if scan.renew() => Phase::Renew,
        _ if scan.close_scanner() && scan.number_of_rows() == 0 => Phase::Close,
        _ => Phase::Next,
    };
    (phase, state.scanner_table(id))
}

/// A region's name starts with its table's name.
fn table_of(region: &[u8]) -> Option<String> {
    let end = region.iter().position(|&byte| byte == b',')?;
    Some(String::from_utf8_lossy(&region[..end]).into_owned())
}
