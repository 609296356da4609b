//! Timestamps with kinds, which cells refer to by number.

use crate::CellKind;
use crate::mutation_error::Full;

/// The pairs of timestamp and kind that cells refer to by number. In most rows all cells share one.
#[derive(Debug, Clone, Default)]
pub(super) struct Stamps(Vec<Stamp>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) ts: i64,
    pub(super) kind: CellKind,
}

impl Stamps {
    /// Returns the number of a stamp, adding it unless it equals the last one.
    #[inline]
    pub(super) fn number(&mut self, stamp: Stamp) -> Result<u32, Full> {
        if self.0.last() != Some(&stamp) {
            self.0.push(stamp);
        }
        u32::try_from(self.0.len() - 1).map_err(|_| Full)
    }

    #[inline]
    pub(super) fn get(&self, number: u32) -> Stamp {
        self.0[number as usize]
    }

    /// Whether a cell may have this timestamp.
    pub(super) fn may_have(&self, ts: i64) -> bool {
        self.0.iter().any(|stamp| stamp.ts == ts)
    }

    /// Replaces timestamp `from` by `to` in all stamps whose kind satisfies `kinds`.
    pub(super) fn replace_ts(&mut self, from: i64, to: i64, kinds: impl Fn(CellKind) -> bool) {
        for stamp in self.0.iter_mut().filter(|stamp| stamp.ts == from && kinds(stamp.kind)) {
            stamp.ts = to;
        }
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}
