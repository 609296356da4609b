//! Tables and their states in hbase:meta. No master is needed.

use bytes::Bytes;
use prost::Message;

use crate::cell::CellBlock;
use crate::conn::Call;
use crate::proto::table_state::State;
use crate::region::{Side, meta_region};
use crate::{Client, Error, Scan, Selection, TableName, proto};

const FAMILY: &[u8] = b"table";
const STATE: &[u8] = b"state";
const SYSTEM: &str = "hbase";
const PRIORITY: u32 = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StateInMeta {
    Is(State),
    NoTable,
    /// hbase:meta has no table states, before HBase 2.
    NoStates,
}

impl Client {
    pub(crate) async fn table_state(&self, table: &TableName) -> Result<StateInMeta, Error> {
        if *table == meta_region().table {
            return Ok(StateInMeta::Is(State::Enabled));
        }
        let mut attempts = self.attempts();
        loop {
            match self.table_state_once(table).await {
                Ok(state) => return Ok(state),
                Err(error) => attempts.recover(error).await?,
            }
        }
    }

    /// Like [`Self::table_state`], without retries.
    pub(super) async fn table_state_once(&self, table: &TableName) -> Result<StateInMeta, Error> {
        let meta = meta_region();
        let located = self.locate(&meta.table, b"", Side::Of).await?;
        let columns = vec![proto::Column { family: FAMILY.into(), qualifier: vec![STATE.into()] }];
        let get = proto::Get { row: Bytes::from(table.to_string()), column: columns, ..Default::default() };
        let request = proto::GetRequest { region: meta.specifier(), get };
        let call = Call::new("Get", self.options().rpc_timeout).priority(PRIORITY);
        let reply = self.call_region(&located, call, &request).await;
        let reply = match reply {
            Ok(reply) => reply,
            Err(error) if is_without_family(&error) => return Ok(StateInMeta::NoStates),
            Err(error) => {
                self.locator().learn(&located, &error.recovery());
                return Err(error);
            }
        };
        let bad =
            |reason: &dyn std::fmt::Display| Error::bad_answer(&located.server.address(), "Get", reason);
        let found = CellBlock::new(reply.cells).take_all().map_err(|error| bad(&error))?;
        let Some(stored) = CellBlock::cells(&found).next() else { return Ok(StateInMeta::NoTable) };
        let state = proto::TableState::decode(stored.value).map_err(|error| bad(&error))?;
        Ok(StateInMeta::Is(state.state()))
    }

    /// The names of all tables, sorted, without HBase's own tables.
    pub(crate) async fn table_names(&self) -> Result<Vec<TableName>, Error> {
        let states = Selection::all().column(FAMILY, STATE);
        let mut rows = self.table(meta_region().table).scan(Scan::all().select(states));
        let mut names = Vec::new();
        while let Some(found) = rows.next_rows().await? {
            names.extend(found.iter().filter_map(|row| std::str::from_utf8(row.key()).ok()?.parse().ok()));
        }
        names.retain(|name: &TableName| name.namespace() != SYSTEM);
        names.sort();
        Ok(names)
    }
}

fn is_without_family(error: &Error) -> bool {
    error.remote().is_some_and(|error| error.short_class() == "NoSuchColumnFamilyException")
}
