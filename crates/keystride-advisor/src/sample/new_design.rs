//! The design file of a sample.

use keystride::internal::toml_key;

use super::{Column, Kind, Sample, SampleKey};

/// What a new design is to be, besides what the sample tells.
#[derive(Debug, Clone, Copy)]
pub struct NewDesign<'a> {
    /// The table's name.
    pub table: &'a str,
    /// The columns of the key.
    pub key: &'a SampleKey<'a>,
    /// How many buckets by a hash of the key's first field stand before it; the table is split between them.
    pub buckets: Option<u32>,
    /// The zone of its times; `None` for UTC.
    pub zone: Option<&'a str>,
    /// Words of `[input]` with their values, if the file is not written as usual.
    pub marks: &'a [(&'a str, String)],
}

impl Sample {
    /// Returns a design file in TOML. It is a valid design if the name of the table is.
    pub fn design(&self, new: &NewDesign<'_>) -> String {
        let is_keyed = |column: &Column| new.key.columns.iter().any(|(keyed, _)| keyed.name == column.name);
        let fields = self
            .columns
            .iter()
            .map(|column| (column, column.declaration(is_keyed(column), new.zone)))
            .map(|(column, declared)| format!("{} = {declared}\n", toml_key(&column.name)));
        format!(
            "format = 1\n\n[table]\nname = \"{}\"\nfamilies.f = {{ encoding = \"{}\" }}\n\n[fields]\n{}\n[key]\nparts = [\n{}]\n{}{}{}",
            new.table,
            block_encoding(new.key),
            fields.collect::<String>(),
            parts(new),
            if new.buckets.is_some() { "\n[split]\nby = \"bucket\"\n" } else { "" },
            self.other_columns(),
            self.input(new.marks)
        )
    }

    /// `[columns]`, where a column can't be a field: it is stored as it is.
    fn other_columns(&self) -> &'static str {
        if self.has_unnamed { "\n[columns]\n# A column has no name.\nother = \"f\"\n" } else { "" }
    }

    /// `[input]`, if other texts than the empty one stand for missing values, or the file is not written as usual.
    fn input(&self, marks: &[(&str, String)]) -> String {
        let mut lines = String::new();
        if !self.null.is_empty() {
            let null: Vec<String> = self.null.iter().map(|null| format!(", {null:?}")).collect();
            lines.push_str(&format!("null = [\"\"{}]\n", null.concat()));
        }
        lines.extend(marks.iter().map(|(word, mark)| format!("{word} = {mark:?}\n")));
        if lines.is_empty() { lines } else { format!("\n[input]\n{lines}") }
    }
}

/// Returns how the keys in a block are encoded. `fast-diff` writes a key anew that is not as long as the one before, which
/// `diff` does not. Both take no library, while compression takes one that not every cluster has.
fn block_encoding(key: &SampleKey<'_>) -> &'static str {
    let varies = key.columns.iter().any(|(column, _)| matches!(column.kind, Kind::Text));
    if varies { "diff" } else { "fast-diff" }
}

fn parts(new: &NewDesign<'_>) -> String {
    let columns = &new.key.columns;
    let mut lines = String::new();
    if let (Some(count), Some((first, _))) = (new.buckets, columns.first()) {
        lines.push_str(&format!("  {{ bucket = {count}, of = [\"{}\"] }},\n", first.name));
    }
    for (index, (column, desc)) in columns.iter().enumerate() {
        lines.push_str(&format!("  {{ {} }},\n", column.part(*desc)));
        if matches!(column.kind, Kind::Text) && (*desc || index + 1 < columns.len()) {
            lines.push_str("  { text = '\\x00' },\n");
        }
    }
    lines
}
