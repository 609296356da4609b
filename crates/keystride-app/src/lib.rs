//! What keystride's program can do, with neither a terminal nor a page: what the command line and the console share.
//!
//! - [`settings`]: where tables are, and what else is set, from variables, files and contexts;
//! - [`open_table`]: a table of a store, by the design that is stored with it or another one;
//! - [`load`] and [`extract`]: jobs that can be watched, cancelled and resumed, and their reports;
//! - [`new_table`] and [`splits`]: a table that is to be made, where it is split, and what is wrong with that;
//! - [`key_text`] and [`fields`]: keys and names as people write them, [`values`]: rows as programs read them;
//! - [`stats`]: what passed through regions, by bucket and by server;
//! - [`heat`]: tables that are watched, as a live map of their regions by time;
//! - [`sample`] and [`designer`]: the first rows of a source, and the keys that a design in the making gives them;
//! - [`findings`]: what is wrong with a design file, for programs.
//!
//! Nothing here prints, and nothing looks at arguments. A store is opened by its address,
//! [`StoreAddress`](keystride_store::StoreAddress).
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use keystride::{Design, SplitPoints};
//! use keystride_app::load::LoadJob;
//! use keystride_store::{OpenOptions, StoreAddress};
//! use keystride_table::Table;
//! use keystride_table::input::{InputOptions, InputReader, Source};
//! use keystride_table::load::{LoadId, LoadOptions};
//! # let folder = tempfile::tempdir()?;
//!
//! let address: StoreAddress = format!("embedded:{}", folder.path().join("data").display()).parse()?;
//! let store = address.open(OpenOptions::default()).await?;
//! # let design = Design::from_toml("format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
//! #     id = { type = \"int\" }\n[key]\nparts = [{ field = \"id\" }]")?;
//! let table = Table::create(store.clone(), design.clone(), &SplitPoints::default()).await?;
//! let sources = vec![Source::reader("ids.csv", &b"id\n1\n2\n"[..])];
//! let reader = InputReader::open(design.into(), sources, InputOptions::default())?;
//!
//! let job = LoadJob::new(&table, LoadOptions::of(LoadId::new("first")));
//! let watched = job.handle();
//! let loading = tokio::spawn(async move { job.run(reader, &mut ()).await });
//! let loaded = loading.await??;
//! assert_eq!((loaded.report.counts.rows, watched.progress().counts.rows), (2, 2));
//! store.close().await?;
//! # Ok(())
//! # }
//! ```

mod buckets;
pub mod designer;
pub mod durability;
pub mod duration;
pub mod error_text;
pub mod extract;
pub mod fields;
pub mod findings;
pub mod heat;
pub mod key_text;
mod known_designs;
pub mod load;
pub mod marked_text;
pub mod new_table;
mod open_table;
pub mod replaced_file;
pub mod sample;
pub mod settings;
pub mod shell_word;
pub mod splits;
pub mod stats;
mod user_folders;
pub mod values;

pub use open_table::{OpenTable, open_table};
