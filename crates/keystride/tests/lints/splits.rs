//! Splits, buckets and regions.

use keystride::lint::{Subject, lint};
use keystride::{Design, KeyCodec, SplitPoints};

use crate::judge::{design, fact, findings, fires, mends, number, silent};
use crate::worked::{FLIGHTS, LAST_4_AND_MONTH, seed_000, seed_003};

fn listed(points: &str) -> String {
    seed_003(&format!("[split]\nby = \"list\"\npoints = [{points}]"))
}

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
fn a_point_given_twice_is_an_error_and_one_out_of_order_a_warning() {
    assert_eq!(fires(&listed("\"008\", \"008\""), "SPL08").severity.name(), "error");
    assert_eq!(fires(&listed("\"008\", \"004\""), "SPL08").severity.name(), "warning");
    silent(&listed("\"004\", \"008\""), "SPL08");
}

#[test]
fn an_even_part_of_the_buckets_a_region_is_sound() {
    silent(&seed_003("[split]\nby = \"bucket\"\nregions = 4"), "SPL01");
    silent(&listed("\"004\", \"008\", \"012\""), "SPL01");
    let finding = fires(&listed("\"005\""), "SPL01");
    assert_eq!(fact(&finding, "full").to_string(), "[1]");
    assert_eq!(fact(&finding, "max_over_mean"), 1.375);
}

#[test]
fn cutting_inside_buckets_is_sound() {
    silent(&listed("\"0002\", \"001\", \"0012\", \"002\", \"0022\", \"003\""), "SPL05");
    let points: Vec<String> =
        (0..16).flat_map(|n| [format!("\"{n:03}\""), format!("\"{n:03}1999\"")]).skip(1).collect();
    silent(&listed(&points.join(", ")), "SPL01");
}

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
fn ten_buckets_leave_eight_servers_at_62_percent() {
    let toml = design(
        "id = { type = \"digits\", len = 8 }",
        "{ bucket = 10, of = [\"id\"] }, { field = \"id\" }",
        "[cluster]\nservers = 8",
    );
    let finding = fires(&toml, "SPL09");
    assert_eq!(finding.message, "10 buckets on 8 servers: the ceiling is 62 % of the cluster");
    assert_eq!(fact(&finding, "better"), 60);
    let halves = fires(&format!("{toml}\n[split]\nby = \"bucket\"\nregions = 5\n"), "SPL09");
    assert_eq!(halves.message, "5 regions of 10 buckets on 8 servers: the ceiling is 62 % of the cluster");
    assert_eq!((fact(&halves, "pieces"), fact(&halves, "buckets")), (&5.into(), &10.into()));
    let patched = mends_now(&toml);
    assert!(patched.contains("bucket = 60"), "{patched}");
}

/// A better count is below 0.9 on some number of servers all the same, which is information.
fn mends_now(toml: &str) -> String {
    let fix = fires(toml, "SPL09").fix.expect("a patch");
    let patched = crate::patch::apply(toml, &fix);
    let left = findings(&patched).into_iter().filter(|finding| finding.id.name() == "SPL09");
    assert!(left.into_iter().all(|finding| finding.severity.name() == "info"));
    patched
}

#[test]
fn growing_buckets_cut_in_four_use_two_of_eight_servers() {
    let points: Vec<String> = (0..16)
        .flat_map(|n| ["", "2015", "2020", "2025"].map(|year| format!("\"{n:03}{year}\"")))
        .skip(1)
        .collect();
    let toml = listed(&points.join(", ")) + "[cluster]\nservers = 8\n";
    let finding = fires(&toml, "SPL10");
    assert_eq!((fact(&finding, "regions_a_bucket"), fact(&finding, "used")), (&4.into(), &2.into()));
    mends(&toml, "SPL10");
    silent(&(listed(&points.join(", ")) + "[cluster]\nservers = 7\n"), "SPL10");
}

