//! The placement of regions on servers as HBase places those of a new table: in turn, in key order.

use std::num::NonZeroUsize;

use crate::number::float_of;

/// Returns the server, from 0, of a region of a new table.
///
/// HBase's `roundRobinAssignment` begins at a random server; here it is server 0, which does not affect any
/// measure.
///
/// ```
/// # use keystride_heat::placement::server_of;
/// # use std::num::NonZeroUsize;
/// assert_eq!(server_of(10, NonZeroUsize::new(8).expect("8")), 2);
/// ```
pub fn server_of(region: usize, servers: NonZeroUsize) -> usize {
    region % servers
}

/// Returns the rows per server for these rows per region, with the regions placed on the servers in turn.
///
/// A window's imbalance over servers is that of [`Distribution::of`](crate::Distribution::of) these.
///
/// ```
/// # use keystride_heat::{Distribution, placement::server_counts};
/// # use std::num::NonZeroUsize;
/// let servers = server_counts(&[5; 10], NonZeroUsize::new(8).expect("8"));
/// assert_eq!(servers, [10, 10, 5, 5, 5, 5, 5, 5]);
/// assert_eq!(Distribution::of(&servers).map(|spread| spread.imbalance()), Some(1.6));
/// ```
pub fn server_counts(rows: &[u64], servers: NonZeroUsize) -> Vec<u64> {
    let mut counts = vec![0_u64; servers.get()];
    for (region, &rows) in rows.iter().enumerate() {
        let count = &mut counts[server_of(region, servers)];
        *count = count.saturating_add(rows);
    }
    counts
}

/// Returns the share of the servers' capacity that evenly filled buckets can use: B ÷ (S · ⌈B ÷ S⌉), above 0
/// and at most 1.
///
/// ```
/// # use keystride_heat::placement::efficiency;
/// # use std::num::NonZeroUsize;
/// let [ten, eight] = [10, 8].map(|count| NonZeroUsize::new(count).expect("above 0"));
/// assert_eq!(efficiency(ten, eight), 0.625); // 10 buckets on 8 servers lose 38 %
/// ```
pub fn efficiency(buckets: NonZeroUsize, servers: NonZeroUsize) -> f64 {
    let on_fullest = buckets.get().div_ceil(servers.get());
    float_of(buckets.get()) / (float_of(servers.get()) * float_of(on_fullest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Distribution;

    fn some(count: usize) -> NonZeroUsize {
        NonZeroUsize::new(count).unwrap()
    }

    #[test]
    fn efficiency_is_that_of_the_known_cases() {
        for (buckets, servers, expected) in [(16, 10, 0.8), (64, 20, 0.8), (16, 8, 1.0), (3, 8, 0.375)] {
            assert!(
                (efficiency(some(buckets), some(servers)) - expected).abs() < 1e-12,
                "{buckets}/{servers}"
            );
        }
    }

    #[test]
    fn buckets_cut_in_four_keep_two_of_eight_servers_busy() {
        // 16 buckets of 4 regions each, all writes in the last region of each bucket
        let rows: Vec<u64> = (0..64).map(|region| u64::from(region % 4 == 3)).collect();
        assert_eq!(server_counts(&rows, some(8)), [0, 0, 0, 8, 0, 0, 0, 8]);
    }

    #[test]
    fn servers_without_a_region_count_nothing() {
        assert_eq!(server_counts(&[4, 5], some(4)), [4, 5, 0, 0]);
        assert_eq!(server_counts(&[], some(2)), [0, 0]);
    }

    #[test]
    fn rows_of_a_server_stop_at_the_largest_number() {
        assert_eq!(server_counts(&[u64::MAX, 1, 2], some(2)), [u64::MAX, 1]);
    }

    proptest! {
        #[test]
        fn efficiency_is_one_over_the_imbalance_of_even_buckets(
            buckets in 1..500_usize,
            servers in 1..100_usize,
        ) {
            let efficiency = efficiency(some(buckets), some(servers));
            let counts = server_counts(&vec![1; buckets], some(servers));
            let imbalance = Distribution::of(&counts).unwrap().imbalance();
            prop_assert!((efficiency * imbalance - 1.0).abs() < 1e-12);
            prop_assert!(efficiency > 0.0 && efficiency <= 1.0);
            prop_assert!(buckets < servers || efficiency > 0.5);
        }

        #[test]
        fn no_row_is_lost_on_the_servers(
            rows in prop::collection::vec(0..1000_u64, 0..100),
            servers in 1..20_usize,
        ) {
            let placed: u64 = server_counts(&rows, some(servers)).iter().sum();
            prop_assert_eq!(placed, rows.iter().sum::<u64>());
        }
    }
}
