//! Notes, in a table of their own: HBase keeps none with its tables.

use keystride_hbase::{
    Error, FamilyDescriptor, FamilyName, Get, Mutation, Operation, Scan, TableDescriptor, TableName,
};

use super::HBaseStore;
use crate::{Note, StoreError};

const FAMILY: &str = "n";

/// The table that all notes are in. Its rows are a table's name, a zero and a note's key.
pub(super) fn table() -> TableName {
    TableName::new("keystride.notes").expect("it is a name")
}

fn row(of: &TableName, key: &str) -> String {
    format!("{of}\0{key}")
}

impl HBaseStore {
    pub(super) async fn keep_notes(&self, of: &TableName, notes: &[Note]) -> Result<(), StoreError> {
        if notes.is_empty() {
            return Ok(());
        }
        let operations: Vec<Operation> = notes.iter().map(|note| operation(of, note)).collect();
        let mut outcomes = self.client().table(table()).batch(operations.clone()).await;
        if outcomes.iter().any(|outcome| matches!(outcome, Err(Error::NoTable { .. }))) {
            self.make_notes().await?;
            outcomes = self.client().table(table()).batch(operations).await;
        }
        outcomes.into_iter().try_for_each(|outcome| outcome.map(|_| ())).map_err(failed)
    }

    pub(super) async fn read_note(&self, of: &TableName, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        match self.client().table(table()).get(&Get::new(row(of, key))).await {
            Ok(row) => Ok(row.value(FAMILY.as_bytes(), b"").map(<[u8]>::to_vec)),
            Err(Error::NoTable { .. }) => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    /// Forgets all notes of a table. Whoever may not write them has kept none.
    pub(super) async fn forget_notes(&self, of: &TableName) -> Result<(), StoreError> {
        let notes = self.client().table(table());
        let mut scan = notes.scan(Scan::prefix(row(of, "")));
        loop {
            match scan.next_rows().await {
                Ok(Some(rows)) => {
                    let deletes = rows.iter().map(|row| Mutation::delete(row.key()).into()).collect();
                    let outcomes = notes.batch(deletes).await;
                    let all: Result<Vec<_>, Error> = outcomes.into_iter().collect();
                    all.map_err(failed)?;
                }
                Ok(None) | Err(Error::NoTable { .. }) => return Ok(()),
                Err(error) if error.is_denied() => {
                    tracing::warn!(table = %of, %error, "notes of an earlier table of this name may stay");
                    return Ok(());
                }
                Err(error) => return Err(StoreError::of_cluster(error)),
            }
        }
    }

    /// Makes the table; another may be doing the same.
    async fn make_notes(&self) -> Result<(), StoreError> {
        let mut descriptor = TableDescriptor::new(table());
        let family = FamilyName::new(FAMILY).expect("it is a name");
        descriptor.set_family(FamilyDescriptor::new(family));
        let none: [&[u8]; 0] = [];
        match self.client().admin().create_table(&descriptor, &none).await {
            Ok(()) | Err(Error::TableExists { .. }) => Ok(()),
            Err(error) => Err(failed(error)),
        }
    }
}

/// An error of the table of notes.
fn failed(error: Error) -> StoreError {
    if error.is_denied() {
        return StoreError::NotesDenied { table: table(), source: Box::new(error) };
    }
    StoreError::of_cluster(error)
}

fn operation(of: &TableName, note: &Note) -> Operation {
    let row = row(of, &note.key);
    match &note.value {
        Some(value) => Mutation::put(row).value(FAMILY, "", value).into(),
        None => Mutation::delete(row).into(),
    }
}
