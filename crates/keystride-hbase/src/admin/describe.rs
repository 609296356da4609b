//! Listing and describing tables.

use super::Admin;
use crate::client::StateInMeta;
use crate::proto::table_state::State;
use crate::{Error, TableDescriptor, TableName, proto};

impl Admin {
    /// Whether a table exists, according to hbase:meta. No master is needed.
    ///
    /// # Errors
    ///
    /// Any error of reading hbase:meta.
    pub async fn table_exists(&self, table: &TableName) -> Result<bool, Error> {
        match self.state(table).await {
            Ok(_) => Ok(true),
            Err(Error::NoTable { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Whether a table is enabled: not disabled, and neither being enabled nor disabled.
    ///
    /// # Errors
    ///
    /// [`Error::NoTable`].
    pub async fn is_enabled(&self, table: &TableName) -> Result<bool, Error> {
        Ok(self.state(table).await? == State::Enabled)
    }

    /// A table's descriptor, with all settings that the servers store.
    ///
    /// # Errors
    ///
    /// [`Error::NoTable`].
    pub async fn table(&self, table: &TableName) -> Result<TableDescriptor, Error> {
        let request =
            proto::GetTableDescriptorsRequest { table_names: vec![table.to_proto()], ..Default::default() };
        let found = self.descriptors(&request).await?.pop();
        found.ok_or_else(|| Error::NoTable { table: table.clone() })
    }

    /// The descriptors of all tables, sorted by name, without HBase's own tables.
    ///
    /// # Errors
    ///
    /// [`Error::BadAnswer`] even if only one can't be read.
    pub async fn tables(&self) -> Result<Vec<TableDescriptor>, Error> {
        let mut tables = self.descriptors(&proto::GetTableDescriptorsRequest::default()).await?;
        tables.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(tables)
    }

    /// The names of all tables that this user may see, sorted, without HBase's own tables.
    ///
    /// # Errors
    ///
    /// Any error of calling the master.
    pub async fn table_names(&self) -> Result<Vec<TableName>, Error> {
        const METHOD: &str = "GetTableNames";
        let request = proto::GetTableNamesRequest::default();
        let answer: proto::GetTableNamesResponse = self.call(METHOD, &request).await?;
        self.names(METHOD, &answer.table_names).await
    }

    /// The names of all tables in hbase:meta, sorted, without HBase's own tables. No master is needed.
    ///
    /// # Errors
    ///
    /// Any error of reading hbase:meta.
    pub async fn table_names_in_meta(&self) -> Result<Vec<TableName>, Error> {
        self.client.table_names().await
    }

    pub(super) async fn names(
        &self,
        method: &'static str,
        names: &[proto::TableName],
    ) -> Result<Vec<TableName>, Error> {
        let names: Result<Vec<_>, _> = names.iter().map(TableName::from_proto).collect();
        match names {
            Ok(mut names) => {
                names.sort();
                Ok(names)
            }
            Err(error) => Err(self.bad_answer(method, error).await),
        }
    }

    async fn descriptors(
        &self,
        request: &proto::GetTableDescriptorsRequest,
    ) -> Result<Vec<TableDescriptor>, Error> {
        const METHOD: &str = "GetTableDescriptors";
        let answer: proto::GetTableDescriptorsResponse = self.call(METHOD, request).await?;
        let tables: Result<Vec<_>, _> =
            answer.table_schema.into_iter().map(TableDescriptor::from_proto).collect();
        match tables {
            Ok(tables) => Ok(tables),
            Err(error) => Err(self.bad_answer(METHOD, error).await),
        }
    }

    pub(super) async fn is_before_2(&self, table: &TableName) -> Result<bool, Error> {
        match self.state_by_master(table).await {
            Err(error) if error.lacks_method() => Ok(true),
            answer => answer.map(|_| false),
        }
    }

    async fn state(&self, table: &TableName) -> Result<State, Error> {
        match Box::pin(self.client.table_state(table)).await? {
            StateInMeta::Is(state) => Ok(state),
            StateInMeta::NoTable => Err(Error::NoTable { table: table.clone() }),
            StateInMeta::NoStates => match self.state_by_master(table).await {
                Err(error) if error.lacks_method() => Box::pin(self.state_before_2(table)).await,
                answer => answer,
            },
        }
    }

    async fn state_by_master(&self, table: &TableName) -> Result<State, Error> {
        let request = proto::GetTableStateRequest { table_name: table.to_proto() };
        let answer: Result<proto::GetTableStateResponse, Error> = self.call("GetTableState", &request).await;
        Ok(answer.map_err(|error| error.about_table(table))?.table_state.state())
    }

    /// Before HBase 2 the state is in a znode; the master can't be asked for it.
    async fn state_before_2(&self, table: &TableName) -> Result<State, Error> {
        // A table may have no such znode, and a deleted table may still have one.
        self.table(table).await?;
        let state = self.client.locator().registry().table_state(table).await?;
        Ok(state.unwrap_or(State::Enabled))
    }
}
