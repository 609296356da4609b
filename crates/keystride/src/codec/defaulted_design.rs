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
    if row.read_declared(index, &field.kind, default).is_err() {
        row.set(index, Value::Text(default));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KeyCodec;

    #[test]
    fn the_default_of_a_time_is_what_the_key_has_whatever_its_source_has() {
        let design = Design::from_toml(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
             day = { type = \"time\", format = \"yyyyMMdd\", input = \"epoch-s\", default = \"19700101\" }\n\
             [key]\nparts = [{ field = \"day\" }]",
        );
        assert_eq!(key_without_values(design.unwrap()), b"19700101");
    }

    /// The clocks of Berlin show half past two twice on this day.
    #[test]
    fn a_default_in_a_repeated_hour_has_its_text() {
        let design = Design::from_toml(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
             t = { type = \"time\", format = \"yyyyMMddHHmm\", zone = \"Europe/Berlin\", \
             default = \"2026-10-25T02:30:00+01:00\" }\n[key]\nparts = [{ field = \"t\" }]",
        );
        assert_eq!(key_without_values(design.unwrap()), b"202610250230");
    }

    fn key_without_values(design: Design) -> Vec<u8> {
        let mut key = Vec::new();
        KeyCodec::new(design).encoder().encode(&Row::new(1), &mut key).unwrap();
        key
    }
}
