//! How a load divides its memory between the store's part, pending batches, and the comparison of rows.

use super::LoadOptions;

/// The memory of batches besides those being filled or waiting, in batches: one that was taken, one that is being
/// written, and what the store derives from these two.
const TAKEN_BATCHES: usize = 4;

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

    /// Returns the memory of the store and of pending batches.
    fn others_bytes(&self) -> usize {
        let batches = (self.in_flight.get() as usize).saturating_add(TAKEN_BATCHES);
        let store_bytes = self.write_buffer_bytes.saturating_add(self.write_buffer_bytes / MERGING_PART);
        batches.saturating_mul(self.batch_bytes.get()).saturating_add(store_bytes)
    }
}
