//! The clock, and other fronts that all writes meet at.

use crate::judge::{design, fact, fires, mends, number, silent};
use crate::worked::FLIGHTS;

pub(crate) fn time_first(steps: &str, rest: &str) -> String {
    design(
        "ts = { type = \"time\", unit = \"ms\" }\nid = { type = \"digits\", len = 9 }",
        &format!("{{ field = \"ts\"{steps} }}, {{ field = \"id\" }}"),
        rest,
    )
}

#[test]
fn the_clock_in_front_is_as_bad_as_the_rate_is_high() {
    let at = |rate: u32| time_first("", &format!("[workload]\nrows_per_s = {rate}\n[cluster]\nservers = 8"));
    let severities = [1_000, 40_000, 100_000].map(|rate| fires(&at(rate), "HOT01").severity.name());
    assert_eq!(severities, ["info", "warning", "error"]);
    assert!(fires(&at(1_000), "HOT01").fix.is_none());
    mends(&at(100_000), "HOT01");
    assert_eq!(fires(&time_first("", ""), "HOT01").severity.name(), "warning");
    let peak = "[workload]\nrows_per_s = 1000\npeak = { rows_per_s = 90000, for = \"10m\" }";
    assert_eq!(fires(&time_first("", peak), "HOT01").severity.name(), "error");
}

#[test]
fn every_form_of_the_clock_is_seen() {
    for steps in
        ["", ", desc = \"long-max\"", ", as = \"be\"", ", floor = \"1d\"", ", desc = \"invert\", as = \"be\""]
    {
        fires(&time_first(steps, ""), "HOT01");
    }
    for format in ["ddMMyyyy", "yyyy-M-d HH:mm", "HH:mm:ss dd.MM.yyyy", "yyyy-MM-dd HH:mm:ss.SSSXXX"] {
        fires(&time_first("", "").replace("unit = \"ms\"", &format!("format = \"{format}\"")), "HOT01");
    }
    silent(&time_first("", "").replace("unit = \"ms\"", "format = \"SSSssmmHHddMMyyyy\""), "HOT01");
    silent(&time_first(", reverse = true", ""), "HOT01");
    fires(&time_first("", "").replace("parts = [ ", "parts = [ { bucket = 1, of = [\"id\"] }, "), "HOT01");
    silent(&time_first(", hash = { name = \"xxh3\", bytes = 4 }", ""), "HOT01");
    let day = design(
        "t = { type = \"time\", format = \"yyyyMMddHHmmss\" }\nday = { from = \"left(t,8)\" }\nsecond = { from = \"right(t,2)\" }",
        "{ field = \"day\" }, { field = \"t\" }",
        "",
    );
    fires(&day, "HOT01");
    silent(&day.replace("{ field = \"day\" }", "{ field = \"second\" }"), "HOT01");
}

#[test]
fn a_bucket_in_front_mends_a_leading_clock() {
    let patched = mends(&time_first("", "[cluster]\nservers = 8"), "HOT01");
    assert!(
        patched.contains("{ bucket = 16, of = [\"id\"] }") && patched.contains("by = \"bucket\""),
        "{patched}"
    );
    mends(&time_first("", "[split]\nby = \"DecimalStringSplit\"\nregions = 10"), "HOT01");
}

#[test]
fn ids_that_begin_with_the_clock_are_seen() {
    let id = |declared: &str| {
        design(
            &format!("{declared}\nn = {{ type = \"digits\", len = 2 }}"),
            &format!("{{ field = \"{}\" }}, {{ field = \"n\" }}", &declared[..2]),
            "",
        )
    };
    assert_eq!(fact(&fires(&id("id = { type = \"uuid\", version = 7 }"), "HOT11"), "version"), 7);
    silent(&id("id = { type = \"uuid\", version = 4 }"), "HOT11");
    mends(&id("id = { type = \"uuid\", version = 7 }"), "HOT11");
    let ulid = design("event_ulid = { type = \"string\", max_len = 26 }", "{ field = \"event_ulid\" }", "");
    assert!(fires(&ulid, "HOT11").message.contains("by its name"));
    let cut = |fields: &str, part: &str| {
        design(fields, &format!("{{ field = \"{part}\" }}, {{ field = \"u\" }}"), "")
    };
    let of_uuid = |version: u8, from: &str| {
        cut(&format!("u = {{ type = \"uuid\", version = {version} }}\nh = {{ from = \"{from}(u,8)\" }}"), "h")
    };
    fires(&of_uuid(7, "left"), "HOT11");
    silent(&of_uuid(7, "right"), "HOT11");
    silent(&of_uuid(4, "left"), "HOT11");
}

