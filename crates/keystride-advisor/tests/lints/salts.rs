//! Hash and salt.

use crate::judge::{design, fact, fires, mends, number, silent};
use crate::worked::{FLIGHTS, LAST_4_AND_MONTH, seed_000, seed_003, seed_004b};

fn salted(bucket: &str, field: &str, rest: &str) -> String {
    design(
        &format!("id = {{ {field} }}\nts = {{ type = \"time\", unit = \"ms\" }}"),
        &format!("{{ {bucket} }}, {{ field = \"ts\", desc = 9999999999999 }}, {{ field = \"id\" }}"),
        rest,
    )
}

#[test]
fn a_bucket_of_other_fields_has_no_hot_values_of_the_former_and_a_hash_that_takes_them() {
    for (bucket, expected) in [
        (
            "of = [\"n\"], spread = { by = [\"s\"], values = { 7 = 4 } }",
            "{ bucket = 16, of = [\"s\"] }, { field = \"n\"",
        ),
        ("hash = \"mod\", of = [\"n\"]", "{ bucket = 16, hash = \"xxh3\", of = [\"s\"] }, { field = \"n\""),
    ] {
        let toml = design(
            "s = { type = \"string\", max_len = 8, distinct = 100000 }\nn = { type = \"u32\", distinct = 1000000 }",
            &format!("{{ bucket = 16, {bucket} }}, {{ field = \"n\", as = \"be\" }}, {{ field = \"s\" }}"),
            "[access.q]\nby = [\"s\"]",
        );
        let patched = mends(&toml, "SLT05");
        assert!(patched.contains(expected), "{patched}");
    }
}

#[test]
fn a_negative_prefix_is_told_only_where_it_can_be() {
    let of = |hash: &str, count: u32, len: usize| {
        salted(
            &format!("bucket = {count}, hash = \"{hash}\", of = [\"id\"]"),
            &format!("type = \"digits\", len = {len}"),
            "",
        )
    };
    assert_eq!(fact(&fires(&of("java-string", 6, 11), "SLT01"), "prefix"), -2);
    silent(&of("java-string", 6, 6), "SLT01");
    // All ten million hashes of seven digits would have to be tried, and half of them are negative.
    fires(&of("java-string", 6, 7), "SLT01");
    silent(&of("java-string", 16, 11), "SLT01");
    fires(&of("hbasewd", 10, 13), "SLT01");
    silent(&of("phoenix", 10, 13), "SLT01");
    silent(&of("xxh3", 10, 13), "SLT01");
    silent(&seed_000(6, LAST_4_AND_MONTH, "_", ""), "SLT01");
    assert!(
        mends(&of("java-string", 6, 11), "SLT01").contains("{ bucket = 6, hash = \"xxh3\", of = [\"id\"] }")
    );
    let bytes = mends(&of("hbasewd", 10, 13), "SLT01");
    assert!(bytes.contains("{ bucket = 10, hash = \"xxh3\", of = [\"id\"] , base = \"byte\" }"), "{bytes}");
}

#[test]
fn texts_that_were_all_tried_settle_whether_a_prefix_is_negative() {
    let letters = salted(
        "bucket = 6, hash = \"java-string\", of = [\"id\"]",
        "type = \"string\", max_len = 4, alphabet = \"w-z\"",
        "",
    );
    silent(&letters, "SLT01");
    let wrapped = letters.replace("max_len = 4", "max_len = 8");
    silent(&wrapped, "SLT01");
}

#[test]
fn java_s_hash_is_uneven_modulo_31_and_32_and_even_modulo_6() {
    for (count, uneven) in [(6, false), (10, false), (32, true), (64, true)] {
        let toml = seed_000(count, LAST_4_AND_MONTH, "_", "");
        if uneven { drop(fires(&toml, "SLT02")) } else { silent(&toml, "SLT02") }
    }
    mends(&seed_000(32, LAST_4_AND_MONTH, "_", ""), "SLT02");
    let digits = |hash: &str| {
        salted(&format!("bucket = 32, hash = \"{hash}\", of = [\"id\"]"), "type = \"digits\", len = 4", "")
    };
    let finding = fires(&digits("java-string"), "SLT02");
    assert_eq!(format!("{:.2}", number(&finding, "max_over_mean")), "2.14");
    assert_eq!(fact(&finding, "tried"), 10_000.0);
    assert_eq!(fact(&finding, "empty"), 0);
    // 1 + √(3 ln(32 / 0.01) · 32 / 10000)
    assert_eq!(format!("{:.3}", number(&finding, "chance")), "1.278");
    assert_eq!(format!("{:.3}", number(&finding, "excess")), "1.677");
    let halves = design(
        "a = { type = \"digits\", len = 2 }\nb = { type = \"digits\", len = 2 }",
        "{ bucket = 32, hash = \"java-string\", of = [\"a\", \"b\"] }, { field = \"a\" }, { field = \"b\" }",
        "",
    );
    let of_halves = fires(&halves, "SLT02");
    for name in ["tried", "empty", "chance", "max_over_mean"] {
        assert_eq!(fact(&of_halves, name), fact(&finding, name), "{name}");
    }
    silent(&digits("xxh3"), "SLT02");
    silent(&digits("murmur3"), "SLT02");
}

