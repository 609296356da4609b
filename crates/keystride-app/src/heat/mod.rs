//! Live heat maps of a store's tables.
//!
//! [`HeatWatches`] has one [`HeatWatch`] for each table that is watched. It reads the counters of the table's regions
//! every few seconds, gives columns to a [`HeatFeed`] as they come, and keeps earlier ones in memory and, if there is a
//! folder for them, in a file. The data model is that of [`keystride_heat::live`].
//!
//! A table of a cluster is read only while somebody has its watch. In an embedded store, where counters are in memory, a
//! table that was watched once is watched until the store is closed, so that its past is there when somebody looks.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use std::sync::Arc;
//! use std::time::Duration;
//!
//! use keystride_app::heat::{HeatOptions, HeatUpdate, HeatWatches};
//! use keystride_heat::live::Metric;
//! use keystride_heat::live::view::ViewRequest;
//! # use keystride::SplitPoints;
//! # use keystride_store::{Family, FamilyName, MemoryStore, Store, TableDescription, TableName};
//! # let store = MemoryStore::default();
//! # let name = TableName::new("t")?;
//! # let table = TableDescription::new(name.clone(), [Family::new(FamilyName::new("f")?)]);
//! # store.create(&table, &SplitPoints::new(["g", "p"])?).await?;
//! # let store: Arc<dyn Store> = Arc::new(store);
//!
//! let options = HeatOptions { period: Duration::from_secs(1), ..HeatOptions::of(&*store) };
//! let watches = HeatWatches::new(store, options);
//! let watch = watches.watch(&name);
//! let mut feed = watch.subscribe();
//! let Some(HeatUpdate::Column(column)) = feed.next().await else { panic!("the watch goes on") };
//! assert_eq!(column.axis().map(|axis| axis.cell_count()), Some(3));
//!
//! let view = watch.view(0..i64::MAX, &ViewRequest::new(Metric::RowsWritten));
//! assert_eq!((view.columns().len(), view.rows().cell_count()), (1, 3));
//! # Ok(())
//! # }
//! ```

mod archive;
mod behind;
mod counting;
mod error;
mod feed;
mod options;
mod planned;
mod reading;
mod state;
mod watch;
mod watched;
mod watches;

pub use archive::ArchiveError;
pub use behind::{Behind, HeatArea, PartBehind, ValueBehind};
pub use counting::{Counting, CountingStore};
pub use error::HeatError;
pub use feed::{HeatFeed, HeatUpdate};
pub use options::{HeatOptions, heat_folder};
pub use planned::{Planned, PlannedBy};
pub use watch::HeatWatch;
pub use watches::HeatWatches;
