//! What a patch leaves of the points.

use super::listed;
use crate::judge::{design, fires, mends, silent};
use crate::worked::{LAST_4_AND_MONTH, seed_000};

#[test]
fn patches_of_splits_make_their_findings_go() {
    let eleven =
        seed_000(11, LAST_4_AND_MONTH, "_", "[split]\nby = \"partition-keys\"\nregions = 11\nsuffix = \"|\"");
    let patched = mends(&eleven, "SPL01");
    silent(&patched, "SPL02");
    mends(&eleven, "SPL02");
    mends(&seed_000(6, LAST_4_AND_MONTH, "~", "[split]\nby = \"bucket\"\nsuffix = \"|\""), "SPL03");
    let points: Vec<String> = (0..=16).map(|n| format!("\"{n:03}\"")).collect();
    let patched = mends(&listed(&points.join(", ")), "SPL05");
    silent(&patched, "SPL15");
    assert!(patched.contains("by = \"bucket\"") && !patched.contains("points"), "{patched}");
    mends(&listed("\"008\", \"004\", \"012\""), "SPL08");
    mends(&listed("\"008\", \"008\""), "SPL08");
}

#[test]
fn a_patch_of_the_key_leaves_no_points_of_the_former_keys() {
    let ints = design(
        "id = { type = \"i32\" }",
        "{ field = \"id\", as = \"be\" }",
        "[split]\nby = \"list\"\nints = [1, 10, 15]",
    );
    let finding = fires(&ints, "ENC05");
    assert!(finding.fix.is_none());
    assert!(finding.help.is_some_and(|help| {
        help.contains("turn the sign bit of id, and make the table's split points anew")
    }));
    mends(&ints.replace("[split]\nby = \"list\"\nints = [1, 10, 15]", ""), "ENC05");
}

#[test]
fn a_patch_of_what_keys_begin_with_leaves_no_points_of_an_algorithm_for_the_former() {
    let numbers = design(
        "seq = { type = \"u64\" }\nphone = { type = \"digits\", len = 11 }",
        "{ field = \"seq\" }, { text = \"!\" }, { field = \"phone\" }",
        "[split]\nby = \"DecimalStringSplit\"\nregions = 10",
    );
    let finding = fires(&numbers, "ENC01");
    assert!(finding.fix.is_none() && finding.help.unwrap().contains("make the table's split points anew"));
    let without = numbers.replace("[split]\nby = \"DecimalStringSplit\"\nregions = 10", "");
    assert!(fires(&without, "ENC01").fix.is_some());
}

#[test]
fn points_are_dropped_where_rows_have_some_of_the_buckets() {
    let toml = design(
        "id = { type = \"int\", min = 0, max = 7 }",
        "{ bucket = 16, hash = \"mod\", of = [\"id\"] }, { field = \"id\" }",
        "[split]\nby = \"list\"\npoints = [\"02\", \"04\", \"06\", \"08\", \"12\"]",
    );
    let patched = mends(&toml, "SPL04");
    assert!(patched.contains("points = [\"02\", \"04\", \"06\"]"), "{patched}");
}
