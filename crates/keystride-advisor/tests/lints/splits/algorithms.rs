//! Algorithms that do not suit the keys.

use crate::judge::{design, fact, fires, mends, silent};
use crate::worked::seed_003;

#[test]
fn regions_that_no_decimal_reaches_are_told() {
    let toml = design(
        "id = { type = \"digits\", len = 4 }",
        "{ field = \"id\" }",
        "[split]\nby = \"list\"\npoints = [\"2\", \"5\", \"7\", \"a\", \"b\"]",
    );
    let finding = fires(&toml, "SPL04");
    assert_eq!(fact(&finding, "empty").to_string(), "[4,5]");
    let title = finding.fix.expect("a patch").title;
    assert_eq!(title, "drop 2 points that keys lie on one side of");
    let patched = mends(&toml, "SPL04");
    assert!(patched.contains("points = [\"2\", \"5\", \"7\"]"), "{patched}");
}

#[test]
fn the_guides_own_example_reaches_four_of_ten_regions() {
    let hex = "id = { type = \"string\", max_len = 16, alphabet = \"0-9a-f\" }";
    let split =
        "[split]\nby = \"range\"\nstart = \"0000000000000000\"\nend = \"ffffffffffffffff\"\nregions = 12";
    let toml = design(hex, "{ field = \"id\" }", split);
    let finding = fires(&toml, "SPL04");
    let empty: Vec<u64> =
        fact(&finding, "empty").as_array().unwrap().iter().filter_map(serde_json::Value::as_u64).collect();
    // `range` makes both ends split points, which is one region more before and one behind the guide's ten.
    assert!([4, 5, 6, 7].iter().all(|region| empty.contains(region)), "{empty:?}");
}

#[test]
fn algorithms_are_replaced_by_one_that_suits() {
    let digits = design(
        "id = { type = \"digits\", len = 8 }",
        "{ field = \"id\" }",
        "[split]\nby = \"UniformSplit\"\nregions = 16",
    );
    let patched = mends(&digits, "SPL07");
    assert!(patched.contains("DecimalStringSplit"), "{patched}");
    silent(&digits, "SPL06");
    let buckets = seed_003("[split]\nby = \"HexStringSplit\"\nregions = 16");
    assert_eq!(fact(&fires(&buckets, "SPL07"), "used"), 1);
    assert!(mends(&buckets, "SPL07").contains("by = \"bucket\""));
    silent(&buckets, "SPL01");
}

#[test]
fn binary_points_as_text_are_patched_to_bytes() {
    let toml = design(
        "id = { type = \"i32\", min = 0 }",
        "{ field = \"id\", as = \"be\" }",
        "[split]\nby = \"list\"\npoints = [\"0000000a\"]",
    );
    let patched = mends(&toml, "SPL16");
    assert!(patched.contains(r"'\x00\x00\x00\x0A'"), "{patched}");
}

#[test]
fn hex_points_do_not_suit_the_bytes_of_a_uuid() {
    let of = |version: &str| {
        design(
            &format!("id = {{ type = \"uuid\"{version} }}"),
            "{ field = \"id\" }",
            "[split]\nby = \"HexStringSplit\"\nregions = 16",
        )
    };
    fires(&of(", version = 4"), "SPL07");
}

#[test]
fn hex_text_of_negative_numbers_is_patched_to_the_bytes_that_they_are_written_in() {
    let of = |bounds: &str, encoding: &str, point: &str| {
        design(
            &format!("id = {{ type = \"i32\", {bounds} }}"),
            &format!("{{ field = \"id\", as = \"{encoding}\" }}"),
            &format!("[split]\nby = \"list\"\npoints = [\"{point}\"]"),
        )
    };
    for (bounds, encoding, point, bytes) in [
        ("min = -100, max = -1", "ordered", "ffffffc0", r"'\x7F\xFF\xFF\xC0'"),
        ("min = -100, max = -1", "phoenix", "ffffffc0", r"'\x7F\xFF\xFF\xC0'"),
        ("min = 0, max = 100", "ordered", "00000005", r"'\x80\x00\x00\x05'"),
        ("min = 0, max = 100", "ordered", "80000005", r"'\x80\x00\x00\x05'"),
        ("min = 0, max = 100", "be", "00000005", r"'\x00\x00\x00\x05'"),
        ("min = 0, max = 100", "be", "80000005", r"'\x80\x00\x00\x05'"),
    ] {
        silent(&of(bounds, encoding, point), "SPL06");
        let patched = mends(&of(bounds, encoding, point), "SPL16");
        assert!(patched.contains(bytes), "{encoding} {point}: {patched}");
    }
}

#[test]
fn no_algorithm_is_proposed_that_is_as_uneven() {
    let of = |max: u32| {
        design(
            &format!("id = {{ type = \"u32\", max = {max} }}"),
            "{ field = \"id\" }",
            "[split]\nby = \"UniformSplit\"\nregions = 4",
        )
    };
    // Two thirds of the numbers below two million begin with 1 or are below 250000.
    assert!(fires(&of(1_999_999), "SPL07").fix.is_none());
    assert!(mends(&of(9_999_999), "SPL07").contains("by = \"DecimalStringSplit\""));
}

#[test]
fn text_is_no_hex_of_binary_bytes_where_keys_begin_with_other_bytes() {
    let of = |part: &str, point: &str| {
        design(
            "id = { type = \"digits\", len = 8 }\nn = { type = \"u32\" }",
            &format!("{{ {part} }}, {{ text = \"_\" }}, {{ field = \"n\" }}"),
            &format!("[split]\nby = \"list\"\npoints = [\"{point}\"]"),
        )
    };
    silent(&of("field = \"id\"", "3232323232323232"), "SPL16");
    silent(&of("field = \"n\", as = \"be\", hash = { name = \"md5\", bytes = 4 }", "40000000"), "SPL16");
    fires(&of("field = \"n\", as = \"be\"", "40000000"), "SPL16");
}
