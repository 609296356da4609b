//! What findings count, as their sentences tell it.

use crate::judge::{design, findings, fires, mends, silent};

const ID: &str = "id = { type = \"digits\", len = 9 }\nts = { type = \"time\", unit = \"ms\" }";
const TAIL: &str = "{ field = \"ts\" }, { field = \"id\" }";

fn bucketed(bucket: &str, rest: &str) -> String {
    design(ID, &format!("{{ {bucket} }}, {TAIL}"), rest)
}

/// Each id's sentence about a design file.
#[track_caller]
fn tells(toml: &str, expected: &[(&str, &str)]) {
    for (id, sentence) in expected {
        assert_eq!(fires(toml, id).message, *sentence, "{id}\n{toml}");
    }
}

#[test]
fn pairs_of_rows_are_counted_by_what_tells_them_apart() {
    let toml = |len: u32, steps: &str, unit: &str, rate: &str| {
        design(
            &format!("id = {{ type = \"digits\", len = {len} }}\nts = {{ type = \"time\", {unit} }}"),
            &format!("{{ field = \"id\" }}, {{ field = \"ts\"{steps} }}"),
            &format!("[workload]\nrows_per_s = {rate}"),
        )
    };
    let second = "unit = \"s\"";
    tells(
        &toml(4, "", second, "1000"),
        &[(
            "UNQ02",
            "expect 1.58 billion pairs of rows a year that share a key: 10,000 entities with 8,640 rows a day each, \
             and times to 1 s",
        )],
    );
    tells(
        &toml(8, ", floor = \"1h\"", second, "1"),
        &[(
            "UNQ02",
            "expect 568 pairs of rows a year that share a key: 100 million entities with 0.0009 rows a day each, \
             and times to 3600 s",
        )],
    );
    for (text, seconds) in [
        ("unit = \"ms\"", 0.001),
        ("format = \"yyyyMMddHHmmssSSS\"", 0.001),
        ("format = \"yyyyMMddHHmmss\"", 1.0),
        ("format = \"yyyyMMddHHmm\"", 60.0),
        ("format = \"yyyyMMddHH\"", 3_600.0),
        ("format = \"yyyyMMdd\"", 86_400.0),
        ("format = \"yyyyMM\"", 2_592_000.0),
        ("format = \"yyyy\"", 31_536_000.0),
        ("unit = \"ms\", input = \"epoch-s\"", 1.0),
        ("unit = \"ms\", input = \"yyyy-MM-dd\"", 86_400.0),
        ("unit = \"ms\", input = \"iso8601\"", 0.001),
    ] {
        let finding = fires(&toml(4, "", text, "1000"), "UNQ02");
        assert_eq!(finding.evidence["seconds"], seconds, "{text}");
    }
}

#[test]
fn hashes_are_counted_in_bits() {
    let toml = |distinct: &str, hash: &str| {
        design(
            &format!("u = {{ type = \"string\", max_len = 40{distinct} }}"),
            &format!("{{ field = \"u\", hash = {{ name = \"md5\", {hash} }} }}"),
            "",
        )
    };
    tells(
        &toml(", distinct = 3000000", "hex = 9"),
        &[(
            "UNQ06",
            "the key has only 36 bits of a hash of u: of 3 million values, 65 pairs are expected to share one",
        )],
    );
    tells(
        &toml("", "bytes = 4"),
        &[(
            "UNQ06",
            "the key has only 32 bits of a hash of u: two of 77,163 values share one with even odds",
        )],
    );
    fires(&toml("", "bytes = 7"), "UNQ06");
    silent(&toml("", "bytes = 8"), "UNQ06");
    silent(&toml("", "hex = 16"), "UNQ06");
}

#[test]
fn a_field_behind_its_hash_can_be_written_and_read_there() {
    let toml = |kind: &str, after: &str| {
        let hashed_as = if kind == "\"f64\"" { "as = \"be\", " } else { "" };
        design(
            &format!("v = {{ type = {kind} }}\nid = {{ type = \"digits\", len = 9 }}"),
            &format!("{{ field = \"v\", {hashed_as}hash = {{ name = \"murmur3\", bytes = 4 }} }}{after}"),
            "",
        )
    };
    for (kind, steps_before_more, steps_at_the_end) in [
        ("\"time\", unit = \"ms\"", ", as = \"be\"", ", as = \"be\""),
        ("\"time\", format = \"yyyyMMddHHmmss\"", "", ""),
        ("\"i64\"", ", as = \"ordered\"", ", as = \"ordered\""),
        ("\"f64\"", ", as = \"ordered\"", ", as = \"ordered\""),
        ("\"string\"", ", escape = true", ""),
        ("\"bytes\"", ", escape = true", ""),
        ("\"uuid\"", "", ""),
    ] {
        for (after, steps) in [(", { field = \"id\" }", steps_before_more), ("", steps_at_the_end)] {
            let patched = mends(&toml(kind, after), "UNQ06");
            let whole = format!("{{ field = \"v\"{steps} }}");
            assert!(patched.replace("}]", "} ]").contains(&whole), "{kind}: {patched}");
        }
    }
}