#[test]
fn two_values_in_a_hundred_buckets_are_no_fault_of_the_hash() {
    let flag = salted("bucket = 100, hash = \"xxh3\", of = [\"id\"]", "type = \"bool\"", "");
    silent(&flag, "SLT02");
    let finding = fires(&flag, "SLT03");
    assert_eq!(format!("{:.2}", number(&finding, "max_over_mean")), "50.00");
}

#[test]
fn a_domain_too_large_to_try_is_judged_by_its_digits() {
    let phones = |hash: &str, count: u32| {
        salted(
            &format!("bucket = {count}, hash = \"{hash}\", of = [\"id\"]"),
            "type = \"digits\", len = 11",
            "",
        )
    };
    let finding = fires(&phones("java-string", 62), "SLT02");
    assert_eq!((finding.severity.name(), fact(&finding, "divisor")), ("warning", &31.into()));
    assert!(finding.notes[0].contains("consecutive"), "{:?}", finding.notes);
    silent(&phones("java-string", 10), "SLT02");
    let numbers = |kind: &str| {
        salted("bucket = 62, hash = \"java-string\", of = [\"id\"]", &format!("type = \"{kind}\""), "")
    };
    assert_eq!(fact(&fires(&numbers("u32"), "SLT02"), "divisor"), 31);
    silent(&numbers("i32"), "SLT02");
    for time in ["unit = \"ms\"", "format = \"yyyyMMddHHmmss\""] {
        let toml = salted("bucket = 62, hash = \"java-string\", of = [\"ts\"]", "type = \"bool\"", "");
        let toml = toml.replace("unit = \"ms\"", time).replace(", desc = 9999999999999", "");
        assert_eq!(fact(&fires(&toml, "SLT02"), "divisor"), 31, "{time}");
    }
    silent(&phones("xxh3", 62), "SLT02");
}

#[test]
fn few_values_do_not_fill_many_buckets() {
    let of = |distinct: u32, count: u32| {
        salted(
            &format!("bucket = {count}, of = [\"id\"]"),
            &format!("type = \"digits\", len = 9, distinct = {distinct}"),
            "",
        )
    };
    let finding = fires(&of(10_000, 1_000), "SLT03");
    // 1 + √(2 ln 1000 · 1000 / 10000) = 2.18; the mean of many deals is about 1.8.
    assert_eq!(format!("{:.2}", number(&finding, "max_over_mean")), "2.18");
    silent(&of(1_000_000, 1_000), "SLT03");
    let last_two = salted("bucket = 16, of = [\"right(id,2)\"]", "type = \"digits\", len = 9", "");
    assert_eq!(fact(&fires(&last_two, "SLT03"), "values"), 100.0);
}

#[test]
fn a_random_bucket_is_a_warning_until_rows_are_got_or_repeated() {
    let toml = seed_004b("");
    assert_eq!(fires(&toml, "SLT04").severity.name(), "warning");
    let get = toml.clone() + "[access.row]\nby = [\"event_id\", \"day\", \"offset\"]\n";
    assert_eq!(fires(&get, "SLT04").severity.name(), "error");
    let range = toml.clone() + "[access.event]\nby = [\"event_id\"]\nrange = \"day\"\n";
    assert_eq!(fires(&range, "SLT04").severity.name(), "warning");
    let again = toml.clone() + "[input]\ndelivery = \"at-least-once\"\n";
    assert_eq!(fires(&again, "SLT04").severity.name(), "error");
    assert_eq!(fires(&again, "UNQ03").severity.name(), "error");
    silent(&toml, "UNQ03");
    assert!(mends(&toml, "SLT04").contains("of = [\"rest\"]"));
    assert!(mends(&get, "SLT04").contains("of = [\"rest\"]"), "nothing is known of offset");
    let known = get.replace(
        "offset = { type = \"int\", min = 0",
        "offset = { type = \"int\", min = 0, distinct = 90000",
    );
    assert!(mends(&known, "SLT04").contains("of = [\"event_id\", \"day\", \"offset\"]"));
}

