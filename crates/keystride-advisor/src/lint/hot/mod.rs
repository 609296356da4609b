//! Lints of hot spots in writes.

mod expiry;
mod lead;
mod tails;

use super::Lint;

pub(super) const LINTS: &[Lint] = &[
    lead::clock_first,
    lead::clock_in_bucket,
    lead::few_leading_values,
    lead::frequent_leading_value,
    lead::constant_head,
    lead::sorted_arrival,
    expiry::empty_behind_the_front,
    tails::tails_meet,
    tails::newest_rows_meet,
];
