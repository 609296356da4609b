//! Snapshots.

use super::Admin;
use super::procedure::Polling;
use crate::error::RemoteError;
use crate::{Error, SnapshotDescriptor, TableName, proto};

impl Admin {
    /// Takes a snapshot of a table.
    ///
    /// # Errors
    ///
    /// [`Error::NoTable`]; the master's `SnapshotExistsException`.
    pub async fn snapshot(&self, snapshot: &SnapshotDescriptor) -> Result<(), Error> {
        let nonce = self.nonce();
        let request = proto::SnapshotRequest {
            snapshot: snapshot.to_proto(),
            nonce_group: nonce.group,
            nonce: nonce.nonce,
        };
        let taken = async {
            let answer: proto::SnapshotResponse = self.call("Snapshot", &request).await?;
            let Some(procedure) = answer.proc_id else { return self.wait_for_snapshot(snapshot).await };
            let is_done = async { Ok(self.find_snapshot(snapshot.name()).await.is_ok()) };
            self.finish("taking the snapshot", Some(procedure.cast_unsigned()), is_done).await
        };
        match taken.await {
            // The exception's class does not tell the cause.
            Err(error) if is_creation(&error) && !self.table_exists(&snapshot.table).await? => {
                Err(Error::NoTable { table: snapshot.table.clone() })
            }
            outcome => outcome,
        }
    }

    /// All completed snapshots, sorted by name.
    ///
    /// # Errors
    ///
    /// [`Error::BadAnswer`] even if only one can't be read.
    pub async fn snapshots(&self) -> Result<Vec<SnapshotDescriptor>, Error> {
        self.read_by_name(
            LIST,
            self.completed_snapshots().await?,
            SnapshotDescriptor::from_proto,
            SnapshotDescriptor::name,
        )
        .await
    }

    /// Deletes a snapshot.
    ///
    /// # Errors
    ///
    /// [`Error::NoSnapshot`].
    pub async fn delete_snapshot(&self, snapshot: &str) -> Result<(), Error> {
        let request = proto::DeleteSnapshotRequest { snapshot: named(snapshot) };
        let deleted: Result<proto::DeleteSnapshotResponse, Error> =
            self.call("DeleteSnapshot", &request).await;
        deleted.map(drop).map_err(|error| about_snapshot(error, snapshot))
    }

    /// Restores a disabled table's rows, descriptor and regions from a snapshot. The table stays disabled. A deleted
    /// table is created again, enabled.
    ///
    /// # Errors
    ///
    /// [`Error::NoSnapshot`], [`Error::TableEnabled`].
    pub async fn restore_snapshot(&self, snapshot: &str) -> Result<(), Error> {
        let found = self.find_snapshot(snapshot).await?;
        let incomplete = |_| Error::NoSnapshot { snapshot: snapshot.into() };
        let table = TableName::new(found.table()).map_err(incomplete)?;
        // The master's own refusal would be retried.
        match self.is_enabled(&table).await {
            Ok(true) => return Err(Error::TableEnabled { table }),
            Ok(false) | Err(Error::NoTable { .. }) => {}
            Err(error) => return Err(error),
        }
        self.restore(found, "restoring the snapshot").await.map_err(|error| error.about_table(&table))?;
        self.client.forget_regions(&table);
        Ok(())
    }

    /// Creates a table from a snapshot. Completes when all its regions are open.
    ///
    /// # Errors
    ///
    /// [`Error::NoSnapshot`], [`Error::TableExists`].
    pub async fn clone_snapshot(&self, snapshot: &str, table: &TableName) -> Result<(), Error> {
        let found = self.find_snapshot(snapshot).await?;
        if self.table_exists(table).await? {
            return Err(Error::TableExists { table: table.clone() });
        }
        let clone = proto::SnapshotDescription { table: Some(table.to_string()), ..found };
        self.restore(clone, "cloning the snapshot").await.map_err(|error| error.about_table(table))?;
        self.client.forget_regions(table);
        self.wait_until_served(table, b"", b"").await
    }
}

const LIST: &str = "GetCompletedSnapshots";

impl Admin {
    async fn completed_snapshots(&self) -> Result<Vec<proto::SnapshotDescription>, Error> {
        let request = proto::GetCompletedSnapshotsRequest {};
        let answer: proto::GetCompletedSnapshotsResponse = self.call(LIST, &request).await?;
        Ok(answer.snapshots)
    }

    /// A snapshot, with all fields that the master fills in.
    async fn find_snapshot(&self, name: &str) -> Result<proto::SnapshotDescription, Error> {
        let found = self.completed_snapshots().await?.into_iter().find(|snapshot| snapshot.name == name);
        found.ok_or_else(|| Error::NoSnapshot { snapshot: name.into() })
    }

    async fn restore(&self, snapshot: proto::SnapshotDescription, what: &'static str) -> Result<(), Error> {
        let nonce = self.nonce();
        let request = proto::RestoreSnapshotRequest {
            snapshot,
            nonce_group: nonce.group,
            nonce: nonce.nonce,
            ..Default::default()
        };
        let answer: proto::RestoreSnapshotResponse = self.call("RestoreSnapshot", &request).await?;
        // The cluster does not show whether a table has been restored.
        self.finish(what, Some(answer.proc_id), async { Ok(false) }).await
    }

    /// Before HBase 2.6 taking a snapshot was not a procedure.
    async fn wait_for_snapshot(&self, snapshot: &SnapshotDescriptor) -> Result<(), Error> {
        let request = proto::IsSnapshotDoneRequest { snapshot: Some(snapshot.to_proto()) };
        let mut polling = Polling::begin(self, "taking the snapshot", None);
        loop {
            let answer: proto::IsSnapshotDoneResponse = self.call("IsSnapshotDone", &request).await?;
            if answer.done() {
                return Ok(());
            }
            polling.pause().await;
        }
    }
}

/// A request to delete a snapshot needs only its name.
fn named(snapshot: &str) -> proto::SnapshotDescription {
    proto::SnapshotDescription { name: snapshot.into(), ..Default::default() }
}

fn is_creation(error: &Error) -> bool {
    error.remote().is_some_and(|error| error.short_class() == "SnapshotCreationException")
}

fn about_snapshot(error: Error, snapshot: &str) -> Error {
    match error.remote().map(RemoteError::short_class) {
        Some("SnapshotDoesNotExistException") => Error::NoSnapshot { snapshot: snapshot.into() },
        _ => error,
    }
}