#[test]
fn a_bucket_over_more_than_the_query_gives_is_read_in_every_bucket() {
    let toml = FLIGHTS.replace("of = [\"tailnum\"]", "of = [\"tailnum\", \"flight\"]");
    let finding = fires(&toml, "SLT05");
    assert_eq!(finding.message, "access plane does not give flight: it reads 8 ranges, in all 8 buckets");
    let advice = finding.help.expect("advice while nothing is known of tailnum");
    assert!(
        finding.fix.is_none() && advice.contains("[\"tailnum\"]") && advice.contains("more values than 8")
    );
    let few = toml.replace("default = \"-\"", "default = \"-\", distinct = 9");
    assert!(fires(&few, "SLT05").fix.is_none());
    let many = toml.replace("default = \"-\"", "default = \"-\", distinct = 4044");
    let patched = mends(&many, "SLT05");
    assert!(patched.contains("of = [\"tailnum\"]"), "{patched}");
    assert!(patched.contains("# sorts") || patched.contains("bucket = 8"), "{patched}");
}

#[test]
fn a_value_with_12_percent_gets_twice_the_mean_of_eight_servers() {
    let toml = salted(
        "bucket = 64, of = [\"id\"]",
        "type = \"digits\", len = 6, max_share = 0.12",
        "[cluster]\nservers = 8",
    );
    let finding = fires(&toml, "SLT06");
    assert_eq!(format!("{:.1}", number(&finding, "times")), "2.0");
    assert_eq!(format!("{:.1}", number(&finding, "limit_percent")), "3.6");
    assert!(finding.help.as_ref().is_some_and(|help| help.contains("3 buckets")), "{:?}", finding.help);
    silent(&toml.replace("0.12", "0.03"), "SLT06");
    // One of two servers may have five eighths of the rows.
    let of_two = |share: &str| toml.replace("servers = 8", "servers = 2").replace("0.12", share);
    silent(&of_two("0.25"), "SLT06");
    fires(&of_two("0.26"), "SLT06");
}

#[test]
fn a_salt_below_a_third_of_one_server_is_not_needed() {
    let toml = salted(
        "bucket = 16, of = [\"id\"]",
        "type = \"digits\", len = 9",
        "[workload]\nrows_per_s = 50\n[cluster]\nservers = 8",
    );
    assert_eq!(fact(&fires(&toml, "SLT10"), "percent"), 0.1);
    silent(&toml.replace("= 50", "= 50000"), "SLT10");
    let read = |rate: u32| format!("{toml}[access.one]\nby = [\"id\"]\nrate = {rate}\n");
    // A get takes half a millisecond.
    fires(&read(590), "SLT10");
    silent(&read(610), "SLT10");
    silent(&toml.replace("bucket = 16", "bucket = 1"), "SLT10");
}

#[test]
fn a_fan_out_that_takes_the_cluster_is_told() {
    let rest = "[access.hour]\nrange = \"ts\"\nspan = \"1h\"\nrate = 20\n[cluster]\nservers = 8";
    let toml = salted("bucket = 256, of = [\"id\"]", "type = \"digits\", len = 9", rest);
    let finding = fires(&toml, "SLT11");
    assert_eq!(fact(&finding, "seeks_per_s"), 5_120.0);
    assert_eq!(format!("{:.0}", number(&finding, "percent")), "32");
    silent(&toml.replace("bucket = 256", "bucket = 16"), "SLT11");
    let of_one = "[access.one]\nby = [\"id\"]\nrate = 40000\n[cluster]\nservers = 8";
    silent(&toml.replace(rest, of_one), "SLT11");
}

#[test]
fn a_hash_as_the_key_makes_ranges_full_scans() {
    let toml = design(
        "id = { type = \"digits\", len = 9 }\nts = { type = \"time\", unit = \"ms\" }",
        "{ field = \"id\", hash = { name = \"md5\", hex = 32 } }",
        "[access.day]\nrange = \"ts\"\nspan = \"1d\"\n[access.one]\nby = [\"id\"]",
    );
    assert_eq!(fires(&toml, "SLT12").severity.name(), "error");
    silent(&toml, "RD01");
    silent(&toml.replace("[access.day]\nrange = \"ts\"\nspan = \"1d\"", ""), "SLT12");
}

