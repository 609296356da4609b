//! The position of a record in the input.

/// Source and line of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct RecordPlace {
    /// Number of the source, counted from 0.
    pub(super) source: usize,
    /// Line, counted from 1; for Parquet the row, for a log the offset.
    pub(super) line: u64,
}

impl RecordPlace {
    const LINE_BITS: u32 = 40;

    /// Packs the place into one number, with 24 bits for the source and 40 bits for the line; a file with more lines
    /// would have tens of terabytes.
    pub(super) fn pack(self) -> u64 {
        // No place is packed as 0.
        let line = self.line.saturating_add(1).min((1 << Self::LINE_BITS) - 1);
        let source = (self.source as u64).min((1 << (64 - Self::LINE_BITS)) - 1);
        source << Self::LINE_BITS | line
    }

    pub(super) fn unpack(packed: u64) -> Self {
        let source = usize::try_from(packed >> Self::LINE_BITS).expect("24 bits are left");
        Self { source, line: (packed & ((1 << Self::LINE_BITS) - 1)).saturating_sub(1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_comes_back_from_its_number() {
        for (source, line) in [(0, 0), (0, 1), (7, 1 << 39), ((1 << 24) - 1, (1 << 40) - 2)] {
            let place = RecordPlace { source, line };
            assert_eq!(RecordPlace::unpack(place.pack()), place);
        }
    }

    #[test]
    fn what_does_not_fit_a_number_becomes_the_nearest_place_that_does() {
        let nearest = |source, line| RecordPlace::unpack(RecordPlace { source, line }.pack());
        assert_eq!(nearest(usize::MAX, 1 << 40), RecordPlace { source: (1 << 24) - 1, line: (1 << 40) - 2 });
        assert_eq!(nearest(1 << 24, 0), RecordPlace { source: (1 << 24) - 1, line: 0 });
    }
}
