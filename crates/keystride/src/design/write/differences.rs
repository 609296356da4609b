//! What of a design makes other keys or cells than another one.

use crate::design::Design;
use crate::design::print::table;
use crate::design::table::Family;

impl Design {
    /// Returns where `other` makes other keys or cells than this design, one line per word, such as
    /// `key.parts[0].bucket: 16 here, 32 there`. The table's name, splits, accesses, workload and cluster are not
    /// compared, as they do not affect stored rows.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let [ours, theirs] = [self, other].map(|design| table(design.row_words("")).flatten());
        let mut paths: Vec<&String> = ours.keys().chain(theirs.keys()).collect();
        paths.sort();
        paths.dedup();
        let shown = |value: Option<&String>| value.cloned().unwrap_or_else(|| "nothing".to_owned());
        let changed = paths.into_iter().filter(|path| ours.get(*path) != theirs.get(*path));
        let changed = changed
            .map(|path| format!("{path}: {} here, {} there", shown(ours.get(path)), shown(theirs.get(path))));
        changed.chain(self.family_order(other)).collect()
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
