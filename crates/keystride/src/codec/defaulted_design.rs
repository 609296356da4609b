//! A design with the values of its defaults.

use crate::design::{Design, Field};
use crate::value::{Row, Value};

/// A design, and the default of each field as a value: all that computing the parts of a key from a row depends on.
#[derive(Debug)]
pub(super) struct DefaultedDesign {
    pub(super) design: Design,
    /// Indexed like the fields.
    pub(super) defaults: Row,
}

impl DefaultedDesign {
    pub(super) fn new(design: Design) -> Self {
        let mut defaults = Row::new(design.fields.len());
        for (index, field) in design.fields.iter().enumerate() {
            read_default(&mut defaults, index, field);
        }
        Self { design, defaults }
    }
}

/// Puts the default of a field into a slot. It was checked when the design was read, unless the field is a string, whose
/// default may be any text.
pub(crate) fn read_default(row: &mut Row, index: usize, field: &Field) {
    let Some(default) = &field.default else { return };
    if row.read(index, &field.kind, default).is_err() {
        row.set(index, Value::Text(default));
    }
}
