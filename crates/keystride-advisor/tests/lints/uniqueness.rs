//! How many rows are expected to share a key.

use crate::judge::{design, fact, fires, number, silent};

fn calls(ts: &str, parts: &str) -> String {
    let fields = format!(
        "u = {{ type = \"digits\", len = 8, distinct = 1000 }}\nseq = {{ type = \"digits\", len = 4 }}\n\
         ts = {{ type = \"time\", {ts} }}\nday = {{ from = \"floor(ts,1d)\" }}"
    );
    design(&fields, parts, "[workload]\nrows_per_s = 10")
}

#[test]
fn a_hash_in_front_of_its_field_makes_no_more_entities() {
    let parts =
        "{ field = \"u\", hash = { name = \"xxh3\", bytes = 4 } }, { field = \"u\" }, { field = \"ts\" }";
    let finding = fires(&calls("unit = \"s\"", parts), "UNQ02");
    assert_eq!(fact(&finding, "entities"), 1_000.0);
}

#[test]
fn rows_are_as_far_apart_as_the_source_and_the_period_tell() {
    let seconds = |ts: &str, time: &str| {
        let parts = format!("{{ field = \"u\" }}, {time}");
        number(&fires(&calls(ts, &parts), "UNQ02"), "seconds")
    };
    let whole = "{ field = \"ts\" }";
    for (ts, time, expected) in [
        ("unit = \"ms\", input = \"epoch-s\"", whole, 1.0),
        ("unit = \"ms\"", whole, 0.001),
        ("unit = \"ms\", input = \"yyyy-MM-dd HH:mm\"", whole, 60.0),
        ("unit = \"ms\"", "{ field = \"day\" }", 86_400.0),
        ("unit = \"ms\"", "{ field = \"day\" }, { field = \"ts\" }", 0.001),
        ("unit = \"ms\"", "{ field = \"ts\", floor = \"1h\" }", 3_600.0),
    ] {
        assert!((seconds(ts, time) - expected).abs() < 1e-9, "{ts}, {time}");
    }
}

#[test]
fn a_bucket_of_what_the_key_lacks_tells_rows_apart() {
    let pairs = |bucket: &str| {
        let parts = format!("{bucket}{{ field = \"u\" }}, {{ field = \"ts\" }}");
        number(&fires(&calls("unit = \"s\"", &parts), "UNQ02"), "entities")
    };
    assert!((pairs("{ bucket = 100, of = [\"u\"] }, ") - 1_000.0).abs() < 1e-9);
    assert!((pairs("{ bucket = 100, hash = \"random\" }, ") - 100_000.0).abs() < 1e-9);
    assert!((pairs("{ bucket = 100, of = [\"seq\"] }, ") - 100_000.0).abs() < 1e-9);
    assert!((pairs("{ bucket = 64, of = [\"left(seq,1)\"] }, ") - 10_000.0).abs() < 1e-9);
}

#[test]
fn a_hash_of_what_follows_from_a_field_of_the_key_identifies_nothing() {
    let toml = |parts: &str| {
        let fields = "host = { type = \"string\", max_len = 30, distinct = 1000000 }\nlow = { from = \"lower(host)\" }";
        design(fields, parts, "")
    };
    let hash = "{ field = \"low\", hash = { name = \"md5\", bytes = 4 } }";
    silent(&toml(&format!("{hash}, {{ field = \"host\" }}")), "UNQ06");
    fires(&toml(hash), "UNQ06");
}

#[test]
fn pairs_are_expected_as_rows_of_an_entity_meet_within_what_its_time_tells() {
    let of = |bucket: &str, time: &str, step: &str| {
        let toml = design(
            &format!(
                "id = {{ type = \"digits\", len = 9, distinct = 864 }}\nts = {{ type = \"time\", {time} }}"
            ),
            &format!("{bucket}{{ field = \"id\" }}, {{ field = \"ts\"{step} }}"),
            "[workload]\nrows_per_s = 0.1",
        );
        let finding = fires(&toml, "UNQ02");
        ["entities", "rows_a_day", "seconds", "pairs_a_year"]
            .map(|name| format!("{:.3}", number(&finding, name)))
    };
    // Ten rows a day are 45 pairs, of which one in 86400 is of one second.
    assert_eq!(of("", "unit = \"s\"", ""), ["864.000", "10.000", "1.000", "164.250"]);
    assert_eq!(
        of("{ bucket = 4, hash = \"random\" }, ", "unit = \"s\"", ""),
        ["3456.000", "2.500", "1.000", "27.375"]
    );
    let a_day = ["864.000", "10.000", "86400.000", "14191200.000"];
    assert_eq!(of("", "unit = \"s\"", ", floor = \"1d\""), a_day);
    assert_eq!(of("", "unit = \"s\", zone = \"+08:00\"", ", floor = \"1d\""), a_day);
}
