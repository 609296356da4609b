//! Times that are counted in a unit, as they are printed and read again.

use std::process::Output;

use super::{CALLS, keystride, stderr, stdout, written};

struct Calls {
    folder: tempfile::TempDir,
    design: String,
    backend: String,
}

const KEY: [&str; 2] = ["phone=13800138000", "ts=1586131200001"];

impl Calls {
    /// A table whose time is declared as `ts`, with one row.
    fn new(ts: &str, key: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let text = CALLS.replace("{ type = \"time\", unit = \"ms\" }", ts);
        let text = text.replace("{ field = \"ts\" }", "{ field = \"ts\", as = \"ordered\" }");
        let design = written(folder.path(), "d.toml", &text);
        let backend = format!("embedded:{}/data", folder.path().display());
        let calls = Self { folder, design, backend };
        assert_eq!(calls.run(&["table", "create", "-d", &calls.design]).status.code(), Some(0));
        let put = calls.run(&[&["put", "calls"], key].concat());
        assert_eq!(put.status.code(), Some(0), "{}", stderr(&put));
        calls
    }

    fn run(&self, args: &[&str]) -> Output {
        keystride(&[&["--backend", &self.backend], args].concat())
    }

    /// The time of the only row, as a query prints it.
    fn shown(&self, args: &[&str]) -> String {
        let query = ["query", "calls", "--columns", "ts", "--no-header"];
        stdout(&self.run(&[&query[..], args].concat())).trim().to_owned()
    }

    fn finds(&self, args: &[&str], ts: &str) -> bool {
        let get = self.run(&[&["get", "calls", "phone=13800138000", &format!("ts={ts}")], args].concat());
        let count = self.run(&[&["count", "calls", "--where", &format!("ts = '{ts}'")], args].concat());
        get.status.code() == Some(0) && stdout(&count).trim() == "1"
    }
}

#[test]
fn a_counted_time_is_shown_to_its_unit_in_its_zone_and_read_again() {
    for (ts, key, wanted) in [
        ("unit = \"ms\"", "ts=1586131200001", "2020-04-06T00:00:00.001Z"),
        ("unit = \"s\", zone = \"Asia/Shanghai\"", "ts=1586131200", "2020-04-06T08:00:00+08:00"),
        ("unit = \"us\"", "ts=-1", "1969-12-31T23:59:59.999999Z"),
        ("unit = \"ns\"", "ts=1586131200000000001", "2020-04-06T00:00:00.000000001Z"),
        ("unit = \"s\"", "ts=253402300800", "253402300800"),
        ("unit = \"ms\"", "ts=-9223372036854775808", "-9223372036854775808"),
    ] {
        let calls = Calls::new(&format!("{{ type = \"time\", {ts} }}"), &[KEY[0], key]);
        let shown = calls.shown(&["--times", "iso"]);
        assert_eq!(shown, wanted);
        assert!(calls.finds(&[], &shown), "{shown}");
        for format in [&[][..], &["--format", "csv"], &["--format", "tsv", "--times", "epoch"]] {
            assert_eq!(calls.shown(format), key.trim_start_matches("ts="), "{format:?}");
        }
    }
}

#[test]
fn lines_have_what_a_load_takes_unless_a_zone_is_asked_for() {
    let calls =
        Calls::new("{ type = \"time\", unit = \"ms\", input = \"iso8601\" }", &[KEY[0], "ts=2020-04-06"]);
    for format in ["csv", "tsv"] {
        assert_eq!(calls.shown(&["--format", format]), "2020-04-06T00:00:00.000Z", "{format}");
    }
    let pattern = "{ type = \"time\", unit = \"ms\", input = \"dd.MM.yyyy HH:mm:ss\" }";
    let calls = Calls::new(pattern, &[KEY[0], "ts=06.04.2020 12:00:00"]);
    assert_eq!(calls.shown(&["--format", "csv"]), "06.04.2020 12:00:00");
    assert!(calls.finds(&[], &calls.shown(&["--times", "iso"])));
    let calls = Calls::new("{ type = \"time\", unit = \"ms\" }", &KEY);
    assert_eq!(calls.shown(&["--format", "csv", "--tz", "-03:30"]), "2020-04-05T20:30:00.001-03:30");
}

#[test]
fn times_print_alike_in_tables_and_json_and_as_they_are_asked_for() {
    let pattern = "{ type = \"time\", format = \"yyyyMMddHHmmss\", zone = \"Asia/Shanghai\" }";
    for (ts, key, iso, field, epoch) in [
        (
            "{ type = \"time\", unit = \"s\" }",
            "1586131200",
            "2020-04-06T00:00:00Z",
            "1586131200",
            "1586131200",
        ),
        (pattern, "20200406080000", "2020-04-06T08:00:00+08:00", "20200406080000", "1586131200000"),
    ] {
        let calls = Calls::new(ts, &[KEY[0], &format!("ts={key}")]);
        for format in ["table", "json", "ndjson", "csv", "tsv"] {
            let usual = if matches!(format, "csv" | "tsv") { field } else { iso };
            for (style, wanted) in [
                (&[][..], usual),
                (&["--times", "iso"], iso),
                (&["--times", "field"], field),
                (&["--times", "epoch"], epoch),
            ] {
                let shown = calls.shown(&[&["--format", format], style].concat());
                assert!(shown.contains(wanted), "{format} {style:?}: {shown}");
                let is_number = shown.contains(&format!("\"ts\":{epoch}"));
                assert_eq!(
                    is_number,
                    format == "ndjson" && wanted == epoch && style.last() == Some(&"epoch")
                );
            }
        }
        assert!(calls.finds(&[], iso) && calls.finds(&[], field), "{iso}");
    }
}

