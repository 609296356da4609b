use crate::CellKind;
use crate::mutation_error::Full;

/// Timestamps and kinds that cells have the numbers of. Most rows have one for all their cells.
#[derive(Debug, Clone, Default)]
pub(super) struct Stamps(Vec<Stamp>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) ts: i64,
    pub(super) kind: CellKind,
}

impl Stamps {
    /// The number of a stamp; the last one's where that is the same.
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

    /// Gives all cells of some kinds that have one timestamp another.
    pub(super) fn replace_ts(&mut self, from: i64, to: i64, kinds: impl Fn(CellKind) -> bool) {
        for stamp in self.0.iter_mut().filter(|stamp| stamp.ts == from && kinds(stamp.kind)) {
            stamp.ts = to;
        }
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}