#[test]
fn the_cost_of_buckets_is_counted() {
    let rest = "[workload]\nrows_per_s = 60\nretention = \"30d\"\n[cluster]\nservers = 3\nputs_per_s = 500\n\
                [access.day]\nrange = \"ts\"\nspan = \"6h\"\nrate = 30\n[access.id]\nby = [\"id\"]\nrate = 2\n\
                [access.last]\norder = \"newest\"\nrate = 100";
    tells(
        &bucketed("bucket = 16, of = [\"id\"]", rest),
        &[
            ("SPL09", "16 buckets on 3 servers: the ceiling is 89 % of the cluster"),
            (
                "SLT11",
                "opening 2,080 ranges a second takes 35 % of the cluster; up to 9 buckets stay below 20 %",
            ),
            (
                "SLT10",
                "60 rows a second are 12.0 % of what one server takes: 16 buckets turn every scan into 16 ranges and \
                 gain nothing",
            ),
            (
                "HOT09",
                "after some splits, chance puts the 16 regions that take new rows on 3 servers: \
                 expect 1.4 times the mean on the busiest",
            ),
        ],
    );
    let wide = bucketed("bucket = 16, of = [\"id\"], width = 5", "");
    tells(&wide, &[("SLT13", "the bucket takes 5 bytes for 16 buckets, where 1 would do")]);
    assert_eq!(fires(&wide, "SLT13").notes, ["4 bytes less in each row"]);
    let patched = mends(&wide, "SLT13");
    assert!(patched.contains("{ bucket = 16, of = [\"id\"], base = \"byte\" }"), "{patched}");
    let many = bucketed("bucket = 257, of = [\"id\"], width = 5", "");
    tells(&many, &[("SLT13", "the bucket takes 5 bytes for 257 buckets, where 2 would do")]);
    let few = bucketed(
        "bucket = 10, of = [\"id\"]",
        "[cluster]\nservers = 8\nregions_per_server = 1\n[split]\nby = \"bucket\"",
    );
    tells(
        &few,
        &[
            ("SPL09", "10 buckets on 8 servers: the ceiling is 62 % of the cluster"),
            ("SPL13", "10 regions on 8 servers are up to 2 each, above the 1 that one should hold"),
        ],
    );
    let fewer_regions = bucketed(
        "bucket = 16, of = [\"id\"]",
        "[cluster]\nservers = 4\n[split]\nby = \"bucket\"\nregions = 4",
    );
    tells(
        &fewer_regions,
        &[("SPL09", "4 regions of 16 buckets suit 4 servers, but on 3 the ceiling is 67 % of the cluster")],
    );
}

#[test]
fn what_is_wrong_with_split_points_is_counted() {
    let by_list = |points: &str| {
        bucketed("bucket = 4, of = [\"id\"]", &format!("[split]\nby = \"list\"\npoints = [{points}]"))
    };
    tells(
        &by_list("\"1\", \"2\", \"3\", \"4\""),
        &[
            ("SPL06", "1 of 5 regions can never receive a key: none sorts at or after \"4\""),
            ("SPL15", "4 points make 5 regions, for 4 buckets"),
        ],
    );
    let first = by_list("\"0\", \"1\", \"2\", \"3\"");
    tells(
        &first,
        &[
            ("SPL05", "1 of 5 regions can never receive a key"),
            ("SPL15", "4 points make 5 regions, for 4 buckets"),
        ],
    );
    assert_eq!(fires(&first, "SPL05").notes, ["4 points make 5 regions; these stay empty: 0"]);
    tells(&by_list("\"1\", \"2\", \"3\", \"3\""), &[("SPL08", "split point 3 is given twice")]);
    tells(
        &by_list("\"1\", \"3\", \"2\""),
        &[("SPL08", "split point 2 stands after 3, before which it sorts; HBase and keystride sort them")],
    );
    let narrow = bucketed("bucket = 12, of = [\"id\"], width = 1", "[split]\nby = \"bucket\"");
    tells(
        &narrow,
        &[
            ("SPL02", "bucket 11 is written \"11\", wider than the width of 1"),
            (
                "SPL01",
                "buckets and regions do not match: region 2 receives buckets 1 and 10, regions without a key: none",
            ),
        ],
    );
    let narrow_points =
        bucketed("bucket = 12, of = [\"id\"]", "[split]\nby = \"partition-keys\"\nregions = 12\nwidth = 1");
    tells(&narrow_points, &[("SPL02", "partition keys for 12 regions are 1 wide, but bucket 11 takes 2")]);
    let by = |algorithm: &str| {
        design(
            ID,
            "{ field = \"id\" }, { field = \"ts\" }",
            &format!("[split]\nby = \"{algorithm}\"\nregions = 16"),
        )
    };
    tells(
        &by("HexStringSplit"),
        &[(
            "SPL07",
            "HexStringSplit does not suit these keys: 10 of 16 regions are used, \
             and region 2 takes 1.6 times its share",
        )],
    );
    tells(
        &by("UniformSplit"),
        &[(
            "SPL07",
            "UniformSplit does not suit these keys: 1 of 16 regions are used, \
             and region 3 takes 16.0 times its share",
        )],
    );
}

