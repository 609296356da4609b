//! Designs: what is wrong with them, by their grammar and by lints.

use super::tried::Tried;
use super::{CALLS, UNPADDED, example, keystride, shell, stderr, stdout, written};

#[test]
fn what_a_design_lacks_altogether_is_told_after_its_last_line() {
    let folder = tempfile::tempdir().unwrap();
    let run = |text: &str| stderr(&keystride(&["design", "show", &written(folder.path(), "d.toml", text)]));
    let told = run("format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n\n");
    assert!(told.contains("\"key\" is missing") && told.contains("d.toml:5:9"), "{told}");
}

#[test]
fn a_file_that_is_no_design_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = "[package]\nname = \"t\"\n[dependencies]\nserde = \"1\"\n";
    for (name, text, why) in [
        ("calls.csv", "phone,ts\n13800138000,1586131200000\n", "it has none of format, [table]"),
        ("Cargo.toml", manifest, "it has none of format, [table]"),
        ("empty.toml", "", "it is empty; a design begins with `format = 1`"),
        ("package.json", "{\"name\": \"t\"}", "it is not an object with \"format\""),
        ("design", "{\"format\": 1, \"table\": {}}", "a file whose name ends in .json"),
        ("rows.parquet", "PAR1", "it has none of format"),
    ] {
        let file = written(folder.path(), name, text);
        for command in
            [&["design", "lint", &file][..], &["splits", "-d", &file], &["table", "create", "-d", &file]]
        {
            let output = keystride(command);
            let told = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{command:?}");
            assert!(
                told.starts_with(&format!("error: {file} is not a design file: ")) && told.contains(why),
                "{told}"
            );
            assert_eq!(
                told.contains("design new"),
                name.starts_with("calls") || name.starts_with("rows"),
                "{told}"
            );
            assert_eq!(told.matches("error").count(), 1, "{told}");
        }
    }
    let binary = folder.path().join("d.toml");
    std::fs::write(&binary, b"PAR1\xff\x00").unwrap();
    let told = stderr(&keystride(&["design", "lint", binary.to_str().unwrap()]));
    assert!(told.contains("d.toml is not a design file: it is not UTF-8 text"), "{told}");
}

#[test]
fn a_finding_is_silenced_with_a_reason_while_there_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let lint = |allow: &str, more: &[&str]| {
        let text = format!("{UNPADDED}[lint]\nallow = [{allow}]\n");
        let design = written(folder.path(), "d.toml", &text);
        keystride(&[&["design", "lint", &design, "--strict"], more].concat())
    };
    let quiet = lint("\"ENC01: ids are equally long\"", &[]);
    assert_eq!(quiet.status.code(), Some(0));
    assert!(!stdout(&quiet).contains("ENC01"), "{}", stdout(&quiet));
    assert_eq!(stderr(&quiet), "1 note, 1 silenced\n");
    assert_eq!(lint("\"SIZ03: so be it\"", &[]).status.code(), Some(1));
    let told = stdout(&lint("\"ENC01: ids are equally long\", \"HOT01: none\"", &["--format", "json"]));
    let document: serde_json::Value = serde_json::from_str(&told).unwrap();
    let silenced = &document["silenced"][0];
    assert_eq!((&silenced["id"], &silenced["silenced"]), (&"ENC01".into(), &"ids are equally long".into()));
    assert_eq!(document["stale"], serde_json::json!(["HOT01"]));
    let stale = stderr(&lint("\"ENC01: ids are equally long\", \"HOT01: none\"", &[]));
    assert!(stale.contains("d.toml:11: warning: [lint] allows HOT01, which finds nothing here"), "{stale}");
    let unknown = lint("\"ENC1: short\"", &[]);
    assert_eq!(unknown.status.code(), Some(2));
    let told = stderr(&unknown);
    assert!(told.contains("unknown lint \"ENC1\"") && told.contains("did you mean \"ENC01\"?"), "{told}");
    assert!(told.contains("d.toml:11:10"), "{told}");
}

#[test]
fn a_design_is_an_argument_or_an_option_and_not_both() {
    let folder = tempfile::tempdir().unwrap();
    let design = written(folder.path(), "d.toml", CALLS);
    for command in
        [&["design", "lint"][..], &["design", "show"], &["splits"], &["table", "create", "--dry-run"]]
    {
        let run = |design: &[&str]| keystride(&[command, design].concat());
        let (argument, option) = (run(&[&design]), run(&["-d", &design]));
        assert_eq!(argument.status.code(), Some(0), "{command:?}: {}", stderr(&argument));
        assert_eq!((stdout(&argument), stderr(&argument)), (stdout(&option), stderr(&option)), "{command:?}");
        let (both, none) = (run(&[&design, "-d", &design]), run(&[]));
        assert_eq!((both.status.code(), none.status.code()), (Some(2), Some(2)), "{command:?}");
        assert!(stderr(&both).contains("cannot be used with"), "{}", stderr(&both));
    }
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
    assert_eq!(talk.lines().filter(|line| line.starts_with("error: ")).count(), 4, "{talk}");
    assert!(stdout(&output).is_empty());
}

