//! A live heat map of a table's regions by time, from the counters of a store or of servers.
//!
//! Each column of the map has the boundaries of its own time. Nothing is ever spread over finer cells: columns are
//! rolled up by the boundaries that they have in common, and a view shows each region as it was.
//!
//! Read on in this order: [`Reading`] is what a source says at one time, [`Meter`] makes a [`Column`] of each two
//! readings, with the boundaries of an [`Axis`], [`Layers`] keep columns by
//! age, a [`View`](view::View) is what a screen shows of them, and [`Finding`](findings::Finding)s are what a
//! map means. [`Traffic`] makes columns too, of what passes through a program.

mod axis;
mod bytes;
mod code;
mod column;
pub mod findings;
mod layers;
mod meter;
mod metric;
mod reading;
mod roll;
mod traffic;
pub mod view;

pub use axis::{Axis, AxisError};
pub use bytes::ColumnError;
pub use code::{code_of, rate_of};
pub use column::{APPROX, Cell, Cells, Column, NO_SERVER, UNKNOWN};
pub use layers::{Closed, Layers};
pub use meter::Meter;
pub use metric::Metric;
pub use reading::{Counters, Reading, RegionReading};
pub use traffic::Traffic;
