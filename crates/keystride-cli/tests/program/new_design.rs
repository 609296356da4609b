//! `design new`: a design made from a sample.

use super::{keystride, stderr, stdout, written};

#[test]
fn a_new_design_names_fields_after_their_columns() {
    let folder = tempfile::tempdir().unwrap();
    let csv = written(folder.path(), "calls.csv", "id,Start time,名,start_time\n1,a,b,\n2,,c,\n");
    let output = keystride(&["design", "new", "--from", &csv, "--key", "id"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let fields = "start_time = { type = \"string\", column = \"Start time\" }\n\"名\" = { type = \"string\" }\n\
                  start_time_2 = { type = \"string\", column = \"start_time\" }\n";
    assert!(stdout(&output).contains(fields), "{}", stdout(&output));
    let design = written(folder.path(), "d.toml", &stdout(&output));
    let output = keystride(&["key", "encode", "-d", &design, "--csv", &csv]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), "0000000001\n0000000002\n"));
    let twice = keystride(&["design", "new", "--from", &csv, "--key", "id, id desc"]);
    assert_eq!(twice.status.code(), Some(2));
    assert!(stderr(&twice).contains("field \"id\" is given twice"), "{}", stderr(&twice));
}

#[test]
fn a_file_with_a_chinese_header_is_loaded_and_queried() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let rows =
        "手机号,Add Time,userId\n13800138000,2020-04-06 12:00:00,u1\n13800138001,2020-04-06 12:00:01,u2\n";
    let csv = written(folder.path(), "calls.csv", rows);
    let (design, store) = (at("calls.toml"), format!("embedded:{}", at("data")));
    let run = |args: &[&str]| {
        let output = keystride(&[args, &["--backend", &store]].concat());
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
        stdout(&output)
    };
    run(&["design", "new", "--from", &csv, "--key", "手机号, Add Time desc", "-o", &design]);
    run(&["table", "create", "-d", &design]);
    run(&["load", &csv, "-t", "calls"]);
    let where_ = "\"手机号\" = '13800138000' and add_time > '2020-04-06'";
    let found = run(&["query", "calls", "--where", where_, "--format", "csv"]);
    assert_eq!(found, "手机号,add_time,userId\n13800138000,2020-04-06T12:00:00.000Z,u1\n");
    let printed = written(folder.path(), "printed.csv", &run(&["query", "calls", "--format", "csv"]));
    let reported = run(&["load", &printed, "-t", "calls", "--format", "json"]);
    assert!(reported.contains("\"rows\": 2"), "{reported}");
    let line = "{\"手机号\":\"13800138002\",\"Add Time\":\"2020-04-06T12:00:02Z\",\"userId\":\"u3\"}\n";
    run(&["load", &written(folder.path(), "more.jsonl", line), "-t", "calls"]);
    assert_eq!(run(&["count", "calls", "--where", "left(手机号,3) = '138'"]).trim(), "3");
}

#[test]
fn a_new_design_has_a_key_that_is_told_to_be_a_guess() {
    let folder = tempfile::tempdir().unwrap();
    let rows: Vec<String> = (0..40)
        .map(|row| format!("{},1386131200{:03},{row}\n", 13_800_138_000_u64 + row % 7, row / 9))
        .collect();
    let csv = written(folder.path(), "calls.csv", &format!("phone,ts,row\n{}", rows.concat()));
    let output = keystride(&["design", "new", "--from", &csv]);
    let told =
        "the key is a guess: 'phone, ts desc, row' tells the 40 rows looked at apart; --key names another\n";
    assert!(stderr(&output).contains(told), "{}", stderr(&output));
    let asked = keystride(&["design", "new", "--from", &csv, "--key", "phone, ts desc, row"]);
    assert_eq!(stdout(&output), stdout(&asked));
    let named =
        written(folder.path(), "named.csv", "userId,start,v\nu,20240611173228,1\nu,20240611173229,1\n");
    let output = keystride(&["design", "new", "--from", &named]);
    assert!(
        stderr(&output).contains("start is taken for a time, yyyyMMddHHmmss in UTC"),
        "{}",
        stderr(&output)
    );
    let lines = written(folder.path(), "rows.jsonl", "{\"phone\":\"1\"}\n");
    let output = keystride(&["design", "new", "--from", &lines]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("phone = { type = \"int\", min = 0, max = 9999999999 }\n"),
        "{}",
        stdout(&output)
    );
    let empty = written(folder.path(), "empty.csv", "phone,ts\n");
    let output = keystride(&["design", "new", "--from", &empty]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("say one with --key"), "{}", stderr(&output));
}