#[test]
fn of_many_mistakes_the_first_hundred_are_told_with_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let words: Vec<String> = (0..102).map(|word| format!("w{word} = 1\n")).collect();
    let text = format!("\u{feff}format = 1\n{}{}", words.concat(), CALLS.replace("format = 1\n", ""));
    let design = written(folder.path(), "d.toml", &text);
    let talk = stderr(&keystride(&["design", "show", &design]));
    assert_eq!(talk.lines().filter(|line| line.starts_with("error: ")).count(), 100, "{talk}");
    let last: Vec<&str> = talk.lines().skip_while(|line| !line.starts_with(&design)).collect();
    assert!(last[0].starts_with(&format!("{design}:102: unknown word \"w100\"")), "{last:?}");
    assert!(last[1].starts_with(&format!("{design}:103: unknown word \"w101\"")), "{last:?}");
    assert_eq!(last[2..], ["", &format!("{design}: 102 mistakes, nothing done")]);
    let one = written(folder.path(), "one.toml", &CALLS.replace("digits", "digts"));
    assert!(stderr(&keystride(&["design", "show", &one])).ends_with("one.toml: 1 mistake, nothing done\n"));
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
        stderr(&keystride(&["design", "lint", &design, "--fix", "--unsafe-fixes", "--exit-zero"]))
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
    let rows = stdout(&keystride(&["design", "explain", "--format", "tsv"]));
    assert_eq!(rows.lines().count(), listed.lines().count() + 1);
    assert!(rows.contains("\nSPL05\t"), "{rows}");
    for id in listed.lines().filter_map(|line| line.split(' ').next()) {
        let page = stdout(&keystride(&["design", "explain", id]));
        assert!(page.starts_with(id) && page.lines().count() > 5, "{page}");
    }
    let output = keystride(&["design", "explain", "SPL5"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("did you mean SPL05?"));
}

