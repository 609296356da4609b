//! Heat, reads, uniqueness, size, updates.

use crate::judge::{design, fact, fires, mends, number, silent};
use crate::worked::{FLIGHTS, seed_002, seed_004a, seed_004b};

fn time_first(steps: &str, rest: &str) -> String {
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
    let floored = FLIGHTS.replace("desc = 9999999999", "floor = \"1d\"");
    let finding = fires(&floored, "RD02");
    let told = "the key has no more of time than the period that it is in";
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
fn an_offset_needs_its_partition() {
    let finding = fires(&seed_004b(""), "UNQ04");
    assert!(finding.message.contains("by its name"));
    let patched = mends(&seed_004b(""), "UNQ04");
    assert!(patched.contains("{ field = \"partition\", pad = 4 }"), "{patched}");
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
fn several_hashes_of_a_field_are_one_identity() {
    let parts =
        |second: &str| format!("{{ field = \"id\", hash = {{ name = \"crc32\", bytes = 2 }} }}{second}");
    let of = |second: &str| design("id = { type = \"string\", distinct = 100000000 }", &parts(second), "");
    fires(&of(""), "UNQ06");
    silent(&of(", { field = \"id\", hash = { name = \"md5\", bytes = 16 } }"), "UNQ06");
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
