//! Dispatching calls by method.

use super::{
    Answer, Exception, Fault, Incoming, Phase, RecordedCall, State, master, meta, multi, mutate, registry,
    rows, scan,
};
use crate::proto;

/// Services that a server has. For others it closes the connection.
pub(crate) const SERVICES: [&str; 4] =
    ["ClientService", "AdminService", "MasterService", "ClientMetaService"];

impl State {
    /// Executes a call, and returns what happens to its answer.
    pub(crate) fn take(
        &mut self,
        server: usize,
        service: &str,
        request: &Incoming,
    ) -> (Result<Answer, Exception>, Option<Fault>) {
        if !request.header.request_param() {
            self.complain("a request without request_param");
        }
        let seen = RecordedCall::new(self, server, request);
        let fault = self.faults.iter_mut().find_map(|(when, fault)| when.takes(&seen).then(|| fault.clone()));
        let phase = seen.phase;
        self.seen.push(seen);
        let outcome = match &fault {
            Some(fault) if !fault.lets_it_happen() => Ok(Answer::default()),
            _ => handle(self, server, service, request),
        };
        if let Some(Fault::Exception(exception) | Fault::LateException(exception)) = &fault {
            self.forget_scanner(phase, request, exception);
            return (Err(exception.clone()), None);
        }
        (outcome, fault)
    }

    /// An exception about a lost scanner removes the scanner.
    fn forget_scanner(&mut self, phase: Phase, request: &Incoming, exception: &Exception) {
        let gone =
            ["UnknownScannerException", "exceptions.ScannerResetException", "regionserver.LeaseException"];
        if phase == Phase::Next && gone.iter().any(|class| exception.is(class)) {
            let scan: proto::ScanRequest = request.read().unwrap_or_default();
            self.scanners.remove(&scan.scanner_id());
        }
    }
}

fn handle(state: &mut State, server: usize, service: &str, request: &Incoming) -> Result<Answer, Exception> {
    match (service, request.header.method_name()) {
        ("ClientMetaService", method) => registry::answer(state, method),
        ("ClientService", "Get") => get(state, server, request),
        ("ClientService", "Mutate") => mutate::mutate(state, server, request),
        ("ClientService", "Multi") => multi::multi(state, server, request),
        ("ClientService", "Scan") => scan::scan(state, server, request),
        ("MasterService", method) => master::answer(state, server, method, request),
        (_, method) => Err(Exception::unknown_method(method)),
    }
}

fn get(state: &mut State, server: usize, request: &Incoming) -> Result<Answer, Exception> {
    let message = request.read::<proto::GetRequest>()?;
    if meta::is_meta(&message.region) {
        return meta::get(state, server, &message.get);
    }
    rows::get(state, server, &message)
}
