//! The name of a load.

use std::fmt;

use keystride::Design;
use xxhash_rust::xxh3::Xxh3;

use crate::input::{InputError, Source};

/// Names a load, so that it can be resumed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LoadId(String);

impl LoadId {
    /// A name of one's own.
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into())
    }

    /// A digest of what is loaded: the sources, by name and [fingerprint](Source::fingerprint), and what the design
    /// says of rows. 32 hex digits. A file that was changed since makes another load.
    ///
    /// ```
    /// # use keystride::Design;
    /// # use keystride_table::input::Source;
    /// # use keystride_table::load::LoadId;
    /// # let design = Design::from_toml("format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
    /// # id = { type = \"int\" }\n[key]\nparts = [{ field = \"id\" }]")?;
    /// let id_of = |name| LoadId::of_sources(&[Source::reader(name, std::io::empty())], &design);
    /// assert_eq!(id_of("march.csv")?, id_of("march.csv")?);
    /// assert_ne!(id_of("march.csv")?, id_of("april.csv")?);
    /// assert_eq!(id_of("march.csv")?.as_str().len(), 32);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InputError`] when a file can't be looked at.
    pub fn of_sources(sources: &[Source], design: &Design) -> Result<Self, InputError> {
        let mut digest = Xxh3::new();
        for source in sources {
            let (name, print) = (source.name(), source.fingerprint()?);
            let print = print.map_or("?".to_owned(), |print| format!("{print:032x}"));
            digest.update(format!("{} {name} {print}\n", name.len()).as_bytes());
        }
        digest.update(rules_of(design).as_bytes());
        Ok(Self(format!("{:032x}", digest.digest128())))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The key of the note that is kept of the load.
    pub(super) fn note_key(&self) -> String {
        format!("load/{self}")
    }
}

impl fmt::Display for LoadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A digest of what a design says of rows.
pub(super) fn design_digest(design: &Design) -> String {
    format!("{:032x}", xxhash_rust::xxh3::xxh3_128(rules_of(design).as_bytes()))
}

/// The words of a design by which rows are read and stored: without the table's name, splits, accesses, workload and
/// cluster.
fn rules_of(design: &Design) -> String {
    let mut rules = design.clone();
    rules.table.name.clear();
    rules.split = None;
    rules.accesses.clear();
    rules.workload = None;
    rules.cluster = None;
    rules.to_toml(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_a_table_is_cut_and_read_does_not_change_the_load() {
        let plain = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"int\" }\n\
                     [key]\nparts = [{ field = \"id\" }]\n";
        let digest = |toml: &str| design_digest(&Design::from_toml(toml).unwrap());
        let cut = format!("{plain}[split]\nby = \"list\"\npoints = [\"5\"]\n[workload]\nrows_per_s = 5\n");
        assert_eq!(digest(&cut), digest(plain));
        assert_eq!(digest(&plain.replace("name = \"t\"", "name = \"u\"")), digest(plain));
        assert_ne!(digest(&plain.replace("\"int\"", "\"i64\"")), digest(plain));
    }
}
