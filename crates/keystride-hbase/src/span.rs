//! Spans of operations for `tracing`, all of level debug.
//!
//! | Span | Around | Fields |
//! |---|---|---|
//! | `operation` | a read or a change of one row, with all attempts | `method`, `table` |
//! | `batch` | many actions, with all attempts | `table`, `actions` |
//! | `scan` | a scan, from its first request to the end of its last scanner | `table` |
//! | `admin` | an administrative operation, with all attempts | `method` |
//! | `call` | one request to one server, until its answer | `method`, `server`, `service` |
//!
//! The end of each call is an event of the same level, with `method`, `server`, `table`, `region` (its encoded name),
//! `ms` and `outcome`, which is `ok` or an error.
//!
//! None of them contains a row key, which may be confidential; an error may.

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
