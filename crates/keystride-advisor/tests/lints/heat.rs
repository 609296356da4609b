//! Heat: what leads the key, and what spreads it.

use crate::judge::{design, fact, fires, silent};

#[test]
fn a_field_that_stands_twice_counts_once() {
    let toml = |parts: &str| {
        let fields = "d = { type = \"string\", max_len = 8, distinct = 3 }\n\
                      u = { type = \"digits\", len = 8 }\nts = { type = \"time\", unit = \"s\" }";
        design(fields, parts, "[cluster]\nservers = 8")
    };
    let hashed =
        "{ field = \"d\", hash = { name = \"xxh3\", bytes = 4 } }, { field = \"d\" }, { text = \"!\" }, ";
    let finding = fires(&toml(&format!("{hashed}{{ field = \"ts\" }}, {{ field = \"u\" }}")), "HOT02");
    assert_eq!((fact(&finding, "values"), fact(&finding, "fields")), (&3.0.into(), &"d".into()));
}

#[test]
fn the_beginning_of_a_time_s_text_is_as_wide_as_it_says() {
    let toml = |format: &str, len: usize| {
        let fields = format!(
            "ts = {{ type = \"time\", format = \"{format}\" }}\nmonth = {{ from = \"left(ts,{len})\" }}\n\
             u = {{ type = \"digits\", len = 8 }}"
        );
        let rest = "[workload]\nrows_per_s = 90000\nretention = \"90d\"\n[access.a]\nby = [\"month\", \"u\"]";
        design(&fields, "{ field = \"month\" }, { field = \"u\" }, { field = \"ts\" }", rest)
    };
    for toml in [toml("yyyyMMddHHmmss", 6), toml("yyyy-MM-dd HH:mm:ss", 7)] {
        fires(&toml, "HOT01");
        fires(&toml, "HOT07");
        for id in ["ENC02", "RD05", "SIZ03"] {
            silent(&toml, id);
        }
    }
    let reversed =
        toml("yyyy-MM-dd", 7).replace("{ field = \"month\" }", "{ field = \"month\", reverse = true }");
    silent(&reversed, "ENC12");
}

#[test]
fn a_frequent_value_is_spread_by_a_bucket_behind_it_but_not_by_two_values() {
    let toml = |behind: &str| {
        let fields = "d = { type = \"digits\", len = 4, max_share = 0.5 }\nu = { type = \"digits\", len = 8 }\n\
                      flag = { type = \"bool\" }\nts = { type = \"time\", unit = \"ms\" }";
        let parts = format!("{{ field = \"d\" }}, {behind}, {{ field = \"ts\" }}, {{ field = \"u\" }}");
        design(fields, &parts, "[cluster]\nservers = 8")
    };
    silent(&toml("{ bucket = 16, of = [\"u\"] }"), "HOT03");
    silent(&toml("{ field = \"u\" }"), "HOT03");
    fires(&toml("{ field = \"flag\" }"), "HOT03");
    fires(&toml("{ bucket = 16, of = [\"d\"] }"), "HOT03");
    silent(&toml("{ bucket = 16, of = [\"rest\"] }"), "HOT03");
}

#[test]
fn a_frequent_cut_is_spread_by_the_whole_but_a_frequent_value_is_not_by_its_cut() {
    let toml = |phone: &str, cut: &str, parts: &str| {
        let fields = format!(
            "phone = {{ type = \"digits\", len = 11, distinct = 1000000{phone} }}\n\
             d = {{ from = \"left(phone,3)\"{cut} }}\nts = {{ type = \"time\", unit = \"ms\" }}"
        );
        design(&fields, &format!("{parts}, {{ field = \"ts\" }}"), "[cluster]\nservers = 8")
    };
    let both = "{ field = \"d\" }, { field = \"phone\" }";
    silent(&toml("", ", max_share = 0.5", both), "HOT03");
    fires(&toml(", max_share = 0.5", "", both), "HOT03");
    silent(&toml("", ", max_share = 0.5", "{ field = \"d\" }, { bucket = 16, of = [\"phone\"] }"), "HOT03");
}

