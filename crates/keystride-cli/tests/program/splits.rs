//! Split points from the command line.

use super::{CALLS, example, keystride, stderr, stdout, written};

#[test]
fn an_option_of_another_source_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let design = written(folder.path(), "d.toml", CALLS);
    for (args, wanted) in [
        (&["-d", &design, "-n", "32"][..], "-n needs --algo, --range or --sample"),
        (&["--partition-keys", "4", "-n", "4"], "-n needs --algo, --range or --sample"),
        (&["--md5-hex", "--first", "0"], "--first needs --algo"),
        (&["--ints", "1,2", "--last", "0"], "--last needs --algo"),
        (&["--ints", "1,2", "--width", "2"], "--width needs --partition-keys"),
        (&["--strings", "a", "--suffix", "x"], "--suffix needs --partition-keys"),
        (&["--algo", "HexStringSplit", "-n", "4", "--start", "a"], "--start needs --range"),
        (&["--strings", "a,b", "--end", "z"], "--end needs --range"),
        (&["--md5-hex", "--preview", "--as", "hex"], "'--preview' cannot be used with '--as"),
    ] {
        let output = keystride(&[&["splits"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stdout(&output));
        assert!(stderr(&output).contains(wanted), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn a_file_of_points_is_read_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("points");
    let splits = |bytes: &[u8]| {
        std::fs::write(&file, bytes).unwrap();
        keystride(&["splits", "--file", file.to_str().unwrap()])
    };
    assert_eq!(stdout(&splits("\u{feff}4_138\r\n\\xFFa".as_bytes())), "4_138\n\\xFFa\n");
    for (bytes, wanted) in [
        ("a\n\u{feff}b\n".as_bytes(), "points:2: in "),
        (&b"a\nb\xff\n"[..], "points:2: byte 2 is not UTF-8 text: write bytes as \\xNN"),
        (&vec![b'a'; 2 << 20], "points:1: the line is longer than 1048576 bytes"),
    ] {
        let output = splits(bytes);
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
        assert!(stderr(&output).contains(wanted), "{}", stderr(&output));
    }
}

#[test]
fn rows_of_a_sample_that_have_no_key_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let sampled = CALLS.replace("by = \"bucket\"", "by = \"sample\"\nregions = 2\npath = \"sample.csv\"");
    let design = written(folder.path(), "d.toml", &sampled);
    written(
        folder.path(),
        "sample.csv",
        "phone,ts\n13800138000,1586131200000\n1,2\n13900139000,1586131200000\n",
    );
    let output = keystride(&["splits", "-d", &design]);
    assert_eq!((output.status.code(), stdout(&output).lines().count()), (Some(0), 1));
    let said = stderr(&output);
    assert!(said.contains("1 of 3 rows of the sample have no key; the first: "), "{said}");
    assert!(said.contains("sample.csv:3: "), "{said}");
    written(folder.path(), "sample.csv", "phone,ts\n1,2\n");
    let output = keystride(&["splits", "-d", &design]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("an empty sample can't be cut"), "{}", stderr(&output));
    std::fs::remove_file(folder.path().join("sample.csv")).unwrap();
    let output = keystride(&["splits", "-d", &design]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("paths in a design start at its folder"), "{}", stderr(&output));
}

#[test]
fn a_sample_has_rows_in_all_buckets_of_a_random_salt() {
    let folder = tempfile::tempdir().unwrap();
    let salted = CALLS.replace("of = [\"phone\"]", "hash = \"random\"");
    let salted = salted.replace("by = \"bucket\"", "by = \"sample\"\nregions = 4\npath = \"sample.csv\"");
    let design = written(folder.path(), "d.toml", &salted);
    let rows: Vec<String> = (0..64).map(|row| format!("138001380{row:02},1586131200000")).collect();
    written(folder.path(), "sample.csv", &format!("phone,ts\n{}\n", rows.join("\n")));
    let points = stdout(&keystride(&["splits", "-d", &design]));
    let buckets: Vec<&str> = points.lines().map(|point| &point[..2]).collect();
    assert_eq!(buckets, ["04", "08", "12"]);
}

#[test]
fn a_table_is_split_at_points_given_in_place_of_the_design_s() {
    let folder = tempfile::tempdir().unwrap();
    let design = written(folder.path(), "d.toml", CALLS);
    let backend = format!("embedded:{}/data", folder.path().display());
    let create = |points: &str| {
        keystride(&["--backend", &backend, "table", "create", "-d", &design, "--splits", points])
    };
    for wrong in ["04,04", "", "\\xg"] {
        assert_eq!(create(wrong).status.code(), Some(2), "{wrong}");
    }
    let output = create("04,\\x30\\x38,12");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let splits = |format: &[&str]| {
        stdout(&keystride(&[&["--backend", &backend, "table", "splits", "calls"], format].concat()))
    };
    assert_eq!(
        (splits(&[]).as_str(), splits(&["--format", "tsv"]).as_str()),
        ("04\n08\n12\n", "point\n04\n08\n12\n")
    );
    let document: serde_json::Value = serde_json::from_str(&splits(&["--format", "json"])).unwrap();
    assert_eq!(
        (&document["regions"], &document["points"]),
        (&4.into(), &serde_json::json!(["04", "08", "12"]))
    );
}

#[test]
fn a_form_that_a_format_does_not_have_is_refused() {
    let output = keystride(&["splits", "--strings", "a,b", "--as", "java", "--format", "json"]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(stderr(&output).contains("--as java"), "{}", stderr(&output));
}

#[test]
fn a_sample_may_be_a_column_of_a_csv_file() {
    let folder = tempfile::tempdir().unwrap();
    let rows: Vec<String> = (0..40).map(|row| format!("{row},k{row:02}\n")).collect();
    let sample = written(folder.path(), "sample.csv", &format!("n,key\n{}", rows.concat()));
    let args = ["splits", "--sample", &sample, "-n", "4", "--column"];
    let points = keystride(&[&args[..], &["key"]].concat());
    assert_eq!((stdout(&points).as_str(), stderr(&points).as_str()), ("k10\nk20\nk30\n", ""));
    let unknown = keystride(&[&args[..], &["keys"]].concat());
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("has no column \"keys\"; it has n, key"), "{}", stderr(&unknown));
}

#[test]
fn splits_need_no_design_and_equal_hbases() {
    let output = keystride(&["splits", "--algo", "HexStringSplit", "-n", "4", "--as", "hex"]);
    assert_eq!(stdout(&output), "3430303030303030\n3830303030303030\n6330303030303030\n");
    let output = keystride(&["splits", "--partition-keys", "6"]);
    assert_eq!(stdout(&output), "0|\n1|\n2|\n3|\n4|\n");
    let output = keystride(&["splits", "--ints", "1,10,15", "--as", "hbase-shell"]);
    let escaped = r"SPLITS => ['\x00\x00\x00\x01', '\x00\x00\x00\x0A', '\x00\x00\x00\x0F']";
    assert_eq!(stdout(&output).trim_end(), escaped);
}

#[test]
fn the_shells_line_for_a_table_names_the_one_that_is_asked_for() {
    let design = example("flights/design.toml");
    let folder = tempfile::tempdir().unwrap();
    let backend = format!("embedded:{}/store", folder.path().display());
    let create = ["--backend", &backend, "table", "create", "-d", &design, "--dry-run"];
    assert!(stdout(&keystride(&create)).starts_with("create 'flights', {NAME => 'f'"));
    let named = keystride(&[&create[..], &["-t", "air:flights_2013"]].concat());
    assert!(stdout(&named).starts_with("create 'air:flights_2013', {NAME => 'f'"));
    assert_eq!(keystride(&[&create[..], &["-t", "a'b"]].concat()).status.code(), Some(2));
    assert!(!folder.path().join("store").exists());
}

#[test]
fn escaped_text_that_hbase_would_read_as_other_bytes_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let design = written(folder.path(), "d.toml", CALLS);
    let points = written(folder.path(), "points.txt", "a\n\\xff\n");
    let (wide, lower) = ("'中' at character 0 is not ASCII", "hex digits must be upper case");
    for (args, wanted) in [
        (&["splits", "--strings", "a,中"][..], wide),
        (&["splits", "--strings", r"\xff"], lower),
        (&["splits", "--file", &points], lower),
        (&["splits", "--sample", &points, "-n", "2"], lower),
        (&["splits", "--range", "--start", "a", "--end", r"\xfe", "-n", "4"], lower),
        (&["splits", "--partition-keys", "4", "--suffix", "中"], wide),
        (&["splits", "--algo", "UniformSplit", "-n", "4", "--last", r"\xff"], lower),
        (&["key", "decode", "-d", &design, "--escaped", r"\x0a"], lower),
        (&["scan", "calls", "--raw-start", "中"], wide),
        (&["scan", "calls", "--raw-stop", r"\xzz"], lower),
    ] {
        let output = keystride(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stdout(&output));
        assert!(stderr(&output).contains(wanted), "{args:?}: {}", stderr(&output));
    }
    assert_eq!(stdout(&keystride(&["splits", "--strings", r"\xFF,\x0A"])), "\\x0A\n\\xFF\n");
}

#[test]
fn a_preview_shows_the_regions_that_stay_empty() {
    let output =
        keystride(&["splits", "-d", &example("flights/seed-003.toml"), "--preview", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let empty: Vec<_> = document["rows"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["note"] == "stays empty")
        .map(|row| row["region"].as_u64().unwrap())
        .collect();
    assert_eq!(empty, [0, 17]);
}

#[test]
fn a_sample_of_few_keys_says_what_it_leaves_out() {
    let folder = tempfile::tempdir().unwrap();
    let sample = written(folder.path(), "s.txt", "\u{feff}a\na\na\nb\n");
    let output = keystride(&["splits", "--sample", &sample, "-n", "4"]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), "a\nb\n"));
    assert!(stderr(&output).contains("1 of 3 are left out, 3 regions stay"), "{}", stderr(&output));
    let sampled = CALLS.replace("by = \"bucket\"", "by = \"sample\"\nregions = 4\npath = \"calls.csv\"");
    let design = written(folder.path(), "d.toml", &sampled);
    written(folder.path(), "calls.csv", "phone,ts\n13800138000,1586131200000\n13800138000,1586131200001\n");
    let output = keystride(&["splits", "-d", &design]);
    assert_eq!((output.status.code(), stdout(&output).lines().count()), (Some(0), 2), "{}", stderr(&output));
    assert!(stderr(&output).contains("1 of 3 are left out, 3 regions stay"), "{}", stderr(&output));
    let points = written(folder.path(), "p.txt", "a\nb\n\\x0a\n");
    let output = keystride(&["splits", "--file", &points]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("p.txt:3: "), "{}", stderr(&output));
}

#[test]
fn points_are_listed_by_each_source_and_rule() {
    let md5: Vec<String> = (1..16).map(|bucket| format!("{bucket:03}\n")).collect();
    for (args, points) in [
        (
            &["--longs", "1,-1"][..],
            "\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01\n\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\n",
        ),
        (&["--ints", "-1,7"], "\\x00\\x00\\x00\\x07\n\\xFF\\xFF\\xFF\\xFF\n"),
        (&["--md5-hex"], &md5.concat()),
        (
            &["--partition-keys", "4", "--width", "3", "--suffix", "_\\x00"],
            "000_\\x00\n001_\\x00\n002_\\x00\n",
        ),
        (&["--range", "--start", "a", "--end", "e", "-n", "6"], "a\nb\nc\nd\ne\n"),
        (&["--algo", "HexStringSplit", "-n", "2", "--first", "00", "--last", "ff"], "80\n"),
        (&["--algo", "DecimalStringSplit", "-n", "2", "--last", "99"], "50\n"),
        (&["--algo", "UniformSplit", "-n", "2", "--first", "\\x00", "--last", "\\x0F"], "\\x08\n"),
    ] {
        let output = keystride(&[&["splits"], args].concat());
        assert_eq!(stdout(&output), points, "{args:?}: {}", stderr(&output));
    }
    for (args, wanted) in [
        (&["--algo", "HexStringSplit"][..], "--algo needs -n N"),
        (&["--range", "--start", "a", "-n", "6"], "--range needs --end"),
        (&["--range", "--end", "a", "-n", "6"], "--range needs --start"),
        (&["--range", "--start", "a", "--end", "e"], "--range needs -n N"),
    ] {
        let output = keystride(&[&["splits"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stdout(&output));
        assert!(stderr(&output).contains(wanted), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn points_are_written_for_people_for_programs_and_for_java() {
    let splits =
        |args: &[&str]| keystride(&[&["splits", "--strings", r"a'b,c\xFF\x00\x7F,d\x22"], args].concat());
    assert_eq!(stdout(&splits(&["--as", "list"])), "a'b\nc\\xFF\\x00\\x7F\nd\"\n");
    assert_eq!(stdout(&splits(&["--as", "hex"])), "612762\n63ff007f\n6422\n");
    assert_eq!(stdout(&splits(&["--as", "hex", "--format", "csv"])), "point\n612762\n63ff007f\n6422\n");
    assert_eq!(
        stdout(&splits(&["--as", "hbase-shell"])),
        "SPLITS => ['a\\x27b', 'c\\xFF\\x00\\x7F', 'd\"']\n"
    );
    assert_eq!(
        stdout(&splits(&["--as", "java"])),
        "byte[][] splits = {\n    Bytes.toBytes(\"a'b\"),\n    new byte[] {99, -1, 0, 127},\n    new byte[] {100, 34},\n};\n"
    );
    let document: serde_json::Value = serde_json::from_str(&stdout(&splits(&["--as", "json"]))).unwrap();
    assert_eq!((&document["regions"], &document["hex"][1]), (&4.into(), &"63ff007f".into()));
    assert_eq!(stdout(&splits(&["--as", "json"])), stdout(&splits(&["--format", "json"])));
    assert_eq!(splits(&["--as", "json", "--format", "csv"]).status.code(), Some(2));
}

#[test]
fn a_preview_has_the_bounds_of_regions_and_by_a_design_their_shares() {
    let folder = tempfile::tempdir().unwrap();
    let preview = |args: &[&str]| stdout(&keystride(&[&["splits", "--preview"], args].concat()));
    let bare = "region\tstart\tstop\tshare\tnote\n0\t\ta\t\t\n1\ta\t\\\\xFF\t\t\n2\t\\\\xFF\t\t\t\n";
    assert_eq!(preview(&["--strings", r"a,\xFF"]), bare);
    let design = written(folder.path(), "d.toml", &CALLS.replace("bucket = 16", "bucket = 3"));
    let shares = "0\t\t1\t0.3333\t\n1\t1\t2\t0.3333\t\n2\t2\t\t0.3333\t\n";
    assert_eq!(preview(&["-d", &design, "--no-header"]), shares);
}
