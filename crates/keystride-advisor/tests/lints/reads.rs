//! Reads that cost more than they need to.

use crate::clock::time_first;
use crate::judge::{design, fact, fires, mends, silent};
use crate::worked::{FLIGHTS, seed_002, seed_004a};

#[test]
fn a_full_scan_is_an_error_when_it_takes_a_tenth_of_the_cluster() {
    let day = |rate: &str| {
        FLIGHTS.to_owned()
            + &format!(
                "[access.day]\nrange = \"time\"\nspan = \"1d\"\nrate = {rate}\n[workload]\nrows_per_s = 1000\nretention = \"365d\"\n[cluster]\nservers = 8\n"
            )
    };
    assert_eq!(fires(&day("0.00001"), "RD01").severity.name(), "warning");
    assert_eq!(fires(&day("0.01"), "RD01").severity.name(), "error");
    silent(FLIGHTS, "RD01");
}

#[test]
fn the_newest_rows_of_an_ascending_time_are_read_backwards() {
    let ascending = FLIGHTS.replace(", desc = 9999999999", "");
    assert_eq!(fires(&ascending, "RD02").severity.name(), "info");
    assert!(mends(&ascending, "RD02").contains("desc = 9999999999"));
    let behind = FLIGHTS.replace("{ field = \"time\", desc = 9999999999 },", "").replace(
        "{ field = \"flight\", pad = 4 },",
        "{ field = \"flight\", pad = 4 }, { field = \"time\", desc = 9999999999 },",
    );
    let finding = fires(&behind, "RD02");
    assert_eq!(finding.severity.name(), "warning");
    assert!(finding.message.contains("time does not follow what it gives"), "{}", finding.message);
    let signed =
        FLIGHTS.replace("{ field = \"time\", desc = 9999999999 }", "{ field = \"time\", as = \"be\" }");
    let finding = fires(&signed, "RD02");
    assert!(finding.message.contains("the bytes of time do not sort as its times do"), "{}", finding.message);
    for (years, is_sorted) in [("1970-01-01 2069-12-31", true), ("2000-01-01 2099-12-31", false)] {
        let (min, max) = years.split_once(' ').unwrap();
        let of_century =
            format!("format = \"yyMMddHHmmss\", min = \"{min}\", max = \"{max}\", input = \"iso8601\"");
        let text = FLIGHTS
            .replace("unit = \"s\", input = \"iso8601\"", &of_century)
            .replace("{ field = \"time\", desc = 9999999999 }", "{ field = \"time\" }");
        assert!(text.contains(&of_century), "{text}");
        let finding = fires(&text, "RD02");
        assert_eq!(finding.message.contains("do not sort as its times do"), is_sorted, "{}", finding.message);
    }
    let floored = FLIGHTS.replace("desc = 9999999999", "floor = \"1d\"");
    let finding = fires(&floored, "RD02");
    let told = "the key only has the period of time";
    assert!(finding.message.contains(told), "{}", finding.message);
    let narrow = design(
        "id = { type = \"digits\", len = 3 }\nts = { type = \"time\", unit = \"s\", min = 0, max = 2000000000 }",
        "{ field = \"id\" }, { field = \"ts\", as = \"be\", width = 4 }",
        "[access.a]\nby = [\"id\"]\norder = \"newest\"",
    );
    assert!(mends(&narrow, "RD02").contains("desc = \"invert\""));
    let timeless = design(
        "id = { type = \"digits\", len = 3 }",
        "{ field = \"id\" }",
        "[access.a]\nby = [\"id\"]\norder = \"newest\"",
    );
    fires(&timeless, "RD02");
}

#[test]
fn a_limit_over_buckets_is_read_in_each() {
    let toml = design(
        "metric = { type = \"digits\", len = 3 }\nhost = { type = \"digits\", len = 4 }\nts = { type = \"time\", unit = \"s\" }",
        "{ bucket = 16, of = [\"host\"] }, { field = \"metric\" }, { field = \"ts\", desc = 9999999999 }, { field = \"host\" }",
        "[access.latest]\nby = [\"metric\"]\norder = \"newest\"\nlimit = 20",
    );
    let finding = fires(&toml, "RD03");
    assert_eq!((fact(&finding, "ranges"), fact(&finding, "read")), (&16.into(), &320.into()));
    silent(FLIGHTS, "RD03");
}

