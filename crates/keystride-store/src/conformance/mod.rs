//! Conformance checks for [`Store`] implementations.
//!
//! A check takes a store, creates a table of its own in it, and panics if the store behaves differently from HBase.
//! The checks use only the trait, so they can test a cluster as well as the memory store.
//!
//! [`for_each_check!`](crate::for_each_check) passes the list of checks to a macro of the caller, which turns each
//! into a test:
//!
//! ```
//! macro_rules! tests {
//!     ($($room:ident: $($check:ident)+;)+) => {
//!         $(mod $room { $(
//!             #[tokio::test]
//!             async fn $check() {
//!                 use keystride_store::{Clock, MemoryStore, SystemClock, conformance};
//!                 let store = MemoryStore::default();
//!                 let subject = conformance::Subject { store: &store, now_ms: SystemClock.now_ms() };
//!                 conformance::$room::$check(subject).await;
//!             }
//!         )+ })+
//!     };
//! }
//! keystride_store::for_each_check!(tests);
//! ```
#![expect(clippy::unwrap_used, clippy::missing_panics_doc, reason = "checks report failures by panicking")]

pub mod atomic;
pub mod bulk;
pub mod deletes;
pub mod filters;
pub mod notes;
pub mod prepared;
pub mod reads;
pub mod regions;
pub mod scans;
pub mod tables;
mod trial;
pub mod versions;
pub mod writes;

use crate::Store;

/// A store to check.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The store. The checks create and drop tables whose names start with `conformance_`.
    pub store: &'a dyn Store,
    /// The time of its clock in milliseconds since 1970, accurate to a minute.
    pub now_ms: i64,
}

/// Invokes the given macro with all checks, as `module: check check …; module: …;`.
#[macro_export]
macro_rules! for_each_check {
    ($tests:ident) => {
        $tests! {
            atomic:
                a_counter_counts_from_nothing
                an_increment_adds_to_what_is_there
                an_amount_of_nothing_reads_the_number
                a_sum_out_of_bounds_wraps_around
                a_value_that_is_no_number_is_refused
                an_append_goes_behind_what_is_there
                several_families_change_at_once
                only_what_is_visible_counts
                a_new_value_is_the_newest
                a_condition_compares_stored_with_given
                a_missing_column_compares_with_no_value
                an_empty_given_value_asks_whether_there_is_any
                a_condition_can_be_a_filter
                a_condition_can_look_at_some_timestamps_only
                a_batch_is_applied_whole_or_not_at_all
                a_value_is_not_older_than_what_was_looked_at
                mutations_of_another_row_are_refused
                no_column_and_a_column_twice_are_refused
                an_unknown_table_or_family_is_refused
                increments_at_once_add_up
                of_many_at_once_one_wins
                what_depends_on_a_row_reads_and_writes_it;
            bulk:
                a_finished_load_shows_all_its_rows
                rows_out_of_order_are_refused_and_the_load_goes_on
                a_load_given_up_leaves_the_table_empty
                only_an_empty_table_can_be_loaded
                a_load_gives_way_to_what_was_written_meanwhile
                a_table_loaded_in_bulk_is_written_and_read_like_any_other;
            deletes:
                each_kind_of_mark_hides_what_it_covers
                a_mark_hides_what_is_written_after_it
                a_mark_hides_nothing_newer
                deleting_the_latest_brings_back_the_one_before
                deleting_without_a_time_hides_all_until_now
                marks_in_one_family_leave_the_others_alone
                a_row_with_nothing_left_is_not_given_back;
            filters:
                each_comparison_reads_stored_against_given
                a_missing_column_passes_or_fails_as_said
                conditions_nest
                a_filter_sees_columns_the_read_leaves_out
                a_filter_sees_the_newest_version_only
                filtered_rows_do_not_count_for_the_limit;
            notes:
                notes_are_kept_with_their_batch
                a_note_is_replaced_and_forgotten
                notes_belong_to_their_table;
            prepared:
                a_prepared_write_is_one_like_any_other
                what_is_only_prepared_is_not_there
                of_prepared_writes_the_later_written_shows
                the_time_of_a_prepared_write_is_that_of_the_write
                a_prepared_write_minds_what_became_of_the_table
                a_prepared_write_belongs_to_no_table
                an_unknown_family_of_a_prepared_write_is_refused;
            reads:
                answers_come_in_the_order_of_the_keys
                columns_can_be_chosen
                names_can_be_read_without_values
                bytes_that_are_no_key_are_refused
                an_unknown_family_is_refused;
            regions:
                regions_lie_between_the_splits
                a_split_cuts_one_region_and_loses_no_row
                a_split_where_a_region_starts_is_refused
                a_write_says_what_each_region_got
                what_passes_through_a_region_is_counted;
            scans:
                rows_come_in_the_order_of_their_keys
                a_range_holds_its_start_but_not_its_stop
                several_ranges_are_read_in_one_scan
                ranges_that_overlap_are_refused
                a_limit_gives_that_many_rows
                no_more_rows_are_read_than_the_limit
                a_reader_who_stops_early_has_caused_little_reading
                many_scans_are_open_at_once
                a_scan_over_nothing_ends
                a_large_row_comes_whole;
            tables:
                a_table_is_made_described_listed_and_dropped
                an_attribute_is_set
                families_are_added_and_changed
                a_table_can_not_be_made_twice
                a_table_that_can_not_be_is_refused
                an_unknown_table_is_refused
                truncating_leaves_no_row_and_no_note
                a_table_made_anew_is_empty;
            versions:
                as_many_versions_show_as_the_family_and_the_read_allow
                a_time_range_holds_its_start_but_not_its_end
                versions_are_counted_inside_the_time_range
                cells_show_until_their_time_is_over
                the_newest_versions_outlive_their_time;
            writes:
                what_is_written_is_read
                cells_of_a_row_come_sorted
                of_two_writes_alike_the_later_shows
                cells_written_one_after_another_come_together
                an_empty_value_is_a_value
                rows_that_begin_others_stay_apart
                the_longest_row_and_qualifier_fit
                any_byte_can_be_in_a_key_a_name_or_a_value
                an_unknown_family_spoils_a_batch
                cells_without_a_time_get_the_stores
                an_empty_batch_writes_nothing;
        }
    };
}
