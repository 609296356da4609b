//! What the benches share: rows to measure on, clocks, and the table of ratios they print.
//!
//! [`RecommendLog`] makes rows of any number, [`Input`] is a design with its rows, [`Home`] a table in the embedded
//! store. [`Cost`] is time on the processor, [`in_turn`] measures sides in turn, and [`Figures`] prints what came of it
//! beside its gate and its goal. How to run the benches and read what they print: `bench/README.md`.

mod cost;
mod figures;
mod heap;
mod home;
mod input;
mod java;
mod program;
mod raw_engine;
mod recommend_log;
mod size;

pub use cost::{Cost, Rounds, Side, cpu_time, in_turn, least};
pub use figures::{Bound, Figures};
pub use heap::heap_merged;
pub use home::{Home, runtime};
pub use input::Input;
pub use java::Java;
pub use program::{Program, Run};
pub use raw_engine::EngineBatches;
pub use recommend_log::RecommendLog;
pub use size::{Size, parse_count};