#[test]
fn a_new_design_says_the_encoding_of_its_file_and_the_zone_of_its_times() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (csv, design, store) = (at("calls.csv"), at("d.toml"), format!("embedded:{}", at("data")));
    let gbk = b"\xb5\xe7\xbb\xb0,at,n\n13800138000,2024-03-01 08:00:47,\xc0\xee\n";
    std::fs::write(&csv, gbk).unwrap();
    let new = ["design", "new", &csv, "--table", "calls", "--encoding", "gbk"];
    let told = stderr(&keystride(&new));
    assert!(
        told.contains("at has times without an offset, taken for UTC; --tz names their zone\n"),
        "{told}"
    );
    let output = keystride(&[&new[..], &["--tz", "Asia/Shanghai", "-o", &design]].concat());
    assert!(!stderr(&output).contains("offset"), "{}", stderr(&output));
    let text = std::fs::read_to_string(&design).unwrap();
    assert!(text.contains("\n[input]\nencoding = \"gb18030\"\n"), "{text}");
    let run = |args: &[&str]| {
        let output = keystride(&[args, &["--backend", &store]].concat());
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
        stdout(&output)
    };
    run(&["table", "create", &design]);
    run(&["load", &csv, "-t", "calls"]);
    let found = run(&["query", "calls", "--format", "json"]);
    assert!(found.contains("李") && found.contains("2024-03-01T08:00:47.000+08:00"), "{found}");
}

#[test]
fn a_text_that_leads_the_guess_has_a_default_where_few_rows_lack_it() {
    let folder = tempfile::tempdir().unwrap();
    let row = |row: usize| {
        format!("{},{}\n", if row == 7 { "NA".to_owned() } else { format!("N{}", row % 5) }, row / 5)
    };
    let rows: String = (0..40).map(row).collect();
    let csv = written(folder.path(), "n.csv", &format!("tail,n\n{rows}"));
    let output = keystride(&["design", "new", &csv]);
    assert!(
        stdout(&output).contains("tail = { type = \"string\", default = \"-\" }\n"),
        "{}",
        stdout(&output)
    );
    let told = "tail has no value in 1 of the 40 rows looked at: their keys have its default, -\n";
    assert!(stderr(&output).contains(told), "{}", stderr(&output));
    let design = written(folder.path(), "d.toml", &stdout(&output));
    let keys = stdout(&keystride(&["key", "encode", "-d", &design, "--csv", &csv]));
    assert_eq!((keys.lines().count(), keys.lines().nth(7)), (40, Some("-\\x000000000001")));
}

#[test]
fn a_new_design_takes_no_identifier_for_a_time_and_splits_between_buckets() {
    let folder = tempfile::tempdir().unwrap();
    let rows = "user_id,ts,depth\n1000000001,1586131200,1\n1000000002,1586131201,2\n";
    let csv = written(folder.path(), "calls.csv", rows);
    let new = |more: &[&str]| {
        keystride(&[&["design", "new", "--from", &csv, "--key", "user_id, ts"], more].concat())
    };
    let output = new(&[]);
    let text = stdout(&output);
    assert!(
        text.contains("user_id = { type = \"digits\", len = 10 }\nts = { type = \"time\", unit = \"s\" }\n")
    );
    assert!(text.contains("depth = { type = \"int\" }\n"), "it may be negative later: {text}");
    assert_eq!(
        stderr(&output),
        "ts is taken for a time, in s since 1970\n\
         the table begins with one region; --buckets 16 spreads its rows over 16\n"
    );
    let design = written(folder.path(), "d.toml", &stdout(&new(&["--buckets", "16"])));
    let splits = keystride(&["splits", "-d", &design]);
    assert_eq!(stdout(&splits).lines().count(), 15, "{}", stderr(&splits));

    let other = written(folder.path(), "other.csv", "the user,a,a\n");
    let new = |key| stderr(&keystride(&["design", "new", "--from", &other, "--key", key]));
    assert!(new("a").contains("the column \"a\" is there twice"), "{}", new("a"));
    written(folder.path(), "other.csv", "the user,a\n1,2\n");
    assert!(!new("the user").contains("error"), "{}", new("the user"));
    assert!(new("the_user, the user").contains("field \"the user\" is given twice"));
}

