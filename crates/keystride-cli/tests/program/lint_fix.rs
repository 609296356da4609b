//! `design lint --fix`: what it does to the file, and what it leaves alone.

use super::{UNPADDED, keystride, stderr, stdout, written};

#[test]
fn what_is_fixed_stays_fixed_and_the_file_keeps_its_form() {
    let folder = tempfile::tempdir().unwrap();
    let text = "\u{feff}format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nk = { type = \"digits\", len = 4 }\n\
                [key]\nparts = [{ bucket = 5, of = [\"k\"] }, { field = \"k\" }]\n\
                [cluster]\nservers = 3\n";
    let design = written(folder.path(), "d.toml", &text.replace('\n', "\r\n"));
    let lint =
        |more: &[&str]| stderr(&keystride(&[&["design", "lint", &design, "--exit-zero"], more].concat()));
    assert!(lint(&["--fix", "--unsafe-fixes"]).contains("fixed: "));
    let fixed = std::fs::read_to_string(&design).unwrap();
    assert!(fixed.starts_with('\u{feff}') && fixed.matches("\r\n").count() == fixed.matches('\n').count());
    assert!(!fixed.contains("bucket = 5,") && !fixed.contains(" ,"), "{fixed}");
    assert!(!lint(&["--fix", "--unsafe-fixes"]).contains("fixed: "));
    assert_eq!(std::fs::read_to_string(&design).unwrap(), fixed);
}

#[test]
fn a_patch_meets_the_part_that_its_finding_names() {
    let folder = tempfile::tempdir().unwrap();
    let text = "format = 1\n[table]\nname = \"t\"\nfamilies.f = { encoding = \"fast-diff\" }\n[fields]\n\
                time = { type = \"time\", unit = \"ms\" }\na = { type = \"u32\", max = 99999 }\n\
                b = { type = \"string\" }\n[key]\n\
                parts = [{ field = \"time\" }, { field = \"a\" }, { text = \"-\" }, { field = \"b\" }]\n";
    let design = written(folder.path(), "d.toml", text);
    let fixed = stderr(&keystride(&["design", "lint", &design, "--fix", "--unsafe-fixes"]));
    assert_eq!(fixed.matches("fixed: pad a to 5 digits").count(), 1, "{fixed}");
    let key =
        keystride(&["key", "encode", "-d", &design, "--as", "text", "time=1586131200000", "a=7", "b=x"]);
    assert!(stdout(&key).ends_with("158613120000000007-x\n"), "{}{}", stdout(&key), stderr(&key));
}

#[test]
fn a_patch_that_would_make_an_error_is_not_offered() {
    let folder = tempfile::tempdir().unwrap();
    let text = "format = 1\n[table]\nname = \"t\"\nfamilies.f = { encoding = \"fast-diff\" }\n[fields]\n\
                u = { type = \"digits\", len = 2 }\n[key]\n\
                parts = [{ bucket = 3, of = [\"u\"] }, { field = \"u\" }]\n[cluster]\nservers = 200\n";
    let design = written(folder.path(), "d.toml", text);
    let output = keystride(&["design", "lint", &design, "--fix", "--unsafe-fixes", "--exit-zero"]);
    assert!(!stderr(&output).contains("fixed: "), "{}", stderr(&output));
    assert_eq!(std::fs::read_to_string(&design).unwrap(), text);
}

#[test]
fn a_patch_that_shows_what_its_finding_hid_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let text = "format = 1\n[table]\nname = \"t\"\nfamilies.f = { encoding = \"fast-diff\" }\n[fields]\n\
                u = { type = \"digits\", len = 9 }\n[key]\n\
                parts = [{ bucket = 4, of = [\"u\"] }, { field = \"u\" }]\n[split]\nby = \"list\"\npoints = [\"5\", \"5\"]\n";
    let design = written(folder.path(), "d.toml", text);
    let output = keystride(&["design", "lint", &design, "--fix", "--unsafe-fixes"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("cut at the 4 buckets"), "{}", stderr(&output));
}

