//! A design while it is made: what keys the rows of a sample get, how they are spread, and what another design does
//! otherwise.
//!
//! Read on in this order: [`Draft`] is a text that may be a design, [`EncodedRows`] are the keys of a sample,
//! [`KeyPartsDocument`] shows one of them part by part, [`KeySpread`] counts all of them by region, and [`Differences`] compares
//! two designs.

mod differences;
mod draft;
mod encoded_rows;
mod key_parts;
mod key_spread;
mod split;

pub use differences::Differences;
pub use draft::{Draft, read_design};
pub use encoded_rows::{EncodedRow, EncodedRows, KeyLength};
pub use key_parts::{KeyPartsDocument, PartSpan};
pub use key_spread::{KeySpread, Verdict, WindowMeasure};
pub use split::split_of;
