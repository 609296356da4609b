//! Small records, whose rows have their place in the topic as their key.

use std::sync::Arc;

use keystride::Design;

use crate::Failure;

/// The design of their table.
pub(crate) const DESIGN: &str = r#"
format = 1
[table]
name = "small"
families = ["f"]
[fields]
_partition = { type = "u32" }
_offset = { type = "u64" }
value = { type = "string" }
[key]
parts = [{ field = "_partition", as = "be" }, { field = "_offset", as = "be" }]
"#;

/// The same, read.
pub(crate) fn design() -> Result<Arc<Design>, Failure> {
    Ok(Arc::new(Design::from_toml(DESIGN).map_err(|error| error.to_string())?))
}

/// The body of a record: 20 bytes, no two in the same order.
pub(crate) fn body(at: u64) -> String {
    format!("{:020}", at.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}
