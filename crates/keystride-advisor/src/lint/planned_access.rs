//! What each query of a design reads, for people who compare designs.

use keystride::{KeyCodec, KeyLanguage, Planner};
use serde::Serialize;

use super::reads::Read;

/// A query that a design must serve, planned for typical values.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlannedAccess {
    /// Its name.
    pub name: String,
    /// The number of ranges of keys that are read for one answer.
    pub ranges: usize,
    /// How many buckets of the leading part are read, and how many there are.
    pub buckets: Option<(usize, usize)>,
    /// The share of all possible keys that lie in the ranges.
    pub share: f64,
    /// Whether the whole table is read although the query restricts a field.
    pub is_full_scan: bool,
}

/// Plans the queries of a design; those that can't be planned are left out.
pub fn planned_accesses(codec: &KeyCodec) -> Vec<PlannedAccess> {
    let (planner, language) = (Planner::new(codec), KeyLanguage::new(codec));
    let design = codec.design();
    let accesses = design.accesses().iter().filter_map(|access| {
        let read = Read::new(&planner, &language, access)?;
        Some(PlannedAccess {
            name: access.name.clone(),
            ranges: read.ranges(design.leading_bucket()),
            buckets: read.buckets(design),
            share: read.share,
            is_full_scan: read.is_full_scan(),
        })
    });
    accesses.collect()
}

#[cfg(test)]
mod tests {
    use keystride::Design;

    use super::*;

    #[test]
    fn a_query_reads_one_bucket_where_its_fields_give_it_and_else_all() {
        let toml = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\
                    phone = { type = \"digits\", len = 11 }\nts = { type = \"time\", unit = \"s\" }\n[key]\n\
                    parts = [{ bucket = 8, of = [\"phone\"] }, { field = \"phone\" }, { field = \"ts\" }]\n\
                    [access.one]\nby = [\"phone\"]\n[access.day]\nrange = \"ts\"\nspan = \"1d\"\n";
        let planned = planned_accesses(&KeyCodec::new(Design::from_toml(toml).unwrap()));
        let read: Vec<_> = planned.iter().map(|access| (access.name.as_str(), access.buckets)).collect();
        assert_eq!(read, [("one", Some((1, 8))), ("day", Some((8, 8)))]);
        assert_eq!((planned[0].ranges, planned[0].is_full_scan, planned[1].is_full_scan), (1, false, true));
    }
}
