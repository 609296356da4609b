//! `key encode`, `key decode` and `key locate`.

use std::io::Write as _;
use std::process::Stdio;

use super::tried::{TWO, Tried};
use super::{CALLS, keystride, program, stderr, stdout, written};

#[test]
fn a_rejected_row_prints_an_empty_line_and_ends_with_5() {
    let folder = tempfile::tempdir().unwrap();
    let design = written(folder.path(), "d.toml", CALLS);
    let rows = "\u{feff}phone,ts\r\n13800138000,1586131200000\r\n1380013800,1586131200000\r\n\"13800138002\",1586131200001\r\n";
    let csv = written(folder.path(), "calls.csv", rows);
    let output = keystride(&["key", "encode", "-d", &design, "--csv", &csv]);
    assert_eq!(output.status.code(), Some(5));
    let keys = stdout(&output);
    assert_eq!(
        keys.lines().collect::<Vec<_>>(),
        ["09138001380001586131200000", "", "02138001380021586131200001"]
    );
    assert!(stderr(&output).contains("calls.csv:3: column \"phone\""), "{}", stderr(&output));
    assert!(stderr(&output).ends_with(": 1 of 3 rows rejected\n"), "{}", stderr(&output));
}

#[test]
fn keys_of_a_file_and_samples_of_a_split_need_the_keys_columns_alone() {
    let folder = tempfile::tempdir().unwrap();
    let csv = written(folder.path(), "keys.csv", "id,n\na,1\nb,2\nc,3\n");
    let text = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"string\" }\n\
                n = { type = \"int\" }\nm = { type = \"int\" }\n[key]\nparts = [{ field = \"id\" }]\n\
                [split]\nby = \"sample\"\nregions = 3\npath = \"keys.csv\"\n";
    let design = written(folder.path(), "d.toml", text);
    let output = keystride(&["key", "encode", "-d", &design, "--csv", &csv]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), "a\nb\nc\n".to_owned()));
    assert_eq!(stderr(&output), "");
    let output = keystride(&["splits", "-d", &design]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), "b\nc\n".to_owned()));
    // As a load rejects the row, so is its key.
    let bad = written(folder.path(), "bad.csv", "id,n\na,1\nb,x\nc,3\n");
    let output = keystride(&["key", "encode", "-d", &design, "--csv", &bad]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(5), "a\n\nc\n".to_owned()));
}

#[test]
fn input_that_cant_be_read_at_all_ends_with_2() {
    let folder = tempfile::tempdir().unwrap();
    let design = written(folder.path(), "d.toml", CALLS);
    let empty = written(folder.path(), "empty.csv", "");
    let wrong = written(folder.path(), "wrong.csv", "phone,tss\n1,2\n");
    let more = written(folder.path(), "more.csv", "phone,ts,imei\n1,2,3\n");
    let dir = folder.path().to_str().unwrap();
    let cases = [
        (empty.as_str(), "empty.csv"),
        (&wrong, "no column for field \"ts\" (nearest: \"tss\")"),
        (&more, "imei = { type = \"int\" }"),
        (dir, "is a folder"),
        ("no-such-file.csv", "no-such-file.csv: "),
    ];
    for (path, wanted) in cases {
        let output = keystride(&["key", "encode", "-d", &design, "--csv", path]);
        assert_eq!(output.status.code(), Some(2), "{path}");
        assert!(stderr(&output).contains(wanted), "{path}: {}", stderr(&output));
    }
}

#[test]
fn a_key_read_back_gives_its_fields_and_a_wrong_bucket_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let design = written(folder.path(), "d.toml", CALLS);
    let output =
        keystride(&["key", "decode", "-d", &design, "09138001380001586131200000", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(document["fields"]["phone"], "13800138000");
    assert_eq!(document["format"], 1);
    let output = keystride(&["key", "decode", "-d", &design, "08138001380001586131200000"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("belongs to bucket 9"));
}

#[test]
fn a_key_is_shown_as_phoenix_s_or_told_why_not() {
    let folder = tempfile::tempdir().unwrap();
    let design = written(folder.path(), "d.toml", CALLS);
    let output = keystride(&["design", "show", &design, "--as", "phoenix"]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(1), ""));
    assert!(stderr(&output).contains("part 0, bucket: SALT_BUCKETS is one byte"), "{}", stderr(&output));

    let salted = CALLS.replace("of = [\"phone\"]", "hash = \"phoenix\", of = [\"rest\"]");
    let design = written(folder.path(), "salted.toml", &salted);
    let output = keystride(&["design", "show", &design, "--as", "phoenix"]);
    assert_eq!(output.status.code(), Some(0));
    let statement = stdout(&output);
    assert!(statement.contains("  \"ts\" CHAR(13) NOT NULL,\n"), "{statement}");
    assert!(statement.contains(") SALT_BUCKETS = 16,\n") && statement.ends_with(";\n"), "{statement}");
    assert!(stderr(&output).contains("note: "));
}

#[test]
fn keys_are_encoded_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let design = written(folder.path(), "d.toml", &format!("format = 1\n[table]\nname = \"t\"\n{TWO}"));
    let mut child = program()
        .args(["key", "encode", "-d", &design])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"id,a,b\n7,x,y\n8,x,y\n").unwrap();
    assert_eq!(stdout(&child.wait_with_output().unwrap()).lines().count(), 2);
}

