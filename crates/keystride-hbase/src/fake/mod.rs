//! A cluster inside the process, for what a real one will not do when asked: lost answers, cut frames, late errors.
//!
//! [`Cluster`] is where to start reading: its servers listen on this machine and share one [`State`](state::State) of
//! tables, regions and scanners, which a test changes between calls. [`When`] and [`Fault`] spoil calls. Requests are
//! taken apart here with code of its own; what no server would accept is kept as a complaint, and a cluster that was
//! complained to fails its test when it is dropped.

mod cells;
mod cluster;
mod connection;
mod edit;
mod exception;
mod fault;
mod frame;
mod handle;
mod knobs;
mod master;
mod meta;
mod multi;
mod mutate;
mod procedure;
mod regions;
mod registry;
mod rows;
mod scan;
mod scanner;
mod seen;
mod shared;
mod state;
mod table;
mod tests;

use cells::Stored;
use cluster::Cluster;
use exception::Exception;
use fault::{Fault, Gate, When};
use frame::{Answer, Incoming};
use seen::{Phase, Seen};
use state::State;