#[test]
fn three_values_before_the_time_use_three_of_eight_servers() {
    let toml = |count: &str| {
        design(
            &format!(
                "kind = {{ type = \"int\", min = 1, max = {count} }}\nts = {{ type = \"time\", unit = \"ms\" }}"
            ),
            "{ field = \"kind\" }, { text = \"!\" }, { field = \"ts\" }",
            "[cluster]\nservers = 8",
        )
    };
    let finding = fires(&toml("3"), "HOT02");
    assert_eq!(finding.severity.name(), "error");
    assert!((number(&finding, "percent") - 37.5).abs() < 0.1);
    silent(&toml("8"), "HOT02");
    mends(&toml("3"), "HOT02");
}

#[test]
fn a_frequent_value_before_the_time_is_told_unless_the_next_field_spreads_it() {
    let toml = |next: &str| {
        design(
            "tenant = { type = \"digits\", len = 4, max_share = 0.42 }\nts = { type = \"time\", unit = \"ms\" }\ndoc = { type = \"digits\", len = 9 }",
            &format!("{{ field = \"tenant\" }}, {next}"),
            "[cluster]\nservers = 8",
        )
    };
    fires(&toml("{ field = \"ts\" }"), "HOT03");
    silent(&toml("{ field = \"doc\" }, { field = \"ts\" }"), "HOT03");
}

#[test]
fn heads_that_never_vary_do_not_suit_an_algorithm() {
    let split = "[split]\nby = \"DecimalStringSplit\"\nregions = 10";
    assert_eq!(fact(&fires(&time_first(", desc = \"long-max\"", split), "HOT05"), "head"), "\"92233\"");
    let url = design(
        "path = { type = \"string\", max_len = 40 }",
        "{ text = \"http://\" }, { field = \"path\" }",
        split,
    );
    assert_eq!(fact(&fires(&url, "HOT05"), "bytes"), 7);
    silent(&time_first(", reverse = true", split), "HOT05");
}

#[test]
fn sorted_input_marches_through_the_regions() {
    let toml = FLIGHTS.to_owned() + "[input]\norder = \"sorted\"\n";
    assert_eq!(fact(&fires(&toml, "HOT06"), "regions"), 8);
    silent(FLIGHTS, "HOT06");
}

#[test]
fn expiry_behind_the_front_leaves_empty_regions() {
    fires(&time_first("", "[workload]\nretention = \"365d\""), "HOT07");
    silent(&time_first("", ""), "HOT07");
    silent(&(FLIGHTS.to_owned() + "[workload]\nretention = \"365d\"\n"), "HOT07");
}

#[test]
fn reads_of_the_newest_rows_meet_where_the_clock_leads() {
    let rest =
        "[access.minute]\nrange = \"ts\"\nspan = \"1m\"\nrate = 2000\nrecent = 0.9\n[cluster]\nservers = 8";
    let finding = fires(&time_first("", rest), "HOT12");
    assert_eq!((finding.severity.name(), fact(&finding, "regions")), ("warning", &1.into()));
    assert_eq!(fires(&time_first("", &rest.replace("2000", "2")), "HOT12").severity.name(), "info");
    let entity = design(
        "ts = { type = \"time\", unit = \"ms\" }\nid = { type = \"digits\", len = 9 }",
        "{ field = \"id\" }, { field = \"ts\" }",
        rest,
    );
    silent(&entity, "HOT12");
    let bucketed = |split: &str| {
        design(
            "ts = { type = \"time\", unit = \"ms\" }\nid = { type = \"digits\", len = 9 }",
            "{ bucket = 16, of = [\"id\"] }, { field = \"ts\" }, { field = \"id\" }",
            &format!("{split}{rest}"),
        )
    };
    silent(&bucketed("[split]\nby = \"bucket\"\n"), "HOT12");
    for few in [1, 4] {
        let few_regions = bucketed(&format!("[split]\nby = \"bucket\"\nregions = {few}\n"));
        assert_eq!(fact(&fires(&few_regions, "HOT12"), "regions"), few);
    }
    let cut_in_bucket_2 =
        |point: &str| bucketed(&format!("[split]\nby = \"list\"\npoints = [\"02\", \"{point}\"]\n"));
    assert_eq!(fact(&fires(&cut_in_bucket_2("0215"), "HOT12"), "regions"), 2);
    let newest_first =
        cut_in_bucket_2("0292233700").replace("\"ts\" }, {", "\"ts\", desc = \"long-max\" }, {");
    assert_eq!(fact(&fires(&newest_first, "HOT12"), "regions"), 3);
}