#[test]
fn buckets_that_no_row_has_are_counted_by_no_lint() {
    let toml = design(
        "b = { type = \"bool\" }\nts = { type = \"time\", unit = \"ms\" }",
        "{ bucket = 16, of = [\"b\"] }, { field = \"ts\" }, { field = \"b\" }",
        "[split]\nby = \"bucket\"\n[cluster]\nservers = 8",
    );
    let empty = fires(&toml, "SPL04");
    assert_eq!((fact(&empty, "unreachable"), fact(&empty, "regions")), (&14.into(), &16.into()));
    assert!(empty.fix.is_none() && empty.help.is_some(), "{empty:?}");
    assert_eq!(fact(&fires(&toml, "SPL09"), "percent"), 25.0);
    assert_eq!(fact(&fires(&toml, "HOT09"), "tails"), 2);
}

#[test]
fn ends_fewer_than_the_servers_they_reach_meet_none() {
    let toml = |buckets: u32, points: &str| {
        design(
            "u = { type = \"digits\", len = 8 }\nts = { type = \"time\", unit = \"s\" }",
            &format!("{{ bucket = {buckets}, of = [\"u\"] }}, {{ field = \"ts\" }}, {{ field = \"u\" }}"),
            &format!("[split]\nby = \"list\"\npoints = [{points}]\n[cluster]\nservers = 8"),
        )
    };
    silent(&toml(2, "\"015\", \"1\", \"115\""), "SPL10");
    let eight: Vec<String> = (1..8).map(|bucket| format!("\"{bucket}\"")).collect();
    let halves: Vec<String> = (0..8).map(|bucket| format!("\"{bucket}15\"")).collect();
    let mut points = [eight, halves].concat();
    points.sort();
    assert_eq!(fact(&fires(&toml(8, &points.join(", ")), "SPL10"), "used"), 4);
}

#[test]
fn a_count_is_proposed_only_where_it_suits() {
    let toml = |buckets: u32, more: &str| {
        design(
            "u = { type = \"digits\", len = 8, distinct = 1000 }\nts = { type = \"time\", unit = \"ms\" }",
            &format!("{{ bucket = {buckets}{more} }}, {{ field = \"u\" }}, {{ field = \"ts\" }}"),
            "[cluster]\nservers = 8",
        )
    };
    let finding = fires(&toml(16, ", of = [\"u\"]"), "SPL09");
    assert!(finding.fix.is_none() && fact(&finding, "better").is_null(), "{finding:?}");
    let fixed = fires(&toml(16, ", hash = \"md5-hex1\", of = [\"rest\"], width = 3"), "SPL09");
    assert!(fixed.help.is_some_and(|help| help.contains("another hash")));
}

#[test]
fn a_fan_out_that_one_bucket_has_too_is_told_so() {
    let toml = design(
        "u = { type = \"digits\", len = 8 }\nts = { type = \"time\", unit = \"ms\" }",
        "{ bucket = 16, of = [\"rest\"] }, { field = \"u\" }, { field = \"ts\" }",
        "[cluster]\nservers = 2\n[access.a]\nby = [\"u\"]\nrate = 1e6",
    );
    let finding = fires(&toml, "SLT11");
    assert_eq!(fact(&finding, "single"), 25_000.0);
    let within = design(
        "u = { type = \"digits\", len = 8 }\nts = { type = \"time\", unit = \"ms\" }\ne = { type = \"digits\", len = 8 }",
        "{ bucket = 16, of = [\"u\"] }, { field = \"e\", hash = { name = \"xxh3\", bytes = 8 } }, { field = \"u\" }, { field = \"ts\" }, { field = \"e\" }",
        "[access.a]\nby = [\"u\"]\nrange = \"ts\"\nspan = \"1d\"",
    );
    assert_eq!(fact(&fires(&within, "SLT12"), "buckets"), 1);
}

