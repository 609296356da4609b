//! What hbase:meta says of tables: which there are, and in which state. No master is needed for it.

use bytes::Bytes;
use prost::Message;

use crate::cell::CellBlock;
use crate::conn::Call;
use crate::proto::table_state::State;
use crate::region::{Side, meta_region};
use crate::{Client, Error, Scan, Selection, TableName, proto};

const FAMILY: &[u8] = b"table";
const STATE: &[u8] = b"state";
/// The namespace of HBase's own tables.
const SYSTEM: &str = "hbase";
const PRIORITY: u32 = 200;
impl Client {
    /// A table's state; `None` where there is no such table.
    pub(crate) async fn table_state(&self, table: &TableName) -> Result<Option<State>, Error> {
        if *table == meta_region().table {
            return Ok(Some(State::Enabled));
        }
        let mut attempts = self.attempts();
        loop {
            match self.table_state_once(table).await {
                Ok(state) => return Ok(state),
                Err(error) => attempts.recover(error).await?,
            }
        }
    }

    /// The same, asked once.
    pub(super) async fn table_state_once(&self, table: &TableName) -> Result<Option<State>, Error> {
        let meta = meta_region();
        let located = self.locate(&meta.table, b"", Side::Of).await?;
        let columns = vec![proto::Column { family: FAMILY.into(), qualifier: vec![STATE.into()] }];
        let get = proto::Get { row: Bytes::from(table.to_string()), column: columns, ..Default::default() };
        let request = proto::GetRequest { region: meta.specifier(), get };
        let call = Call::new("Get", self.options().rpc_timeout).priority(PRIORITY);
        let reply = self.call_region(&located, call, &request).await;
        let reply = match reply {
            Ok(reply) => reply,
            // Before HBase 2 hbase:meta has no such family.
            Err(error) if is_without_family(&error) => return Ok(None),
            Err(error) => {
                self.locator().learn(&located, &error.recovery());
                return Err(error);
            }
        };
        // It has one cell, or none.
        let found = CellBlock::new(reply.cells).take(1).ok();
        Ok(found.as_ref().and_then(|found| {
            let value = CellBlock::cells(found).next()?.value;
            Some(proto::TableState::decode(value).ok()?.state())
        }))
    }

    /// The names of all tables, sorted, without those of HBase itself.
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