#[test]
fn a_new_design_reads_its_own_sample() {
    let folder = tempfile::tempdir().unwrap();
    let rows = "phone,ts,city,delta\n13800138000,1586131200000,北京,-3\n13800138001,1586131200001,NA,4\n";
    let csv = written(folder.path(), "calls.csv", rows);
    let design = folder.path().join("d.toml");
    let design = design.to_str().unwrap();
    let output =
        keystride(&["design", "new", "--from", &csv, "--key", "phone, ts desc, city, delta", "-o", design]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = std::fs::read_to_string(design).unwrap();
    for wanted in ["digits\", len = 11", "unit = \"ms\"", "null = [\"\", \"NA\"]", "as = \"ordered\""] {
        assert!(text.contains(wanted), "{wanted} is not in\n{text}");
    }
    let output = keystride(&["key", "encode", "-d", design, "--csv", &csv]);
    assert_eq!(
        stdout(&output).lines().next().unwrap(),
        r"138001380008413868799999\xE5\x8C\x97\xE4\xBA\xAC\x00\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFD"
    );
    assert_eq!(
        keystride(&["design", "new", "--from", &csv, "--key", "phone", "-o", design]).status.code(),
        Some(2)
    );
}

#[test]
fn a_design_made_from_a_file_is_valid_whatever_stands_for_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let csv = written(folder.path(), "n.csv", "a,b\n1,-\n2,\\N\n");
    let output = keystride(&["design", "new", "--from", &csv, "--key", "a"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains(r#""\\N""#), "{}", stdout(&output));
}

#[test]
fn a_new_design_keeps_the_zeros_before_a_number() {
    let folder = tempfile::tempdir().unwrap();
    let csv = written(folder.path(), "n.csv", "a,b,c\n007,-03,+1\n12,4,2\n");
    let made = stdout(&keystride(&["design", "new", "--from", &csv, "--key", "a"]));
    assert_eq!(made.matches("{ type = \"string\" }").count(), 3, "{made}");
}

#[test]
fn a_new_design_says_what_may_be_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let csv = written(folder.path(), "calls.csv", "a,b,c\n1,,x\n2,5,y\n3,NA,z\n");
    let new =
        |more: &[&str]| keystride(&[&["design", "new", "--from", &csv, "--buckets", "4"], more].concat());
    let lacking = new(&["--key", "b, a"]);
    let told = "b has no value in 2 of the 3 rows looked at, which have no key: give it a default\n";
    assert_eq!((lacking.status.code(), stderr(&lacking).as_str()), (Some(0), told));
    for (key, wanted) in [
        ("a", "[key]\nparts = [\n  { bucket = 4, of = [\"a\"] },\n  { field = \"a\", pad = 10 },\n]\n"),
        ("c, a", "  { field = \"c\" },\n  { text = '\\x00' },\n  { field = \"a\", pad = 10 },\n]\n"),
        ("a, c", "  { field = \"a\", pad = 10 },\n  { field = \"c\" },\n]\n"),
        ("c desc", "  { field = \"c\", desc = \"invert\" },\n  { text = '\\x00' },\n]\n"),
    ] {
        let output = new(&["--key", key]);
        assert!(stdout(&output).contains(wanted), "{key}: {}", stdout(&output));
        assert_eq!(stderr(&output), "", "{key}");
    }
    let bare = written(folder.path(), "bare.csv", "a,b,c\n1,,x\n2,5,y\n");
    let made = "format = 1\n\n[table]\nname = \"bare\"\nfamilies.f = { encoding = \"fast-diff\" }\n\n[fields]\n\
                a = { type = \"int\", min = 0, max = 9999999999 }\n\
                b = { type = \"int\" }\nc = { type = \"string\" }\n\n[key]\nparts = [\n  { field = \"a\", pad = 10 },\n]\n";
    assert_eq!(stdout(&keystride(&["design", "new", "--from", &bare, "--key", "a"])), made);
    assert!(stdout(&new(&["--key", "a", "--table", "x:y"])).contains("name = \"x:y\"\n"));
    assert_eq!(new(&["--key", "a", "--table", "x y"]).status.code(), Some(2));
    let unknown = new(&["--key", "a, d"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("no field \"d\"; it has a, b, c"), "{}", stderr(&unknown));
    for buckets in ["1", "65537"] {
        let output = keystride(&["design", "new", "--from", &csv, "--key", "a", "--buckets", buckets]);
        assert_eq!(output.status.code(), Some(2), "{buckets}");
    }
}

#[test]
fn a_key_is_guessed_from_what_can_be_a_field() {
    let folder = tempfile::tempdir().unwrap();
    for (rows, code, wanted) in [
        ("a,b\n1,\n1,2\n", 0, "the key is a guess, and some of the 2 rows looked at have the same 'a'"),
        ("a,b\n1,3\n1,2\n", 0, "the key is a guess: 'b' tells the 2 rows looked at apart"),
        ("a,b\n1\n2,3\n", 0, "the key is a guess: 'a' tells the one row looked at apart"),
        ("a,b\n1\n2,3\n", 0, "1 of the first records can't be read; the first: "),
        ("a,b\n1\n", 2, "1 column, not 2"),
        ("the user,a\n1,\n", 0, "'the_user' tells the one row looked at apart"),
        ("the user\n1\n", 0, "the key is a guess: 'the_user'"),
        (",\n1,2\n", 2, "the column \"\" is there twice"),
    ] {
        let output = keystride(&["design", "new", "--from", &written(folder.path(), "n.csv", rows)]);
        assert_eq!(output.status.code(), Some(code), "{rows}: {}", stderr(&output));
        assert!(stderr(&output).contains(wanted), "{rows}: {}", stderr(&output));
    }
}

#[test]
fn a_file_with_more_columns_than_a_design_has_fields_is_told_so() {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..5_001).map(|n| format!("c{n}")).collect();
    let output =
        keystride(&["design", "new", "--from", &written(folder.path(), "n.csv", &(names.join(",") + "\n"))]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("n.csv: 5001 columns, but a design has at most 5000 fields"),
        "{}",
        stderr(&output)
    );
}
