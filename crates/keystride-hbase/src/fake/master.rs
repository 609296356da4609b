//! The active master: creating and dropping tables, and procedures.

use prost::Message;

use super::{Answer, Exception, Incoming, State};
use crate::proto::get_procedure_result_response::State as Progress;
use crate::proto::table_state::State as TableState;
use crate::{TableName, proto};

type Outcome = Result<Answer, Exception>;

pub(crate) fn answer(state: &mut State, server: usize, method: &str, request: &Incoming) -> Outcome {
    if state.master != Some(server) {
        return Err(Exception::new("ipc.ServerNotRunningYetException", "Server is not running yet"));
    }
    match method {
        "IsMasterRunning" => Ok(Answer::of(&proto::IsMasterRunningResponse { is_master_running: true })),
        "getProcedureResult" => progress(state, request),
        "GetTableState" => table_state(state, request),
        "CreateTable" => create(state, request),
        "DeleteTable" => delete(state, request),
        "DisableTable" => {
            let asked: proto::DisableTableRequest = request.read()?;
            let id =
                set_state(state, &asked.table_name, TableState::Disabled, (asked.nonce_group, asked.nonce))?;
            Ok(Answer::of(&proto::DisableTableResponse { proc_id: Some(id) }))
        }
        "EnableTable" => {
            let asked: proto::EnableTableRequest = request.read()?;
            let id =
                set_state(state, &asked.table_name, TableState::Enabled, (asked.nonce_group, asked.nonce))?;
            Ok(Answer::of(&proto::EnableTableResponse { proc_id: Some(id) }))
        }
        method => Err(Exception::unknown_method(method)),
    }
}

fn progress(state: &mut State, request: &Incoming) -> Outcome {
    let id = request.read::<proto::GetProcedureResultRequest>()?.proc_id;
    let of = |progress: Progress, exception| {
        Answer::of(&proto::GetProcedureResultResponse {
            state: progress.into(),
            exception,
            ..Default::default()
        })
    };
    let Some(procedure) = state.procedures.get_mut(&id) else { return Ok(of(Progress::NotFound, None)) };
    if procedure.running > 0 {
        procedure.running -= 1;
        return Ok(of(Progress::Running, None));
    }
    // A result is forgotten once it was reported.
    let procedure = state.procedures.remove(&id).unwrap_or_default();
    Ok(of(Progress::Finished, procedure.exception.as_ref().map(Exception::to_foreign)))
}

/// The procedure of a request, and whether it is new.
fn begin(state: &mut State, nonce: (Option<u64>, Option<u64>)) -> (u64, bool) {
    let (Some(group), Some(nonce)) = nonce else {
        state.complain("a change of the master without a nonce");
        return (0, true);
    };
    if let Some(&id) = state.changes.get(&(group, nonce)) {
        return (id, false);
    }
    let id = state.next_number();
    state.changes.insert((group, nonce), id);
    let procedure = state.next_procedure.take().unwrap_or_default();
    state.procedures.insert(id, procedure);
    (id, true)
}

/// Whether a procedure will make its change.
fn ends_well(state: &State, id: u64) -> bool {
    state.procedures.get(&id).is_some_and(|procedure| procedure.exception.is_none())
}

fn create(state: &mut State, request: &Incoming) -> Outcome {
    let asked: proto::CreateTableRequest = request.read()?;
    let name = name(&asked.table_schema.table_name.unwrap_or_default());
    let points: Vec<String> =
        asked.split_keys.iter().map(|key| String::from_utf8_lossy(key).into_owned()).collect();
    if !points.is_sorted() {
        state.complain("split keys are not sorted");
    }
    let (id, is_new) = begin(state, (asked.nonce_group, asked.nonce));
    if is_new && state.tables.contains_key(&name) {
        return Err(Exception::final_one("TableExistsException", name));
    }
    if is_new && ends_well(state, id) {
        state.create(&name, &points.iter().map(String::as_str).collect::<Vec<_>>());
    }
    Ok(Answer::of(&proto::CreateTableResponse { proc_id: Some(id) }))
}

fn delete(state: &mut State, request: &Incoming) -> Outcome {
    let asked: proto::DeleteTableRequest = request.read()?;
    let (id, is_new) = begin(state, (asked.nonce_group, asked.nonce));
    let name = name(&asked.table_name);
    match state.tables.get(&name).map(|table| table.state) {
        _ if !is_new => {}
        None => return Err(Exception::final_one("TableNotFoundException", name)),
        Some(TableState::Disabled) => drop(state.tables.remove(&name)),
        Some(_) => return Err(Exception::final_one("TableNotDisabledException", name)),
    }
    Ok(Answer::of(&proto::DeleteTableResponse { proc_id: Some(id) }))
}

fn set_state(
    state: &mut State,
    table: &proto::TableName,
    to: TableState,
    nonce: (Option<u64>, Option<u64>),
) -> Result<u64, Exception> {
    let (id, is_new) = begin(state, nonce);
    let name = name(table);
    match state.tables.get(&name).map(|table| table.state) {
        _ if !is_new => {}
        None => return Err(Exception::final_one("TableNotFoundException", name)),
        Some(now) if now == to && to == TableState::Disabled => {
            return Err(Exception::final_one("TableNotEnabledException", name));
        }
        Some(now) if now == to => return Err(Exception::final_one("TableNotDisabledException", name)),
        Some(_) if ends_well(state, id) => state.set_table_state(&name, to),
        Some(_) => {}
    }
    Ok(id)
}

fn table_state(state: &State, request: &Incoming) -> Outcome {
    let name = name(&request.read::<proto::GetTableStateRequest>()?.table_name);
    let Some(table) = state.tables.get(&name) else {
        return Err(Exception::final_one("TableNotFoundException", name));
    };
    let table_state = proto::TableState { state: table.state.into() };
    Ok(Answer::of(&proto::GetTableStateResponse { table_state }))
}

fn name(name: &proto::TableName) -> String {
    TableName::from_proto(name)
        .map_or_else(|_| format!("{:?}", name.encode_to_vec()), |name| name.to_string())
}
