//! What the engine may discard when it rewrites its files: what HBase discards in compactions.
//!
//! Discarded are expired entries (delete markers included), entries that were written again with the same columns and
//! timestamp, and versions beyond those the family keeps. Unexpired delete markers stay, and so do excess versions
//! that follow a marker in the same row: determining what a marker still hides would require the whole row.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, PoisonError, RwLock};

use fjall::compaction::filter::{
    CompactionFilter, CompactionFilterResult, Context, Factory, ItemAccessor, Verdict,
};

use super::entry::{self, EntryKey};
use crate::{Clock, Family};

/// The purge rules of all keyspaces. The engine asks for filters as soon as it is open, before the catalog can be
/// read; a keyspace without rules keeps everything.
#[derive(Clone)]
pub(super) struct Purge {
    rules: Arc<RwLock<BTreeMap<String, Rules>>>,
    clock: Arc<dyn Clock>,
}

#[derive(Debug, Clone, Copy)]
struct Rules {
    versions: u32,
    /// Milliseconds after which an entry is discarded; `None` if entries do not expire or `min_versions` keeps
    /// expired ones.
    ttl_ms: Option<i64>,
}

struct KeyspacePurge {
    keyspace: String,
    purge: AssertUnwindSafe<Purge>,
}

/// State of one rewrite of some of a keyspace's files, which visits entries in key order.
#[derive(Debug)]
struct Pass {
    versions: u32,
    oldest_live: i64,
    row_code: Vec<u8>,
    /// The columns of the row's previous entry.
    columns: Vec<u8>,
    last_ts: i64,
    /// How many versions with exactly these columns have been kept.
    kept: u32,
    row_has_mark: bool,
}

/// What to do with an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Keep,
    Drop,
}

type Factories = Arc<dyn Fn(&str) -> Option<Arc<dyn Factory>> + Send + Sync>;

impl Purge {
    pub(super) fn new(clock: &Arc<dyn Clock>) -> Self {
        Self { rules: Arc::default(), clock: Arc::clone(clock) }
    }

    pub(super) fn set(&self, keyspace: &str, family: &Family) {
        let ttl = family.ttl_seconds.filter(|_| family.min_versions == 0);
        let rules =
            Rules { versions: family.versions, ttl_ms: ttl.map(|seconds| i64::from(seconds) * 1_000) };
        self.rules.write().unwrap_or_else(PoisonError::into_inner).insert(keyspace.to_owned(), rules);
    }

    pub(super) fn forget(&self, keyspace: &str) {
        self.rules.write().unwrap_or_else(PoisonError::into_inner).remove(keyspace);
    }

    /// Returns the factory of compaction filters that the engine calls for each keyspace.
    pub(super) fn factories(&self) -> Factories {
        let purge = self.clone();
        Arc::new(move |keyspace| {
            let purge = AssertUnwindSafe(purge.clone());
            Some(Arc::new(KeyspacePurge { keyspace: keyspace.to_owned(), purge }))
        })
    }

    fn pass(&self, keyspace: &str) -> Option<Pass> {
        let rules = *self.rules.read().unwrap_or_else(PoisonError::into_inner).get(keyspace)?;
        Some(Pass::new(rules, self.clock.now_ms()))
    }
}

impl Pass {
    fn new(rules: Rules, now_ms: i64) -> Self {
        Self {
            versions: rules.versions,
            oldest_live: rules.ttl_ms.map_or(i64::MIN, |ttl_ms| now_ms.saturating_sub(ttl_ms)),
            row_code: Vec::new(),
            columns: Vec::new(),
            last_ts: 0,
            kept: 0,
            row_has_mark: false,
        }
    }

