//! How a design may follow another one for rows that are stored already.

use std::fmt;

use super::field::{Field, FieldKind};
use super::write::Difference;
use super::written::Binary;
use super::{Column, Design, Encoding, OtherColumns, Part};

/// What a new design changes for a table whose rows were stored by another one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Alteration {
    /// What leaves all stored rows as they are.
    pub changes: Vec<Difference>,
    /// What would give stored keys or cells another meaning.
    pub conflicts: Vec<Conflict>,
}

/// A difference that stored rows do not allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The difference.
    pub difference: Difference,
    /// What it would change.
    pub of: ConflictOf,
}

/// What of stored rows a design would change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConflictOf {
    /// Their keys.
    Key,
    /// A field, which is read from keys or cells.
    Field,
    /// The limits of a field, beyond which stored values may lie.
    Limits,
    /// The place or form of a cell.
    Cell,
    /// The timestamps of cells.
    CellTime,
    /// A family, which has cells.
    Family,
    /// The first family, in which rows without any value are marked.
    FirstFamily,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.difference, self.of)
    }
}

impl fmt::Display for ConflictOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Key => "stored keys would be other ones; make a new table and load its rows into it",
            Self::Field => "stored values would be read otherwise; add a field with another name and its own cell",
            Self::Limits => "stored values may lie beyond; limits can only be widened",
            Self::Cell => "stored cells would not be found or would be read otherwise; keep this one and add another field",
            Self::CellTime => "later cells would have timestamps of another kind than stored ones; make a new table",
            Self::Family => "it has stored cells; keep it in the design",
            Self::FirstFamily => "stored rows without values are marked in the first family; keep it first",
        })
    }
}

impl Design {
    /// Compares this design, by which rows are stored, with one that is to follow it. Fields and cells may be added,
    /// limits widened, families added and given other attributes, and everything changed that does not affect stored
    /// rows: names of columns, `[input]`, accesses and so on. The table's name and its splits are not compared.
    pub fn alteration(&self, new: &Self) -> Alteration {
        let mut alteration = Alteration::default();
        for difference in self.by_new_field(self.word_differences(new)) {
            match self.conflict(new, &difference.path) {
                None => alteration.changes.push(difference),
                Some(of) => alteration.conflicts.push(Conflict { difference, of }),
            }
        }
        let first = |design: &Self| design.table.families.first().map(|family| family.name.clone());
        if first(self) != first(new) {
            let difference =
                Difference { path: "the first family".to_owned(), ours: first(self), theirs: first(new) };
            alteration.conflicts.push(Conflict { difference, of: ConflictOf::FirstFamily });
        }
        alteration
    }

    /// Makes one difference of all words of a field that is new.
    fn by_new_field(&self, differences: Vec<Difference>) -> Vec<Difference> {
        let mut merged: Vec<Difference> = Vec::new();
        for difference in differences {
            let mut words = difference.path.splitn(3, '.');
            let (Some("fields"), Some(name), Some(word), Some(value)) =
                (words.next(), words.next(), words.next(), &difference.theirs)
            else {
                merged.push(difference);
                continue;
            };
            if self.field_index(name).is_some() {
                merged.push(difference);
                continue;
            }
            let (path, written) = (format!("fields.{name}"), format!("{word} = {value}"));
            match merged.last_mut().filter(|last| last.path == path) {
                Some(Difference { theirs: Some(words), .. }) => *words = format!("{words}, {written}"),
                _ => merged.push(Difference { path, ours: None, theirs: Some(written) }),
            }
        }
        merged
    }

    /// Returns what of stored rows the word at `path` changes. A path is a list of words, of which the second is a name.
    fn conflict(&self, new: &Self, path: &str) -> Option<ConflictOf> {
        let mut words = path.split('.');
        let (table, name) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        match (table, name) {
            ("key", _) => Some(ConflictOf::Key),
            ("table", "families") => self.lacks_family(new).then_some(ConflictOf::Family),
            ("columns", "cell_time") => Some(ConflictOf::CellTime),
            ("columns", "other") => None,
            ("columns", name) => self.cell_conflict(new, name),
            ("fields", name) => self.field_conflict(new, name, words.next().unwrap_or_default()),
            _ => None,
        }
    }

    fn lacks_family(&self, new: &Self) -> bool {
        let is_kept = |name: &str| new.table.families.iter().any(|family| family.name == name);
        !self.table.families.iter().all(|family| is_kept(&family.name))
    }

