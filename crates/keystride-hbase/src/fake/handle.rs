//! From a method's name to what it does.

use super::{Answer, Exception, Incoming, State, master, meta, multi, mutate, registry, rows, scan};

/// Services that a server has; others it closes the connection for.
pub(crate) const SERVICES: [&str; 4] =
    ["ClientService", "AdminService", "MasterService", "ClientMetaService"];

pub(crate) fn handle(
    state: &mut State,
    server: usize,
    service: &str,
    request: &Incoming,
) -> Result<Answer, Exception> {
    match (service, request.header.method_name()) {
        ("ClientMetaService", method) => registry::answer(state, method),
        ("ClientService", "Get") => get(state, server, request),
        ("ClientService", "Mutate") => mutate::mutate(state, server, request),
        ("ClientService", "Multi") => multi::multi(state, server, request),
        ("ClientService", "Scan") => scan::scan(state, server, request),
        ("MasterService", method) => master::answer(state, server, method, request),
        (_, method) => Err(unknown_method(method)),
    }
}

fn get(state: &mut State, server: usize, request: &Incoming) -> Result<Answer, Exception> {
    let message = request.read::<crate::proto::GetRequest>()?;
    if meta::is_meta(&message.region) {
        return meta::get(state, server, &message.get);
    }
    rows::get(state, server, &message)
}

pub(crate) fn unknown_method(method: &str) -> Exception {
    let text = format!(
        "127.0.0.1 is unable to read call parameter from client; java.lang.UnsupportedOperationException: {method}"
    );
    Exception::final_one("DoNotRetryIOException", text)
}
