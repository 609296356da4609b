//! Hashes of bytes and texts, and the buckets they give.
//!
//! Start with [`BucketHash`], the hashes that a design can name, each with the input it takes. The digests and Java
//! hashes that it is built on can also be used alone. All of them are tested against vectors from the original code.

mod bucket;
mod count;
mod digest;
pub mod hbasewd;
pub mod java;
mod md5;
mod murmur3;
mod named;
pub mod opentsdb;
pub mod phoenix;

pub use bucket::{BucketHash, BucketRule, ItemsHash};
pub use count::{BucketCount, InvalidBucketCount, Placement};
pub use digest::{crc32, xxh3_64, xxh3_64_with_seed};
pub use md5::md5;
pub use murmur3::{murmur3_x64_128, murmur3_x64_128_with_seed};
pub use named::{Digest, DigestBytes};
