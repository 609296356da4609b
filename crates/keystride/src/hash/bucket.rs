//! The bucket hashes that a design can name, and what each of them takes as input.

use std::ops::RangeInclusive;

use super::{BucketCount, Placement, digest, hbasewd, java, md5, murmur3, opentsdb, phoenix};

/// The hashes a design can name for a bucket.
///
/// ```
/// # use keystride::hash::{BucketCount, BucketHash, BucketRule, Placement};
/// let hash = BucketHash::from_name("java-string").expect("a known name");
/// let BucketRule::Items(hash) = hash.rule() else { unreachable!() };
/// let sixteen = BucketCount::new(16)?;
/// assert_eq!(hash.of_texts(&["1380", "0138000"], sixteen), hash.of_texts(&["13800138000"], sixteen));
/// # Ok::<(), keystride::hash::InvalidBucketCount>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum BucketHash {
    /// XXH3, 64 bits.
    #[default]
    Xxh3,
    /// The first word of `MurmurHash3` `x64_128`: its first 8 bytes, little-endian.
    Murmur3,
    /// The first 8 bytes of MD5, big-endian.
    Md5,
    /// CRC-32.
    Crc32,
    /// The first hex digit of MD5, for 16 buckets.
    Md5Hex1,
    /// `Math.abs(String.hashCode) % count` of all texts, concatenated.
    JavaString,
    /// `Math.abs` of the XOR of each text's `String.hashCode`, `% count`.
    JavaXor,
    /// Phoenix's salt byte.
    Phoenix,
    /// The prefix of `HBaseWD` 0.1.0.
    HbaseWd,
    /// `OpenTSDB`'s salt.
    OpenTsdb,
    /// The number modulo the count, never negative.
    Mod,
    /// A number drawn for each row.
    Random,
    /// The index of the row, counted from 0.
    RoundRobin,
}

/// What a hash takes as input, and the function that returns the bucket for it.
#[derive(Debug, Clone, Copy)]
pub enum BucketRule {
    /// The bytes or texts of the items.
    Items(ItemsHash),
    /// The one item's number.
    Number(fn(i128, BucketCount) -> Placement),
    /// Not a function of the row: a number that the caller draws or counts.
    Supplied(fn(u64, BucketCount) -> Placement),
}

/// A hash of the items of a bucket.
#[derive(Debug, Clone, Copy)]
pub enum ItemsHash {
    /// The bytes of the items, joined by one 00 byte.
    Joined(fn(&[u8], BucketCount) -> Placement),
    /// The bytes of the items, one after the other.
    Concatenated(fn(&[u8], BucketCount) -> Placement),
    /// The texts of the items.
    Texts(fn(&mut dyn Iterator<Item = &str>, BucketCount) -> Placement),
}

impl ItemsHash {
    /// Returns the bucket of items whose bytes are these texts.
    pub fn of_texts(self, texts: &[impl AsRef<str>], count: BucketCount) -> Placement {
        let mut texts = texts.iter().map(AsRef::as_ref);
        match self {
            Self::Joined(hash) => hash(texts.collect::<Vec<_>>().join("\0").as_bytes(), count),
            Self::Concatenated(hash) => hash(texts.collect::<String>().as_bytes(), count),
            Self::Texts(hash) => hash(&mut texts, count),
        }
    }
}

impl BucketHash {
    /// All hashes, in the order of the documentation.
    pub const ALL: [Self; 13] = [
        Self::Xxh3,
        Self::Murmur3,
        Self::Md5,
        Self::Crc32,
        Self::Md5Hex1,
        Self::JavaString,
        Self::JavaXor,
        Self::Phoenix,
        Self::HbaseWd,
        Self::OpenTsdb,
        Self::Mod,
        Self::Random,
        Self::RoundRobin,
    ];

