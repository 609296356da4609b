//! Lints of encodings, and of the order of keys.

mod collision;
mod fixes;
mod form;
mod order;
mod range;

pub(super) use fixes::end_fix;
pub(super) use form::has_case_clash;

use super::Lint;

pub(super) const LINTS: &[Lint] = &[
    order::unpadded_numbers,
    collision::unmarked_ends,
    order::high_separators,
    order::negative_numbers,
    order::reversed_without_end,
    range::long_max_text,
    range::narrow_steps,
    range::long_keys,
    form::hex_case,
    form::repeated_hours,
];
