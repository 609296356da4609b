//! Load ids.

use std::fmt;
use std::hash::{BuildHasher, RandomState};

use keystride::Design;
use xxhash_rust::xxh3::Xxh3;

use crate::input::{InputError, Source};

/// Identifies a load, so that it can be resumed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LoadId(String);

impl LoadId {
    /// Creates an id from a name chosen by the caller.
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into())
    }

    /// Derives an id from what is loaded: a digest of the sources, by path and [fingerprint](Source::fingerprint),
    /// and of the parts of the design that affect rows, as 32 hex digits. If the length, the first or the last MiB of a
    /// file changes, the id changes. Pipes and readers are known by their names alone; where these don't say what is read,
    /// use [`LoadId::fresh`].
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
    /// [`InputError`] when a file can't be read.
    pub fn of_sources(sources: &[Source], design: &Design) -> Result<Self, InputError> {
        let mut digest = Xxh3::new();
        for source in sources {
            // However a file is named, it is the same.
            let path = source.path().and_then(|path| path.canonicalize().ok());
            let name = path.map_or_else(|| source.name().to_owned(), |path| path.display().to_string());
            let print = source.fingerprint()?;
            let print = print.map_or("?".to_owned(), |print| format!("{print:032x}"));
            digest.update(format!("{} {name} {print}\n", name.len()).as_bytes());
        }
        digest.update(design.row_rules_of_any_table().as_bytes());
        Ok(Self(format!("{:032x}", digest.digest128())))
    }

    /// Returns an id that no other load has, as 32 hex digits: for input that can be read only once.
    pub fn fresh() -> Self {
        // A random state is seeded by the operating system, and counted up within a process.
        let random = || RandomState::new().hash_one(std::process::id());
        Self(format!("{:016x}{:016x}", random(), random()))
    }

    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the key of the load's note.
    pub(super) fn note_key(&self) -> String {
        format!("load/{self}")
    }
}

impl fmt::Display for LoadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns a digest of the parts of a design that affect rows.
pub(super) fn design_digest(design: &Design) -> String {
    format!("{:032x}", xxhash_rust::xxh3::xxh3_128(design.row_rules_of_any_table().as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fresh_ids_differ() {
        let ids: std::collections::BTreeSet<_> = (0..100).map(|_| LoadId::fresh().to_string()).collect();
        assert!(ids.len() == 100 && ids.iter().all(|id| id.len() == 32));
    }

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
