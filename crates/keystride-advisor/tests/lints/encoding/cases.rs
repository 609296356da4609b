//! Hex digits of two cases, signs and points that are written in another way than the keys.

use crate::judge::{design, fires, mends, silent};

#[test]
fn upper_case_keys_get_upper_case_points() {
    let toml = design(
        "md5 = { type = \"string\", max_len = 32, alphabet = \"0-9A-F\" }",
        "{ field = \"md5\" }",
        "[split]\nby = \"HexStringSplit\"\nregions = 16",
    );
    let patched = mends(&toml, "ENC10");
    assert!(patched.contains("\"F0000000\"") && patched.contains("by = \"list\""), "{patched}");
    silent(&patched, "SPL04");
    for id in ["SPL04", "SPL07"] {
        silent(&toml, id);
    }
}

#[test]
fn points_of_numbers_with_the_sign_turned_are_written_so() {
    let toml = design(
        "n = { type = \"i32\", min = 0, max = 100 }",
        "{ field = \"n\", as = \"ordered\" }",
        "[split]\nby = \"list\"\npoints = [\"0000000a\", \"0000000f\"]",
    );
    let mended = mends(&toml, "SPL16");
    assert!(mended.contains(r"['\x80\x00\x00\x0A', '\x80\x00\x00\x0F']"), "{mended}");
    silent(&mended, "SPL04");
}

#[test]
fn a_patch_of_keys_is_advice_where_the_algorithm_suits_what_it_changes() {
    let of = |fields: &str, parts: &str| {
        design(fields, parts, "[split]\nby = \"DecimalStringSplit\"\nregions = 10")
    };
    let fields = "n = { type = \"int\", min = 0, max = 2000 }\nid = { type = \"digits\", len = 8 }";
    let (number, id, mark) = ("{ field = \"n\" }", "{ field = \"id\" }", "{ text = \"!\" }");
    let first = fires(&of(fields, &format!("{number}, {mark}, {id}")), "ENC01");
    assert_eq!(first.fix, None);
    assert_eq!(first.help.as_deref(), Some("pad n to 4 digits, and make the table's split points anew"));
    let last = of(fields, &format!("{id}, {number}, {mark}, {id}"));
    assert!(mends(&last, "ENC01").contains("pad = 4"));
    let local =
        "t = { type = \"time\", format = \"yyyyMMddHH\", zone = \"Europe/Berlin\", input = \"epoch-s\" }";
    let declared = fires(&of(local, "{ field = \"t\" }"), "ENC14");
    assert_eq!(declared.fix, None);
    assert_eq!(declared.help.as_deref(), Some("keep UTC in t, and make the table's split points anew"));
}

#[test]
fn keys_and_points_of_two_letter_cases_are_told_whatever_writes_the_digits() {
    let toml = |part: &str, points: &str| {
        design(
            "d = { type = \"digits\", len = 4 }\nu = { type = \"uuid\" }\n\
             low = { type = \"string\", max_len = 4, alphabet = \"0-9a-f\" }\n\
             digits = { type = \"string\", max_len = 4, alphabet = \"0-9\" }\n\
             letters = { type = \"string\", max_len = 4, alphabet = \"0-9a-z\" }\n\
             both = { type = \"string\", max_len = 4, alphabet = \"0-9a-fA-F\" }",
            part,
            &format!("[split]\nby = \"list\"\npoints = [{points}]"),
        )
    };
    let (upper, lower) = ("\"4\", \"8\", \"C\"", "\"4\", \"8\", \"c\"");
    let clash = [
        "{ bucket = 16, of = [\"d\"], base = 16 }, { field = \"d\" }",
        "{ field = \"d\", hash = { name = \"md5\", hex = 4 } }",
        "{ field = \"u\", as = \"text\" }",
        "{ field = \"low\" }",
    ];
    for part in clash {
        assert_eq!(
            fires(&toml(part, upper), "ENC10").message,
            "keys begin with lower-case hex digits and split points with upper-case ones: \
             4 of 4 regions are used, one takes 1.5 times its share",
            "{part}"
        );
        silent(&toml(part, lower), "ENC10");
    }
    for part in [
        "{ bucket = 16, of = [\"d\"], base = \"byte\" }, { field = \"d\" }",
        "{ bucket = 10, of = [\"d\"] }, { field = \"d\" }",
        "{ field = \"d\", hash = { name = \"md5\", bytes = 4 } }",
        "{ field = \"u\" }",
        "{ field = \"d\" }",
        "{ field = \"digits\" }",
        "{ field = \"letters\" }",
        "{ field = \"both\" }",
        "{ text = \"a\" }, { field = \"low\" }",
    ] {
        silent(&toml(part, upper), "ENC10");
        silent(&toml(part, lower), "ENC10");
    }
}
