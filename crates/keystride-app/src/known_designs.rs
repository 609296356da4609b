//! Designs that were read before, kept for when a cluster has no master that could be asked for them.

use std::fs;
use std::path::PathBuf;

use keystride::Design;
use keystride_store::{Store, TableName};

use crate::replaced_file::replace_file;
use crate::user_folders::cache_folder;

/// The designs of a cluster's tables, in the user's cache.
#[derive(Debug)]
pub(crate) struct KnownDesigns {
    folder: PathBuf,
}

impl KnownDesigns {
    /// Returns those of a store's cluster. There are none of a folder, and none where there is no cache.
    pub(crate) async fn of(store: &dyn Store) -> Option<Self> {
        // A cluster that does not say its id is not recognized.
        let cluster = store.cluster_id().await.ok()??;
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if cluster.is_empty() || !cluster.chars().all(is_name) {
            return None;
        }
        Some(Self { folder: cache_folder()?.join("designs").join(cluster) })
    }

    /// Keeps the design of a table. Where that fails, there is none when it is needed.
    pub(crate) fn keep(&self, table: &TableName, design: &Design) {
        let (path, text) = (self.path(table), design.to_toml(None));
        if fs::read_to_string(&path).is_ok_and(|kept| kept == text) {
            return;
        }
        if let Err(error) = replace_file(&path, &text) {
            tracing::info!(path = %path.display(), %error, "the design is not kept");
        }
    }

    /// Returns the design of a table as it was last read.
    pub(crate) fn find(&self, table: &TableName) -> Option<Design> {
        Design::from_toml(&fs::read_to_string(self.path(table)).ok()?).ok()
    }

    fn path(&self, table: &TableName) -> PathBuf {
        self.folder.join(table.namespace()).join(format!("{}.toml", table.qualifier()))
    }
}