#[test]
fn a_bucket_of_a_period_is_the_clock() {
    let of = |items: &str| {
        let parts = format!("{{ bucket = 16, of = [{items}] }}, {{ field = \"ts\" }}, {{ field = \"id\" }}");
        let fields = "ts = { type = \"time\", unit = \"ms\" }\nid = { type = \"digits\", len = 9 }";
        design(fields, &parts, "[workload]\nrows_per_s = 200000\n[cluster]\nservers = 8")
    };
    for items in
        ["\"floor(ts,1d)\"", "\"floor(ts,1h)\"", "\"left(ts,8)\"", "\"floor(ts,1d)\", \"left(ts,4)\""]
    {
        assert_eq!(fires(&of(items), "HOT01").severity.name(), "error", "{items}");
        silent(&of(items), "HOT09");
    }
    for items in
        ["\"ts\"", "\"right(ts,4)\"", "\"right(ts,3)\"", "\"id\"", "\"floor(ts,1d)\", \"id\"", "\"rest\""]
    {
        silent(&of(items), "HOT01");
    }
    fires(&of("\"id\""), "HOT09");
}

#[test]
fn digits_of_a_date_are_the_clock_in_whatever_order() {
    let of = |part: &str| {
        design(
            "ts = { type = \"time\", format = \"ddMMyyyyHHmmss\" }\nday = { from = \"left(ts,8)\" }\n\
             tail = { from = \"right(ts,4)\" }",
            &format!("{{ field = \"{part}\" }}, {{ field = \"ts\" }}"),
            "[split]\nby = \"HexStringSplit\"\nregions = 16",
        )
    };
    for part in ["ts", "day"] {
        fires(&of(part), "HOT01");
        silent(&of(part), "HOT05");
    }
    silent(&of("tail"), "HOT01");
}

#[test]
fn a_bucket_in_front_is_of_what_fills_it() {
    let toml = design(
        "ts = { type = \"time\", unit = \"ms\" }\ncarrier = { type = \"string\", max_len = 2, distinct = 3 }\n\
         id = { type = \"digits\", len = 9 }",
        "{ field = \"ts\" }, { field = \"carrier\" }, { text = \"_\" }, { field = \"id\" }",
        "[workload]\nrows_per_s = 200000\n[cluster]\nservers = 8",
    );
    let patched = mends(&toml, "HOT01");
    assert!(patched.contains("of = [\"id\"]"), "{patched}");
}

#[test]
fn names_tell_by_their_words_alone() {
    let of = |field: &str, kind: &str| {
        design(&format!("{field} = {{ {kind} }}"), &format!("{{ field = \"{field}\" }}"), "")
    };
    silent(&of("brand_id", "type = \"u32\""), "UNQ03");
    silent(&of("insert_type", "type = \"u32\""), "UNQ03");
    fires(&of("rand", "type = \"u32\""), "UNQ03");
    silent(&of("tz_offset", "type = \"i32\", min = -720, max = 840"), "UNQ04");
    silent(&of("utc_offset", "type = \"i32\""), "UNQ04");
    silent(&of("offset", "type = \"i32\", min = -5, max = 5"), "UNQ04");
    fires(&of("kafka_offset", "type = \"i64\""), "UNQ04");
    silent(&of("soulid", "type = \"string\""), "HOT11");
    fires(&of("ulid", "type = \"string\""), "HOT11");
}
