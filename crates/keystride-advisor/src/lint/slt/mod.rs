//! Lints of hashes and salts.

mod cost;
mod hash;
mod input;

pub(super) use input::{are_filled, destroyed_by, known_values};

use super::Lint;

pub(super) const LINTS: &[Lint] = &[
    hash::negative_prefixes,
    hash::uneven_hash,
    hash::stepping_numbers,
    input::few_values,
    input::not_computed,
    input::unknown_to_queries,
    input::frequent_value,
    input::order_destroyed,
    cost::needless_salt,
    cost::wide_fan_out,
    cost::wide_prefix,
];
