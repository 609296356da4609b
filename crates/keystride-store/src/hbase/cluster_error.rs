//! Errors of a cluster as errors of its store.

use keystride_hbase::Error as ClusterError;

use super::families::missing_family;
use crate::{StoreError, TableName};

impl StoreError {
    /// Converts an error of a cluster that concerns a table.
    pub(crate) fn cluster(table: &TableName, error: ClusterError) -> Self {
        match error {
            ClusterError::NoTable { .. } => Self::UnknownTable { table: table.clone() },
            ClusterError::TableExists { .. } => Self::TableExists { table: table.clone() },
            other => match missing_family(&other) {
                Some(family) => Self::UnknownFamily { table: table.clone(), family },
                None => Self::of_cluster(other),
            },
        }
    }

    /// Converts an error of a cluster that concerns no particular table.
    pub(crate) fn of_cluster(error: ClusterError) -> Self {
        Self::Cluster(Box::new(error))
    }
}