#[test]
fn a_design_written_as_json_keeps_the_order_of_fields_and_families() {
    let tried = Tried::new(
        "[table.families]\nz = { versions = 2 }\na = { ttl = \"1d\" }\n[fields]\nid = { type = \"u32\" }\n\
         b = { type = \"string\" }\na = { type = \"string\" }\n[key]\nparts = [{ field = \"id\" }]\n",
    );
    let json = tried.done(&["design", "show", &tried.design, "--as", "json"]);
    let json = written(tried.path(), "d.json", &json);
    assert_eq!(
        tried.done(&["design", "show", &json, "--as", "toml"]),
        tried.done(&["design", "show", &tried.design, "--as", "toml"])
    );
    let text = std::fs::read_to_string(&tried.design).unwrap();
    let swapped = text
        .replace("z = { versions = 2 }\na = { ttl = \"1d\" }", "a = { ttl = \"1d\" }\nz = { versions = 2 }");
    let output = tried.run(&["table", "check", "t", "-d", &written(tried.path(), "s.toml", &swapped)]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        format!("{}{}", stdout(&output), stderr(&output)).contains("the order of families"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_design_is_shown_as_the_shell_and_as_java_make_its_table() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        CALLS.replace("bucket = 16", "bucket = 3").replace("[\"f\"]", "{ f = { versions = 2 }, g = {} }");
    let design = written(folder.path(), "d.toml", &text);
    let show = |form: &str| stdout(&keystride(&["design", "show", &design, "--as", form]));
    let shell = show("hbase-shell");
    assert!(shell.starts_with("create 'calls', {NAME => 'f'"), "{shell}");
    assert!(shell.contains("VERSIONS => '2'") && shell.contains("{NAME => 'g'"), "{shell}");
    assert!(shell.ends_with(", SPLITS => ['1', '2']\n"), "{shell}");
    assert_eq!(shell, stdout(&keystride(&["table", "create", "-d", &design, "--dry-run"])));
    let java = show("java");
    assert!(java.starts_with("byte[][] splits = {\n    Bytes.toBytes(\"1\"),\n"), "{java}");
    assert!(
        java.contains("TableName.valueOf(\"calls\")") && java.contains("(\"VERSIONS\", \"2\")"),
        "{java}"
    );
    assert!(java.ends_with("admin.createTable(table, splits);\n"), "{java}");
}

#[test]
fn the_parts_of_a_design_are_listed_with_what_they_keep() {
    let folder = tempfile::tempdir().unwrap();
    let show = |fields: &str, parts: &str| {
        let text = format!(
            "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\n{fields}\n[key]\nparts = [{parts}]\n"
        );
        keystride(&["design", "show", &written(folder.path(), "d.toml", &text), "--no-header"])
    };
    let fields = "who = { type = \"string\" }\nts = { type = \"time\", unit = \"ms\" }\nn = { type = \"int\" }\n\
                  low = { from = \"lower(who)\" }";
    let rest = "{ text = \"/\" }, { field = \"ts\", floor = \"1h\", desc = \"long-max\" }, { field = \"n\", as = \"ordered\" }";
    let listed = "text \"/\"\t1\t\tyes\t\nfield \"ts\"\t19\tturned\tthe period\tfloor = \"1h\", desc = \"long-max\"\n\
                  field \"n\"\t8\tkept\tyes\tas = \"ordered\"\n";
    let random = show(fields, &format!("{{ bucket = 4, hash = \"random\" }}, {{ field = \"who\" }}, {rest}"));
    assert_eq!(
        stdout(&random),
        format!(
            "bucket\t1\t\tyes\t4 of random\nfield \"who\"\tup to its terminator\tnot kept\tyes\t\n{listed}"
        )
    );
    assert_eq!(stderr(&random), "t: 4 fields, 1 region\n");
    let of_rest = show(fields, &format!("{{ bucket = 4, of = [\"rest\"] }}, {{ field = \"low\" }}, {rest}"));
    assert_eq!(
        stdout(&of_rest),
        format!(
            "bucket\t1\t\tyes\t4 by xxh3 of the rest\nfield \"low\"\tup to its terminator\tnot kept\tno\t\n{listed}"
        )
    );
    let short = show("id = { type = \"int\" }", "{ field = \"id\" }");
    assert_eq!(stdout(&short), "field \"id\"\twhat is left\tnot kept\tyes\t\n");
    assert_eq!(stderr(&short), "t: 1 field, 1 region\n");
}

#[test]
fn what_a_lint_finds_has_a_place_in_every_format_and_an_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let design = written(folder.path(), "d.toml", UNPADDED);
    let lint = |more: &[&str]| keystride(&[&["design", "lint", &design], more].concat());
    for (more, code) in [
        (&[][..], 0),
        (&["--strict"], 1),
        (&["--strict", "--exit-zero"], 0),
        (&["--strict", "--fix"], 1),
        (&["--strict", "--fix", "--unsafe-fixes"], 0),
        (&["--strict"], 0),
    ] {
        assert_eq!(lint(more).status.code(), Some(code), "{more:?}");
    }
    written(folder.path(), "d.toml", UNPADDED);
    let concise = lint(&[]);
    let lines: Vec<String> = stdout(&concise).lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with(&format!("{design}:9:10: warning[ENC01]: u is text")), "{lines:?}");
    assert!(lines[1].starts_with(&format!("{design}:9:1: info[SIZ03]: ")), "{lines:?}");
    assert_eq!(
        stderr(&concise),
        "1 warning, 1 note\n1 fix changes stored keys or cells: --fix --unsafe-fixes\n"
    );
    let rows = stdout(&lint(&["--format", "tsv"]));
    assert!(rows.starts_with("file\tline\tcolumn\tseverity\tid\tmessage\n"), "{rows}");
    assert!(rows.contains(&format!("\n{design}\t9\t10\twarning\tENC01\tu is text")), "{rows}");
    let full = stdout(&lint(&["--format", "full"]));
    for wanted in [
        "warning[ENC01]: ",
        "d.toml:9:10\n",
        "^^^^^^^^^^^^^^^ key.parts[0]\n",
        "= help: pad u to 5 digits, which changes stored keys or cells: ",
        "\n\ninfo[",
    ] {
        assert!(full.contains(wanted), "{wanted} is not in\n{full}");
    }
    let document: serde_json::Value = serde_json::from_str(&stdout(&lint(&["--format", "json"]))).unwrap();
    let first = &document["findings"][0];
    assert_eq!(
        (&first["line"], &first["column"], &first["fix"]),
        (&9.into(), &10.into(), &"pad u to 5 digits".into())
    );
}

#[test]
fn a_patch_is_of_a_file_of_toml() {
    let folder = tempfile::tempdir().unwrap();
    let design = written(folder.path(), "d.toml", CALLS);
    let json = stdout(&keystride(&["design", "show", &design, "--as", "json"]));
    let json = written(folder.path(), "d.json", &json);
    let output = keystride(&["design", "lint", &json, "--fix"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--fix and --diff change TOML files alone"), "{}", stderr(&output));
    if cfg!(target_os = "linux") {
        let mut piped = shell("cat \"$1\" | \"$0\" design lint /dev/stdin --fix");
        let output = piped.arg(env!("CARGO_BIN_EXE_keystride")).arg(&design).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("a pipe can't be changed"), "{}", stderr(&output));
    }
}