#[test]
fn keys_and_points_may_begin_with_a_hyphen() {
    let tried = Tried::new(
        "families = [\"f\"]\n[fields]\nk = { type = \"int\" }\n[key]\nparts = [{ field = \"k\" }]\n",
    );
    assert_eq!(tried.load("k\n-9\n7\n", &[]).status.code(), Some(0));
    assert_eq!(
        tried.done(&["scan", "t", "--raw-start", "-9", "--raw-stop", "-99", "--no-header"]).lines().count(),
        1
    );
    tried.done(&["table", "split", "t", "--escaped", "-5"]);
    assert!(tried.done(&["key", "decode", "-d", &tried.design, "--escaped", "-9"]).contains("-9"));
}

#[test]
fn a_key_with_a_line_break_is_no_line_of_keys() {
    let folder = tempfile::tempdir().unwrap();
    let text = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nk = { type = \"string\" }\n\
                [key]\nparts = [{ field = \"k\" }]\n";
    let design = written(folder.path(), "d.toml", text);
    let csv = written(folder.path(), "k.csv", "k\n\"a\nb\"\nc\n");
    let encode = |form| keystride(&["key", "encode", "-d", &design, "--csv", &csv, "--as", form]);
    let output = encode("text");
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(5), "\nc\n"));
    assert!(stderr(&output).contains("k.csv:2: the key has a line break"), "{}", stderr(&output));
    assert_eq!(stdout(&encode("escaped")), "a\\x0Ab\nc\n");
}

#[test]
fn a_bucket_is_chosen_where_the_design_does_not_compute_it() {
    let folder = tempfile::tempdir().unwrap();
    let random = written(folder.path(), "r.toml", &CALLS.replace("of = [\"phone\"]", "hash = \"random\""));
    let computed = written(folder.path(), "d.toml", CALLS);
    let csv = written(
        folder.path(),
        "calls.csv",
        "phone,ts\n13800138000,1586131200000\n13800138000,1586131200001\n",
    );
    let row = ["phone=13800138000", "ts=1586131200000"];
    let encode = |design: &str, args: &[&str]| keystride(&[&["key", "encode", "-d", design], args].concat());
    let bucket = |number| ["--bucket", number];
    let key = |bucket: &str, last: u8| format!("{bucket}13800138000158613120000{last}\n");
    assert_eq!(stdout(&encode(&random, &row)), key("00", 0));
    assert_eq!(stdout(&encode(&random, &[&row[..], &bucket("15")].concat())), key("15", 0));
    assert_eq!(stdout(&encode(&random, &["--csv", &csv])), key("00", 0) + &key("01", 1), "in turn");
    assert_eq!(
        stdout(&encode(&random, &[&["--csv", &csv], &bucket("7")[..]].concat())),
        key("07", 0) + &key("07", 1)
    );
    for (design, number, wanted) in [
        (&random, "16", "bucket 16 is not below the design's 16"),
        (&computed, "9", "the design computes its bucket"),
    ] {
        let output = encode(design, &[&row[..], &bucket(number)].concat());
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
        assert!(stderr(&output).contains(wanted), "{}", stderr(&output));
    }
}

