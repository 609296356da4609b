//! What a design file can't say, and the sentence it gets for it.

mod buckets;
mod bytes;
mod ends;
mod fields;
mod steps;
mod tables;
mod told;
mod words;