    fn cell_conflict(&self, new: &Self, field: &str) -> Option<ConflictOf> {
        let is_same = match (self.cell_of(field), new.cell_of(field)) {
            (Some(ours), Some(theirs)) => ours == theirs,
            (Some(_), None) => false,
            (None, Some(theirs)) => !self.may_have_stored(&theirs),
            (None, None) => true,
        };
        (!is_same).then_some(ConflictOf::Cell)
    }

    /// Whether rows may have a cell at this place that no field names, in another form than text.
    fn may_have_stored(&self, cell: &Cell<'_>) -> bool {
        matches!(self.columns.other, OtherColumns::Store(family) if self.table.families[family].name == cell.family)
            && !matches!(cell.encoding, Encoding::Plain | Encoding::Text)
    }

    fn field_conflict(&self, new: &Self, name: &str, word: &str) -> Option<ConflictOf> {
        let (Some(ours), Some(theirs)) = (self.field_index(name), new.field_index(name)) else {
            let is_stored = self.field_index(name).is_some_and(|field| self.is_stored(field));
            return if is_stored { Some(ConflictOf::Field) } else { self.cell_conflict(new, name) };
        };
        let [old_field, new_field] = [&self.fields[ours], &new.fields[theirs]];
        match word {
            "column" | "charset" | "input" | "distinct" | "max_share" | "updated" => None,
            "min" | "max" | "max_len" | "alphabet" => {
                let is_wider = holds_all(&new_field.kind, &old_field.kind);
                let makes_same = self.writes_alike(new, ours, new_field);
                (!is_wider || !makes_same).then_some(ConflictOf::Limits)
            }
            _ => self.is_stored(ours).then_some(ConflictOf::Field),
        }
    }

    /// Whether a field is read from keys or cells, or another one is computed from it.
    fn is_stored(&self, field: usize) -> bool {
        let is_in_key = self.fields_for_key().get(field).is_some_and(|is_needed| *is_needed);
        is_in_key
            || self
                .columns
                .cells
                .iter()
                .any(|cell| self.source_of(cell.field) == field || cell.field == field)
    }

    /// Whether other limits of a field leave the bytes of its values as they are, in keys and cells.
    fn writes_alike(&self, new: &Self, field: usize, new_field: &Field) -> bool {
        let old = &self.fields[field].kind;
        let of_field =
            |part: &&Part| matches!(part, Part::Field(part) if self.source_of(part.field) == field);
        let steps = self.parts.iter().filter(of_field).filter_map(|part| match part {
            Part::Field(part) => Some(&part.steps),
            Part::Text(_) | Part::Bucket(_) => None,
        });
        let mut widths = steps.map(|steps| Binary::of(steps, old) == Binary::of(steps, &new_field.kind));
        widths.all(|is_same| is_same) && self.layout == new.layout
    }

    /// Returns the place and form of a field's cell, with names instead of indexes.
    fn cell_of(&self, field: &str) -> Option<Cell<'_>> {
        let index = self.field_index(field)?;
        let column: &Column = self.columns.cells.iter().find(|cell| cell.field == index)?;
        Some(Cell {
            family: &self.table.families[column.family].name,
            qualifier: &column.qualifier,
            encoding: column.encoding,
        })
    }
}

/// The place and form of a cell.
#[derive(PartialEq, Eq)]
struct Cell<'a> {
    family: &'a str,
    qualifier: &'a str,
    encoding: Encoding,
}

