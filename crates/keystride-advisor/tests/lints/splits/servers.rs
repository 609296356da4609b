//! Regions beside the servers that hold them.

use super::{listed, mends_now};
use crate::judge::{design, fact, fires, mends, number, silent};
use crate::worked::seed_003;

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
fn fewer_regions_than_a_cluster_suits_are_as_many_as_buckets_again() {
    let toml = design(
        "id = { type = \"digits\", len = 11 }",
        "{ bucket = 60, of = [\"id\"] }, { field = \"id\" }",
        "[split]\nby = \"bucket\"\nregions = 10\n[cluster]\nservers = 8",
    );
    assert!(!mends_now(&toml).contains("regions = 10"));
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
fn regions_are_counted_for_each_server() {
    let of = |most: u32| {
        seed_003(&format!("[split]\nby = \"bucket\"\n[cluster]\nservers = 3\nregions_per_server = {most}"))
    };
    silent(&of(6), "SPL13");
    let finding = fires(&of(5), "SPL13");
    assert_eq!(finding.message, "16 regions on 3 servers are up to 6 each, above the 5 that one should hold");
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
