//! A native async client for Apache HBase: its own RPC protocol, no JVM, no gateway.
//!
//! It speaks to HBase 2.4 and later, finds the cluster through its masters, its region servers or ZooKeeper, and follows
//! regions wherever they go: a region that moves, splits, merges or loses its server is no error of the caller.
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
//! # What is where
//!
//! | To | Take |
//! |---|---|
//! | find a cluster, set time limits, TLS, compression | [`Client`], [`ClusterAddress`], [`ClientOptions`] |
//! | read and write one row | [`Table::get`], [`Table::mutate`] with a [`Get`] or a [`Mutation`] |
//! | change a row under a condition, or several cells at once | [`Table::check_and_mutate`], [`Table::mutate_row`] |
//! | read or write many rows at once | [`Table::batch`], [`Table::get_many`] |
//! | write much | [`Table::writer`], whose [`Writer::put`] takes cells straight; [`Table::run`] with [`Actions`] of your own for the least cost a row |
//! | read in order | [`Table::scan`] with a [`Scan`]; [`Filter`] says what servers leave out |
//! | read though a server is silent | [`Table::get_timeline`], [`Scan::timeline`] |
//! | make tables, split and move regions, take snapshots | [`Client::admin`] |
//! | see what it does, and what it waits for | [`Client::metrics`], [`Client::waits`], and spans of `tracing` |
//!
//! # What it promises
//!
//! - Every call ends: by its answer, by [`ClientOptions::rpc_timeout`], or with [`ClientOptions::operation_timeout`] for
//!   all attempts together.
//! - A future may be dropped at any `await`. What was sent may still be done.
//! - A scan gives every row once, whatever happens to regions and scanners under way.
//! - An increment or append is made once, however often it must be sent.
//! - An error carries HBase's exception, the server and the region; [`Error::recovery`] says what would help.
//!
//! # What it leaves out
//!
//! Kerberos and delegation tokens, bulk loads of files, coprocessor endpoints, and blocking calls.
//!
//! [`Table::scan`] and all other futures must run inside a Tokio runtime. What reads or writes much is best in a task
//! (`tokio::spawn`): `block_on`, and with it an `async fn main`, runs beside the runtime's own threads, which it then has to
//! wake at each turn. A runtime of one thread costs the least CPU a row.

#[doc = include_str!("../coming-from-java.md")]
pub mod coming_from_java {}

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
#[cfg(test)]
mod fuzz;
mod get;
mod in_turn;
mod metrics;
mod mutation;
mod name;
mod neighbour;
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