#[test]
fn times_are_shown_and_read_in_the_zone_that_is_asked_for() {
    let calls = Calls::new("{ type = \"time\", unit = \"ms\" }", &KEY);
    let tz = ["--tz", "Asia/Shanghai"];
    assert_eq!(calls.shown(&tz), "2020-04-06T08:00:00.001+08:00");
    assert!(calls.finds(&tz, "2020-04-06T08:00:00.001"));
    assert!(!calls.finds(&[], "2020-04-06T08:00:00.001"));
    let query =
        ["query", "calls", "--where", "phone = '13800138000' and ts < '2020-04-06T09:00'", "--explain"];
    let explained = stdout(&calls.run(&[&query[..], &tz].concat()));
    assert!(explained.contains("ts=2020-04-06T09:00:00.000+08:00"), "{explained}");
    let query = ["query", "calls", "--where", "not ts < '2020-04-06T09:00'", "--explain", "--format", "json"];
    let explained: serde_json::Value =
        serde_json::from_str(&stdout(&calls.run(&[&query[..], &tz].concat()))).unwrap();
    let filters =
        [&explained["store_filters"], &explained["reader_filters"]].map(ToString::to_string).concat();
    assert!(filters.contains("'2020-04-06T09:00:00.000+08:00'"), "{explained}");
    let wrong = calls.run(&["count", "calls", "--tz", "Asia/Shangai"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("did you mean \"Asia/Shanghai\"?"), "{}", stderr(&wrong));
    let wrong = calls.run(&["get", "calls", KEY[0], "ts=2020-04-31T00:00"]);
    assert!(stderr(&wrong).contains("2020-04-31T00:00\": "), "{}", stderr(&wrong));
}

#[test]
fn the_day_of_an_extract_is_that_of_the_field_whatever_zone_is_shown() {
    // In Shanghai it is the sixth of April already.
    let calls = Calls::new(
        "{ type = \"time\", unit = \"ms\", zone = \"Asia/Shanghai\" }",
        &[KEY[0], "ts=1586116800001"],
    );
    for (zone, name) in [(&[][..], "own"), (&["--tz", "UTC"], "utc")] {
        let to = calls.folder.path().join(name).display().to_string();
        let extract = ["extract", "calls", "--day", "2020-04-06", "--to", &to, "--format", "json"];
        let told = stdout(&calls.run(&[&extract[..], zone].concat()));
        assert!(told.contains("\"rows\": 1") || told.contains("\"rows\":1"), "{told}");
    }
}

#[test]
fn a_key_is_located_among_the_regions_that_a_table_has_now() {
    let calls = Calls::new("{ type = \"time\", unit = \"ms\" }", &KEY);
    let regions = |more: &[&str]| {
        let locate = ["key", "locate", "-d", &calls.design, "--format", "tsv", "--no-header", "138"];
        stdout(&calls.run(&[&locate[..], more].concat())).split('\t').nth(1).unwrap().parse::<u32>().unwrap()
    };
    let designed = regions(&[]);
    assert_eq!(regions(&["-t", "calls"]), designed);
    let split = calls.run(&["table", "split", "calls", "138001"]);
    assert_eq!(split.status.code(), Some(0), "{}", stderr(&split));
    assert_eq!((regions(&["-t", "calls"]), regions(&[])), (designed + 1, designed));
    let locate = ["key", "locate", "-d", &calls.design, "-t", "calls", "--no-header", "138001"];
    let bounds: Vec<_> = stdout(&calls.run(&locate)).split('\t').map(str::to_owned).collect();
    assert_eq!((&bounds[2], &bounds[4]), (&"138001".to_owned(), &"bucket 13, phone:8001…".to_owned()));
    let escaped = calls.run(&["key", "locate", "-d", &calls.design, r"13\x00"]);
    assert!(stderr(&escaped).contains("is given with --escaped"), "{}", stderr(&escaped));
    let decoded = calls.run(&["key", "decode", "-d", &calls.design, r"13\x00"]);
    assert!(stderr(&decoded).contains("is given with --escaped"), "{}", stderr(&decoded));
    let other = std::fs::read_to_string(&calls.design).unwrap().replace("bucket = 16", "bucket = 17");
    let other = written(calls.folder.path(), "other.toml", &other);
    let refused = calls.run(&["key", "locate", "-d", &other, "-t", "calls", "138001"]);
    assert_eq!(refused.status.code(), Some(1), "{}", stdout(&refused));
    assert!(stderr(&refused).contains("bucket"), "{}", stderr(&refused));
}