#[test]
fn three_digits_for_sixteen_buckets_are_two_too_many() {
    let finding = fires(&seed_003("[split]\nby = \"bucket\""), "SLT13");
    assert_eq!((fact(&finding, "spare"), finding.severity.name()), (&2.into(), "info"));
    let patched = mends(&seed_003("[split]\nby = \"bucket\""), "SLT13");
    silent(&patched, "SPL01");
    silent(FLIGHTS, "SLT13");
}

#[test]
fn whole_seconds_in_milliseconds_reach_two_of_sixteen_buckets() {
    let toml = |time: &str, of: &str, count: u32| {
        design(
            &format!("ts = {{ type = \"time\", {time} }}\nid = {{ type = \"digits\", len = 9 }}"),
            &format!(
                "{{ bucket = {count}, hash = \"mod\", of = [\"{of}\"] }}, {{ field = \"id\" }}, {{ field = \"ts\" }}"
            ),
            "",
        )
    };
    let seconds = "format = \"yyyyMMddHHmmss\"";
    assert_eq!(fact(&fires(&toml(seconds, "ts", 16), "SLT14"), "reached"), 2);
    assert_eq!(fires(&toml(seconds, "ts", 16), "SLT14").severity.name(), "error");
    silent(&toml(seconds, "ts", 7), "SLT14");
    assert_eq!(fact(&fires(&toml("unit = \"ms\"", "floor(ts,1h)", 16), "SLT14"), "reached"), 1);
    assert_eq!(fact(&fires(&toml("unit = \"s\"", "floor(ts,1mo)", 9), "SLT14"), "reached"), 1);
    assert_eq!(fires(&toml("unit = \"ms\"", "ts", 16), "SLT14").severity.name(), "warning");
    mends(&toml(seconds, "ts", 16), "SLT14");
}

#[test]
fn milliseconds_of_whole_seconds_step() {
    let of = |input: &str| {
        design(
            &format!("ts = {{ type = \"time\", unit = \"ms\"{input} }}"),
            "{ bucket = 16, hash = \"mod\", of = [\"ts\"] }, { field = \"ts\" }",
            "",
        )
    };
    let finding = fires(&of(", input = \"epoch-s\""), "SLT14");
    assert_eq!((finding.severity.name(), fact(&finding, "reached").as_u64()), ("error", Some(2)));
    assert_eq!(fires(&of(""), "SLT14").severity.name(), "warning");
}

#[test]
fn texts_of_minutes_step_by_minutes() {
    let toml = design(
        "ts = { type = \"time\", unit = \"s\", input = \"yyyyMMddHHmm\" }",
        "{ bucket = 60, hash = \"mod\", of = [\"ts\"] }, { field = \"ts\" }",
        "",
    );
    assert_eq!(fact(&fires(&toml, "SLT14"), "reached").as_u64(), Some(1));
}

#[test]
fn days_of_a_zone_step_by_days() {
    let toml = design(
        "ts = { type = \"time\", unit = \"ms\", zone = \"+08:00\" }",
        "{ bucket = 27, hash = \"mod\", of = [\"floor(ts,1d)\"] }, { field = \"ts\" }",
        "",
    );
    let finding = fires(&toml, "SLT14");
    assert_eq!(
        (fact(&finding, "step").as_u64(), fact(&finding, "reached").as_u64()),
        (Some(86_400_000), Some(1))
    );
}

#[test]
fn values_are_counted_as_cuts_and_defaults_leave_them() {
    let of = |field: &str, item: &str| {
        design(
            &format!("u = {{ {field} }}"),
            &format!("{{ bucket = 64, of = [\"{item}\"] }}, {{ field = \"u\", escape = true }}"),
            "",
        )
    };
    let hex = "type = \"string\", alphabet = \"0-9a-f\", max_len = 8";
    let values = |toml: &str| fact(&fires(toml, "SLT03"), "values").clone();
    assert_eq!(values(&of(hex, "left(u,1)")), 16.0);
    silent(&of(hex, "left(u,4)"), "SLT03");
    let toml = design(
        "k = { type = \"int\", min = 1, max = 2, default = \"2\" }",
        "{ bucket = 2, of = [\"k\"] }, { field = \"k\" }",
        "",
    );
    assert_eq!(values(&toml), 2.0);
}

#[test]
fn the_default_of_a_derived_field_takes_no_value_away() {
    let toml = design(
        "u = { type = \"string\", alphabet = \"ab\", max_len = 3 }\nd = { from = \"left(u,1)\", default = \"a\" }",
        "{ field = \"d\" }, { field = \"ts\" }",
        "[cluster]\nservers = 4",
    );
    let toml = toml.replace("[fields]\n", "[fields]\nts = { type = \"time\", unit = \"ms\" }\n");
    assert_eq!(fact(&fires(&toml, "HOT02"), "values"), 2.0);
}

