//! Many rows at once.
//!
//! [`Actions`] is what is to be done, in any form that can be written again when a part of it must be sent again.
//! `groups` groups it by region, `request` writes one Multi for each server out of a `region_part` for each region,
//! `answer` finds out what became of each action, with `region_answer` for what a region says of them and `done` for what
//! it did, and `run` sends, takes stock, and sends again what failed; outcomes go into a [`Sink`].

mod answer;
mod done;
#[cfg(test)]
mod fuzz;
mod groups;
mod operation;
mod put_cells;
mod region_answer;
mod region_part;
mod request;
mod run;
mod sink;

pub use operation::{Operation, Outcome};
pub use put_cells::PutCells;
pub use request::{ActionWriter, Actions};
pub use sink::Sink;