    /// Decides about the next entry. Undecodable entries are kept, so that readers report them.
    fn judge(&mut self, key: &[u8], value: &[u8]) -> Fate {
        let Ok(key) = EntryKey::parse(key) else { return Fate::Keep };
        if key.ts < self.oldest_live {
            return Fate::Drop;
        }
        let Some(columns) = entry::columns_of(value) else { return Fate::Keep };
        if self.row_code != key.row_code {
            self.begin_row(key.row_code);
        }
        self.row_has_mark |= entry::has_marks(value);
        let fate =
            if self.columns == columns { self.judge_repeated(key.ts) } else { self.begin_columns(columns) };
        self.last_ts = key.ts;
        fate
    }

    fn judge_repeated(&mut self, ts: i64) -> Fate {
        if ts == self.last_ts {
            return Fate::Drop;
        }
        if self.row_has_mark {
            return Fate::Keep;
        }
        if self.kept == self.versions {
            return Fate::Drop;
        }
        self.kept += 1;
        Fate::Keep
    }

    fn begin_row(&mut self, row_code: &[u8]) {
        self.row_code.clear();
        self.row_code.extend_from_slice(row_code);
        self.columns.clear();
        self.row_has_mark = false;
    }

    fn begin_columns(&mut self, columns: &[u8]) -> Fate {
        self.columns.clear();
        self.columns.extend_from_slice(columns);
        self.kept = 1;
        Fate::Keep
    }
}

impl CompactionFilter for Pass {
    fn filter_item(&mut self, item: ItemAccessor<'_>, _: &Context) -> CompactionFilterResult {
        Ok(match self.judge(item.key(), &item.value()?) {
            Fate::Keep => Verdict::Keep,
            // Every key is written only once, so no older value can reappear.
            Fate::Drop => Verdict::Destroy,
        })
    }
}

/// Keeps everything.
struct KeepAll;

impl CompactionFilter for KeepAll {
    fn filter_item(&mut self, _: ItemAccessor<'_>, _: &Context) -> CompactionFilterResult {
        Ok(Verdict::Keep)
    }
}

impl Factory for KeyspacePurge {
    fn name(&self) -> &'static str {
        "keystride purge"
    }

    fn make_filter(&self, _: &Context) -> Box<dyn CompactionFilter> {
        match self.purge.pass(&self.keyspace) {
            Some(pass) => Box::new(pass),
            None => Box::new(KeepAll),
        }
    }
}

