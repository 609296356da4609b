//! What a predicate says about a field bounds the ranges to read, also where the key shows no end of a text, has only its
//! first characters, or has a field twice.

use keystride::escape::to_escaped;
use keystride::plan::PlanOrder;
use keystride::{Design, KeyCodec, Planner, Predicate};

const FIELDS: &str = "vin = { type = \"string\", max_len = 17, alphabet = \"0-9A-Z\" }\n\
                      cell = { type = \"string\" }\narea = { from = \"left(cell,3)\" }\n\
                      user = { type = \"string\" }\nn = { type = \"u32\" }\n\
                      ts = { type = \"time\", unit = \"s\" }\n";

fn ranges(parts: &str, predicate: &str) -> String {
    each_range(parts, predicate).join(" ")
}

/// Returns the ranges of a plan, as `start..stop`.
fn each_range(parts: &str, predicate: &str) -> Vec<String> {
    let design = Design::from_toml(&format!(
        "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n{FIELDS}[key]\nparts = [ {parts} ]\n"
    ));
    let planner = Planner::new(&KeyCodec::new(design.expect("a design")));
    let predicate = Predicate::parse(predicate, planner.codec().design()).expect("a predicate");
    let plan = planner.plan(Some(&predicate), PlanOrder::Any).expect("a plan");
    let ranges = plan.ranges.iter().map(|planned| {
        let (start, stop) = (planned.range.start(), planned.range.stop().unwrap_or_default());
        format!("{}..{}", to_escaped(start), to_escaped(stop))
    });
    ranges.collect()
}

#[test]
fn a_text_whose_end_the_key_does_not_show_is_bounded() {
    let parts = "{ field = \"vin\" }, { field = \"n\", as = \"be\" }";
    assert_eq!(ranges(parts, "vin like 'WVW%'"), "WVW..WVX");
    assert_eq!(ranges(parts, "vin >= 'WVW' and vin < 'WX'"), "WVW..WX");
    assert_eq!(ranges(parts, "vin <= 'W'"), "..", "a number that follows may begin with any byte");
    assert_eq!(ranges(parts, "vin between 'W' and 'WV'"), "W..X");
}

#[test]
fn texts_of_one_beginning_end_where_the_next_one_starts() {
    let parts = "{ field = \"user\" }, { text = \"|\" }, { field = \"n\" }";
    assert_eq!(ranges(parts, "user like 'ab%'"), "ab..ac");
    assert_eq!(ranges(parts, "user < 'ab'"), "..}", "the user of no letters");
    assert_eq!(ranges(parts, "user between 'a' and 'ab'"), "a..a}", "the user a");
    assert_eq!(ranges(parts, "user > 'a' and user <= 'ab'"), "a..ab}", "not the user a");
}

#[test]
fn a_part_of_first_characters_is_bounded_by_the_text() {
    let parts = "{ field = \"area\" }, { field = \"n\", as = \"be\" }, { field = \"cell\" }";
    assert_eq!(ranges(parts, "cell like 'u33d%'"), "u33..u34");
    assert_eq!(ranges(parts, "cell >= 'u33d' and cell < 'u34'"), "u33..u34");
    assert_eq!(ranges(parts, "cell >= 'u33d'"), "u33..");
    assert_eq!(ranges(parts, "left(cell,4) = 'u33d'"), "u33..u34");
    assert_eq!(ranges(parts, "left(cell,1) = 'u'"), "u..v");
    assert_eq!(ranges(parts, "not cell like 'u33\u{7f}%'"), "..", "its end is no text");
}

#[test]
fn a_list_is_one_range_for_each_of_its_values() {
    let hashed = "{ field = \"user\", hash = { name = \"md5\", hex = 2 } }, { field = \"user\" }";
    assert_eq!(ranges(hashed, "user in ('a', 'b', 'c')"), r"0ca..0ca\x00 4ac..4ac\x00 92b..92b\x00");
    let cut = "{ field = \"area\" }, { field = \"cell\" }, { text = \"/\" }, { field = \"n\" }";
    let list = "cell in ('u33a', 'u33b', 'u44')";
    assert_eq!(ranges(cut, list), "u33u33a/..u33u33a0 u33u33b/..u33u33b0 u44u44/..u44u440");
}

#[test]
fn neighbours_in_a_list_are_read_one_by_one_where_their_order_is_lost() {
    for parts in [
        "{ field = \"n\", hash = { name = \"md5\", hex = 2 } }, { field = \"n\", as = \"be\" }",
        "{ field = \"n\", hash = { name = \"md5\", hex = 2 } }, { field = \"n\", as = \"be\" }, { field = \"ts\" }",
        "{ field = \"n\", reverse = true }, { text = \"_\" }, { field = \"user\" }",
    ] {
        for (predicate, expected) in [("n in (7, 8, 9, 12)", 4), ("n between 10 and 12", 3)] {
            assert_eq!(each_range(parts, predicate).len(), expected, "{parts}: {predicate}");
        }
        assert_ne!(ranges(parts, "n between 10 and 265"), "..", "{parts}");
        assert_eq!(ranges(parts, "n between 10 and 266"), "..", "{parts}");
    }
}

#[test]
fn hours_that_no_later_part_restricts_are_one_range() {
    let parts = "{ field = \"ts\", floor = \"1h\", as = \"be\", width = 4 }, { field = \"user\" }, { field = \"ts\", as = \"be\" }";
    let day = "ts >= 1718150400 and ts < 1718236800";
    assert_eq!(ranges(parts, day), r"fh\xE5\x00..fj6\x80");
}
