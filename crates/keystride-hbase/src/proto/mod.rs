//! HBase's messages, package `hbase.pb`.
//!
//! `generated.rs` is generated from the files in the crate's folder `proto`, which hold the messages this client uses:
//! `cargo run --manifest-path xtask/Cargo.toml -- protos`. Names and numbers are those of HBase 2.6.

#![allow(
    clippy::all,
    clippy::pedantic,
    missing_docs,
    unreachable_pub,
    dead_code,
    unnameable_types,
    unused_qualifications,
    clippy::allow_attributes_without_reason,
    reason = "generated"
)]

include!("generated.rs");
