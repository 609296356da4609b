//! Batches of actions.
//!
//! [`Actions`] are the actions of a batch. They can be encoded several times, because they may have to be sent again.
//! `groups` groups them by region. `request` encodes a Multi for each server, with a `region_part` for each region.
//! `answer` decodes the outcomes, with `region_answer` for those of a region and `completed` for completed actions.
//! `executor` sends requests and retries what failed. Outcomes go to a [`Sink`].

mod answer;
mod completed;
mod executor;
#[cfg(test)]
mod fuzz;
mod groups;
mod operation;
mod put_cells;
mod region_answer;
mod region_part;
mod request;
mod sink;

pub use operation::{Operation, Outcome};
pub use put_cells::PutCells;
pub use request::{ActionWriter, Actions};
pub use sink::Sink;
