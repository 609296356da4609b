//! Lints of reads, each of which is planned as keystride would plan it.

mod order;
mod scan;

use super::Lint;

pub(super) const LINTS: &[Lint] = &[
    scan::full_scans,
    order::latest_rows,
    order::limit_in_each_bucket,
    scan::open_prefixes,
    scan::unserved_ranges,
    scan::unknowable_fields,
    order::bucket_of_the_range,
    order::deleted_rows,
];