#[test]
fn more_regions_than_the_servers_should_hold_are_told() {
    let toml = seed_003("[split]\nby = \"bucket\"\n[cluster]\nservers = 1\nregions_per_server = 15");
    fires(&toml, "SPL13");
    silent(&toml.replace("= 15", "= 16"), "SPL13");
}

#[test]
fn the_last_of_256_binary_buckets_runs_to_the_tables_end() {
    let toml = design(
        "id = { type = \"digits\", len = 8 }",
        "{ bucket = 256, of = [\"id\"], base = \"byte\" }, { field = \"id\" }",
        "[split]\nby = \"bucket\"",
    );
    for id in ["SPL01", "SPL04", "SPL05", "SPL06"] {
        silent(&toml, id);
    }
}

#[test]
fn points_of_a_table_that_exists_are_judged_without_a_patch() {
    let codec = KeyCodec::new(Design::from_toml(FLIGHTS).unwrap());
    let points = SplitPoints::new(["0", "1", "2", "3", "4", "5", "6", "7", "8"]).unwrap();
    let findings = lint(&Subject::new(&codec).with_table_points(&points));
    let finding = findings.iter().find(|finding| finding.id.name() == "SPL05").unwrap();
    assert_eq!(fact(finding, "empty").to_string(), "[0,9]");
    assert!(finding.fix.is_none());
}

