//! The program as a script sees it: what it prints, and its exit codes.

#![expect(clippy::unwrap_used, reason = "a program that can't be run fails the test")]

mod contexts;
mod demo;
mod demo_on_hbase;
mod every_command_on_hbase;
mod formats;
mod languages;
mod lint_fix;
mod loads_into_hbase;
mod long_output;
mod nothing_is_lost;
mod on_hbase;
mod rows;
mod same_key;
mod splits;
mod splits_on_hbase;
mod times;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn keystride(args: &[&str]) -> Output {
    program().args(args).output().unwrap()
}

/// The program as nobody has set it up.
fn program() -> Command {
    unset(Command::new(env!("CARGO_BIN_EXE_keystride")))
}

/// A shell in which the program is as nobody has set it up.
fn shell(script: &str) -> Command {
    let mut shell = unset(Command::new("sh"));
    shell.args(["-c", script]);
    shell
}

/// Keeps the settings of whoever runs the tests away.
fn unset(mut command: Command) -> Command {
    let names = std::env::vars_os().map(|(name, _)| name);
    for name in names.filter(|name| name.to_string_lossy().starts_with("KEYSTRIDE_")) {
        command.env_remove(name);
    }
    command.env("KEYSTRIDE_CONFIG", "/nonexistent/keystride.toml");
    command
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn example(name: &str) -> String {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../examples", name].iter().collect();
    path.to_str().unwrap().to_owned()
}

fn written(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

const CALLS: &str = r#"
format = 1
[table]
name = "calls"
families = ["f"]
[fields]
phone = { type = "digits", len = 11 }
ts = { type = "time", unit = "ms" }
[key]
parts = [ { bucket = 16, of = ["phone"] }, { field = "phone" }, { field = "ts" } ]
[split]
by = "bucket"
"#;

#[test]
fn no_command_prints_the_help_and_ends_with_2() {
    let output = keystride(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("Usage: keystride"));
}

#[test]
fn a_working_folder_that_was_removed_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let script = "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" --backend \"embedded:$1\" table create --design \"$2\"";
    let mut shell = shell(script);
    let design = written(folder.path(), "d.toml", CALLS);
    shell.arg(env!("CARGO_BIN_EXE_keystride")).arg(&store).arg(design);
    let output = shell.current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("can't find the working folder"), "{}", stderr(&output));
    assert!(!store.exists());
}

#[test]
fn what_a_design_lacks_altogether_is_told_after_its_last_line() {
    let folder = tempfile::tempdir().unwrap();
    let run = |text: &str| stderr(&keystride(&["design", "show", &written(folder.path(), "d.toml", text)]));
    let told = run("format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\n");
    assert!(told.contains("\"key\" is missing") && told.contains("d.toml:5:9"), "{told}");
    // There is no line to point at.
    let told = run("");
    assert!(told.contains("\"key\" is missing") && told.lines().all(|line| !line.ends_with(", ")), "{told}");
}

