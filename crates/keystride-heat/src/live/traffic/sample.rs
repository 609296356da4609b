//! A few keys of many.

/// The most keys of one column.
const MOST_KEYS: usize = 1_024;

/// Keys of which each had the same chance to be taken (reservoir sampling, Vitter's algorithm R). It always takes the same of
/// the same keys.
#[derive(Debug, Default)]
pub(super) struct Sample {
    keys: Vec<Vec<u8>>,
    seen: u64,
}

impl Sample {
    pub(super) fn take(&mut self, key: &[u8]) {
        self.seen += 1;
        if self.keys.len() < MOST_KEYS {
            self.keys.push(key.to_vec());
        } else if let Some(kept) =
            usize::try_from(mixed(self.seen) % self.seen).ok().and_then(|at| self.keys.get_mut(at))
        {
            kept.clear();
            kept.extend_from_slice(key);
        }
    }

    /// Returns how many keys there were.
    pub(super) fn seen(&self) -> u64 {
        self.seen
    }

    pub(super) fn keys(&self) -> Vec<&[u8]> {
        self.keys.iter().map(Vec::as_slice).collect()
    }

    /// Returns some of the keys, at most `most`.
    pub(super) fn some(&self, most: usize) -> impl Iterator<Item = &[u8]> {
        self.keys.iter().step_by(self.keys.len().div_ceil(most).max(1)).map(Vec::as_slice)
    }
}

/// Returns a number that looks random: the output function of `SplitMix64`, from Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators".
fn mixed(number: u64) -> u64 {
    let z = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
