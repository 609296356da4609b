//! Tables, families, split points, and what is declared of their use.

use keystride::Design;

use crate::told::{BYTES, SPREAD, complaints, placed};

#[test]
fn names_of_tables_and_families_are_those_that_hbase_takes() {
    let told = |name: &str, families: &str, key: &str| {
        let toml = format!(
            "format = 1\n[table]\nname = \"{name}\"\nfamilies = {families}\n[fields]\n\
             v = {{ type = \"digits\", len = 4 }}\n[key]\n{key}"
        );
        match Design::from_toml(&toml) {
            Ok(_) => Vec::new(),
            Err(error) => error.complaints.iter().map(ToString::to_string).collect(),
        }
    };
    let (family, part) = ("[\"f\"]", "parts = [ { field = \"v\" } ]");
    let (namespace, qualifier) = ("a namespace of letters, digits and _", "letters, digits, _, - and .");
    let first = "a name that does not begin with - or .";
    let zookeeper = "a name other than zookeeper, which HBase keeps for itself";
    for (name, expected) in [
        ("a:b:c", qualifier),
        (":t", namespace),
        ("n-s:t", namespace),
        ("n.s:t", namespace),
        ("t:", qualifier),
        ("a b", qualifier),
        (".a", first),
        ("ns:-a", first),
        ("zookeeper", zookeeper),
        ("ns:zookeeper", zookeeper),
    ] {
        assert_eq!(
            told(name, family, part),
            [format!("table.name: table name \"{name}\": expected {expected}")]
        );
    }
    for name in ["ns:t", "n_s:a-b.c_d", "zookeepers", "é_1"] {
        assert_eq!(told(name, family, part), [""; 0], "{name}");
    }
    let long = "a".repeat(128);
    for name in ["", ".a", "a:b", "a/b", "a\\\\b", "a\\u0007", "recovered.edits", long.as_str()] {
        let shown = name.replace("\\u0007", "\u{7}").replace("\\\\", "\\");
        assert_eq!(
            told("t", &format!("[\"{name}\"]"), part),
            [format!(
                "table.families: family \"{shown}\": expected 1 to 127 printable bytes without :, / and \\, \
                 not beginning with a dot, other than recovered.edits"
            )]
        );
    }
    assert_eq!(told("t", &format!("[\"{}\", \"a.b\", \"é\"]", &long[1..]), part), [""; 0]);
    assert_eq!(told("t", "[\"a\", \"b\", \"a\"]", part), ["table.families: family \"a\" is declared twice"]);
    assert_eq!(told("t", "[]", part), ["table.families: a table has at least one family"]);
    assert_eq!(told("t", family, ""), ["key: \"parts\" is missing"]);
    assert_eq!(told("t", family, "parts = []"), ["key.parts: a key has at least one part"]);
    assert_eq!(told("t", family, "parts = 3"), ["key.parts: expected a list, found a whole number"]);
}