#[cfg(unix)]
#[test]
fn a_low_limit_on_open_files_is_raised_as_far_as_the_user_may() {
    let folder = tempfile::tempdir().unwrap();
    let design = written(folder.path(), "d.toml", CALLS);
    let create = |limit: &str| {
        let mut shell =
            shell(&format!("{limit}; exec \"$0\" table create --backend embedded:store -d \"$1\""));
        shell.arg(env!("CARGO_BIN_EXE_keystride")).arg(&design);
        shell.current_dir(folder.path()).output().unwrap()
    };
    let refused = create("ulimit -n 10");
    assert!(stderr(&refused).contains("Too many open files"), "{}", stderr(&refused));
    let output = create("ulimit -S -n 10");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn every_mistake_of_a_design_is_told_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let text = CALLS
        .replace("digits", "digts")
        .replace("families", "familes")
        .replace("by = \"bucket\"", "by = \"buckets\"");
    let design = written(folder.path(), "d.toml", &text);
    let output = keystride(&["design", "show", &design]);
    assert_eq!(output.status.code(), Some(2));
    let talk = stderr(&output);
    for wanted in [
        "did you mean \"digits\"?",
        "did you mean \"families\"?",
        "did you mean \"bucket\"?",
        "d.toml:7:",
        "^^^",
    ] {
        assert!(talk.contains(wanted), "{wanted} is not in\n{talk}");
    }
    assert!(stdout(&output).is_empty());
}

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
    let create = ["table", "create", "-d", &design, "--dry-run"];
    assert!(stdout(&keystride(&create)).starts_with("create 'flights', {NAME => 'f'"));
    let named = keystride(&[&create[..], &["-t", "air:flights_2013"]].concat());
    assert!(stdout(&named).starts_with("create 'air:flights_2013', {NAME => 'f'"));
    assert_eq!(keystride(&[&create[..], &["-t", "a'b"]].concat()).status.code(), Some(2));
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
fn a_row_put_is_found_by_its_key_and_by_a_query_from_one_range() {
    let folder = tempfile::tempdir().unwrap();
    let design = written(folder.path(), "d.toml", CALLS);
    let backend = format!("embedded:{}", folder.path().join("data").display());
    let run = |args: &[&str]| keystride(&[&["--backend", &backend], args].concat());
    let missing = run(&["table", "list"]);
    assert_eq!(missing.status.code(), Some(3), "{}", stderr(&missing));
    assert_eq!(run(&["table", "create", "-d", &design]).status.code(), Some(0));
    assert_eq!(run(&["table", "create", "-d", &design]).status.code(), Some(1));
    assert_eq!(run(&["table", "create", "-d", &design, "--if-not-exists"]).status.code(), Some(0));
    assert_eq!(stdout(&run(&["table", "splits", "calls"])).lines().count(), 15);
    for ts in ["1586131200000", "1586131200001"] {
        let put = run(&["put", "calls", "phone=13800138000", &format!("ts={ts}")]);
        assert_eq!(put.status.code(), Some(0), "{}", stderr(&put));
    }
    assert_eq!(stdout(&run(&["count", "calls"])).trim(), "2");
    let query = ["query", "calls", "--where", "phone = '13800138000'", "--newest", "1", "--format", "ndjson"];
    let row: serde_json::Value = serde_json::from_str(&stdout(&run(&query))).unwrap();
    assert_eq!(row, serde_json::json!({ "phone": "13800138000", "ts": "1586131200001" }));
    let explained = stdout(&run(&["query", "calls", "--where", "phone = '13800138000'", "--explain"]));
    assert!(explained.contains("RANGE SCAN x1, 1 of 16 buckets"), "{explained}");
    assert_eq!(run(&["get", "calls", "phone=13800138000", "ts=1586131200002"]).status.code(), Some(1));
    let wrong = run(&["query", "calls", "--where", "phone = "]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("--where:1:9"), "{}", stderr(&wrong));
    let other = written(folder.path(), "other.toml", &CALLS.replace("bucket = 16", "bucket = 32"));
    let check = run(&["table", "check", "calls", "-d", &other]);
    assert_eq!((check.status.code(), stdout(&check).contains("16 here, 32 there")), (Some(1), true));
    assert_eq!(run(&["table", "drop", "calls"]).status.code(), Some(2));
    assert_eq!(run(&["table", "drop", "calls", "--yes"]).status.code(), Some(0));
}

#[test]
fn mistakes_beside_letters_of_several_bytes_have_a_place() {
    let folder = tempfile::tempdir().unwrap();
    let design = written(folder.path(), "d.toml", CALLS);
    let backend = format!("embedded:{}/store", folder.path().display());
    let run = |args: &[&str]| keystride(&[&["--backend", &backend], args].concat());
    assert_eq!(run(&["table", "create", "-d", &design]).status.code(), Some(0));
    for (predicate, place, told) in [
        ("phone = 北京", "1:9", "takes a text in single quotes"),
        ("phone = ‘北京’", "1:9", "'‘' has no meaning here"),
        ("phone = '北'，ts = 2", "1:12", "'，' has no meaning here"),
        ("北 = 1", "1:1", "unknown field \"北\" (known: phone, ts)"),
        ("phone = '北", "1:9", "has no closing quote"),
    ] {
        let output = run(&["query", "calls", "--where", predicate]);
        assert_eq!(output.status.code(), Some(2), "{predicate}: {}", stderr(&output));
        let said = stderr(&output);
        assert!(said.contains(&format!("--where:{place}\n")) && said.contains(told), "{said}");
    }
    let cut = written(folder.path(), "d.json", "{\"format\": 1, \"年");
    let output = keystride(&["design", "lint", &cut]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("d.json:1:16"), "{}", stderr(&output));
}

