//! What keys, names and cells cost, and what changes.

use crate::clock::time_first;
use crate::judge::{design, fires, mends, silent};
use crate::worked::FLIGHTS;

#[test]
fn families_and_names_are_weighed() {
    let named =
        FLIGHTS.replace("families.f", "families.info").replace("dep_delay = { qualifier = \"dd\" }", "");
    fires(&named, "SIZ01");
    silent(FLIGHTS, "SIZ01");
    let key_alone = design("id = { type = \"digits\", len = 3 }", "{ field = \"id\" }", "");
    silent(&key_alone.replace("families.f", "families.long"), "SIZ01");
    let raw = FLIGHTS.replace(
        "families.f = { compression = \"zstd\", encoding = \"fast-diff\" }",
        "families = [\"f\", \"g\"]",
    );
    assert_eq!(fires(&raw, "SIZ02").severity.name(), "warning");
    let patched = mends(&raw, "SIZ02");
    assert!(patched.contains("g = { compression = \"zstd\""), "{patched}");
    let kept = FLIGHTS.replace(
        "families.f = { compression = \"zstd\", encoding = \"fast-diff\" }",
        "families.f = { ttl = \"10d\", versions = 3, block_size = \"32KiB\" }",
    );
    let patched = mends(&kept, "SIZ02");
    let words = "ttl = \"10d\", versions = 3, block_size = \"32KiB\"";
    assert!(patched.contains(words) && patched.contains("encoding = \"fast-diff\""), "{patched}");
    let patched = mends(&raw.replace("\"g\"", "\"é\""), "SIZ02");
    assert!(patched.contains("\"é\" = { compression = \"zstd\""), "{patched}");
    let four = raw.replace("[\"f\", \"g\"]", "[\"a\", \"b\", \"c\", \"d\"]");
    let found = fires(&four, "SIZ04");
    assert_eq!(&four[found.span.expect("a place in the file")], "families");
    silent(&raw, "SIZ04");
}

#[test]
fn one_cell_a_row_repeats_no_key() {
    let cells = |count: usize| {
        let fields = ["id = { type = \"i64\" }", "v = { type = \"int\" }", "w = { type = \"int\" }"];
        design(&fields[..=count].join("\n"), "{ field = \"id\", as = \"be\" }", "").replace(
            "families.f = { encoding = \"fast-diff\", compression = \"zstd\" }",
            "families = [\"f\"]",
        )
    };
    silent(&cells(1), "SIZ02");
    fires(&cells(2), "SIZ02");
}

#[test]
fn keys_of_varying_length_and_fields_kept_twice_are_information() {
    assert_eq!(fires(FLIGHTS, "SIZ03").severity.name(), "info");
    silent(&time_first("", ""), "SIZ03");
    let kept = FLIGHTS.replace("[columns]", "[columns]\ntailnum = { keep = true }");
    assert_eq!(fires(&kept, "SIZ05").severity.name(), "info");
    mends(&kept, "SIZ05");
    silent(FLIGHTS, "SIZ05");
}

#[test]
fn a_field_that_changes_must_not_be_in_the_key() {
    let updated = FLIGHTS.replace("carrier = { type", "carrier = { updated = true, type");
    assert_eq!(fires(&updated, "UPD01").component, "key.parts[4]");
    let salted =
        FLIGHTS.replace("alphabet = \"0-9A-Z\", default", "updated = true, alphabet = \"0-9A-Z\", default");
    assert_eq!(fires(&salted, "UPD01").component, "key.parts[0]");
    silent(FLIGHTS, "UPD01");
}
