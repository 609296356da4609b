//! An in-process cluster for faults that a real cluster can't produce on demand: lost answers, truncated frames, late
//! errors.
//!
//! Start at [`Cluster`]: its servers listen on localhost and share one [`State`](state::State) of tables, regions and
//! scanners, which a test can change between calls. A [`When`] and a [`Fault`] make calls fail. Requests are decoded by
//! separate code. A request that a real server would refuse is recorded as a complaint, and a cluster with complaints
//! fails its test when it is dropped.

mod cells;
mod cluster;
mod connection;
mod edit;
mod exception;
mod fault;
mod frame;
mod handle;
mod master;
mod meta;
mod multi;
mod mutate;
mod procedure;
mod recorded;
mod regions;
mod registry;
mod rows;
mod scan;
mod scanner;
mod settings;
mod shared;
mod state;
mod table;
mod tests;

use cells::Stored;
use cluster::Cluster;
use exception::Exception;
use fault::{Fault, Gate, When};
use frame::{Answer, Incoming};
use recorded::{Phase, RecordedCall};
use state::State;