#[test]
fn a_value_whose_end_is_not_told_is_read_with_others() {
    let user = "[access.user]\nby = [\"user_id\"]";
    let finding = fires(&seed_004a(user), "RD05");
    assert_eq!(finding.component, "access.user");
    mends(&seed_004a(user), "RD05");
    silent(&seed_002(user), "RD05");
}

#[test]
fn a_range_behind_an_open_field_is_told() {
    let toml = |parts: &str| {
        design(
            "metric = { type = \"digits\", len = 3 }\nhost = { type = \"digits\", len = 4 }\nts = { type = \"time\", unit = \"s\" }",
            parts,
            "[access.hour]\nby = [\"metric\"]\nrange = \"ts\"\nspan = \"1h\"",
        )
    };
    let finding = fires(&toml("{ field = \"metric\" }, { field = \"host\" }, { field = \"ts\" }"), "RD06");
    assert_eq!((fact(&finding, "free"), fact(&finding, "ranged")), (&"host".into(), &"ts".into()));
    silent(&toml("{ field = \"metric\" }, { field = \"ts\" }, { field = \"host\" }"), "RD06");
    silent(&toml("{ field = \"metric\" }, { field = \"ts\" }, { field = \"host\" }"), "RD01");
}

#[test]
fn a_range_over_reversed_values_is_told() {
    let toml = |part: &str, bound: &str| {
        design(
            "tenant = { type = \"digits\", len = 4 }\nuser = { type = \"digits\", len = 8 }\nn = { type = \"int\" }",
            &format!("{{ field = \"tenant\" }}, {part}, {{ field = \"n\" }}"),
            &format!("[access.users]\nby = [\"tenant\"]\n{bound}"),
        )
    };
    let reversed = "{ field = \"user\", reverse = true }";
    for bound in ["range = \"user\"", "prefix = \"user\""] {
        let finding = fires(&toml(reversed, bound), "RD06");
        assert_eq!((fact(&finding, "ranged"), finding.component.as_str()), (&"user".into(), "access.users"));
        silent(&toml("{ field = \"user\" }", bound), "RD06");
    }
    let both = format!("{{ field = \"user\" }}, {reversed}");
    silent(&toml(&both, "range = \"user\""), "RD06");
    silent(&toml(reversed, ""), "RD06");
}

#[test]
fn a_row_that_needs_the_loaders_clock_can_t_be_got() {
    let toml = seed_002("[access.row]\nby = [\"user_id\", \"ts\"]");
    fires(&toml, "RD07");
    silent(&seed_002("[access.user]\nby = [\"user_id\"]"), "RD07");
}

#[test]
fn a_bucket_by_month_makes_a_range_of_a_day_one_bucket() {
    let toml = design(
        "phone = { type = \"digits\", len = 11 }\nts = { type = \"time\", unit = \"ms\" }",
        "{ bucket = 16, of = [\"phone\", \"floor(ts,1mo)\"] }, { field = \"phone\" }, { field = \"ts\" }",
        "[access.week]\nby = [\"phone\"]\nrange = \"ts\"\nspan = \"90d\"",
    );
    let finding = fires(&toml, "RD08");
    assert!((2..=4).contains(&fact(&finding, "buckets").as_u64().unwrap()), "{}", finding.message);
    silent(&toml, "SLT05");
}

#[test]
fn a_queue_reads_its_own_markers() {
    let queue = |deletes: &str| {
        time_first(
            "",
            &format!("[access.next]\norder = \"oldest\"\nlimit = 1\n[workload]\ndeletes = {deletes}"),
        )
    };
    fires(&queue("0.9"), "RD09");
    silent(&queue("0.02"), "RD09");
}