#[test]
fn a_patch_is_shown_only_where_fix_takes_it() {
    let folder = tempfile::tempdir().unwrap();
    let toml = written(folder.path(), "d.toml", UNPADDED);
    let shown = |design: &str| stdout(&keystride(&["design", "lint", design, "--format", "full"]));
    assert!(
        shown(&toml).contains("pad u to 5 digits, which changes stored keys or cells: keystride design lint"),
        "{}",
        shown(&toml)
    );
    let json = stdout(&keystride(&["design", "show", &toml, "--as", "json"]));
    let json = written(folder.path(), "d.json", &json);
    assert!(shown(&json).contains("pad u to 5 digits\n"), "{}", shown(&json));
}

#[test]
fn comments_stay_where_they_are_when_a_part_is_put_before_them() {
    let folder = tempfile::tempdir().unwrap();
    let text = "format = 1\n[table]\nname = \"t\"\nfamilies.f = { encoding = \"fast-diff\" }\n[fields]\n\
                ts = { type = \"time\", unit = \"ms\" }\nid = { type = \"digits\", len = 9 }\n[key]\nparts = [\n  \
                # the clock leads\n  { field = \"ts\" }, # in ms\n  { field = \"id\" } # who\n]\n\
                [workload]\nrows_per_s = 200000\n";
    let design = written(folder.path(), "d.toml", text);
    keystride(&["design", "lint", &design, "--fix", "--unsafe-fixes"]);
    let fixed = std::fs::read_to_string(&design).unwrap();
    let parts = "parts = [\n  { bucket = 16, of = [\"id\"] },\n  # the clock leads\n  { field = \"ts\" }, # in ms\n  { field = \"id\" } # who\n]\n";
    assert!(fixed.contains(parts), "{fixed}");
}

#[test]
fn a_patch_brings_no_error_of_another_kind() {
    let folder = tempfile::tempdir().unwrap();
    let text = "format = 1\n[table]\nname = \"t\"\nfamilies.f = { encoding = \"fast-diff\" }\n[fields]\n\
                partition = { type = \"u32\", max = 99, updated = true }\noffset = { type = \"i64\", min = 0 }\n\
                [key]\nparts = [{ field = \"offset\", pad = 19 }]\n";
    let design = written(folder.path(), "d.toml", text);
    let output = keystride(&["design", "lint", &design, "--fix", "--unsafe-fixes"]);
    assert!(
        !stdout(&output).contains("UPD01") && !stderr(&output).contains("fixed: "),
        "{}",
        stdout(&output)
    );
    for more in [&[][..], &["--fix", "--unsafe-fixes"]] {
        let json = ["design", "lint", &design, "--exit-zero", "--format", "json"];
        let told = stdout(&keystride(&[&json[..], more].concat()));
        let document: serde_json::Value = serde_json::from_str(&told).unwrap();
        let findings = document["findings"].as_array().unwrap();
        assert!(!findings.is_empty() && findings.iter().all(|finding| finding["fix"].is_null()), "{told}");
    }
}

#[test]
fn a_word_that_goes_leaves_the_blank_before_its_brace() {
    let folder = tempfile::tempdir().unwrap();
    let text = "format = 1\n[table]\nname = \"t\"\nfamilies.f = { encoding = \"fast-diff\" }\n[fields]\n\
                u = { type = \"digits\", len = 9 }\n[key]\n\
                parts = [{ bucket = 10, of = [\"u\"], width = 1 }, { field = \"u\" }]\n[cluster]\nservers = 8\n";
    let design = written(folder.path(), "d.toml", text);
    keystride(&["design", "lint", &design, "--fix", "--unsafe-fixes"]);
    let fixed = std::fs::read_to_string(&design).unwrap();
    assert!(fixed.contains("{ bucket = 60, of = [\"u\"] }, { field"), "{fixed}");
}

/// A design with one patch that keeps rows, of how files are written, and one that changes keys.
fn of_both_kinds() -> String {
    UNPADDED
        .replace("{ encoding = \"fast-diff\" }", "{}")
        .replace("\n[key]", "\nv = { type = \"u32\" }\nw = { type = \"u32\" }\n[key]")
}