/// Whether a type with other limits has all values that it had.
fn holds_all(new: &FieldKind, old: &FieldKind) -> bool {
    match (new, old) {
        (FieldKind::String(new), FieldKind::String(old)) => {
            let has_lengths = new.min_len <= old.min_len && new.max_len >= old.max_len;
            let has_characters = match (new.alphabet, old.alphabet) {
                (None, _) => true,
                (Some(new), Some(old)) => old.bytes().all(|byte| new.contains(byte)),
                (Some(_), None) => false,
            };
            has_lengths && has_characters
        }
        _ => match (new.number_range(), old.number_range()) {
            (Some((min, max)), Some((old_min, old_max))) => min <= old_min && max >= old_max,
            _ => false,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STORED: &str = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
        phone = { type = \"digits\", len = 11 }\nat = { type = \"time\", unit = \"ms\" }\n\
        peer = { type = \"string\", max_len = 20 }\nseconds = { type = \"int\", min = 0, max = 99 }\n\
        [key]\nparts = [{ field = \"phone\" }, { field = \"at\" }]\n[columns]\nseconds = { as = \"be\" }\n";

    /// Returns the paths that may change, and those that may not with what they would change.
    fn alteration(old: &str, new: &str) -> (Vec<String>, Vec<(String, ConflictOf)>) {
        assert!(STORED.contains(old), "{old}");
        let [stored, altered] =
            [STORED.to_owned(), STORED.replace(old, new)].map(|toml| Design::from_toml(&toml).unwrap());
        let Alteration { changes, conflicts } = stored.alteration(&altered);
        let conflicts = conflicts.into_iter().map(|conflict| (conflict.difference.path, conflict.of));
        (changes.into_iter().map(|change| change.path).collect(), conflicts.collect())
    }

    #[test]
    fn what_leaves_stored_rows_as_they_are_may_change() {
        for (old, new, path) in [
            ("[key]", "cost = { type = \"u32\", min = 3 }\n[key]", "fields.cost"),
            ("max_len = 20", "max_len = 30", "fields.peer.max_len"),
            ("max = 99", "max = 100", "fields.seconds.max"),
            ("len = 11", "len = 11, column = \"手机号\"", "fields.phone.column"),
            ("[\"f\"]", "[\"f\", \"g\"]", "table.families"),
            ("[\"f\"]", "{ f = { ttl = \"90d\" } }", "table.families.f.ttl"),
            ("[columns]", "[columns]\nother = \"drop\"", "columns.other"),
            ("name = \"t\"", "name = \"t\"\non_same_key = \"replace\"", "table.on_same_key"),
        ] {
            let (changes, conflicts) = alteration(old, new);
            assert!(changes.contains(&path.to_owned()), "{new}: {changes:?}");
            assert_eq!(conflicts, [], "{new}");
        }
    }

    #[test]
    fn what_gives_stored_bytes_another_meaning_may_not() {
        use ConflictOf::{Cell, CellTime, Field, FirstFamily, Key, Limits};
        for (old, new, path, of) in [
            (
                "parts = [{ field = \"phone\" }, ",
                "parts = [{ field = \"phone\" }, { text = \"_\" }, ",
                "key.parts[1].text",
                Key,
            ),
            ("\"be\"", "\"ordered\"", "columns.seconds.as", Cell),
            ("seconds = { type = \"int\"", "seconds = { type = \"i32\"", "fields.seconds.type", Field),
            ("peer = { type = \"string\", max_len = 20 }", "", "fields.peer.type", Field),
            ("max_len = 20", "max_len = 10", "fields.peer.max_len", Limits),
            ("[columns]", "[columns]\ncell_time = \"at\"", "columns.cell_time", CellTime),
            ("[columns]", "[columns]\npeer = { qualifier = \"p\" }", "columns.peer.qualifier", Cell),
            ("[\"f\"]", "[\"g\", \"f\"]", "the first family", FirstFamily),
        ] {
            let (_, conflicts) = alteration(old, new);
            assert!(conflicts.contains(&(path.to_owned(), of)), "{new}: {conflicts:?}");
        }
    }

    #[test]
    fn limits_that_make_other_bytes_stay() {
        let stored = STORED.replace("{ field = \"at\" }", "{ field = \"seconds\", as = \"be\", width = 4 }");
        let stored = stored.replace("[columns]\nseconds = { as = \"be\" }\n", "");
        // A number that may be below zero is signed.
        let new = stored.replace("min = 0", "min = -1");
        let [stored, new] = [stored, new].map(|toml| Design::from_toml(&toml).unwrap());
        assert_eq!(stored.alteration(&new).conflicts[0].of, ConflictOf::Limits);
    }

    #[test]
    fn a_column_stored_as_text_can_get_a_field_of_text_alone() {
        let stored = STORED.replace("[columns]", "[columns]\nother = \"f\"");
        let conflicts = |field: &str| {
            let new = stored.replace("[key]", "cost = { type = \"u32\" }\n[key]") + field;
            Design::from_toml(&stored).unwrap().alteration(&Design::from_toml(&new).unwrap()).conflicts.len()
        };
        assert_eq!(conflicts(""), 0);
        assert!(conflicts("cost = { as = \"be\" }\n") > 0);
    }
}
