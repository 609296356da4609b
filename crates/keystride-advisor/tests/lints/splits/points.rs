//! Points that are listed or made, beside the keys that there are.

use keystride::{Design, KeyCodec, SplitPoints};
use keystride_advisor::lint::{Subject, lint};

use super::listed;
use crate::judge::{design, fact, fires, mends, silent};
use crate::worked::FLIGHTS;

#[test]
fn a_point_given_twice_is_an_error_and_one_out_of_order_a_warning() {
    assert_eq!(fires(&listed("\"008\", \"008\""), "SPL08").severity.name(), "error");
    assert_eq!(fires(&listed("\"008\", \"004\""), "SPL08").severity.name(), "warning");
    silent(&listed("\"004\", \"008\""), "SPL08");
}

#[test]
fn cutting_inside_buckets_is_sound() {
    silent(&listed("\"0002\", \"001\", \"0012\", \"002\", \"0022\", \"003\""), "SPL05");
    let points: Vec<String> =
        (0..16).flat_map(|n| [format!("\"{n:03}\""), format!("\"{n:03}1999\"")]).skip(1).collect();
    silent(&listed(&points.join(", ")), "SPL01");
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
fn points_of_a_table_that_exists_are_judged_without_a_patch() {
    let codec = KeyCodec::new(Design::from_toml(FLIGHTS).unwrap());
    let points = SplitPoints::new(["0", "1", "2", "3", "4", "5", "6", "7", "8"]).unwrap();
    let findings = lint(&Subject::new(&codec).with_table_points(&points));
    let finding = findings.iter().find(|finding| finding.id.name() == "SPL05").unwrap();
    assert_eq!(fact(finding, "empty").to_string(), "[0,9]");
    assert!(finding.fix.is_none());
}

#[test]
fn empty_points_are_left_out() {
    let finding = fires(&listed("\"\", \"008\""), "SPL08");
    assert_eq!(finding.message, "the split can't be made: a point is empty");
    assert!(mends(&listed("\"\", \"008\""), "SPL08").contains("points = [\"008\"]"));
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
fn regions_that_another_case_leaves_empty_are_told_as_such() {
    let toml = design(
        "id = { type = \"uuid\" }",
        "{ field = \"id\", as = \"text\" }",
        "[split]\nby = \"list\"\npoints = [\"4\", \"8\", \"A\", \"C\"]",
    );
    fires(&toml, "ENC10");
    silent(&toml, "SPL04");
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
