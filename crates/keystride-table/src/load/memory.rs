//! How a load divides its memory between the store's part, pending batches, and the comparison of rows.

use std::num::{NonZeroU32, NonZeroUsize};

use super::LoadOptions;

/// The memory of batches besides those being filled or waiting, in batches: one that was taken, one that is being
/// written, and what the store derives from these two.
const TAKEN_BATCHES: usize = 4;

/// Memory for reading that is not counted.
const READING_BYTES: usize = 16 << 20;

/// Memory taken by preparing writes in advance: rows arrive faster, and more flushed rows stay in memory while files
/// are merged.
const AHEAD_BYTES: usize = 64 << 20;

/// While the store merges files, it takes a fifth of its part in addition.
const MERGING_PART: usize = 5;

impl LoadOptions {
    /// Returns the total memory.
    pub(super) fn budget_bytes(&self) -> usize {
        self.memory_bytes.max(Self::LEAST_MEMORY_BYTES)
    }

    /// Returns the memory left for comparing rows after the store's part and pending batches.
    pub(super) fn comparing_bytes(&self) -> usize {
        let ahead = if self.prepares_ahead() { AHEAD_BYTES } else { 0 };
        let others = self.others_bytes().saturating_add(ahead);
        self.budget_bytes().saturating_sub(others).max(Self::LEAST_MEMORY_BYTES)
    }

    /// Whether there is enough memory to prepare a batch while the previous one is being written, leaving a quarter
    /// of it for comparing rows.
    pub(super) fn prepares_ahead(&self) -> bool {
        let others = self.others_bytes().saturating_add(AHEAD_BYTES);
        others.saturating_add(self.budget_bytes() / 4) <= self.budget_bytes()
    }

    /// Returns how many batches may be waiting to be taken; one more if there is memory for it, so that reading
    /// continues while the store waits for its files.
    pub(super) fn waiting_count(&self) -> usize {
        let in_flight = self.in_flight.get() as usize;
        if self.prepares_ahead() { in_flight } else { (in_flight - 1).max(1) }
    }

    /// Returns the memory of batches of this size, with so many in flight.
    pub fn batches_bytes(batch_bytes: NonZeroUsize, in_flight: NonZeroU32) -> usize {
        let batches = (in_flight.get() as usize).saturating_add(TAKEN_BATCHES);
        batches.saturating_mul(batch_bytes.get())
    }

    /// Leaves out the memory that reading takes, beyond what every input takes.
    pub(super) fn without_reading(mut self, reading_bytes: usize) -> Self {
        let beyond = reading_bytes.saturating_sub(READING_BYTES);
        self.memory_bytes = self.memory_bytes.saturating_sub(beyond).max(self.memory_bytes / 2);
        self
    }

    /// Returns the memory of the store and of pending batches.
    fn others_bytes(&self) -> usize {
        let store_bytes = self.write_buffer_bytes.saturating_add(self.write_buffer_bytes / MERGING_PART);
        Self::batches_bytes(self.batch_bytes, self.in_flight).saturating_add(store_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::LoadId;

    const MIB: usize = 1 << 20;

    /// Options with batches of 4 MiB.
    fn options(memory_bytes: usize, write_buffer_bytes: usize, in_flight: u32) -> LoadOptions {
        let in_flight = NonZeroU32::new(in_flight).unwrap();
        LoadOptions { memory_bytes, write_buffer_bytes, in_flight, ..LoadOptions::of(LoadId::new("memory")) }
    }

    #[test]
    fn the_memory_for_comparing_is_what_the_store_and_the_batches_leave() {
        let comparing = |memory, write_buffer| options(memory, write_buffer, 2).comparing_bytes();
        assert_eq!(comparing(256 * MIB, 0), (256 - 6 * 4 - 64) * MIB);
        assert_eq!(comparing(256 * MIB, 100 * MIB), (256 - 6 * 4 - 120) * MIB);
        for (memory, write_buffer) in [(0, 0), (30 * MIB, 0), (256 * MIB, 256 * MIB), (256 * MIB, usize::MAX)]
        {
            assert_eq!(comparing(memory, write_buffer), 8 * MIB, "the least");
        }
        assert_eq!([0, 9 * MIB].map(|memory| options(memory, 0, 2).budget_bytes()), [8 * MIB, 9 * MIB]);
    }

    #[test]
    fn batches_are_prepared_ahead_where_a_quarter_is_left_for_comparing() {
        let ahead = |options: LoadOptions| (options.prepares_ahead(), options.waiting_count());
        assert_eq!(ahead(options(128 * MIB, 0, 4)), (true, 4));
        assert_eq!(ahead(options(128 * MIB - 4, 0, 4)), (false, 3));
        assert_eq!(ahead(options(128 * MIB, 5, 4)), (false, 3));
        assert_eq!(ahead(options(0, 0, 1)), (false, 1));
        assert_eq!(ahead(options(256 * MIB, usize::MAX, 3)), (false, 2));
    }
}
