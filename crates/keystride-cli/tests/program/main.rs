//! The program as a script sees it: what it prints, and its exit codes.

#![expect(clippy::unwrap_used, reason = "a program that can't be run fails the test")]

mod calls;
mod contexts;
mod counters;
mod demo;
mod demo_on_hbase;
mod designs;
mod desk;
mod every_command_on_hbase;
mod foreign_tables;
mod formats;
mod grants_on_hbase;
mod helps;
mod keys;
mod languages;
mod lint_fix;
mod loads;
mod loads_cut_off;
mod loads_into_hbase;
mod long_output;
mod new_design;
mod nothing_is_lost;
mod on_hbase;
mod puts;
mod readmes;
mod rejects;
mod rows;
mod same_key;
#[cfg(unix)]
mod serving;
mod settings;
mod sick_cluster;
mod splits;
mod splits_on_hbase;
#[cfg(unix)]
mod stops;
mod stores;
mod tables;
#[cfg(target_os = "linux")]
mod terminals;
mod text_files;
mod times;
#[cfg(feature = "kafka")]
mod topics;
#[cfg(feature = "kafka")]
mod topics_of_other_brokers;
#[cfg(feature = "kafka")]
mod topics_on_hbase;
mod tried;

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
    for name in
        ["CLICOLOR", "CLICOLOR_FORCE", "HADOOP_USER_NAME", "LANG", "LC_ALL", "LC_MESSAGES", "NO_COLOR"]
    {
        command.env_remove(name);
    }
    command.env("KEYSTRIDE_CONFIG", "/nonexistent/keystride.toml");
    command.env("XDG_CACHE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
    command.env("XDG_STATE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/state"));
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

/// A design in which lints find a warning, with a patch, and a note.
const UNPADDED: &str = "format = 1\n[table]\nname = \"t\"\nfamilies.f = { encoding = \"fast-diff\" }\n[fields]\n\
                        u = { type = \"u32\", max = 99999 }\nts = { type = \"time\", unit = \"ms\" }\n[key]\n\
                        parts = [{ field = \"u\" }, { text = \"-\" }, { field = \"ts\" }]\n";

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
fn a_closed_pipe_is_no_failure() {
    use std::io::Read as _;
    let mut child = program()
        .args(["splits", "--algo", "UniformSplit", "-n", "65536"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut head = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut head).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
}

#[test]
fn complaints_have_the_colours_that_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let design = written(folder.path(), "d.toml", CALLS);
    let wrong = written(folder.path(), "wrong.toml", &CALLS.replace("digits", "digts"));
    let backend = format!("embedded:{}/store", folder.path().display());
    assert_eq!(keystride(&["--backend", &backend, "table", "create", "-d", &design]).status.code(), Some(0));
    for args in [
        &["splits", "-x"][..],
        &["splits", "--strings", "b,a,b"],
        &["design", "show", &wrong],
        &["--backend", &backend, "query", "calls", "--where", "phone ="],
    ] {
        let color = |words: &[&str]| stderr(&keystride(&[words, args].concat())).contains('\u{1b}');
        let told = [&["--color", "always"][..], &["--color=always"], &["--color", "never"], &[]].map(color);
        assert_eq!(told, [true, true, false, false], "{args:?}");
        assert!(!color(&["--color", "always", "--color", "never"]), "{args:?}");
    }
    let after = stderr(&keystride(&["splits", "-x", "--", "--color", "always"]));
    assert!(!after.contains('\u{1b}'), "{after}");
}

#[test]
fn quiet_commands_say_only_what_is_asked_for_and_why_they_fail() {
    let folder = tempfile::tempdir().unwrap();
    let design = written(folder.path(), "d.toml", CALLS);
    let csv = written(folder.path(), "calls.csv", "phone,ts\n1,2\n13800138000,1586131200000\n");
    let backend = format!("embedded:{}/store", folder.path().display());
    for (args, code) in [
        (&["table", "create", "-d", &design][..], 0),
        (&["key", "encode", "-d", &design, "--csv", &csv], 5),
        (&["load", "-d", &design, &csv], 5),
        (&["delete", "calls", "--where", "phone = '13800138000'"], 1),
    ] {
        let output = keystride(&[&["--backend", &backend, "-q"], args].concat());
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(code), ""), "{args:?}");
    }
    let missing = keystride(&["--backend", &backend, "-q", "count", "cals"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(
        stderr(&missing).contains("there is no table cals (did you mean calls?)"),
        "{}",
        stderr(&missing)
    );
    let unlike = stderr(&keystride(&["--backend", &backend, "count", "flights"]));
    assert!(unlike.contains("there is no table flights;"), "{unlike}");
}

#[test]
fn a_folder_in_place_of_a_file_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let design = written(folder.path(), "d.toml", CALLS);
    let csv = written(folder.path(), "calls.csv", "phone,ts\n");
    let here = folder.path().to_str().unwrap();
    for args in [
        &["design", "lint", here][..],
        &["splits", "--file", here],
        &["splits", "--sample", here, "-n", "2"],
        &["splits", "--sample", here, "-n", "2", "--column", "key"],
        &["load", "-d", &design, &csv, "--dry-run", "--report", here],
    ] {
        let output = keystride(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stdout(&output));
        assert!(stderr(&output).contains("is a directory; name a file"), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn pages_of_the_manual_are_written_to_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("share/man1");
    let output = keystride(&["man", pages.to_str().unwrap()]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), ""), "{}", stderr(&output));
    for name in ["keystride.1", "keystride-load.1", "keystride-table-create.1"] {
        assert!(pages.join(name).is_file(), "{name}");
    }
    assert!(stdout(&keystride(&["man"])).contains(".TH keystride 1"));
    let file = written(folder.path(), "file", "");
    assert_eq!(keystride(&["man", &file]).status.code(), Some(2));
}

#[test]
fn words_are_completed_in_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = keystride(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0), "{shell}");
        assert!(stdout(&output).contains("partition-column"), "{shell}");
    }
    assert_eq!(keystride(&["completions", "csh"]).status.code(), Some(2));
}
