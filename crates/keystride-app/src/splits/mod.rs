//! Split points of a table that is to be made: by any rule, or from a list that a person gives.
//!
//! [`SplitChoice`] is a rule with what it needs, [`PointList`] reads a list and says what is wrong with it, and
//! [`preview`](preview()) shows the regions that points make.

mod choice;
mod list;
mod preview;

pub(crate) use choice::splits_argument;
pub use choice::{SplitChoice, SplitChoiceError};
pub use list::{ListProblem, PointList};
pub use preview::{PreviewedRegion, SplitPreview, preview};