#[test]
fn the_most_frequent_value_is_the_larger_of_a_cut_and_its_field() {
    let toml = |own: &str, of_source: &str| {
        let fields = format!(
            "u = {{ type = \"digits\", len = 9{of_source} }}\nd = {{ from = \"left(u,6)\"{own} }}\n\
             ts = {{ type = \"time\", unit = \"ms\" }}"
        );
        design(&fields, "{ field = \"d\" }, { field = \"ts\" }", "[cluster]\nservers = 8")
    };
    let share = |share: f64| format!(", max_share = {share}");
    for (own, of_source, percent) in [(0.5, 0.4, 50.0), (0.4, 0.5, 50.0), (0.4, 0.4, 40.0)] {
        let finding = fires(&toml(&share(own), &share(of_source)), "HOT03");
        assert_eq!(fact(&finding, "percent"), percent);
    }
    assert_eq!(fact(&fires(&toml("", &share(0.3)), "HOT03"), "percent"), 30.0);
    assert_eq!(fact(&fires(&toml(&share(0.2), ""), "HOT03"), "percent"), 20.0);
}

#[test]
fn a_value_is_spread_by_all_that_stands_between_it_and_the_clock() {
    let toml = |between: &str| {
        let fields = "d = { type = \"digits\", len = 4, max_share = 0.5 }\nu = { type = \"digits\", len = 8 }\n\
                      e = { from = \"left(u,4)\", max_share = 0.5 }\nflag = { type = \"bool\" }\n\
                      ts = { type = \"time\", unit = \"s\" }";
        design(fields, &format!("{between}, {{ field = \"ts\" }}"), "[cluster]\nservers = 8")
    };
    assert_eq!(
        fires(&toml("{ field = \"d\" }"), "HOT03").message,
        "one value of d has 50 % of the rows and what stands behind it does not spread them; \
         the limit on 8 servers is 3.6 %"
    );
    let with_buckets = |count: u32| {
        format!("{{ field = \"d\" }}, {{ field = \"flag\" }}, {{ bucket = {count}, of = [\"u\"] }}")
    };
    fires(&toml(&with_buckets(6)), "HOT03");
    silent(&toml(&with_buckets(8)), "HOT03");
    fires(&toml("{ field = \"e\" }"), "HOT03");
    fires(&toml("{ field = \"e\" }, { field = \"e\" }"), "HOT03");
    silent(&toml("{ field = \"e\" }, { field = \"u\" }"), "HOT03");
}

#[test]
fn bytes_before_the_first_that_vary_are_the_same_in_every_key() {
    let toml = |bucket: u32| {
        design(
            "id = { type = \"digits\", len = 8 }",
            &format!("{{ bucket = {bucket}, of = [\"id\"] }}, {{ text = \"x\" }}, {{ field = \"id\" }}"),
            "[split]\nby = \"HexStringSplit\"\nregions = 4",
        )
    };
    assert_eq!(
        fires(&toml(1), "HOT05").message,
        "the first 2 bytes of every key are \"0x\", and HexStringSplit cuts from the first byte"
    );
    silent(&toml(2), "HOT05");
}

#[test]
fn the_newest_rows_of_a_leading_clock_are_in_one_region() {
    let toml = |rate: u32, recent: f64, servers: u32| {
        design(
            "ts = { type = \"time\", unit = \"ms\" }\nid = { type = \"digits\", len = 9 }",
            "{ field = \"ts\" }, { field = \"id\" }",
            &format!(
                "[access.last]\nrange = \"ts\"\nspan = \"1m\"\nrate = {rate}\nrecent = {recent}\n\
                 [cluster]\nservers = {servers}\n[workload]\nretention = \"36h\""
            ),
        )
    };
    let finding = fires(&toml(600, 0.5, 8), "HOT12");
    assert_eq!(
        finding.message,
        "300 reads a second of access last want the newest rows, which lie on at most 1 of 8 servers"
    );
    for (rate, recent, severity) in [(600, 0.5, "info"), (600, 1.0, "info"), (1_400, 0.5, "warning")] {
        assert_eq!(fires(&toml(rate, recent, 8), "HOT12").severity.name(), severity, "{rate}");
    }
    fires(&toml(600, 0.5, 2), "HOT12");
    silent(&toml(600, 0.5, 1), "HOT12");
    silent(&toml(600, 0.0, 8), "HOT12");
    silent(&toml(0, 0.5, 8), "HOT12");
    let expiry = fires(&toml(600, 0.5, 8), "HOT07");
    assert_eq!(fact(&expiry, "kept_days"), 1.5);
}
