//! Rows of a table in the output.

use keystride::Design;

use crate::global::Global;
use crate::output::Rows;

/// Returns rows of these columns, which as CSV can be loaded again.
pub(super) fn rows_of(global: &Global, design: &Design, fields: &[(usize, String)]) -> Rows {
    let nulls = &design.input().null;
    let null = if nulls.iter().any(String::is_empty) { None } else { nulls.first() };
    let rows = Rows::new(global, fields.iter().map(|(_, name)| name.clone()));
    rows.with_null(null.cloned().unwrap_or_default())
}