#[test]
fn the_latest_sort_first_in_whatever_way_the_time_is_written() {
    let toml = |steps: &str, access: &str| {
        design(
            "id = { type = \"digits\", len = 5 }\nts = { type = \"time\", unit = \"s\", min = 1000000000, max = 2000000000 }\n\
             n = { type = \"i32\" }",
            &format!(
                "{{ field = \"id\" }}, {{ field = \"ts\"{steps} }}, {{ field = \"n\", as = \"ordered\" }}"
            ),
            &format!("[access.a]\nby = [\"id\"]\n{access}"),
        )
    };
    for (steps, desc) in [
        ("", "9999999999"),
        (", as = \"text\"", "9999999999"),
        (", pad = 12", "\"invert\""),
        (", as = \"be\"", "\"long-max\""),
        (", as = \"ordered\", width = 4", "\"invert\""),
        (", as = \"phoenix\"", "\"invert\""),
        (", as = \"ordered-bytes\"", "\"invert\""),
    ] {
        let backwards = toml(steps, "order = \"newest\"");
        assert_eq!(
            fires(&backwards, "RD02").message,
            "access a wants the newest rows first, and the key has them last: it is scanned backwards"
        );
        let patched = mends(&backwards, "RD02");
        assert!(patched.contains(&format!("desc = {desc}")), "{steps}: {patched}");
        silent(&toml(steps, "order = \"oldest\""), "RD02");
    }
    let oldest = fires(&toml(", desc = 9999999999", "order = \"oldest\"\nlimit = 5"), "RD02");
    assert_eq!(
        (oldest.message.as_str(), oldest.fix),
        ("access a wants the oldest 5 rows first, and the key has them last: it is scanned backwards", None)
    );
    let reversed = fires(&toml(", reverse = true", "order = \"newest\""), "RD02");
    assert_eq!(
        reversed.message,
        "access a wants the newest rows, but the bytes of ts do not sort as its times do: \
         all its rows are read and sorted"
    );
    let timeless = design(
        "id = { type = \"digits\", len = 5 }",
        "{ field = \"id\" }",
        "[access.a]\nby = [\"id\"]\norder = \"oldest\"\nlimit = 3\n[access.b]\nby = [\"id\"]",
    );
    let finding = fires(&timeless, "RD02");
    assert_eq!(finding.message, "access a wants the oldest 3 rows, but the design has no time");
    silent(&timeless.replace("order = \"oldest\"", ""), "RD02");
}

#[test]
fn a_number_that_has_no_simple_end_is_ended_by_a_text() {
    let toml = design(
        "n = { type = \"int\", min = -5, max = 100 }\nd = { type = \"digits\", len = 4 }",
        "{ field = \"n\", reverse = true }, { field = \"d\" }",
        "[access.n]\nby = [\"n\"]",
    );
    let edits = fires(&toml, "RD05").fix.expect("a patch").edits;
    assert_eq!(edits[0].to_string(), "key.parts[1]: insert { text = \"!\" }");
    mends(&toml, "RD05");
}

#[test]
fn ten_values_before_a_range_are_few() {
    let toml = |distinct: u32| {
        design(
            &format!(
                "m = {{ type = \"digits\", len = 3 }}\nh = {{ type = \"digits\", len = 4, distinct = {distinct} }}\n\
                 ts = {{ type = \"time\", unit = \"s\" }}"
            ),
            "{ field = \"m\" }, { field = \"h\" }, { field = \"ts\" }",
            "[access.hour]\nby = [\"m\"]\nrange = \"ts\"\nspan = \"1h\"",
        )
    };
    silent(&toml(10), "RD06");
    assert_eq!(
        fires(&toml(11), "RD06").message,
        "access hour ranges over ts, which stands behind h: it reads every h from beginning to end"
    );
}

#[test]
fn a_partition_below_zero_sorts_by_its_size() {
    let toml = design(
        "partition = { type = \"i32\", min = -5, max = 10 }\noffset = { type = \"i64\", min = 0 }",
        "{ field = \"offset\", pad = 19 }",
        "",
    );
    let patched = mends(&toml, "UNQ04");
    silent(&patched, "ENC08");
    assert!(patched.contains("as = \"ordered\""), "{patched}");
}
