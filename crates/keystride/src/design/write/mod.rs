//! Writes a design back to a file: every word that is not at its default, in the order of the documentation.

mod columns;
mod demands;
mod differences;
mod fields;
mod parts;
mod split;
#[cfg(test)]
mod tests;

use crate::SplitPoints;
use crate::design::Design;
use crate::design::print::{Doc, int, list, table, text};
use crate::design::table::Family;
use columns::input_doc;
pub use differences::Difference;

impl Design {
    /// Returns the design as a TOML file that reads back as the same design. With `points`, `[split]` lists these
    /// points, as in the form that is stored with a table.
    pub fn to_toml(&self, points: Option<&SplitPoints>) -> String {
        self.to_doc(points).to_toml()
    }

    /// Returns the same as JSON.
    pub fn to_json(&self, points: Option<&SplitPoints>) -> serde_json::Value {
        self.to_doc(points).to_json()
    }

    /// Returns as TOML what of the design affects keys and cells: everything but splits, accesses, workload and
    /// cluster.
    pub fn row_rules(&self) -> String {
        table(self.row_words(&self.table.name)).to_toml()
    }

    /// Returns the same with an empty table name, which affects neither.
    pub fn row_rules_of_any_table(&self) -> String {
        table(self.row_words("")).to_toml()
    }

    /// Whether the families have no attributes, and are written as a list.
    fn has_plain_families(&self) -> bool {
        self.table.families.iter().all(|family| *family == Family::new(family.name.clone()))
    }

    fn to_doc(&self, points: Option<&SplitPoints>) -> Doc {
        let mut words = self.row_words(&self.table.name);
        words.extend(self.split_doc(points).map(|split| ("split", split)));
        if !self.accesses.is_empty() {
            let accesses = self.accesses.iter().map(|access| (access.name.clone(), self.access_doc(access)));
            words.push(("access", Doc::Table(accesses.collect())));
        }
        words.extend(self.workload_doc().map(|workload| ("workload", workload)));
        words.extend(self.cluster_doc().map(|cluster| ("cluster", cluster)));
        words.extend(self.lint_doc().map(|lint| ("lint", lint)));
        table(words)
    }

    /// Returns all words that affect keys and cells, with this name of the table.
    fn row_words(&self, name: &str) -> Vec<(&'static str, Doc)> {
        let fields = self.fields.iter().map(|field| (field.name.clone(), self.field_doc(field)));
        let mut words = vec![
            ("format", int(crate::design::FORMAT)),
            ("table", self.table_doc(name)),
            ("fields", Doc::Table(fields.collect())),
            ("key", table(vec![("parts", list(self.parts.iter().map(|part| self.part_doc(part))))])),
        ];
        let columns = self.columns_doc();
        words.extend((!columns.is_empty()).then_some(("columns", Doc::Table(columns))));
        words.extend(input_doc(&self.input).map(|input| ("input", input)));
        words
    }

    fn table_doc(&self, name: &str) -> Doc {
        let families = if self.has_plain_families() {
            list(self.table.families.iter().map(|family| text(&family.name)))
        } else {
            Doc::Table(
                self.table.families.iter().map(|family| (family.name.clone(), family_doc(family))).collect(),
            )
        };
        let mut words = vec![("name", text(name)), ("families", families)];
        words.extend(self.table.on_same_key.map(|rule| ("on_same_key", text(rule.word()))));
        table(words)
    }
}

fn family_doc(family: &Family) -> Doc {
    let plain = Family::new("");
    let mut words = Vec::new();
    words.extend((family.versions != plain.versions).then(|| ("versions", int(family.versions.into()))));
    words.extend(family.ttl_s.map(|seconds| ("ttl", seconds_doc(seconds.into()))));
    words.extend(
        (family.compression != plain.compression).then(|| ("compression", text(family.compression.word()))),
    );
    words.extend((family.bloom != plain.bloom).then(|| ("bloom", text(family.bloom.word()))));
    words.extend((family.encoding != plain.encoding).then(|| ("encoding", text(family.encoding.word()))));
    words.extend(
        (family.block_bytes != plain.block_bytes)
            .then(|| ("block_size", text(&format!("{}B", family.block_bytes)))),
    );
    words.extend(family.in_memory.then_some(("in_memory", Doc::Bool(true))));
    table(words)
}

fn seconds_doc(seconds: u64) -> Doc {
    text(&format!("{seconds}s"))
}
