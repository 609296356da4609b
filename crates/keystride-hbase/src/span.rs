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
//! Each call that has ended is an event of the same level, with `method`, `server`, `table`, `region` (its encoded name), `ms`
//! and `outcome`, which is `ok` or an error.
//!
//! Row keys are in none of them, as they may be secret; an error may show one.

use std::time::Duration;

use tracing::{Span, debug_span};

use crate::conn::Call;
use crate::wire::Service;
use crate::{Error, HostPort, TableName};

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

/// Tells that a call has ended, and how.
pub(crate) fn called(call: &Call, server: &HostPort, took: Duration, error: Option<&Error>) {
    let table = call.about.table().map(tracing::field::display);
    let region = call.about.region().map(tracing::field::display);
    let ms = took.as_millis();
    let method = call.method;
    match error {
        None => tracing::debug!(method, %server, table, region, ms, outcome = "ok", "called"),
        Some(error) => tracing::debug!(method, %server, table, region, ms, outcome = %error, "called"),
    }
}
