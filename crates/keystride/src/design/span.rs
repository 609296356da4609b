//! Places in a design file.

use std::ops::Range;

/// Where something stands in the file, in bytes.
pub type Span = Range<usize>;