#[test]
fn fix_alone_keeps_every_key_and_cell() {
    let folder = tempfile::tempdir().unwrap();
    let design = written(folder.path(), "d.toml", &of_both_kinds());
    let key = || stdout(&keystride(&["key", "encode", "-d", &design, "u=7", "ts=1586131200000"]));
    let before = key();
    let lint = |more: &[&str]| keystride(&[&["design", "lint", &design], more].concat());
    let both = "1 fix: --fix; 1 more fix changes stored keys or cells: --fix --unsafe-fixes\n";
    assert!(stderr(&lint(&[])).ends_with(both), "{}", stderr(&lint(&[])));
    let fixed = stderr(&lint(&["--fix"]));
    assert!(
        fixed.contains("fixed: encode its keys and compress it") && !fixed.contains("fixed: pad"),
        "{fixed}"
    );
    assert!(fixed.ends_with("1 more fix changes stored keys or cells: --unsafe-fixes\n"), "{fixed}");
    assert_eq!(key(), before);
    let fixed = stderr(&lint(&["--fix", "--unsafe-fixes"]));
    assert!(fixed.contains("fixed: pad u") && fixed.contains("the design makes other keys"), "{fixed}");
    assert!(!fixed.contains("--unsafe-fixes"), "{fixed}");
    assert_ne!(key(), before);
}

#[test]
fn programs_are_told_which_fixes_change_rows() {
    let folder = tempfile::tempdir().unwrap();
    let design = written(folder.path(), "d.toml", &of_both_kinds());
    let told = stdout(&keystride(&["design", "lint", &design, "--format", "json"]));
    let document: serde_json::Value = serde_json::from_str(&told).unwrap();
    let mut fixes: Vec<_> = document["findings"].as_array().unwrap().iter().collect();
    fixes.retain(|finding| !finding["fix"].is_null());
    let fixes: Vec<_> = fixes.iter().map(|finding| (&finding["id"], &finding["fix_changes_rows"])).collect();
    assert_eq!(fixes, [(&"SIZ02".into(), &false.into()), (&"ENC01".into(), &true.into())]);
}

#[test]
fn a_diff_shows_what_fix_would_write_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let text = of_both_kinds();
    let design = written(folder.path(), "d.toml", &text);
    let lint = |more: &[&str]| keystride(&[&["design", "lint", &design], more].concat());
    for more in [&[][..], &["--unsafe-fixes"]] {
        let diff = lint(&[&["--diff"], more].concat());
        assert_eq!(diff.status.code(), Some(1), "{more:?}");
        assert!(stderr(&diff).contains("would fix: encode its keys and compress it"), "{}", stderr(&diff));
        assert_eq!(std::fs::read_to_string(&design).unwrap(), text);
        let copy = written(folder.path(), "copy.toml", &text);
        keystride(&[&["design", "lint", &copy, "--fix"], more].concat());
        let fixed = std::fs::read_to_string(&copy).unwrap();
        let shown = stdout(&diff);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[..2], [format!("--- {design}"), format!("+++ {design}")]);
        let of = |sign: char| lines[2..].iter().filter_map(move |line| line.strip_prefix(sign));
        assert!(of('-').count() > 0 && of('-').all(|line| !fixed.contains(&format!("{line}\n"))), "{shown}");
        assert!(of('+').count() > 0 && of('+').all(|line| fixed.contains(&format!("{line}\n"))), "{shown}");
    }
    assert_eq!(lint(&["--diff", "--exit-zero"]).status.code(), Some(0));
    lint(&["--fix"]);
    let rest = lint(&["--diff"]);
    assert_eq!((rest.status.code(), stdout(&rest)), (Some(0), String::new()));
    assert!(stderr(&rest).starts_with("left: 1 warning"), "{}", stderr(&rest));
    assert_eq!(lint(&["--diff", "--strict"]).status.code(), Some(1), "a warning is left");
    for wrong in [&["--unsafe-fixes"][..], &["--fix", "--diff"], &["--diff", "--format", "json"]] {
        assert_eq!(lint(wrong).status.code(), Some(2), "{wrong:?}");
    }
}
