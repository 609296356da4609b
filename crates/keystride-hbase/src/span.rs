//! The spans that operations run in, for whoever listens with `tracing`. All are of level debug.
//!
//! | Span | Around | Fields |
//! |---|---|---|
//! | `operation` | one row's read or change, with all its attempts | `method`, `table` |
//! | `batch` | many actions, with all their attempts | `table`, `actions` |
//! | `scan` | a scan, from its first request to the end of its last scanner | `table` |
//! | `admin` | a question to the master or a change by it, with all attempts | `method` |
//! | `call` | one request to one server, until its answer | `method`, `server`, `service` |
//!
//! Row keys are in none of them, as they may be secret.

use tracing::{Span, debug_span};

use crate::wire::Service;
use crate::{HostPort, TableName};

pub(crate) fn operation(method: &'static str, table: &TableName) -> Span {
    debug_span!("operation", method, %table)
}

pub(crate) fn batch(table: &TableName, actions: usize) -> Span {
    debug_span!("batch", %table, actions)
}

pub(crate) fn scan(table: &TableName) -> Span {
    debug_span!("scan", %table)
}

pub(crate) fn admin(method: &'static str) -> Span {
    debug_span!("admin", method)
}

pub(crate) fn call(method: &'static str, server: &HostPort, service: Service) -> Span {
    debug_span!("call", method, %server, service = service.name())
}