    /// Returns its name in a design file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Xxh3 => "xxh3",
            Self::Murmur3 => "murmur3",
            Self::Md5 => "md5",
            Self::Crc32 => "crc32",
            Self::Md5Hex1 => "md5-hex1",
            Self::JavaString => "java-string",
            Self::JavaXor => "java-xor",
            Self::Phoenix => "phoenix",
            Self::HbaseWd => "hbasewd",
            Self::OpenTsdb => "opentsdb",
            Self::Mod => "mod",
            Self::Random => "random",
            Self::RoundRobin => "round-robin",
        }
    }

    /// Returns the hash with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|hash| hash.name() == name)
    }

    /// Returns what the hash takes as input, and its function.
    pub fn rule(self) -> BucketRule {
        BucketRule::Items(match self {
            Self::Xxh3 => ItemsHash::Joined(|bytes, count| count.reduce(digest::xxh3_64(bytes))),
            Self::Murmur3 => ItemsHash::Joined(|bytes, count| count.reduce(murmur3::words(bytes, 0).0)),
            Self::Md5 => ItemsHash::Joined(|bytes, count| by_first_word(md5(bytes), count)),
            Self::Crc32 => ItemsHash::Joined(|bytes, count| count.reduce(digest::crc32(bytes).into())),
            Self::Md5Hex1 => ItemsHash::Joined(|bytes, count| by_first_digit(md5(bytes), count)),
            Self::JavaString => ItemsHash::Texts(java_string),
            Self::JavaXor => ItemsHash::Texts(java_xor),
            Self::Phoenix => ItemsHash::Concatenated(phoenix::bucket),
            Self::HbaseWd => ItemsHash::Concatenated(hbasewd::bucket),
            Self::OpenTsdb => ItemsHash::Concatenated(opentsdb::bucket),
            Self::Mod => return BucketRule::Number(java::floor_mod),
            Self::Random | Self::RoundRobin => {
                return BucketRule::Supplied(|number, count| count.reduce(number));
            }
        })
    }

    /// Returns the bucket counts that the hash is defined for.
    pub fn counts(self) -> RangeInclusive<u32> {
        match self {
            Self::Md5Hex1 => 16..=16,
            Self::Phoenix => 1..=phoenix::MOST_BUCKETS,
            Self::HbaseWd => 1..=hbasewd::MOST_BUCKETS,
            _ => 1..=BucketCount::MOST,
        }
    }

    /// Whether the system that it comes from writes its salt in bytes.
    pub fn is_written_in_bytes(self) -> bool {
        matches!(self, Self::Phoenix | Self::HbaseWd | Self::OpenTsdb)
    }
}

fn by_first_word(md5: [u8; 16], count: BucketCount) -> Placement {
    let [first @ .., _, _, _, _, _, _, _, _] = md5;
    count.reduce(u64::from_be_bytes(first))
}

fn by_first_digit(md5: [u8; 16], count: BucketCount) -> Placement {
    count.reduce(u64::from(md5[0] >> 4))
}

fn java_string(texts: &mut dyn Iterator<Item = &str>, count: BucketCount) -> Placement {
    java::abs_mod(texts.fold(0, java::continued_hash_code), count)
}

fn java_xor(texts: &mut dyn Iterator<Item = &str>, count: BucketCount) -> Placement {
    let hashes = texts.map(|text| java::continued_hash_code(0, text));
    java::abs_mod(hashes.fold(0, |all, hash| all ^ hash), count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bucket_of(name: &str, bytes: &[u8], count: u32) -> Placement {
        let count = BucketCount::new(count).unwrap();
        match BucketHash::from_name(name).unwrap().rule() {
            BucketRule::Items(ItemsHash::Joined(bucket) | ItemsHash::Concatenated(bucket)) => {
                bucket(bytes, count)
            }
            other => panic!("{name} takes {other:?}"),
        }
    }

    #[test]
    fn every_name_finds_its_hash() {
        for hash in BucketHash::ALL {
            assert_eq!(BucketHash::from_name(hash.name()), Some(hash));
        }
        assert_eq!(BucketHash::from_name("XXH3"), None);
    }

    #[test]
    fn digests_reduce_unsigned_in_their_named_byte_order() {
        // The hashes of "abc" are XXH3 78af5f94892f3950, murmur3 bytes 6778ad3f3f3f96b4 (h1 b4963f3f3fad7867), MD5
        // 900150983cd24fb0, CRC-32 352441c2. With 65,536 buckets, the bucket is the last 16 bits.
        assert_eq!(bucket_of("xxh3", b"abc", 65_536), Placement::Bucket(0x3950));
        assert_eq!(bucket_of("murmur3", b"abc", 65_536), Placement::Bucket(0x7867));
        assert_eq!(bucket_of("md5", b"abc", 65_536), Placement::Bucket(0x4fb0));
        assert_eq!(bucket_of("crc32", b"abc", 65_536), Placement::Bucket(0x41c2));
        assert_eq!(bucket_of("md5", b"abc", 7), Placement::Bucket((0x9001_5098_3cd2_4fb0_u64 % 7) as u16));
        assert_eq!(bucket_of("md5-hex1", b"abc", 16), Placement::Bucket(9));
    }

    #[test]
    fn java_keeps_a_negative_remainder() {
        let BucketRule::Items(xor) = BucketHash::JavaXor.rule() else { panic!("java-xor takes texts") };
        let bucket = |count| xor.of_texts(&["15483910690", "202004"], BucketCount::new(count).unwrap());
        assert_eq!(bucket(6), Placement::Outside(-2));
        assert_eq!(bucket(2), Placement::Bucket(0));
    }

    #[test]
    fn floor_modulo_of_a_negative_number_is_a_bucket() {
        let BucketRule::Number(modulo) = BucketHash::Mod.rule() else { panic!("mod takes a number") };
        assert_eq!(modulo(-1, BucketCount::new(10).unwrap()), Placement::Bucket(9));
    }
}