#[test]
fn a_key_is_given_as_text_in_hex_or_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let text = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nid = { type = \"u32\" }\n\
                [key]\nparts = [{ field = \"id\", as = \"be\" }]\n";
    let design = written(folder.path(), "d.toml", text);
    let decode =
        |key: &[&str]| keystride(&[&["key", "decode", "-d", &design, "--format", "json"], key].concat());
    for key in [&["abcd"][..], &["--hex", "61626364"], &["--hex", " 61626364 "], &["--escaped", r"a\x62cd"]] {
        let output = decode(key);
        let document: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert_eq!((&document["key"], &document["fields"]["id"]), (&"61626364".into(), &"1633837924".into()));
    }
    let upper = stdout(&decode(&["--hex", "FFfF0000"]));
    assert!(upper.contains("ffff0000"), "{upper}");
    for (key, wanted) in [
        (&["--hex", "6162636"][..], "is not hex"),
        (&["--hex", "6162636x"], "is not hex"),
        (&["--hex", ""], "key"),
        (&[], "give one key"),
        (&["abcd", "--hex", "61626364"], "cannot be used with"),
    ] {
        let output = decode(key);
        assert_eq!(output.status.code(), Some(2), "{key:?}: {}", stdout(&output));
        assert!(stderr(&output).contains(wanted), "{key:?}: {}", stderr(&output));
    }
    let short = decode(&["abc"]);
    assert_eq!(
        (short.status.code(), stderr(&short).contains("--escaped")),
        (Some(1), false),
        "{}",
        stderr(&short)
    );
}

#[test]
fn the_parts_of_a_key_and_its_region_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let text = CALLS.replace("{ field = \"phone\" }", "{ text = \"|\" }, { field = \"phone\" }");
    let design = written(folder.path(), "d.toml", &text);
    let key = "09|138001380001586131200000";
    let run = |command: &str, more: &[&str]| keystride(&[&["key", command, "-d", &design], more].concat());
    let decoded = |time: &str| {
        format!(
            "part\tbytes\tvalue\thow\nbucket\t09\t\txxh3 of phone\ntext\t|\t\t\nphone\t13800138000\t13800138000\t\n\
             ts\t1586131200000\t{time}\t\n"
        )
    };
    assert_eq!(stdout(&run("decode", &[key])), decoded("2020-04-06T00:00:00.000Z"));
    assert_eq!(stdout(&run("decode", &[key, "--tz", "+08:00"])), decoded("2020-04-06T08:00:00.000+08:00"));
    assert!(
        stdout(&run("decode", &[key, "--format", "json"])).contains("\"ts\": \"2020-04-06T00:00:00.000Z\"")
    );
    for (key, region) in [
        (key, "9\t16\t09\t10\tbucket 09\tbucket 10\t\n"),
        ("00", "0\t16\t\t01\t\tbucket 01\t\n"),
        ("15", "15\t16\t15\t\tbucket 15\t\t\n"),
    ] {
        let output = run("locate", &[key, "--no-header"]);
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), region));
        assert_eq!(
            stderr(&output).contains("not a key of this design"),
            key.len() == 2,
            "{}",
            stderr(&output)
        );
    }
}

#[test]
fn how_a_file_is_read_is_said_where_its_name_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let text = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nk = { type = \"string\" }\n\
                v = { type = \"string\" }\n[key]\nparts = [{ field = \"k\" }]\n";
    let design = written(folder.path(), "d.toml", text);
    let file = folder.path().join("rows.txt");
    let path = file.to_str().unwrap();
    let encode = |bytes: &[u8], options: &[&str]| {
        std::fs::write(&file, bytes).unwrap();
        keystride(&[&["key", "encode", "-d", &design, "--as", "text", "--csv", path], options].concat())
    };
    for (bytes, options) in [
        ("k,v\n北,x\n".as_bytes(), &[][..]),
        ("北,x\n".as_bytes(), &["--headerless"]),
        ("v;k\nx;北\n".as_bytes(), &["--delimiter", ";"]),
        ("v\tk\nx\t北\n".as_bytes(), &["--delimiter", "tab"]),
        ("{\"v\":\"x\",\"k\":\"北\"}\n".as_bytes(), &["--input", "json"]),
        (b"k,v\n\xb1\xb1,x\n", &["--encoding", "gbk"]),
    ] {
        let output = encode(bytes, options);
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), "北\n"), "{options:?}");
    }
    assert_eq!(stdout(&encode(b"k,v\n\xe9,x\n", &["--encoding", "latin1"])), "é\n");
    for options in [&["--encoding", "utf-7"][..], &["--delimiter", ";;"], &["--input", "parquet"]] {
        assert_eq!(encode(b"k,v\na,x\n", options).status.code(), Some(2), "{options:?}");
    }
}