impl fmt::Debug for Purge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Purge").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::Engine;
    use super::super::record::TableRecord;
    use super::*;
    use crate::cell::Cell;
    use crate::{CellKind, EmbeddedOptions, FamilyName, ManualClock, TableDescription, TableName};

    /// Row, timestamp and columns of an entry.
    type Written<'a> = (&'a str, i64, &'a [(&'a str, CellKind)]);

    /// Judges entries in order and returns the indexes of those that are kept.
    fn kept(rules: Rules, now_ms: i64, entries: &[Written<'_>]) -> Vec<usize> {
        kept_by(Pass::new(rules, now_ms), entries)
    }

    fn kept_by(mut pass: Pass, entries: &[Written<'_>]) -> Vec<usize> {
        let mut keeps = |index: &usize| {
            let (row, ts, columns) = entries[*index];
            let cells = columns.iter().map(|&(name, kind)| Cell {
                family: b"f",
                qualifier: name.as_bytes(),
                ts,
                kind,
                value: if kind == CellKind::Put { b"value" } else { b"" },
            });
            let mut key = Vec::new();
            entry::write_key(row.as_bytes(), ts, 1_000 - *index as u64, &mut key);
            let value = entry::value_of(&cells.collect::<Vec<_>>());
            pass.judge(&key, &value) == Fate::Keep
        };
        (0..entries.len()).filter(|index| keeps(index)).collect()
    }

    const A: &[(&str, CellKind)] = &[("a", CellKind::Put)];
    const B: &[(&str, CellKind)] = &[("b", CellKind::Put)];
    const MARK: &[(&str, CellKind)] = &[("a", CellKind::Delete)];
    const MARK_B: &[(&str, CellKind)] = &[("b", CellKind::Delete)];

    #[test]
    fn versions_beyond_what_is_kept_go() {
        let rules = Rules { versions: 2, ttl_ms: None };
        assert_eq!(kept(rules, 0, &[("r", 9, A), ("r", 8, A), ("r", 7, A), ("s", 6, A)]), [0, 1, 3]);
        assert_eq!(
            kept(rules, 0, &[("r", 9, A), ("r", 8, B), ("r", 7, A), ("r", 6, A), ("r", 5, A)]),
            [0, 1, 2, 3]
        );
    }

    #[test]
    fn what_was_written_again_goes() {
        let rules = Rules { versions: 9, ttl_ms: None };
        assert_eq!(kept(rules, 0, &[("r", 9, A), ("r", 9, A), ("r", 9, B), ("r", 8, B)]), [0, 2, 3]);
    }

    #[test]
    fn nothing_that_a_mark_may_bring_back_goes() {
        let rules = Rules { versions: 1, ttl_ms: None };
        assert_eq!(kept(rules, 0, &[("r", 9, A), ("r", 9, MARK), ("r", 8, A), ("r", 7, A)]), [0, 1, 2, 3]);
        assert_eq!(kept(rules, 0, &[("r", 9, MARK), ("s", 8, A), ("s", 7, A)]), [0, 1]);
        assert_eq!(kept(rules, 0, &[("r", 9, MARK), ("r", 8, MARK), ("r", 7, A), ("r", 6, A)]), [0, 1, 2, 3]);
        assert_eq!(kept(rules, 0, &[("r", 9, MARK), ("r", 9, MARK_B), ("r", 8, A)]), [0, 1, 2]);
    }

    #[test]
    fn what_outlived_its_time_goes() {
        let rules = Rules { versions: 9, ttl_ms: Some(10) };
        assert_eq!(kept(rules, 100, &[("r", 91, A), ("r", 90, A), ("r", 89, A), ("r", 1, MARK)]), [0, 1]);
    }

    #[test]
    fn a_keyspace_is_purged_by_the_rules_of_its_family() {
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::at(100_000));
        let purge = Purge::new(&clock);
        let family =
            Family { versions: 2, ttl_seconds: Some(10), ..Family::new(FamilyName::new("f").unwrap()) };
        purge.set("mortal", &family);
        purge.set("immortal", &Family { min_versions: 1, ..family });
        let entries = [
            ("r", 90_001, A),
            ("r", 90_000, A),
            ("r", 89_999, B),
            ("s", 90_002, A),
            ("s", 90_001, A),
            ("s", 90_000, A),
        ];
        assert_eq!(kept_by(purge.pass("mortal").unwrap(), &entries), [0, 1, 3, 4]);
        assert_eq!(kept_by(purge.pass("immortal").unwrap(), &entries), [0, 1, 2, 3, 4]);
        purge.forget("mortal");
        assert!(purge.pass("mortal").is_none() && purge.pass("immortal").is_some());
    }

    #[test]
    fn a_merge_of_files_lets_go_of_what_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::with_workers(folder.path(), &EmbeddedOptions::default(), 0).unwrap();
        let family = Family { versions: 2, ..Family::new(FamilyName::new("f").unwrap()) };
        let description = TableDescription::new(TableName::new("t").unwrap(), [family]);
        let keyspaces = engine.open_keyspaces(&TableRecord { id: 1, generation: 0, description }).unwrap();
        for ts in 0..25 {
            let mut ingestion = keyspaces[0].start_ingestion().unwrap();
            for row in [b"r", b"s"] {
                let mut key = Vec::new();
                entry::write_key(row, ts, 1, &mut key);
                let cell = Cell { family: b"f", qualifier: b"q", ts, kind: CellKind::Put, value: b"v" };
                ingestion.write(key, entry::value_of(&[cell])).unwrap();
            }
            ingestion.finish().unwrap();
        }
        engine.wait_for_room(&keyspaces).unwrap();
        let times: Vec<_> =
            keyspaces[0].iter().map(|entry| EntryKey::parse(&entry.key().unwrap()).unwrap().ts).collect();
        assert_eq!(times, [24, 23, 24, 23]);
    }
}
