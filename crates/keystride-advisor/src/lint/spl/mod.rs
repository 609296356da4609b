//! Lints of splits and buckets.

mod buckets;
pub(super) mod fix;
mod points;
mod reach;
mod servers;

use super::Lint;

pub(super) const LINTS: &[Lint] = &[
    buckets::uneven_buckets,
    buckets::narrow_width,
    buckets::low_suffix,
    reach::unreachable_regions,
    reach::unsuited_algorithm,
    points::untidy_points,
    points::points_for_regions,
    points::hex_text_points,
    servers::idle_servers,
    servers::neighbouring_tails,
    servers::too_many_regions,
];