#[test]
fn what_a_family_of_hbase_can_t_hold_is_told() {
    for (words, told) in [
        ("ttl = \"50000d\"", "4320000000 seconds: expected at most 2147483647 seconds"),
        ("ttl = \"4000000000s\"", "4000000000 seconds: expected at most 2147483647 seconds"),
        ("block_size = \"8GiB\"", "8589934592 bytes: expected at most 2147483647 bytes"),
    ] {
        let toml = format!(
            "format = 1\n[table]\nname = \"t\"\nfamilies.f = {{ {words} }}\n[fields]\n{BYTES}\n[key]\nparts = [ {{ field = \"w\", as = \"be\" }} ]\n"
        );
        let error = Design::from_toml(&toml).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn hbase_is_told_what_is_not_its_default() {
    use keystride::design::Family;
    let toml = "format = 1\n[table]\nname = \"t\"\non_same_key = \"replace\"\n[table.families]\nplain = {}\n\
                all = { versions = 3, ttl = \"10d\", compression = \"zstd\", bloom = \"rowcol\", encoding = \"fast-diff\", \
                block_size = \"32KiB\", in_memory = true }\n[fields]\nv = { type = \"digits\", len = 4 }\n[key]\n\
                parts = [ { field = \"v\" } ]";
    let design = Design::from_toml(toml).unwrap();
    let attributes: Vec<_> = design.table().families.iter().map(Family::hbase_attributes).collect();
    let all = [
        ("VERSIONS", "3"),
        ("TTL", "864000"),
        ("COMPRESSION", "ZSTD"),
        ("BLOOMFILTER", "ROWCOL"),
        ("DATA_BLOCK_ENCODING", "FAST_DIFF"),
        ("BLOCKSIZE", "32768"),
        ("IN_MEMORY", "true"),
    ];
    assert_eq!(attributes, [Vec::new(), all.map(|(word, value)| (word, value.to_owned())).to_vec()]);
    assert_eq!(design.table().on_same_key.map(keystride::design::OnSameKey::word), Some("replace"));
}

#[test]
fn a_design_may_ask_for_as_many_regions_as_a_rule_makes() {
    let told = |regions: usize| {
        let split = format!("[split]\nby = \"HexStringSplit\"\nregions = {regions}\n");
        complaints(SPREAD, "{ field = \"v\" }", &split)
    };
    let most = keystride::split::MAX_REGIONS;
    assert_eq!(told(most), [""; 0]);
    let refused = format!("split.regions: {}: expected a whole number from 1 to {most}", most + 1);
    assert_eq!(told(most + 1), [refused]);
}

#[test]
fn rates_and_shares_have_limits() {
    let v = "v = { type = \"digits\", len = 4 }";
    let placed = |tables: &str| placed(v, "{ field = \"v\" }", tables);
    for (table, word, told) in [
        ("cluster", "servers = 0", "0 | cluster.servers: 0: expected a whole number from 1 to 100000"),
        (
            "cluster",
            "servers = 1\nputs_per_s = 0.5",
            "0.5 | cluster.puts_per_s: 0.5: expected a number of at least 1",
        ),
        ("workload", "rows_per_s = nan", "nan | workload.rows_per_s: NaN: expected a number of at least 0"),
        ("workload", "rows_per_s = inf", "inf | workload.rows_per_s: inf: expected a number of at least 0"),
        ("workload", "rows_per_s = \"1\"", "\"1\" | workload.rows_per_s: expected a number, found a text"),
        ("workload", "deletes = 1.5", "1.5 | workload.deletes: 1.5: expected a share from 0 to 1"),
        (
            "workload",
            "peak = { for = \"1m\" }",
            "{ for = \"1m\" } | workload.peak: \"rows_per_s\" is missing",
        ),
        (
            "workload",
            "row_bytes = 0",
            "0 | workload.row_bytes: 0: expected a whole number from 1 to 9223372036854775807",
        ),
        ("access.a", "rate = -1", "-1 | access.a.rate: -1: expected a number of at least 0"),
        ("access.a", "recent = 2", "2 | access.a.recent: 2: expected a share from 0 to 1"),
        (
            "access.a",
            "limit = 0",
            "0 | access.a.limit: 0: expected a whole number from 1 to 9223372036854775807",
        ),
        (
            "access.a",
            "range = \"v\"\nprefix = \"v\"",
            "\"v\" | access.a.prefix: \"range\" and \"prefix\" contradict each other: one field of a query is ranged",
        ),
    ] {
        assert_eq!(placed(&format!("[{table}]\n{word}")), [told]);
    }
    let least = "[cluster]\nservers = 1\nputs_per_s = 1\n[workload]\nrows_per_s = 0\ndeletes = 1\n\
                 peak = { rows_per_s = 0 }\nrow_bytes = \"2KiB\"\n[access.a]\nrate = 0\nrecent = 1\nlimit = 1";
    assert_eq!(placed(least), [""; 0]);
}

#[test]
fn nothing_lasts_for_no_time_and_no_cut_is_empty() {
    let part = "{ field = \"w\" }";
    let told = complaints("w = { type = \"i32\" }", part, "[workload]\nretention = \"0s\"\n");
    assert!(told.len() == 1 && told[0].starts_with("workload.retention: \"0s\": expected "), "{told:?}");
    for (count, is_good) in [("0", false), ("1", true), ("32767", true), ("32768", false)] {
        let fields = format!(
            "w = {{ type = \"i32\" }}\ns = {{ type = \"string\" }}\nd = {{ from = \"left(s,{count})\" }}"
        );
        let told = complaints(&fields, part, "");
        assert_eq!(told.is_empty(), is_good, "{told:?}");
        assert!(told.iter().all(|told| told.contains("a count from 1 to 32767")), "{told:?}");
    }
}
