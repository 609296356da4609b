//! What all requests share.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

use keystride_app::heat::{Counting, HeatOptions, HeatWatches};
use keystride_store::{Store, TableName, Writers};
use keystride_table::Table;

use crate::api::ApiError;
use crate::files::Files;
use crate::jobs::Jobs;
use crate::safety::Sessions;
use crate::samples::Samples;
use crate::{ConsoleError, Options};

/// What a console serves.
pub(crate) struct Served {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) options: Options,
    pub(crate) sessions: Sessions,
    /// Where it listens.
    pub(crate) address: SocketAddr,
    pub(crate) files: Files,
    pub(crate) jobs: Jobs,
    pub(crate) heat: HeatWatches,
    pub(crate) samples: Arc<Samples>,
}

pub(crate) type Shared = Arc<Served>;

impl Served {
    pub(crate) fn new(
        store: Arc<dyn Store>,
        options: Options,
        sessions: Sessions,
        address: SocketAddr,
    ) -> Result<Self, ConsoleError> {
        let files = Files::open(options.files.as_deref())?;
        let heat_options = HeatOptions { folder: options.history.clone(), ..HeatOptions::of(&*store) };
        let store = Arc::new(Counting::over(store));
        let heat = HeatWatches::counting(&store, heat_options);
        Ok(Self {
            store,
            options,
            sessions,
            address,
            files,
            jobs: Jobs::default(),
            heat,
            samples: Arc::default(),
        })
    }

    /// Begins to watch a table of a store that nobody else has open: it costs nothing, and its past is there when somebody
    /// looks.
    pub(crate) fn watch(&self, table: &TableName) {
        if self.store.writers() == Writers::Alone {
            self.heat.watch(table);
        }
    }

    /// Opens a table by the design that is kept with it.
    pub(crate) async fn table(&self, name: &TableName) -> Result<Table, ApiError> {
        Ok(keystride_app::open_table(Arc::clone(&self.store), name, None).await?.table)
    }

    /// Opens a table if its design is known: those of others can be shown, too.
    pub(crate) async fn designed_table(&self, name: &TableName) -> Result<Option<Table>, ApiError> {
        use keystride_table::TableError::{DesignNotTold, NoDesign, StoredDesign};
        match keystride_app::open_table(Arc::clone(&self.store), name, None).await {
            Ok(opened) => Ok(Some(opened.table)),
            Err(NoDesign { .. } | DesignNotTold { .. } | StoredDesign { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

impl fmt::Debug for Served {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Served")
            .field("options", &self.options)
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}
