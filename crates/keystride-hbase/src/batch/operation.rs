//! Operations of a batch.

use super::request::{ActionWriter, Actions};
use crate::cell::CellTooLarge;
use crate::{Error, Get, Mutation, Row};

/// An operation on one row.
#[derive(Debug, Clone)]
pub enum Operation {
    /// Reads the row.
    Get(Get),
    /// Changes the row.
    Mutate(Mutation),
    /// Makes several puts and deletes of the row atomically.
    Row(Vec<Mutation>),
}

/// The outcome of an operation: the row that was read, the new values of an increment or append, or an empty row.
pub type Outcome = Result<Row, Error>;

impl Operation {
    pub(crate) fn check(&self) -> Result<(), Error> {
        let Self::Row(mutations) = self else {
            return match self {
                Self::Mutate(mutation) => mutation.check(),
                _ => Ok(()),
            };
        };
        let bad = |reason: &str| Error::BadRequest { reason: reason.into() };
        let first = mutations.first().ok_or_else(|| bad("a group of changes needs at least one"))?;
        for mutation in mutations {
            mutation.check()?;
            if mutation.row() != first.row() {
                return Err(bad("atomic changes must be of one row"));
            }
            if mutation.is_once_only() {
                return Err(bad("atomic changes must be puts and deletes"));
            }
        }
        Ok(())
    }

    pub(crate) fn prepared(self) -> Self {
        match self {
            Self::Mutate(mutation) => Self::Mutate(mutation.with_nonce()),
            other => other,
        }
    }
}

impl From<Get> for Operation {
    fn from(get: Get) -> Self {
        Self::Get(get)
    }
}

impl From<Mutation> for Operation {
    fn from(mutation: Mutation) -> Self {
        Self::Mutate(mutation)
    }
}

impl<T: AsRef<[Operation]> + Send + Sync> Actions for T {
    fn len(&self) -> usize {
        self.as_ref().len()
    }

    fn row(&self, at: usize) -> &[u8] {
        match &self.as_ref()[at] {
            Operation::Get(get) => get.row(),
            Operation::Mutate(mutation) => mutation.row(),
            Operation::Row(mutations) => mutations.first().map_or(&[], |mutation| mutation.row()),
        }
    }

    fn write(&self, at: usize, out: &mut ActionWriter<'_>) -> Result<(), CellTooLarge> {
        match &self.as_ref()[at] {
            Operation::Get(get) => out.get(get),
            Operation::Mutate(mutation) => out.mutation(mutation)?,
            Operation::Row(mutations) => out.row_mutations(mutations)?,
        }
        Ok(())
    }
}
