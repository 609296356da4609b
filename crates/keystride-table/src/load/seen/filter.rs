//! Bloom filters that tell whether a key may be in a file.

/// A chain of filters. When the first one has as many keys as it was sized for, the next one takes all the remaining
/// memory. Together they never exceed their share of memory; the last one takes all further keys, with an increasing
/// error rate.
///
/// If the last filter were small, it would soon be saturated, and every key would have to be looked up in all files.
#[derive(Debug)]
pub(super) struct Filters {
    chain: Vec<Filter>,
    /// An estimate of the number of keys. If it is unknown, all memory is taken at once.
    expected_keys: Option<u64>,
    /// Memory left for further filters.
    bytes_left: usize,
    /// The second filter, if it was created together with the first.
    next: Option<Filter>,
}

/// If the number of keys is unknown, the first filter gets this fraction of the memory: few keys then stay close
/// together in memory, while many keys require lookups in two filters.
const FIRST_SHARE: usize = 8;

/// A filter of 32-byte blocks; a key clears one bit in each of the eight words of its block.
///
/// This is Parquet's split block Bloom filter with its multipliers, except that the bits are inverted. Memory filled
/// with ones is mapped when it is allocated. With zeros, each page would be mapped when it is first read and remapped
/// when it is first written, which also affects all other threads.
#[derive(Debug)]
struct Filter {
    blocks: Vec<Block>,
    len: usize,
}

/// Aligned so that no block straddles two cache lines.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
struct Block([u32; 8]);

/// With 16 bits per key, the false positive rate is about 1 in 1,000.
const BITS_A_KEY: usize = 16;

const BLOCK_BITS: usize = 256;
const BLOCK_BYTES: usize = BLOCK_BITS / 8;

/// A further filter smaller than this is not worth querying for every key.
const LEAST_BYTES: usize = 1 << 16;

const MULTIPLIERS: [u32; 8] =
    [0x47b6_137b, 0x4497_4d91, 0x8824_ad5b, 0xa2b7_289d, 0x7054_95c7, 0x2df1_424b, 0x9efc_4947, 0x5c6b_fb31];

impl Filters {
    /// Creates an empty chain of at most `memory_bytes`.
    pub(super) fn new(memory_bytes: usize) -> Self {
        Self { chain: Vec::new(), expected_keys: None, bytes_left: memory_bytes, next: None }
    }

    /// Sets the estimated number of keys, which determines the size of the first filter unless that exists already.
    pub(super) fn expect(&mut self, keys: u64) {
        self.expected_keys = Some(keys);
    }

    pub(super) fn expected_keys(&self) -> Option<u64> {
        self.expected_keys
    }

    /// Reduces the memory left for further filters to `memory_bytes`.
    pub(super) fn limit(&mut self, memory_bytes: usize) {
        self.bytes_left = self.bytes_left.min(memory_bytes);
    }

    /// Whether a key may have been added; `false` only for keys that were not.
    pub(super) fn may_hold(&self, key: u128) -> bool {
        self.chain.iter().any(|filter| filter.may_hold(key))
    }

    /// Loads a word of each block that a key belongs to. This is so little work that the processor overlaps the cache
    /// misses of many keys.
    #[inline]
    pub(super) fn touch(&self, key: u128) -> u32 {
        self.chain.iter().fold(0, |seen, filter| seen ^ filter.blocks[filter.block(key)].0[0])
    }

    pub(super) fn add(&mut self, key: u128) {
        match self.chain.last() {
            None => {
                let first = self.make(self.first_bytes());
                self.chain.extend(first);
                self.next = self.expected_keys.is_none().then(|| self.make(self.bytes_left)).flatten();
            }
            Some(last) if last.is_full() => {
                let next = self.next.take().or_else(|| self.make(self.bytes_left));
                self.chain.extend(next);
            }
            Some(_) => {}
        }
        if let Some(filter) = self.chain.last_mut() {
            filter.add(key);
        }
    }

    /// Returns the size of the first filter: what the expected keys require, or a small fraction of the memory if their
    /// number is unknown.
    fn first_bytes(&self) -> usize {
        let bytes = match self.expected_keys {
            Some(keys) => usize::try_from(keys.saturating_mul(BITS_A_KEY as u64) / 8).unwrap_or(usize::MAX),
            None => self.bytes_left / FIRST_SHARE,
        };
        bytes.clamp(BLOCK_BYTES, self.bytes_left.max(BLOCK_BYTES))
    }

