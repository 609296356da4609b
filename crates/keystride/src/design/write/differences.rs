//! What of a design makes other keys or cells than another one.

use std::fmt;

use crate::design::print::table;
use crate::design::table::Family;
use crate::design::{ArrivalOrder, Delivery, Design};

/// A word that two designs have with different values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The word, with the tables it is in: `fields.phone.len`.
    pub path: String,
    /// Its value in one design; `None` where it is left out.
    pub ours: Option<String>,
    /// Its value in the other.
    pub theirs: Option<String>,
}

impl Difference {
    fn values(&self) -> [&str; 2] {
        [&self.ours, &self.theirs].map(|value| value.as_deref().unwrap_or("nothing"))
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.ours, &self.theirs) {
            (None, Some(added)) => write!(f, "{}: {added} is added", self.path),
            (Some(removed), None) => write!(f, "{}: {removed} is left out", self.path),
            _ => write!(f, "{}: {}", self.path, self.values().join(" becomes ")),
        }
    }
}

impl Design {
    /// Returns where `other` makes other keys or cells than this design, one line per word, such as
    /// `key.parts[0].bucket: 16 here, 32 there`. The table's name, splits, accesses, workload and cluster are not
    /// compared, as they do not affect stored rows.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let changed = self.word_differences(other).into_iter().map(|difference| {
            let [ours, theirs] = difference.values();
            format!("{}: {ours} here, {theirs} there", difference.path)
        });
        changed.chain(self.family_order(other)).collect()
    }

    /// Returns the words that differ, of those that affect keys and cells.
    pub(crate) fn word_differences(&self, other: &Self) -> Vec<Difference> {
        let [ours, theirs] = [self, other].map(|design| table(design.row_words("")).flatten());
        let mut paths: Vec<&String> = ours.keys().chain(theirs.keys()).collect();
        paths.sort();
        paths.dedup();
        // Of a table that is empty in one of them, the words of the other tell.
        let has_words = |path: &str| paths.iter().any(|other| other.starts_with(&format!("{path}.")));
        let changed = paths.iter().filter(|path| ours.get(**path) != theirs.get(**path) && !has_words(path));
        let difference = |path: &&String| Difference {
            path: (*path).clone(),
            ours: ours.get(*path).cloned(),
            theirs: theirs.get(*path).cloned(),
        };
        changed.map(difference).collect()
    }

    /// Whether every row has the same key and the same cells by both designs. Words that only say how many values there
    /// are, how rows arrive or how files are written change neither.
    pub fn stores_alike(&self, other: &Self) -> bool {
        self.of_bytes_alone().differences(&other.of_bytes_alone()).is_empty()
    }

    /// Returns the design without words that change no byte of a key or a cell.
    fn of_bytes_alone(&self) -> Self {
        let mut design = self.clone();
        for field in &mut design.fields {
            (field.distinct, field.max_share, field.updated) = (None, None, false);
        }
        for family in &mut design.table.families {
            let (versions, ttl_s) = (family.versions, family.ttl_s);
            *family = Family { versions, ttl_s, ..Family::new(family.name.clone()) };
        }
        (design.input.delivery, design.input.order) = (Delivery::ExactlyOnce, ArrivalOrder::Arrival);
        design
    }

    /// Returns how the order of families differs, if nothing else about them does: the first one is the default.
    fn family_order(&self, other: &Self) -> Option<String> {
        let [ours, theirs] = [self, other].map(|design| &design.table.families);
        let is_order = ours.len() == theirs.len() && ours.iter().all(|family| theirs.contains(family));
        let is_listed = [self, other].iter().any(|design| design.has_plain_families());
        let names = |families: &[Family]| {
            families.iter().map(|family| family.name.as_str()).collect::<Vec<_>>().join(", ")
        };
        let differs = is_order && !is_listed && ours != theirs;
        differs.then(|| format!("the order of families: {} here, {} there", names(ours), names(theirs)))
    }
}