#[test]
fn points_that_give_each_bucket_its_region_are_not_shifted() {
    let buckets = |bucket: &str, rest: &str, split: &str| {
        design(
            "id = { type = \"digits\", len = 11 }",
            &format!("{{ {bucket}, of = [\"id\"] }}, {rest}{{ field = \"id\" }}"),
            split,
        )
    };
    let separated = "[split]\nby = \"list\"\npoints = [\"1_\", \"2_\", \"3_\"]";
    silent(&buckets("bucket = 4", "{ text = \"_\" }, ", separated), "SPL03");
    for (bucket, algorithm, regions) in [
        ("bucket = 10", "DecimalStringSplit", 10),
        ("bucket = 100", "DecimalStringSplit", 10),
        ("bucket = 16, base = 16", "HexStringSplit", 16),
        ("bucket = 256, base = 16", "HexStringSplit", 256),
    ] {
        silent(&buckets(bucket, "", &format!("[split]\nby = \"{algorithm}\"\nregions = {regions}")), "SPL03");
    }
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
fn a_count_is_proposed_that_the_values_of_a_bucket_can_fill() {
    let of = |len: usize, servers: u32| {
        design(
            &format!("u = {{ type = \"digits\", len = {len} }}"),
            "{ bucket = 3, of = [\"u\"] }, { field = \"u\" }",
            &format!("[cluster]\nservers = {servers}"),
        )
    };
    for servers in [6, 8, 9, 10, 13, 22] {
        let patched = mends_now(&of(7, servers));
        silent(&patched, "SLT03");
    }
    for servers in [8, 200] {
        let fix = fires(&of(2, servers), "SPL09").fix;
        assert!(fix.is_none_or(|fix| !crate::patch::apply(&of(2, servers), &fix).contains("bucket = 60")));
    }
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
fn points_at_some_buckets_alone_are_no_shift() {
    let toml = design(
        "id = { type = \"digits\", len = 11 }",
        "{ bucket = 4, of = [\"id\"] }, { text = \"_\" }, { field = \"id\" }",
        "[split]\nby = \"list\"\npoints = [\"1_\"]",
    );
    silent(&toml, "SPL03");
}

#[test]
fn fewer_regions_than_a_cluster_suits_are_as_many_as_buckets_again() {
    let toml = design(
        "id = { type = \"digits\", len = 11 }",
        "{ bucket = 60, of = [\"id\"] }, { field = \"id\" }",
        "[split]\nby = \"bucket\"\nregions = 10\n[cluster]\nservers = 8",
    );
    assert!(!mends_now(&toml).contains("regions = 10"));
}

#[test]
fn hyphens_of_a_uuid_s_text_stand_at_their_places() {
    let of = |field: &str, part: &str, algorithm: &str| {
        let split = format!("[split]\nby = \"{algorithm}\"\nregions = 32");
        design(&format!("id = {{ {field} }}"), &format!("{{ field = \"id\", {part} }}"), &split)
    };
    silent(&of("type = \"uuid\", version = 4", "as = \"text\"", "HexStringSplit"), "SPL07");
    let number = "type = \"int\", min = 0, max = 99999999";
    silent(&of(number, "pad = 8, reverse = true", "DecimalStringSplit"), "SPL07");
}

#[test]
fn nothing_follows_a_zero_that_begins_a_number() {
    let ids = |points: &str| {
        design(
            "id = { type = \"u32\", max = 99999 }",
            "{ field = \"id\" }",
            &format!("[split]\nby = \"list\"\npoints = [{points}]"),
        )
    };
    let finding = fires(&ids("\"01\", \"05\", \"1\""), "SPL04");
    assert_eq!(fact(&finding, "empty").to_string(), "[1,2]");
    silent(&ids("\"0\", \"1\", \"2\""), "SPL04");
}

#[test]
fn keys_of_digits_are_known_as_such_where_only_their_end_tells_where_a_field_ends() {
    let turned = |algorithm: &str| {
        design(
            "user = { type = \"u32\", max = 2000000 }\ntime = { type = \"time\", unit = \"ms\" }",
            "{ field = \"user\", reverse = true }, { field = \"time\", desc = \"long-max\" }",
            &format!("[split]\nby = \"{algorithm}\"\nregions = 16"),
        )
    };
    silent(&turned("DecimalStringSplit"), "SPL07");
    let finding = fires(&turned("UniformSplit"), "SPL07");
    assert_eq!(fact(&finding, "used"), 1);
}

#[test]
fn periods_of_a_field_are_those_of_its_step() {
    let split = |fields: &str, part: &str| {
        let toml = design(
            &format!(
                "t = {{ type = \"time\", unit = \"ms\", min = \"2020-01-01\", max = \"2021-01-01\" }}\n\
                 phone = {{ type = \"digits\", len = 11 }}\n{fields}"
            ),
            &format!("{part}, {{ field = \"phone\" }}"),
            "[split]\nby = \"list\"\npoints = [\"12\", \"14\", \"1590\"]",
        );
        fact(&fires(&toml, "SPL04"), "empty").to_string()
    };
    let step = split("", "{ field = \"t\", floor = \"1d\" }");
    assert!(step.contains('1'), "{step}");
    assert_eq!(split("day = { from = \"floor(t,1d)\" }", "{ field = \"day\" }"), step);
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
fn months_fill_as_few_buckets_as_there_are_months() {
    let of = |month: &str| {
        design(
            &format!("m = {{ {month} }}\nphone = {{ type = \"digits\", len = 11 }}"),
            "{ bucket = 32, of = [\"m\"] }, { field = \"m\" }, { field = \"phone\" }",
            "[split]\nby = \"bucket\"",
        )
    };
    let months = "type = \"time\", format = \"yyyyMM\", min = \"202001\", max = \"202012\"";
    let empty = |toml: &str| fact(&fires(toml, "SPL04"), "empty").as_array().unwrap().len();
    assert!(empty(&of(months)) >= 20, "12 months have 12 buckets at most");
    silent(&of("type = \"time\", format = \"yyyyMM\""), "SPL04");
}

#[test]
fn a_cluster_that_nine_tenths_of_are_used_of_is_used_well() {
    let of = |buckets: u32, servers: u32| {
        design(
            "id = { type = \"digits\", len = 8 }",
            &format!("{{ bucket = {buckets}, of = [\"id\"] }}, {{ field = \"id\" }}"),
            &format!("[cluster]\nservers = {servers}"),
        )
    };
    // 18 buckets use 90 % of 4 servers and of 5.
    silent(&of(18, 4), "SPL09");
    silent(&of(60, 1), "SPL09");
    let later = |buckets: u32, servers: u32| {
        let finding = fires(&of(buckets, servers), "SPL09");
        let percent = number(&finding, "percent").round();
        (finding.severity.name(), fact(&finding, "later").as_u64().unwrap(), percent)
    };
    assert_eq!(later(32, 16), ("info", 15, 71.0), "with one server fewer");
    assert_eq!(later(18, 6), ("info", 7, 86.0), "with one server more");
    assert_eq!(later(9, 10), ("info", 11, 82.0), "90 % of the servers there are are enough");
    assert_eq!(fires(&of(17, 10), "SPL09").severity.name(), "warning");
}

#[test]
fn what_limits_the_count_is_told() {
    let of = |field: &str, bucket: &str, servers: u32| {
        let toml = design(
            &format!("id = {{ {field} }}"),
            &format!("{{ {bucket} }}, {{ field = \"id\" }}"),
            &format!("[cluster]\nservers = {servers}"),
        );
        fires(&toml, "SPL09").help.expect("advice")
    };
    let ids = "type = \"digits\", len = 8";
    for (field, bucket, servers, told) in [
        (ids, "bucket = 200, of = [\"rest\"], hash = \"phoenix\"", 300, "phoenix makes 256 buckets at most"),
        (ids, "bucket = 300, hash = \"random\"", 80_000, "random makes 65536 buckets at most"),
        (
            "type = \"digits\", len = 1",
            "bucket = 4, of = [\"id\"]",
            13,
            "no count suits that the bucket's values",
        ),
    ] {
        let help = of(field, bucket, servers);
        assert!(help.starts_with(told), "{help}");
    }
}

#[test]
fn what_is_spread_over_the_servers_is_told_in_words() {
    let of = |fields: &str, bucket: &str, split: &str| {
        let parts = format!("{{ {bucket} }}, {{ field = \"id\" }}");
        let toml =
            design(fields, &parts, &format!("[split]\nby = \"bucket\"\n{split}\n[cluster]\nservers = 6"));
        fires(&toml, "SPL09").message
    };
    let ids = "id = { type = \"digits\", len = 8 }";
    let sixteen = "bucket = 16, of = [\"id\"]";
    for (split, words) in [
        ("regions = 1", "1 region of 16 buckets on 6 servers: the ceiling is 17 % of the cluster"),
        ("regions = 2", "2 regions of 16 buckets on 6 servers: the ceiling is 33 % of the cluster"),
        ("regions = 16", "16 buckets on 6 servers: the ceiling is 89 % of the cluster"),
        ("", "16 buckets on 6 servers: the ceiling is 89 % of the cluster"),
    ] {
        assert_eq!(of(ids, sixteen, split), words);
    }
    let one = of(ids, "bucket = 1, of = [\"id\"]", "");
    assert_eq!(one, "1 bucket on 6 servers: the ceiling is 17 % of the cluster");
    let eight =
        of("id = { type = \"int\", min = 0, max = 7 }", "bucket = 16, hash = \"mod\", of = [\"id\"]", "");
    assert_eq!(eight, "the 8 of 16 buckets that rows have on 6 servers: the ceiling is 67 % of the cluster");
}

#[test]
fn a_bucket_stays_as_wide_as_it_was_meant_to_be() {
    let of = |width: &str| {
        design(
            "id = { type = \"digits\", len = 8 }",
            &format!("{{ bucket = 10, of = [\"id\"]{width} }}, {{ field = \"id\" }}"),
            "[cluster]\nservers = 8",
        )
    };
    assert!(mends_now(&of(", width = 3")).contains("{ bucket = 60, of = [\"id\"], width = 3 }"));
    assert!(mends_now(&of(", width = 1")).contains("{ bucket = 60, of = [\"id\"]}"));
    assert!(mends_now(&of("")).contains("{ bucket = 60, of = [\"id\"] }"));
}

#[test]
fn empty_points_are_left_out() {
    let finding = fires(&listed("\"\", \"008\""), "SPL08");
    assert_eq!(finding.message, "the split can't be made: a point is empty");
    assert!(mends(&listed("\"\", \"008\""), "SPL08").contains("points = [\"008\"]"));
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
fn regions_are_counted_for_each_server() {
    let of = |most: u32| {
        seed_003(&format!("[split]\nby = \"bucket\"\n[cluster]\nservers = 3\nregions_per_server = {most}"))
    };
    silent(&of(6), "SPL13");
    let finding = fires(&of(5), "SPL13");
    assert_eq!(finding.message, "16 regions on 3 servers are up to 6 each, above the 5 that one should hold");
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

#[test]
fn regions_are_counted_for_buckets_where_points_are_counted_by_hand() {
    let of = |buckets: u32, split: &str| {
        design(
            "id = { type = \"digits\", len = 8 }",
            &format!("{{ bucket = {buckets}, of = [\"id\"] }}, {{ field = \"id\" }}"),
            &format!("[split]\n{split}"),
        )
    };
    let points = |count: u32| {
        let points: Vec<String> = (0..count).map(|n| format!("\"{n:02}\"")).collect();
        format!("by = \"list\"\npoints = [{}]", points.join(", "))
    };
    let told = |count: u32| fires(&of(16, &points(count)), "SPL15").message;
    assert_eq!(told(16), "16 points make 17 regions, for 16 buckets");
    assert_eq!(told(17), "17 points make 18 regions, for 16 buckets");
    silent(&of(16, &points(15)), "SPL15");
    silent(&of(16, &points(18)), "SPL15");
    silent(&of(15, "by = \"HexStringSplit\"\nregions = 16"), "SPL15");
}

#[test]
fn a_bucket_that_is_too_narrow_is_widened() {
    let of = |parts: &str, split: &str| {
        design("id = { type = \"digits\", len = 8 }", &format!("{parts}{{ field = \"id\" }}"), split)
    };
    let bucket = "{ bucket = 11, of = [\"id\"], width = 1 }, ";
    let alone = mends(&of(bucket, ""), "SPL02");
    assert!(alone.contains("width = 2 }") && !alone.contains("split"), "{alone}");
    let keys = "[split]\nby = \"partition-keys\"\nregions = 11";
    let behind = fires(&of(&format!("{{ text = \"x\" }}, {bucket}"), keys), "SPL02");
    assert_eq!(behind.help.unwrap(), "write buckets 2 wide, and make the table's split points anew");
    let in_front = mends(&of(bucket, keys), "SPL02");
    assert!(in_front.contains("width = 2 }") && in_front.contains("by = \"bucket\""), "{in_front}");
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

#[test]
fn shares_are_judged_of_values_that_are_declared() {
    let of = |bound: &str, algorithm: &str, regions: u32| {
        design(
            &format!("id = {{ type = \"u64\"{bound} }}"),
            "{ field = \"id\" }",
            &format!("[split]\nby = \"{algorithm}\"\nregions = {regions}"),
        )
    };
    silent(&of("", "DecimalStringSplit", 4), "SPL07");
    fires(&of(", max = 1999999", "DecimalStringSplit", 4), "SPL07");
    assert!(fires(&of("", "UniformSplit", 2), "SPL07").fix.is_none());
    assert!(fires(&of(", max = 9999999", "UniformSplit", 2), "SPL07").fix.is_some());
}

#[test]
fn regions_that_another_case_leaves_empty_are_told_as_such() {
    let toml = design(
        "id = { type = \"uuid\" }",
        "{ field = \"id\", as = \"text\" }",
        "[split]\nby = \"list\"\npoints = [\"4\", \"8\", \"A\", \"C\"]",
    );
    fires(&toml, "ENC10");
    silent(&toml, "SPL04");
}
