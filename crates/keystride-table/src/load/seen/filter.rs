//! Bloom filters: whether a key may be in a file.

/// Filters one after the other: when the first has as many keys as it is good for, the next takes all memory that is
/// left. Together they never take more than their share; the last one takes all further keys and errs more often.
///
/// A last one that was small would soon be full of bits, and every key be looked for in all files.
#[derive(Debug)]
pub(super) struct Filters {
    chain: Vec<Filter>,
    /// Bytes of the first, which is made for the first key.
    first_bytes: usize,
    /// Bytes that further filters may take.
    bytes_left: usize,
    /// NullSink knows how many keys there will be, so that all memory is taken at once.
    takes_all: bool,
    /// The next one where it was made with the first.
    next: Option<Filter>,
}

/// The share of the memory that the first filter has where nobody knows how many keys come: few keys then lie near each
/// other, and many are looked for in two places.
const FIRST_SHARE: usize = 8;

/// A filter in blocks of 32 bytes; a key clears one bit in each of the eight words of its block.
///
/// This is the split block Bloom filter of Parquet, with its multipliers, but for what a bit says. Memory full of ones is
/// there when it is taken; of zeros, each page would be mapped when it is first read and, once more and for all
/// threads, when it is first written.
#[derive(Debug)]
struct Filter {
    blocks: Vec<Block>,
    len: usize,
}

/// None of them lies in two lines of the processor's caches.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
struct Block([u32; 8]);

/// With 16 bits a key about one of 1,000 unknown keys is taken for a known one.
const BITS_A_KEY: usize = 16;

const BLOCK_BITS: usize = 256;
const BLOCK_BYTES: usize = BLOCK_BITS / 8;

/// A further filter smaller than this is not worth looking into for every key.
const LEAST_BYTES: usize = 1 << 16;

const MULTIPLIERS: [u32; 8] =
    [0x47b6_137b, 0x4497_4d91, 0x8824_ad5b, 0xa2b7_289d, 0x7054_95c7, 0x2df1_424b, 0x9efc_4947, 0x5c6b_fb31];

impl Filters {
    /// The first is as large as `expected_keys` need, or `memory_bytes` where that is less; where nobody knows, a small share
    /// of it.
    pub(super) fn new(memory_bytes: usize, expected_keys: Option<u64>) -> Self {
        let bytes = expected_keys
            .map_or((memory_bytes / FIRST_SHARE) as u64, |keys| keys.saturating_mul(BITS_A_KEY as u64) / 8);
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let first_bytes = bytes.clamp(BLOCK_BYTES, memory_bytes.max(BLOCK_BYTES));
        let takes_all = expected_keys.is_none();
        Self { chain: Vec::new(), first_bytes, bytes_left: memory_bytes, takes_all, next: None }
    }

    /// `false` only of keys that were never added.
    pub(super) fn may_hold(&self, key: u128) -> bool {
        self.chain.iter().any(|filter| filter.may_hold(key))
    }

    /// Something of the memory that tells of a key: little work, so that the processor asks for that of many keys at once.
    #[inline]
    pub(super) fn touch(&self, key: u128) -> u32 {
        self.chain.iter().fold(0, |seen, filter| seen ^ filter.blocks[filter.block(key)].0[0])
    }

    pub(super) fn add(&mut self, key: u128) {
        match self.chain.last() {
            None => {
                let first = self.make(self.first_bytes);
                self.chain.extend(first);
                self.next = self.takes_all.then(|| self.make(self.bytes_left)).flatten();
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

    /// A filter of so many bytes of those left; `None` where it is a further one and too small.
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
        // All words are looked at: a branch on each would mostly be guessed wrong.
        self.blocks[self.block(key)].0.iter().zip(bits).fold(0, |left, (word, bit)| left | (word & bit)) == 0
    }

    fn add(&mut self, key: u128) {
        let block = self.block(key);
        self.blocks[block].0.iter_mut().zip(bits(key)).for_each(|(word, bit)| *word &= !bit);
        self.len += 1;
    }

    /// The upper half of the key says which block.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a product's upper half is below the number of blocks"
    )]
    fn block(&self, key: u128) -> usize {
        (((key >> 64) * self.blocks.len() as u128) >> 64) as usize
    }
}

/// The lower half of a key says which bits of its block.
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
        let mut filters = Filters::new(1 << 20, Some(100_000));
        (0..100_000).for_each(|number| filters.add(key(number)));
        assert!((0..100_000).all(|number| filters.may_hold(key(number))));
        let wrong = (100_000..300_000).filter(|&number| filters.may_hold(key(number))).count();
        assert!(wrong < 400, "{wrong} of 200,000");
    }

    #[test]
    fn twice_the_keys_that_there_is_memory_for_do_not_make_every_key_seem_known() {
        const MEMORY_BYTES: usize = 1 << 20;
        let keys = (2 * MEMORY_BYTES * 8 / BITS_A_KEY) as u64;
        let mut filters = Filters::new(MEMORY_BYTES, None);
        (0..keys).for_each(|number| filters.add(key(number)));
        let wrong = (keys..keys + 100_000).filter(|&number| filters.may_hold(key(number))).count();
        assert!(wrong < 5_000, "{wrong} of 100,000");
    }

    #[test]
    fn more_keys_than_expected_begin_further_filters_within_the_memory() {
        let mut filters = Filters::new(1 << 20, Some(1000));
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
        let mut filters = Filters::new(1 << 20, None);
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
}
