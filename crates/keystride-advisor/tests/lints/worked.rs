//! The designs of the seed documents as the design file's page writes them, and a good one.

use crate::judge::{design, findings, serious, shown};

pub(crate) fn seed_000(buckets: u32, hash_of: &str, separator: &str, split: &str) -> String {
    design(
        "call1 = { type = \"digits\", len = 11 }\ncalltime = { type = \"time\", format = \"yyyyMMddHHmmss\" }",
        &format!(
            "{{ bucket = {buckets}, hash = \"java-xor\", of = [{hash_of}], width = 1 }}, {{ text = \"{separator}\" }}, \
             {{ field = \"call1\" }}, {{ text = \"{separator}\" }}, {{ field = \"calltime\" }}"
        ),
        split,
    )
}

pub(crate) const LAST_4_AND_MONTH: &str = "\"right(call1,4)\", \"left(calltime,6)\"";

pub(crate) fn seed_001() -> String {
    design(
        "id = { type = \"i32\" }",
        "{ field = \"id\", as = \"be\" }",
        "[split]\nby = \"list\"\nints = [1, 10, 15]",
    )
}

pub(crate) const SEED_002_FIELDS: &str = "user_id = { type = \"int\", min = 0, max = 2000 }
ts = { type = \"time\", unit = \"ms\" }
insert_ns = { type = \"int\" }";

pub(crate) fn seed_002(rest: &str) -> String {
    design(
        SEED_002_FIELDS,
        "{ field = \"user_id\" }, { text = \"_\" }, { field = \"ts\", desc = \"long-max\" }, { text = \"_\" }, \
         { field = \"insert_ns\" }",
        rest,
    )
}

pub(crate) fn seed_003(split: &str) -> String {
    design(
        "opera_time = { type = \"time\", format = \"yyyyMMddHHmmss\" }\nphone = { type = \"digits\", len = 11 }
rec_id = { type = \"digits\", len = 12 }",
        "{ bucket = 16, hash = \"md5-hex1\", of = [\"rest\"], width = 3 }, { field = \"opera_time\" }, \
         { field = \"phone\" }, { field = \"rec_id\" }",
        split,
    )
}

pub(crate) fn seed_004a(rest: &str) -> String {
    design(
        "user_id = { type = \"int\", min = 1, max = 9999999999 }\nts = { type = \"time\", unit = \"ms\" }",
        "{ field = \"user_id\", reverse = true }, { field = \"ts\", desc = \"long-max\" }",
        rest,
    )
}

pub(crate) const SEED_004B_FIELDS: &str = "event_id = { type = \"int\", min = 1, max = 999 }
day = { type = \"time\", format = \"yyyyMMdd\" }
partition = { type = \"int\", min = 0, max = 9999 }
offset = { type = \"int\", min = 0 }";

pub(crate) fn seed_004b(rest: &str) -> String {
    design(
        SEED_004B_FIELDS,
        "{ bucket = 100, hash = \"random\", width = 2 }, { field = \"event_id\" }, { field = \"day\" }, \
         { field = \"offset\" }",
        rest,
    )
}

fn seed_004b_repaired() -> String {
    design(
        SEED_004B_FIELDS,
        "{ bucket = 100, hash = \"xxh3\", of = [\"partition\", \"offset\"] }, { field = \"event_id\", pad = 3 }, \
         { field = \"day\" }, { field = \"partition\", pad = 4 }, { field = \"offset\", pad = 19 }",
        "[split]\nby = \"bucket\"",
    )
}

pub(crate) const FLIGHTS: &str = r#"
format = 1
[table]
name = "flights"
families.f = { compression = "zstd", encoding = "fast-diff" }
[fields]
tailnum = { type = "string", max_len = 6, alphabet = "0-9A-Z", default = "-" }
time    = { type = "time", unit = "s", input = "iso8601" }
carrier = { type = "string", max_len = 2, alphabet = "0-9A-Z" }
flight  = { type = "int", min = 1, max = 9999 }
origin  = { type = "string", max_len = 3, alphabet = "A-Z" }
dep_delay = { type = "int", min = -1440, max = 1440 }
[key]
parts = [
  { bucket = 8, of = ["tailnum"] },
  { field = "tailnum" },
  { text = "!" },
  { field = "time", desc = 9999999999 },
  { field = "carrier" },
  { text = "!" },
  { field = "flight", pad = 4 },
]
[columns]
dep_delay = { qualifier = "dd" }
[split]
by = "bucket"
[access.plane]
by = ["tailnum"]
order = "newest"
limit = 20
rate = 50
[access.plane_period]
by = ["tailnum"]
range = "time"
span = "30d"
rate = 1
"#;

#[test]
fn a_good_design_has_no_error_and_no_warning() {
    assert_eq!(serious(FLIGHTS), [""; 0], "{}", shown(&findings(FLIGHTS)));
}

#[test]
fn the_same_design_gives_the_same_findings() {
    let toml =
        seed_000(11, LAST_4_AND_MONTH, "_", "[split]\nby = \"partition-keys\"\nregions = 11\nsuffix = \"|\"");
    assert_eq!(findings(&toml), findings(&toml));
}

/// What is told of each design of the seed documents, information left out.
#[test]
fn the_seeds_own_designs_are_told_what_is_wrong_with_them() {
    let by_bucket = "[split]\nby = \"bucket\"";
    let told = [
        (seed_000(6, LAST_4_AND_MONTH, "_", "[split]\nby = \"bucket\"\nsuffix = \"|\""), vec![]),
        (seed_001(), vec!["warning ENC05"]),
        (seed_002(""), vec!["warning ENC01", "warning ENC03", "warning UNQ03"]),
        (seed_003(by_bucket), vec![]),
        (seed_004a(""), vec!["warning ENC12"]),
        (seed_004b(""), vec!["error ENC02", "error UNQ04", "warning SLT04", "warning ENC01"]),
        (seed_004b_repaired(), vec![]),
    ];
    for (toml, expected) in told {
        assert_eq!(serious(&toml), expected, "{}\n{toml}", shown(&findings(&toml)));
    }
}

#[test]
fn errors_come_first_then_the_files_order() {
    let all = findings(&seed_004b(""));
    let severities: Vec<_> = all.iter().map(|finding| finding.severity).collect();
    assert!(severities.is_sorted());
    let errors: Vec<_> = all.iter().filter(|finding| finding.severity.name() == "error").collect();
    assert!(errors.is_sorted_by_key(|finding| finding.span.as_ref().map(|span| span.start)));
    let toml = seed_004b("");
    assert!(toml[all[0].span.clone().unwrap()].contains("event_id"), "{}", all[0].component);
}
