//! Bytes made by the real Java classes, checked in both directions.
//!
//! `data/*.json` hold a `header` (which classes made them, what each field means) and `vectors`. Every file prints one
//! line: read, passed, and not applicable with the reason's name; the sum is the file's count.
//! `KEYSTRIDE_VECTORS=DIR` reads files of the same names from another folder.

mod both_orders;
mod bytes_encode;
mod bytes_escape;
mod fields;
mod hash_named;
mod hbasewd;
mod java_hash;
mod opentsdb;
mod ordered_bytes;
mod padding;
mod phoenix_bytes;
mod phoenix_column;
mod phoenix_keys;
mod phoenix_salt;
mod phoenix_splits;
mod phoenix_statement;
mod phoenix_table;
mod phoenix_types;
mod prefix_stop;
mod recipe;
mod reversed_time;
mod seed_000;
mod seed_001;
mod seed_002;
mod seed_003;
mod seed_004;
mod split_admin;
mod split_bytes;
mod split_regionsplitter;
mod tally;
mod time_format;
mod time_reverse;
