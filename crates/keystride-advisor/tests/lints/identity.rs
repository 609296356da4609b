//! Keys that two rows may share.

use crate::judge::{design, fires, mends, number, silent};
use crate::worked::seed_004b;

#[test]
fn an_offset_needs_its_partition() {
    let finding = fires(&seed_004b(""), "UNQ04");
    assert!(finding.message.contains("by its name"));
    let patched = mends(&seed_004b(""), "UNQ04");
    assert!(patched.contains("{ field = \"partition\", pad = 4 }"), "{patched}");
    let place = "place = { type = \"u64\", column = \"_offset\" }";
    let part = "{ field = \"place\", as = \"be\" }";
    fires(&design(place, part, ""), "UNQ04");
    let fields = format!("{place}\nshare = {{ type = \"u32\", column = \"_partition\" }}");
    silent(&design(&fields, &format!("{{ field = \"share\", as = \"be\" }}, {part}"), ""), "UNQ04");
}

#[test]
fn an_offset_needs_no_partition_where_rows_are_told_apart_anyway() {
    let of = |fields: &str, parts: &str| {
        let fields = format!("{fields}\noffset = {{ type = \"i64\", min = 0 }}");
        design(&fields, &format!("{parts}, {{ field = \"offset\", pad = 19 }}"), "")
    };
    let event = "event = { type = \"digits\", len = 2 }";
    let day = "t = { type = \"time\", format = \"yyyyMMdd\" }";
    fires(&of(&format!("{event}\n{day}"), "{ field = \"event\" }, { field = \"t\" }"), "UNQ04");
    let phone = "phone = { type = \"digits\", len = 11 }";
    fires(&of(&format!("{phone}\n{day}"), "{ field = \"phone\" }, { field = \"t\" }"), "UNQ04");
    let ms = "t = { type = \"time\", unit = \"ms\" }";
    silent(&of(&format!("{phone}\n{ms}"), "{ field = \"phone\" }, { field = \"t\" }"), "UNQ04");
    fires(&of(&format!("{event}\n{ms}"), "{ field = \"event\" }, { field = \"t\" }"), "UNQ04");
    fires(
        &of(&format!("{phone}\n{ms}"), "{ field = \"phone\" }, { field = \"t\", floor = \"1h\" }"),
        "UNQ04",
    );
    silent(&of("id = { type = \"uuid\" }", "{ field = \"id\" }"), "UNQ04");
    silent(&of("path = { type = \"string\" }", "{ field = \"path\", escape = true }"), "UNQ04");
    let partition = |words: &str| format!("{event}\npartition = {{ type = \"u32\"{words} }}");
    let bucket = "{ bucket = 16, hash = \"mod\", of = [\"partition\"] }, { field = \"event\" }";
    silent(&of(&partition(", max = 15"), bucket), "UNQ04");
    fires(&of(&partition(", max = 16"), bucket), "UNQ04");
    silent(&of(&partition(", distinct = 1"), "{ field = \"event\" }"), "UNQ04");
}

#[test]
fn thirty_two_bits_do_not_tell_a_hundred_million_apart() {
    let hashed = |distinct: &str, bytes: u32| {
        design(
            &format!("url = {{ type = \"string\", max_len = 60{distinct} }}"),
            &format!("{{ field = \"url\", hash = {{ name = \"murmur3\", bytes = {bytes} }} }}"),
            "",
        )
    };
    let finding = fires(&hashed(", distinct = 100_000_000", 4), "UNQ06");
    assert_eq!(finding.severity.name(), "error");
    assert!((number(&finding, "pairs") - 1.16e6).abs() < 1e4, "{}", finding.message);
    silent(&hashed(", distinct = 100_000_000", 12), "UNQ06");
    assert_eq!(fires(&hashed("", 4), "UNQ06").severity.name(), "warning");
    mends(&hashed("", 4), "UNQ06");
}

#[test]
fn several_hashes_of_a_field_are_one_identity() {
    let parts =
        |second: &str| format!("{{ field = \"id\", hash = {{ name = \"crc32\", bytes = 2 }} }}{second}");
    let of = |second: &str| design("id = { type = \"string\", distinct = 100000000 }", &parts(second), "");
    fires(&of(""), "UNQ06");
    silent(&of(", { field = \"id\", hash = { name = \"md5\", bytes = 16 } }"), "UNQ06");
}

#[test]
fn the_range_of_a_type_is_no_number_of_values() {
    let hashed = |words: &str| {
        design(
            &format!("id = {{ type = \"i64\"{words} }}"),
            "{ field = \"id\", hash = { name = \"murmur3\", bytes = 12 } }",
            "[workload]\nrows_per_s = 1\nretention = \"1d\"",
        )
    };
    silent(&hashed(""), "UNQ06");
    silent(&hashed(", min = 0, max = 1000000"), "UNQ06");
    let unbounded = |words| hashed(words).replace("rows_per_s = 1\nretention = \"1d\"", "");
    silent(&unbounded(", min = 0"), "UNQ06");
    fires(&hashed(", distinct = 1000000000000000"), "UNQ06");
}
