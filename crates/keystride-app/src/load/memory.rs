//! How the memory of a load is shared with the store that it fills.

use keystride_store::{Durability, EmbeddedOptions};
use keystride_table::load::LoadOptions;

/// The least and the most memory for recently written rows. With less, the store's files become so small that most of
/// the work is merging them; with more, that work hardly decreases, and loads of more rows take more memory.
const STORE_BYTES: [usize; 2] = [20 << 20, 112 << 20];

/// So much of batches is held however little memory there is.
const BATCHES_BYTES: usize = 32 << 20;

/// The store has memory of its own besides that of the load. This much of it is for cached blocks, which a load rarely
/// reads.
const CACHE_BYTES: u64 = 8 << 20;

/// Returns the store's share of a load's memory, which is for recently written rows: half of it, within bounds.
pub fn store_bytes(memory_bytes: usize) -> usize {
    let [least, most] = STORE_BYTES;
    (memory_bytes / 2).clamp(least, most)
}

/// Returns the options of an embedded store that is opened for a load with so much memory.
pub fn embedded_options(memory_bytes: usize, durability: Durability) -> EmbeddedOptions {
    let write_buffer_bytes = store_bytes(memory_bytes) as u64;
    EmbeddedOptions { cache_bytes: CACHE_BYTES, write_buffer_bytes, durability, ..EmbeddedOptions::default() }
}

/// Whether the batches in memory leave half of it for other things; else how many bytes they take.
///
/// # Errors
///
/// The size of the batches, if they take more.
pub fn batches_fit(options: &LoadOptions) -> Result<(), usize> {
    let bytes = LoadOptions::batches_bytes(options.batch_bytes, options.in_flight);
    if bytes > (options.memory_bytes / 2).max(BATCHES_BYTES) { Err(bytes) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use keystride_table::load::LoadId;

    use super::*;

    #[test]
    fn half_of_the_memory_is_the_stores_within_bounds() {
        for (memory, store) in [(8, 20), (64, 32), (100, 50), (256, 112)] {
            assert_eq!(store_bytes(memory << 20), store << 20, "{memory} MiB");
        }
    }

    #[test]
    fn batches_take_at_most_half_of_the_memory() {
        let fit = |memory: usize, batch: usize| {
            let options = LoadOptions::of(LoadId::new("one"));
            let batch_bytes = (batch << 20).try_into().unwrap();
            batches_fit(&LoadOptions { memory_bytes: memory << 20, batch_bytes, ..options })
        };
        for (memory, batch) in [(256, 4), (8, 4), (256, 16), (12 << 10, 1 << 10)] {
            assert_eq!(fit(memory, batch), Ok(()), "{memory} MiB, {batch} MiB");
        }
        assert_eq!(fit(256, 64), Err(384 << 20));
    }
}
