//! A design as the page's tables write it down.

use crate::page::codes;

/// The lines of a design, by table; what is not said is as in the smallest design.
#[derive(Debug, Default)]
pub(crate) struct Written<'a> {
    fields: Vec<&'a str>,
    parts: Vec<&'a str>,
    /// Other tables, each with its lines.
    tables: Vec<(&'a str, Vec<&'a str>)>,
}

impl<'a> Written<'a> {
    /// Reads `fields` with `parts` `[table]` `lines`.
    pub(crate) fn read(cell: &'a str) -> Self {
        let mut written = Self::default();
        let (head, tail) = cell.split_once(" with ").unwrap_or((cell, ""));
        for code in codes(head).chain(codes(tail)) {
            match written.tables.last_mut() {
                _ if code.starts_with('[') => written.tables.push((code, Vec::new())),
                Some((_, lines)) => lines.push(code),
                None if code.starts_with('{') => written.parts.push(code),
                None => written.fields.push(code),
            }
        }
        written
    }

    pub(crate) fn toml(&self) -> String {
        let mut text = String::from("format = 1\n");
        if self.tables.iter().all(|(name, _)| *name != "[table]") {
            text.push_str("[table]\nname = \"t\"\nfamilies = [\"f\"]\n");
        }
        for (name, lines) in &self.tables {
            text.push_str(&format!("{name}\n{}\n", lines.join("\n")));
        }
        let key = if self.parts.is_empty() { "{ field = \"v\" }".to_owned() } else { self.parts.join(", ") };
        let v = if self.fields.iter().any(|line| line.starts_with("v =")) {
            ""
        } else {
            "v = { type = \"string\" }\n"
        };
        text + &format!("[fields]\n{v}{}\n[key]\nparts = [{key}]\n", self.fields.join("\n"))
    }
}