#[test]
fn lint_says_no_with_1_and_its_patch_makes_the_error_go() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(example("flights/seed-003.toml")).unwrap();
    let design = written(folder.path(), "d.toml", &text);
    let output = keystride(&["design", "lint", &design, "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let document: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let first = &document["findings"][0];
    assert_eq!((&first["id"], &first["severity"]), (&"SPL05".into(), &"error".into()));
    assert_eq!(first["evidence"]["empty"], serde_json::json!([0, 17]));
    assert_eq!(keystride(&["design", "lint", &design, "--exit-zero"]).status.code(), Some(0));
    let fixed = keystride(&["design", "lint", &design, "--fix"]);
    assert_eq!(fixed.status.code(), Some(0), "{}", stderr(&fixed));
    let patched = std::fs::read_to_string(&design).unwrap();
    assert!(patched.contains("by     = \"bucket\"") && patched.contains("# A posted recipe"), "{patched}");
}

#[test]
fn a_patch_that_changes_keys_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(example("seed-003/design.toml")).unwrap();
    let told = "the design makes other keys or cells now";
    let fix = |text: &str| {
        let design = written(folder.path(), "d.toml", text);
        stderr(&keystride(&["design", "lint", &design, "--fix", "--exit-zero"]))
    };
    let changed = fix(&text);
    assert!(changed.contains("fixed: write the bucket as bytes\n") && changed.contains(told), "{changed}");
    let short = fix(&text.replace("width = 3", "base = \"byte\""));
    assert!(short.contains("fixed: ") && !short.contains(told), "{short}");
}

#[test]
fn every_lint_has_a_page_and_a_near_name_is_suggested() {
    let listed = stdout(&keystride(&["design", "explain"]));
    assert!(listed.lines().count() > 50);
    for id in listed.lines().filter_map(|line| line.split(' ').next()) {
        let page = stdout(&keystride(&["design", "explain", id]));
        assert!(page.starts_with(id) && page.lines().count() > 5, "{page}");
    }
    let output = keystride(&["design", "explain", "SPL5"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("did you mean SPL05?"));
}

#[test]
fn a_new_design_stores_columns_that_can_be_no_fields() {
    let folder = tempfile::tempdir().unwrap();
    let csv = written(folder.path(), "calls.csv", "id,Start time,名\n1,a,b\n2,,c\n");
    let output = keystride(&["design", "new", "--from", &csv, "--key", "id"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("# No names of fields: \"Start time\", \"名\".\nother = \"f\"\n"));
    let design = written(folder.path(), "d.toml", &stdout(&output));
    let output = keystride(&["key", "encode", "-d", &design, "--csv", &csv]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), "0000000001\n0000000002\n"));
    let twice = keystride(&["design", "new", "--from", &csv, "--key", "id, id desc"]);
    assert_eq!(twice.status.code(), Some(2));
    assert!(stderr(&twice).contains("field \"id\" is given twice"), "{}", stderr(&twice));
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
    assert!(stderr(&output).contains("no names of fields, so in no key: userId"), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("start is taken for a time, yyyyMMddHHmmss in UTC"),
        "{}",
        stderr(&output)
    );
    let lines = written(folder.path(), "rows.jsonl", "{\"phone\":\"1\"}\n");
    let output = keystride(&["design", "new", "--from", &lines]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("is JSON: a design is inferred from CSV"), "{}", stderr(&output));
    let empty = written(folder.path(), "empty.csv", "phone,ts\n");
    let output = keystride(&["design", "new", "--from", &empty]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("say one with --key"), "{}", stderr(&output));
}

#[test]
fn what_is_no_design_is_told_to_programs_too() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("\u{feff}{}", CALLS.replace("digits", "digit"));
    let design = written(folder.path(), "d.toml", &text);
    let lint = |format| keystride(&["design", "lint", &design, "--format", format]);
    let output = lint("json");
    assert_eq!(output.status.code(), Some(2));
    let document: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let mistake = &document["findings"][0];
    let (before, _) = CALLS.split_once("\"digits\"").unwrap();
    assert_eq!(mistake["line"], before.lines().count());
    assert_eq!(mistake["column"], before.lines().last().unwrap().len() + 1);
    assert!(
        mistake["id"].is_null() && mistake["message"].as_str().unwrap().contains("\"digit\""),
        "{mistake}"
    );
    assert!(stdout(&lint("concise")).starts_with(&format!("{design}:{}:", mistake["line"])));
    assert_eq!(stdout(&lint("ndjson")), format!("{mistake}\n"), "no second mistake follows from it");
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
    assert!(new("a").contains("column \"a\" is named twice"));
    written(folder.path(), "other.csv", "the user,a\n1,2\n");
    assert!(new("the user").contains("column \"the user\" can't be a field"));
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
fn a_closed_pipe_is_no_failure() {
    use std::io::Read as _;
    let mut child = program()
        .args(["splits", "--algo", "UniformSplit", "-n", "65536"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut head = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut head).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