#[test]
fn reads_in_vain_are_counted() {
    let toml = design(
        ID,
        "{ field = \"id\" }, { field = \"ts\" }",
        "[access.day]\nrange = \"ts\"\nspan = \"1d\"\nrate = 5\n[workload]\nrows_per_s = 1000\n\
         retention = \"90d\"\n[cluster]\nservers = 3",
    );
    tells(
        &toml,
        &[("RD01", "access day reads the whole table, 7.78 billion rows, 90 for each one returned")],
    );
    let of_month = design(
        ID,
        "{ bucket = 16, of = [\"id\", \"floor(ts,1mo)\"] }, { field = \"id\" }, { field = \"ts\" }",
        "[access.quarter]\nby = [\"id\"]\nrange = \"ts\"\nspan = \"90d\"\n[access.id]\nby = [\"id\"]",
    );
    tells(
        &of_month,
        &[
            ("SLT05", "access id does not give floor(ts,1mo): it reads 16 ranges, in all 16 buckets"),
            (
                "RD08",
                "access quarter ranges over what the bucket is computed from, floor(ts,1mo): \
                 a typical range reads 3 of 16 buckets",
            ),
        ],
    );
    let queue = design(
        ID,
        TAIL,
        "[access.next]\norder = \"oldest\"\nlimit = 1\n[workload]\nrows_per_s = 1000\ndeletes = 0.9",
    );
    tells(
        &queue,
        &[(
            "RD09",
            "access next begins where rows are deleted: 90 % of them leave markers that it reads and skips",
        )],
    );
}

#[test]
fn what_goes_wrong_with_a_random_bucket_is_listed() {
    let toml = |rest: &str| bucketed("bucket = 16, hash = \"random\"", rest);
    for (rest, reasons) in [
        ("", "read by ranges alone"),
        ("[access.id]\nby = [\"id\"]", "read by ranges alone"),
        ("[access.day]\nby = [\"id\"]\nrange = \"ts\"", "read by ranges alone"),
        ("[workload]\ndeletes = 0", "read by ranges alone"),
        ("[access.one]\nby = [\"id\", \"ts\"]", "access one is a get"),
        ("[workload]\ndeletes = 0.1", "rows are deleted"),
        (
            "[input]\ndelivery = \"at-least-once\"\n[access.one]\nby = [\"id\", \"ts\"]\n[workload]\ndeletes = 0.1",
            "rows are delivered at least once, access one is a get and rows are deleted",
        ),
    ] {
        let finding = fires(&toml(rest), "SLT04");
        let expected = format!(
            "the bucket is random: one get is 16 gets, and a repeated row is a second row ({reasons})"
        );
        assert_eq!(finding.message, expected);
        let severity = if reasons == "read by ranges alone" { "warning" } else { "error" };
        assert_eq!(finding.severity.name(), severity, "{rest}");
    }
}

#[test]
fn the_names_of_families_are_measured() {
    let toml = |families: &str, columns: &str| {
        design(
            "id = { type = \"digits\", len = 6 }\nv = { type = \"i32\" }\nw = { type = \"i32\" }",
            "{ field = \"id\" }",
            columns,
        )
        .replace("families.f = { encoding = \"fast-diff\", compression = \"zstd\" }", families)
    };
    let columns = |family: &str, [v, w]: [&str; 2]| {
        format!(
            "[columns]\nv = {{ family = \"{family}\", qualifier = \"{v}\" }}\n\
             w = {{ family = \"{family}\", qualifier = \"{w}\" }}"
        )
    };
    let named = toml("families = [\"fam\"]", &columns("fam", ["velocity", "width"]));
    tells(
        &named,
        &[
            ("SIZ01", "names take 9.5 bytes of every cell: family \"fam\" and qualifiers of 6.5 on average"),
            (
                "SIZ02",
                "family \"fam\" has no encoding and no compression: each of the 2 cells of a row repeats its key of \
                 at least 6 bytes, 6 bytes more than once",
            ),
        ],
    );
    silent(&toml("families = [\"fa\"]", &columns("fa", ["velocity", "qualifie"])), "SIZ01");
    fires(&toml("families = [\"fa\"]", &columns("fa", ["velocity", "qualifier"])), "SIZ01");
    let raw = toml(
        "families.a = { ttl = \"10d\", versions = 3, block_size = \"32KiB\", bloom = \"rowcol\", in_memory = true }\n\
         families.\"b.c\" = { compression = \"snappy\" }\nfamilies.d = { encoding = \"prefix\" }",
        &columns("a", ["v", "w"]),
    );
    let patched = mends(&raw, "SIZ02");
    let written = "families = { a = { versions = 3, ttl = \"864000s\", compression = \"zstd\", bloom = \"rowcol\", \
                   encoding = \"fast-diff\", block_size = \"32768B\", in_memory = true }, \
                   \"b.c\" = { compression = \"snappy\" }, d = { encoding = \"prefix\" } }";
    assert!(patched.contains(written), "{patched}");
    assert!(findings(&patched).iter().all(|finding| finding.id.name() != "SIZ04"));
}
