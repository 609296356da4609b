//! Places in a design file.

use std::ops::Range;

/// A range of the file, in bytes.
pub type Span = Range<usize>;
