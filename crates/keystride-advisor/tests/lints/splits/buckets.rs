//! Buckets beside the values they are computed from.

use super::{listed, mends_now};
use crate::judge::{design, fact, fires, mends, silent};
use crate::worked::seed_003;

#[test]
fn an_even_part_of_the_buckets_a_region_is_sound() {
    silent(&seed_003("[split]\nby = \"bucket\"\nregions = 4"), "SPL01");
    silent(&listed("\"004\", \"008\", \"012\""), "SPL01");
    let finding = fires(&listed("\"005\""), "SPL01");
    assert_eq!(fact(&finding, "full").to_string(), "[1]");
    assert_eq!(fact(&finding, "max_over_mean"), 1.375);
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