#[test]
fn what_is_computed_from_a_field_has_no_more_values_than_it_and_is_as_frequent() {
    let with = |derived: &str, parts: &str| {
        let fields = "u = { type = \"digits\", len = 9, distinct = 3, max_share = 0.4 }\n\
                      ts = { type = \"time\", unit = \"ms\" }";
        let toml = design(&format!("{fields}\n{derived}"), parts, "[cluster]\nservers = 8");
        toml + "\n[workload]\nrows_per_s = 10\n"
    };
    let first =
        with("d = { from = \"left(u,6)\" }", "{ field = \"d\" }, { text = \"!\" }, { field = \"ts\" }");
    assert_eq!(fact(&fires(&first, "HOT02"), "values"), 3.0);
    assert_eq!(fact(&fires(&first, "UNQ02"), "entities"), 3.0);
    assert_eq!(fact(&fires(&first, "HOT03"), "percent"), 40.0);
    let own = with(
        "d = { from = \"left(u,6)\", distinct = 2, max_share = 0.5 }",
        "{ bucket = 8, of = [\"d\"] }, { field = \"u\" }, { field = \"ts\" }",
    );
    assert_eq!(fact(&fires(&own, "SLT03"), "values"), 2.0);
    let frequent = fires(&own, "SLT06");
    assert_eq!((fact(&frequent, "field"), fact(&frequent, "percent")), (&"d".into(), &50.0.into()));
}

#[test]
fn two_cuts_of_a_field_have_no_more_values_together_than_the_field() {
    let toml = salted(
        "bucket = 64, of = [\"left(id,3)\", \"right(id,3)\"]",
        "type = \"digits\", len = 9, distinct = 100",
        "",
    );
    assert_eq!(fact(&fires(&toml, "SLT03"), "values"), 100.0);
}

#[test]
fn ranges_of_any_type_are_opened_in_every_bucket() {
    for kind in ["i64", "f64"] {
        let toml = design(
            &format!("id = {{ type = \"digits\", len = 9 }}\nn = {{ type = \"{kind}\" }}"),
            "{ bucket = 16, of = [\"id\"] }, { field = \"n\", as = \"ordered\" }, { field = \"id\" }",
            "[access.near]\nrange = \"n\"\nrate = 400\n[cluster]\nservers = 8",
        );
        assert_eq!(fact(&fires(&toml, "SLT11"), "seeks_per_s"), 6_400.0, "{kind}");
    }
}

#[test]
fn the_hash_of_hbasewd_begins_with_one() {
    let of = |hash: &str| {
        salted(
            &format!("bucket = 6, hash = \"{hash}\", of = [\"id\"]"),
            "type = \"string\", max_len = 6, alphabet = \"0-:\"",
            "",
        )
    };
    // The largest hash of six colons is 1,715,840,448, and 2,603,344,129 where it begins with one.
    silent(&of("java-string"), "SLT01");
    fires(&of("hbasewd"), "SLT01");
}

#[test]
fn a_query_with_a_range_is_no_get_whatever_else_it_gives() {
    let toml = design(
        "id = { type = \"digits\", len = 9 }\nts = { type = \"time\", unit = \"ms\" }\nsum = { type = \"i32\" }",
        "{ bucket = 16, hash = \"random\" }, { field = \"id\" }, { field = \"ts\" }",
        "[access.large]\nby = [\"id\", \"ts\"]\n",
    );
    assert_eq!(fires(&toml, "SLT04").severity.name(), "error");
    assert_eq!(fires(&format!("{toml}range = \"sum\"\n"), "SLT04").severity.name(), "warning");
}

#[test]
fn no_bucket_is_computed_from_nothing() {
    let toml = design(
        "id = { type = \"digits\", len = 9 }",
        "{ field = \"id\" }, { bucket = 16, hash = \"random\" }",
        "",
    );
    assert!(fires(&toml, "SLT04").fix.is_none());
}

#[test]
fn a_cut_is_given_with_its_field() {
    let toml = design(
        "id = { type = \"digits\", len = 9 }\nkind = { type = \"digits\", len = 9 }",
        "{ bucket = 16, of = [\"left(id,3)\", \"kind\"] }, { field = \"id\" }, { field = \"kind\" }",
        "[access.one]\nby = [\"id\"]",
    );
    let told = fires(&toml, "SLT05").message;
    assert!(told.starts_with("access one does not give kind: "), "{told}");
}
