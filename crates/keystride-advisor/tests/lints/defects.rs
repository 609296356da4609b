//! The 36 defects hidden in the seed documents: which lint sees each in a design file, or why none can.

use keystride_advisor::lint::LintId;

use crate::judge::{design, fact, findings, fires, number, shown, silent};
use crate::worked::{
    FLIGHTS, LAST_4_AND_MONTH, SEED_002_FIELDS, SEED_004B_FIELDS, seed_000, seed_001, seed_002, seed_003,
    seed_004a, seed_004b,
};

/// What sees a defect.
enum Told {
    /// A lint, on this design and not on its sound twin.
    By(&'static str, fn() -> String, fn() -> String),
    /// None that has the design file alone, and why.
    Not(&'static str),
}
use Told::{By, Not};

const DEFECTS: [(&str, &str, Told); 36] = [
    ("D1", "11, 101 or 1001 buckets in too few digits", By("SPL01", d1, sound_000)),
    ("D2", "separators that sort at or above the suffix of the split points", By("SPL03", d2, sound_000)),
    ("D3", "six split points for six partitions", By("SPL06", d3, sound_000)),
    ("D4", "Math.abs of a hash that can be -2^31", By("SLT01", d4, sound_000)),
    ("D5", "a 31-hash modulo 32", By("SLT02", d5, sound_000)),
    (
        "D6",
        "a date that does not start yyyyMM",
        Not("a design reads the time itself; of foreign keys a sample (SLT03)"),
    ),
    ("D7", "phone and second are not unique", By("UNQ02", d7, d7_in_ms)),
    ("D8", "one day reads everything", By("RD01", d8, d8_day_first)),
    ("D9", "digits in the machine's language", Not("foreign code (ENC09); keystride writes ASCII")),
    ("D10", "another count of buckets later", Not("a live table's stored design (SLT07)")),
    ("D11", "keys above 32,767 bytes", By("ENC13", d11, d11_short)),
    ("D12", "HexStringSplit for integers", By("SPL07", d12, d14_decimal)),
    ("D13", "upper-case keys and lower-case split points", By("ENC10", d13, d13_lower)),
    ("D14", "UniformSplit for printable keys", By("SPL07", d14, d14_decimal)),
    ("D15", "binary split points as hex text", By("SPL16", d15, seed_001)),
    ("D16", "negative ints sort last", By("ENC05", seed_001, d16_from_1)),
    ("D17", "user ids without leading zeros", By("ENC01", || seed_002(RANGE_OF_USERS), d17_padded)),
    ("D18", "'_' sorts after digits", By("ENC03", || seed_002(""), d18_low)),
    ("D19", "more than half of all ids begin with 1", By("SPL07", d19, d14_decimal)),
    ("D20", "nanoTime is no time", By("UNQ03", || seed_002(""), d20_without)),
    ("D21", "a retried put is a second row", By("UNQ03", || seed_002(AT_LEAST_ONCE), d20_without)),
    (
        "D22",
        "the exclusive stop of a descending time",
        Not("foreign code (RD04); the planner's ranges are exact"),
    ),
    ("D23", "17 split points for 16 digits", By("SPL05", d23, || seed_003("[split]\nby = \"bucket\""))),
    ("D24", "a scan of bucket 016", Not("foreign queries (SLT08); the planner lists the buckets")),
    ("D25", "16 moving tails", By("HOT09", d25, || FLIGHTS.to_owned() + "[cluster]\nservers = 16\n")),
    (
        "D26",
        "one hex digit can't become 32 buckets",
        Not("no count of a salt can; a live table's design (SLT07)"),
    ),
    ("D27", "24 columns stored raw", By("SIZ02", d27, || FLIGHTS.to_owned())),
    ("D28", "getBytes in the machine's charset", Not("foreign code (SLT09); keystride hashes UTF-8")),
    ("D29", "MAX - time in front is as hot as time", By("HOT01", d29, || FLIGHTS.to_owned())),
    ("D30", "reversed user ids without an end", By("RD05", || seed_004a(USERS_NEWEST), d30_padded)),
    ("D31", "the text says order id, the formula user id", Not("prose; a design names one field")),
    ("D32", "two random digits as salt", By("SLT04", || seed_004b(AT_LEAST_ONCE), || FLIGHTS.to_owned())),
    ("D33", "event, day and offset run into each other", By("ENC02", || seed_004b(""), d33_padded)),
    ("D34", "the latest rows are the last", By("RD02", d34, || FLIGHTS.to_owned())),
    ("D35", "MD5 of the key as the key", By("SLT12", d35, || FLIGHTS.to_owned())),
    (
        "D36",
        "the first digits of an IMEI are a model",
        Not("a sample (HOT05): no type says which digits vary"),
    ),
];

const AT_LEAST_ONCE: &str = "[input]\ndelivery = \"at-least-once\"";
const RANGE_OF_USERS: &str = "[access.users]\nrange = \"user_id\"";
const USERS_NEWEST: &str = "[access.user]\nby = [\"user_id\"]\norder = \"newest\"\nlimit = 2";

#[test]
fn every_defect_that_a_design_can_say_is_told_and_its_sound_twin_is_not() {
    for (name, what, told) in &DEFECTS {
        println!("{name} {what}: {}", told.words());
        if let By(id, bad, sound) = told {
            fires(&bad(), id);
            silent(&sound(), id);
        }
    }
    let seen = DEFECTS.iter().filter(|(.., told)| matches!(told, By(..))).count();
    assert_eq!(seen, 27);
}

/// `docs/defects.md` names them all, each with what sees it in the same words.
#[test]
fn the_page_of_defects_says_what_is_tried_here() {
    let page = include_str!("../../../../docs/defects.md");
    let rows = page.lines().filter(|line| line.starts_with("| D"));
    let rows: Vec<Vec<&str>> =
        rows.map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect()).collect();
    let told: Vec<(&str, &str)> = rows.iter().map(|cells| (cells[0], cells[3])).collect();
    let words: Vec<(&str, String)> = DEFECTS.iter().map(|(name, _, told)| (*name, told.in_page())).collect();
    let words: Vec<(&str, &str)> = words.iter().map(|(name, told)| (*name, told.as_str())).collect();
    assert_eq!(told, words);
    assert!(rows.iter().all(|cells| cells.len() == 4 && cells[1..3].iter().all(|cell| cell.ends_with('.'))));
    for id in page.split(|c: char| !c.is_alphanumeric()).filter(|word| is_id(word)) {
        assert!(id.parse::<LintId>().is_ok(), "{id}");
    }
}

#[test]
fn every_lint_that_the_page_of_designs_names_exists() {
    let page = include_str!("../../../../docs/design-file.md");
    // A type of Parquet looks like one.
    let named = page.split(|c: char| !c.is_alphanumeric()).filter(|word| is_id(word) && *word != "INT96");
    let named: Vec<&str> = named.collect();
    assert!(named.iter().all(|id| id.parse::<LintId>().is_ok()), "{named:?}");
    assert!(named.len() > 2, "{named:?}");
}

/// Whether a word is written as `SPL01` is.
fn is_id(word: &str) -> bool {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    word.len() == 5
        && (2..4).contains(&letters.len())
        && letters.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// The one that a better count leaves as information: no count suits every number of servers.
const NEVER_QUITE: &str = "SPL09";

#[test]
fn every_patch_gives_a_design_without_its_finding() {
    let mut mended = 0;
    for (name, _, told) in &DEFECTS {
        let By(_, bad, _) = told else { continue };
        let toml = bad();
        for finding in findings(&toml) {
            let Some(fix) = finding.fix.as_ref().filter(|_| finding.id.name() != NEVER_QUITE) else {
                continue;
            };
            let patched = crate::patch::apply(&toml, fix);
            let left = findings(&patched);
            let stays =
                left.iter().any(|other| other.id == finding.id && other.component == finding.component);
            assert!(!stays, "{name}: {} after {}\n{patched}\n{}", finding.id, fix.title, shown(&left));
            mended += 1;
        }
    }
    assert!(mended >= 40, "{mended}");
}

impl Told {
    fn words(&self) -> String {
        match self {
            By(id, ..) => (*id).to_owned(),
            Not(why) => format!("none, {why}"),
        }
    }

    fn in_page(&self) -> String {
        match self {
            By(id, ..) => format!("`{id}`"),
            Not(why) => format!("none: {why}"),
        }
    }
}

fn sound_000() -> String {
    seed_000(6, LAST_4_AND_MONTH, "_", "[split]\nby = \"bucket\"\nsuffix = \"|\"")
}

fn d1() -> String {
    seed_000(11, LAST_4_AND_MONTH, "_", "[split]\nby = \"partition-keys\"\nregions = 11\nsuffix = \"|\"")
}

fn d2() -> String {
    seed_000(6, LAST_4_AND_MONTH, "|", "[split]\nby = \"bucket\"\nsuffix = \"|\"")
}

fn d3() -> String {
    let points = "[\"0|\", \"1|\", \"2|\", \"3|\", \"4|\", \"5|\"]";
    seed_000(6, LAST_4_AND_MONTH, "_", &format!("[split]\nby = \"list\"\npoints = {points}"))
}

fn d4() -> String {
    seed_000(6, "\"call1\", \"left(calltime,6)\"", "_", "")
}

fn d5() -> String {
    seed_000(32, LAST_4_AND_MONTH, "_", "")
}

fn calls(unit: &str) -> String {
    design(
        &format!(
            "phone = {{ type = \"digits\", len = 11, distinct = 10_000_000 }}\nts = {{ type = \"time\", unit = \"{unit}\" }}"
        ),
        "{ bucket = 6, of = [\"phone\"] }, { text = \"_\" }, { field = \"phone\" }, { field = \"ts\" }",
        "[workload]\nrows_per_s = 1157.4074",
    )
}

fn d7() -> String {
    calls("s")
}

fn d7_in_ms() -> String {
    calls("ms").replace("10_000_000", "1_000_000_000").replace("1157.4074", "0.1")
}

fn d8() -> String {
    sound_000()
        + "[access.day]\nrange = \"calltime\"\nspan = \"1d\"\nrate = 0.01\n[workload]\nrows_per_s = 1157\nretention = \"365d\"\n"
}

fn d8_day_first() -> String {
    let toml = seed_003("[split]\nby = \"bucket\"");
    toml + "[access.day]\nrange = \"opera_time\"\nspan = \"1d\"\nrate = 0.01\n"
}

fn d11() -> String {
    design(
        "body = { type = \"digits\", len = 32767 }\nid = { type = \"digits\", len = 1 }",
        "{ field = \"body\" }, { field = \"id\" }",
        "",
    )
}

fn d11_short() -> String {
    d11().replace("32767", "99")
}

fn integers(steps: &str, max: u32, split: &str) -> String {
    design(
        &format!("id = {{ type = \"i32\", min = 1, max = {max} }}"),
        &format!("{{ field = \"id\"{steps} }}"),
        &format!("[split]\nby = \"{split}\"\nregions = 16"),
    )
}

fn d12() -> String {
    integers(", as = \"be\"", 100_000, "HexStringSplit")
}

fn hex_keys(alphabet: &str) -> String {
    design(
        &format!("md5 = {{ type = \"string\", max_len = 32, alphabet = \"{alphabet}\" }}"),
        "{ field = \"md5\" }",
        "[split]\nby = \"HexStringSplit\"\nregions = 16",
    )
}

fn d13() -> String {
    hex_keys("0-9A-F")
}

fn d13_lower() -> String {
    hex_keys("0-9a-f")
}

fn digits(split: &str) -> String {
    design(
        "id = { type = \"digits\", len = 8 }",
        "{ field = \"id\" }",
        &format!("[split]\nby = \"{split}\"\nregions = 16"),
    )
}

fn d14() -> String {
    digits("UniformSplit")
}

fn d14_decimal() -> String {
    digits("DecimalStringSplit")
}

fn d15() -> String {
    let split = "[split]\nby = \"list\"\npoints = [\"00000001\", \"0000000a\", \"0000000f\"]";
    design("id = { type = \"i32\" }", "{ field = \"id\", as = \"be\" }", split)
}

fn d16_from_1() -> String {
    seed_001().replace("\"i32\" ", "\"i32\", min = 1 ")
}

fn d17_padded() -> String {
    seed_002(RANGE_OF_USERS).replace("field = \"user_id\" ", "field = \"user_id\", pad = 4 ")
}

fn d18_low() -> String {
    let fields = SEED_002_FIELDS
        .replace("type = \"int\", min = 0, max = 2000", "type = \"string\", max_len = 8, alphabet = \"0-9\"");
    design(&fields, "{ field = \"user_id\" }, { text = \"#\" }, { field = \"ts\", desc = \"long-max\" }", "")
}

fn d19() -> String {
    integers("", 2_000_000, "DecimalStringSplit")
}

fn d20_without() -> String {
    seed_002(AT_LEAST_ONCE).replace("insert_ns", "call_seq")
}

fn d23() -> String {
    let points: Vec<String> = (0..=16).map(|n| format!("\"{n:03}\"")).collect();
    seed_003(&format!("[split]\nby = \"list\"\npoints = [{}]", points.join(", ")))
}

fn d25() -> String {
    seed_003("[split]\nby = \"bucket\"\n[cluster]\nservers = 16")
}

fn d27() -> String {
    let columns: Vec<String> =
        (0..24).map(|n| format!("column_{n:02} = {{ type = \"string\", max_len = 9 }}")).collect();
    let columns = columns.join("\n") + "\n";
    let toml = seed_003("[split]\nby = \"bucket\"")
        .replace("families.f = { encoding = \"fast-diff\", compression = \"zstd\" }", "families = [\"f\"]");
    toml.replace("[key]", &(columns + "[key]"))
}

fn d29() -> String {
    design(
        "ts = { type = \"time\", unit = \"ms\" }\nuser = { type = \"digits\", len = 8 }",
        "{ field = \"ts\", desc = \"long-max\" }, { field = \"user\" }",
        "[workload]\nrows_per_s = 100000\n[cluster]\nservers = 8",
    )
}

fn d30_padded() -> String {
    seed_004a(USERS_NEWEST).replace("reverse", "pad = 10, reverse")
}

fn d33_padded() -> String {
    seed_004b("").replace("{ field = \"event_id\" }", "{ field = \"event_id\", pad = 3 }")
}

fn d34() -> String {
    FLIGHTS.replace("{ field = \"time\", desc = 9999999999 }", "{ field = \"time\" }")
}

fn d35() -> String {
    design(
        "log_line = { type = \"string\", max_len = 80 }\nts = { type = \"time\", unit = \"ms\" }",
        "{ field = \"log_line\", hash = { name = \"md5\", hex = 32 } }",
        "[access.day]\nrange = \"ts\"\nspan = \"1d\"",
    )
}

#[test]
fn d1_eleven_buckets_double_region_1_and_empty_region_10() {
    let finding = fires(&d1(), "SPL01");
    assert_eq!(fact(&finding, "empty").to_string(), "[10]");
    assert_eq!(fact(&finding, "region"), 1);
    assert_eq!(fact(&finding, "held").to_string(), "[1,10]");
    assert_eq!(format!("{:.2}", number(&finding, "max_over_mean")), "2.00");
    assert_eq!(
        finding.message,
        "buckets and regions do not match: region 1 receives buckets 1 and 10, regions without a key: 10"
    );
    silent(&d1(), "SPL06");
}

#[test]
fn d1_every_other_number_of_partitions_is_sound() {
    for buckets in
        (2..=1002).filter(|buckets| *buckets < 40 || [99, 100, 102, 999, 1000, 1002].contains(buckets))
    {
        let split = format!("[split]\nby = \"partition-keys\"\nregions = {buckets}\nsuffix = \"|\"");
        let toml = seed_000(buckets, LAST_4_AND_MONTH, "_", &split);
        let toml = toml.replace("width = 1", &format!("width = {}", (buckets.max(3) - 2).to_string().len()));
        let told = findings(&toml).iter().any(|finding| finding.id.name() == "SPL01");
        assert_eq!(told, buckets == 11, "{buckets}\n{}", shown(&findings(&toml)));
    }
}

#[test]
fn d1_a_hundred_and_one_and_a_thousand_and_one_double_region_10_and_100() {
    for (buckets, width, doubled, empty) in [(101, 2, 10, 100), (1001, 3, 100, 1000)] {
        let split = format!("[split]\nby = \"partition-keys\"\nregions = {buckets}\nsuffix = \"|\"");
        let toml =
            seed_000(buckets, "\"call1\"", "_", &split).replace("width = 1", &format!("width = {width}"));
        let finding = fires(&toml, "SPL01");
        assert_eq!(fact(&finding, "full").to_string(), format!("[{doubled}]"));
        assert_eq!(fact(&finding, "empty").to_string(), format!("[{empty}]"));
    }
}

#[test]
fn d2_every_separator_from_the_suffix_up_shifts_all_buckets() {
    for (separator, shifts) in [("_", false), ("-", false), (":", false), ("|", true), ("~", true)] {
        let toml = seed_000(6, LAST_4_AND_MONTH, separator, "[split]\nby = \"bucket\"\nsuffix = \"|\"");
        let told: Vec<String> = findings(&toml).iter().map(|finding| finding.id.to_string()).collect();
        assert_eq!(told.contains(&"SPL03".to_owned()), shifts, "{separator}");
        assert!(
            !told.contains(&"SPL01".to_owned()) && !told.contains(&"SPL05".to_owned()),
            "{separator} {told:?}"
        );
    }
    let finding = fires(&d2(), "SPL03");
    assert_eq!((fact(&finding, "bucket"), fact(&finding, "region")), (&0.into(), &1.into()));
}

#[test]
fn d3_the_seventh_region_stays_empty() {
    let finding = fires(&d3(), "SPL06");
    assert_eq!(fact(&finding, "empty").to_string(), "[6]");
    assert_eq!(fires(&d3(), "SPL15").message, "6 points make 7 regions, for 6 buckets");
}

#[test]
fn d5_modulo_32_the_fullest_bucket_has_2_14_times_the_mean() {
    let finding = fires(&d5(), "SLT02");
    assert_eq!(format!("{:.2}", number(&finding, "max_over_mean")), "2.14");
    assert_eq!(finding.severity.name(), "error");
}

#[test]
fn d7_ten_calls_a_day_make_5_208_pairs_a_day() {
    let finding = fires(&d7(), "UNQ02");
    assert!((number(&finding, "pairs_a_day") - 5_208.3).abs() < 1.0, "{}", finding.message);
}

#[test]
fn d8_a_year_of_rows_is_read_for_one_day() {
    let finding = fires(&d8(), "RD01");
    assert_eq!(fact(&finding, "read_per_row"), 365.0);
    assert_eq!(finding.severity.name(), "error");
}

#[test]
fn d12_to_d14_the_regions_used_are_those_measured() {
    assert_eq!(fact(&fires(&d12(), "SPL07"), "used"), 1);
    let upper = fires(&d13(), "ENC10");
    assert_eq!(fact(&upper, "used"), 10);
    assert!((number(&upper, "share") - 0.4375).abs() < 0.01, "{}", upper.message);
    assert_eq!(fact(&fires(&d14(), "SPL07"), "used"), 1);
    assert_eq!(fact(&fires(&digits("HexStringSplit"), "SPL07"), "used"), 10);
}

#[test]
fn d19_one_region_holds_the_ids_that_begin_with_1() {
    let toml = d19().replace("regions = 16", "regions = 10");
    assert!((number(&fires(&toml, "SPL07"), "share") - 0.5556).abs() < 0.001);
}

#[test]
fn d23_regions_0_and_17_of_18_stay_empty() {
    let finding = fires(&d23(), "SPL05");
    assert_eq!(finding.message, "2 of 18 regions can never receive a key");
    assert_eq!(fact(&finding, "empty").to_string(), "[0,17]");
    assert_eq!(finding.labels[0].1, "keys start with 000 to 015");
}

#[test]
fn d25_sixteen_tails_on_sixteen_servers_meet_three_at_a_time() {
    assert!((number(&fires(&d25(), "HOT09"), "times") - 2.9).abs() < 0.2);
}

#[test]
fn d33_the_colliding_rows_are_shown_and_the_offset_is_told_too() {
    let finding = fires(&seed_004b(""), "ENC02");
    assert!(finding.message.contains("are both"), "{}", finding.message);
    fires(&seed_004b(""), "UNQ04");
    let unbounded =
        design(SEED_004B_FIELDS, "{ field = \"offset\" }, { text = \"!\" }, { field = \"event_id\" }", "");
    fires(&unbounded, "ENC01");
}
