//! A native async client for Apache HBase. It speaks HBase's own RPC protocol and needs no JVM and no gateway.
//!
//! It works with HBase 2.4 and later. It finds a cluster through its masters, its region servers or ZooKeeper, and
//! follows regions that move, split, merge or lose their server: the caller does not see an error.
//!
//! ```no_run
//! use futures_util::TryStreamExt;
//! use keystride_hbase::{Client, Get, Mutation, Scan, TableName};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let client = Client::new("hbase+rpc://master1:16000,master2:16000")?;
//! let table = client.table(TableName::new("events")?);
//!
//! table.mutate(Mutation::put("user7|0001").value("cf", "kind", "login")).await?;
//! let row = table.get(&Get::new("user7|0001")).await?;
//! assert_eq!(row.value(b"cf", b"kind"), Some(&b"login"[..]));
//!
//! let mut rows = table.scan(Scan::prefix("user7|").limit(10));
//! while let Some(row) = rows.try_next().await? {
//!     println!("{row:?}");
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # What it promises
//!
//! - Every call ends: with its answer, or at [`ClientOptions::rpc_timeout`], and with all attempts at
//!   [`ClientOptions::operation_timeout`].
//! - A future may be dropped at any `await`. What was already sent may still take effect.
//! - A scan returns every row exactly once, whatever happens to regions and scanners meanwhile.
//! - An increment or append takes effect once, even if it has to be sent several times.
//! - An error has HBase's exception, the server and the region; [`Error::recovery`] says what would help.
//!
//! # What it leaves out
//!
//! Kerberos and delegation tokens, bulk loads of files, coprocessor endpoints, and blocking calls.
//!
//! All futures must run inside a Tokio runtime. Code that reads or writes much should run in a task (`tokio::spawn`):
//! `block_on`, and therefore an `async fn main`, runs outside the runtime's worker threads and has to wake them at
//! every turn. A runtime with one thread uses the least CPU time for each row.
//!
//! # Where to start
//!
//! | To | Use |
//! |---|---|
//! | find a cluster, set time limits, TLS, compression | [`Client`], [`ClusterAddress`], [`ClientOptions`] |
//! | read and write one row | [`Table::get`], [`Table::mutate`] with a [`Get`] or a [`Mutation`] |
//! | change a row conditionally, or several cells atomically | [`Table::check_and_mutate`], [`Table::mutate_row`] |
//! | read or write many rows | [`Table::batch`], [`Table::get_many`] |
//! | write very many rows | [`Table::writer`]; [`Writer::put`] and [`Table::run`] with your own [`Actions`] cost the least for each row |
//! | scan rows in order | [`Table::scan`] with a [`Scan`]; a [`Filter`] reduces what servers return |
//! | read from replicas | [`Table::get_timeline`], [`Scan::timeline`] |
//! | create tables, split and move regions, take snapshots | [`Client::admin`] |
//! | see what the client does and waits for | [`Client::metrics`], [`Client::waits`], spans of `tracing` |
//!
//! Contributors read `client`, then `table`, `batch`, `scan` and `writer`, and below them `region`, `conn` and `wire`.

#[doc = include_str!("../coming-from-java.md")]
pub mod coming_from_java {}

mod adjacent_row;
mod admin;
mod batch;
mod bytes_text;
mod cell;
mod client;
mod conn;
mod descriptor;
mod error;
#[cfg(test)]
mod fake;
mod filter;
mod first_answer;
#[cfg(test)]
mod fuzz;
mod get;
mod metrics;
mod mutation;
mod name;
mod options;
mod proto;
mod region;
mod registry;
mod result;
mod row;
mod scan;
mod server;
mod span;
mod table;
mod time_range;
mod time_text;
#[cfg(feature = "tls")]
mod tls;
mod wait;
mod wire;
mod writer;
mod zookeeper;

pub use admin::{
    Admin, AfterTruncate, Balanced, ClusterStatus, Compaction, CompactionState, RegionInTransition,
    RegionLoad, RegionStatus, ServerLoads, ServerStatus, Switch, TableRegions,
};
pub use batch::{ActionWriter, Actions, Operation, Outcome, PutCells, Sink};
pub use cell::{BadCell, Cell, CellBlock, CellKind, CellTooLarge, CellWriter, Cells, LATEST};
pub use client::{BadAddress, Client, ClusterAddress};
pub use descriptor::{
    BlockEncoding, Bloom, Compression, DescriptorError, FamilyDescriptor, IndexEncoding, KeepDeletedCells,
    MemoryCompaction, MobPartition, NamespaceDescriptor, ReplicatedTables, ReplicationPeer, ReplicationScope,
    SnapshotDescriptor, SnapshotKind, SplitPolicy, TableDescriptor, TableDurability, TableSelection,
    UnknownWord,
};
pub use error::{Error, FoundServer, Recovery, RemoteError};
pub use filter::{
    BitJoin, ColumnTest, Comparator, Compare, Condition, ConditionColumn, DependentColumn, Filter, FuzzyRow,
    Regex, RegexEngine, RegexFlags, RegexText, RowRange,
};
pub use get::{Get, Selection};
pub use metrics::Metrics;
pub use mutation::{Durability, Mutation};
pub use name::{FamilyName, MAX_FAMILY_LEN, MAX_TABLE_LEN, NameError, TableName};
pub use options::{Auth, CellCompression, ClientOptions};
pub use region::RegionInfo;
pub use row::Row;
pub use scan::{Order, ReadType, Scan, ScanMetrics, Scanner};
pub use server::{BadServer, HostPort, ServerName};
pub use table::{Checked, Table, TimelineRow};
pub use time_range::{BadTimeRange, TimeRange};
pub use time_text::Seconds;
#[cfg(feature = "tls")]
pub use tls::{ClientIdentity, HostNames, Pem, TlsError, TlsOptions};
pub use wait::{Awaited, Wait};
pub use writer::{Writer, WriterOptions};