    /// Creates a filter of `bytes` of the remaining memory; `None` if it is not the first one and too small.
    fn make(&mut self, bytes: usize) -> Option<Filter> {
        if !self.chain.is_empty() && bytes < LEAST_BYTES {
            return None;
        }
        self.bytes_left = self.bytes_left.saturating_sub(bytes);
        Some(Filter { blocks: vec![Block([u32::MAX; 8]); bytes / BLOCK_BYTES], len: 0 })
    }
}

impl Filter {
    fn is_full(&self) -> bool {
        self.len >= self.blocks.len() * (BLOCK_BITS / BITS_A_KEY)
    }

    fn may_hold(&self, key: u128) -> bool {
        let bits = bits(key);
        // Checks all words without branching, because branches would mostly be mispredicted.
        self.blocks[self.block(key)].0.iter().zip(bits).fold(0, |left, (word, bit)| left | (word & bit)) == 0
    }

    fn add(&mut self, key: u128) {
        let block = self.block(key);
        self.blocks[block].0.iter_mut().zip(bits(key)).for_each(|(word, bit)| *word &= !bit);
        self.len += 1;
    }

    /// Returns the index of a key's block, determined by the upper half of the key.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a product's upper half is below the number of blocks"
    )]
    fn block(&self, key: u128) -> usize {
        (((key >> 64) * self.blocks.len() as u128) >> 64) as usize
    }
}

/// Returns a key's bits in its block, determined by the lower half of the key.
#[expect(clippy::cast_possible_truncation, reason = "half of the lower half is enough")]
fn bits(key: u128) -> [u32; 8] {
    let low = key as u32;
    MULTIPLIERS.map(|multiplier| 1 << (low.wrapping_mul(multiplier) >> 27))
}

#[cfg(test)]
mod tests {
    use xxhash_rust::xxh3::xxh3_128;

    use super::*;

    fn key(number: u64) -> u128 {
        xxh3_128(&number.to_be_bytes())
    }

    #[test]
    fn known_keys_are_held_and_few_others_seem_so() {
        let mut filters = Filters::new(1 << 20);
        filters.expect(100_000);
        (0..100_000).for_each(|number| filters.add(key(number)));
        assert_eq!(filters.chain[0].blocks.len() * BLOCK_BYTES, 200_000);
        assert!((0..100_000).all(|number| filters.may_hold(key(number))));
        let wrong = (100_000..300_000).filter(|&number| filters.may_hold(key(number))).count();
        assert!(wrong < 400, "{wrong} of 200,000");
    }

    #[test]
    fn twice_the_keys_that_there_is_memory_for_do_not_make_every_key_seem_known() {
        const MEMORY_BYTES: usize = 1 << 20;
        let keys = (2 * MEMORY_BYTES * 8 / BITS_A_KEY) as u64;
        let mut filters = Filters::new(MEMORY_BYTES);
        (0..keys).for_each(|number| filters.add(key(number)));
        let wrong = (keys..keys + 100_000).filter(|&number| filters.may_hold(key(number))).count();
        assert!(wrong < 5_000, "{wrong} of 100,000");
    }

    #[test]
    fn more_keys_than_expected_begin_further_filters_within_the_memory() {
        let mut filters = Filters::new(1 << 20);
        filters.expect(1000);
        (0..2_000_000).for_each(|number| filters.add(key(number)));
        let bytes: usize = filters.chain.iter().map(|filter| filter.blocks.len() * BLOCK_BYTES).sum();
        assert!(
            filters.chain.len() == 2 && bytes <= 1 << 20,
            "{} filters, {bytes} bytes",
            filters.chain.len()
        );
        assert!((0..2_000_000).all(|number| filters.may_hold(key(number))));
    }

    #[test]
    fn all_memory_is_taken_at_once_where_nobody_knows_how_many_keys_come() {
        let mut filters = Filters::new(1 << 20);
        let bytes = |filters: &Filters| -> Vec<usize> {
            let all = filters.chain.iter().chain(&filters.next);
            all.map(|filter| filter.blocks.len() * BLOCK_BYTES).collect()
        };
        filters.add(key(0));
        assert_eq!(bytes(&filters), [1 << 17, 7 << 17]);
        (1..100_000).for_each(|number| filters.add(key(number)));
        assert_eq!((bytes(&filters), filters.chain.len()), (vec![1 << 17, 7 << 17], 2));
        assert!((0..100_000).all(|number| filters.may_hold(key(number))));
    }

    #[test]
    fn the_least_limit_of_the_memory_counts() {
        let mut filters = Filters::new(1 << 20);
        filters.limit(1 << 17);
        filters.limit(1 << 19);
        filters.add(key(0));
        let all = filters.chain.iter().chain(&filters.next);
        assert_eq!(all.map(|filter| filter.blocks.len() * BLOCK_BYTES).sum::<usize>(), 1 << 17);
    }
}
