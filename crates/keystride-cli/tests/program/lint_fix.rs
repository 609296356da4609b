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
    assert!(lint(&["--fix"]).contains("fixed: "));
    let fixed = std::fs::read_to_string(&design).unwrap();
    assert!(fixed.starts_with('\u{feff}') && fixed.matches("\r\n").count() == fixed.matches('\n').count());
    assert!(!fixed.contains("bucket = 5,") && !fixed.contains(" ,"), "{fixed}");
    assert!(!lint(&["--fix"]).contains("fixed: "));
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
    let fixed = stderr(&keystride(&["design", "lint", &design, "--fix"]));
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
    let output = keystride(&["design", "lint", &design, "--fix", "--exit-zero"]);
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
    let output = keystride(&["design", "lint", &design, "--fix"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("cut at the 4 buckets"), "{}", stderr(&output));
}

#[test]
fn a_patch_is_shown_only_where_fix_takes_it() {
    let folder = tempfile::tempdir().unwrap();
    let toml = written(folder.path(), "d.toml", UNPADDED);
    let shown = |design: &str| stdout(&keystride(&["design", "lint", design, "--format", "full"]));
    assert!(shown(&toml).contains("pad u to 5 digits: keystride design lint"), "{}", shown(&toml));
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
    keystride(&["design", "lint", &design, "--fix"]);
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
    let output = keystride(&["design", "lint", &design, "--fix"]);
    assert!(
        !stdout(&output).contains("UPD01") && !stderr(&output).contains("fixed: "),
        "{}",
        stdout(&output)
    );
    for more in [&[][..], &["--fix"]] {
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
    keystride(&["design", "lint", &design, "--fix"]);
    let fixed = std::fs::read_to_string(&design).unwrap();
    assert!(fixed.contains("{ bucket = 60, of = [\"u\"] }, { field"), "{fixed}");
}
