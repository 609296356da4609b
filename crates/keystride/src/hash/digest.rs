/// Returns the CRC-32 of zip and `java.util.zip.CRC32` (IEEE polynomial, reflected).
///
/// ```
/// assert_eq!(keystride::hash::crc32(b"abc"), 0x3524_41c2);
/// ```
pub fn crc32(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// Returns the 64-bit XXH3 with seed 0.
///
/// ```
/// assert_eq!(keystride::hash::xxh3_64(b"abc"), 0x78af_5f94_892f_3950);
/// ```
pub fn xxh3_64(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(bytes)
}

/// Returns the 64-bit XXH3 with a seed.
pub fn xxh3_64_with_seed(bytes: &[u8], seed: u64) -> u64 {
    xxhash_rust::xxh3::xxh3_64_with_seed(bytes, seed)
}
