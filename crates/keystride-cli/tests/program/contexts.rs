//! Named stores: added, used, removed, and what stays of the user file that keeps them.

use super::desk::{Desk, PROD, TEST, TWO};
use super::{CALLS, stderr, stdout, written};

#[test]
fn a_name_is_added_used_listed_and_removed() {
    let desk = Desk::new();
    let told = desk.told(&["ctx", "add", "prod", "--hbase", "zk1,zk2:2181"]);
    assert!(told.contains("keystride ctx use prod"), "{told}");
    assert!(told.contains(&desk.user_file().display().to_string()), "{told}");
    assert_eq!(desk.setting("backend", &[], &[]).1, "default");
    desk.told(&["ctx", "add", "test", "--backend", TEST]);
    desk.told(&["--backend", "embedded:data", "ctx", "add", "here"]);
    let told = desk.told(&["ctx", "use", "prod"]);
    assert!(told.contains("prod is in use") && !told.contains("but here"), "{told}");
    let here = desk.inner().canonicalize().unwrap().join("data");
    let listed = stdout(&desk.run(&["ctx", "list"]));
    let wanted = format!(
        "context\tbackend\tin_use\nprod\t{PROD}\ttrue\ntest\t{TEST}\tfalse\nhere\tembedded:{}\tfalse\n",
        here.display()
    );
    assert_eq!(listed, wanted);
    desk.set_project("context = \"test\"\n");
    assert!(desk.told(&["ctx", "use", "here"]).contains("keystride.toml:1 names test"));
    assert_eq!(desk.told(&["ctx", "remove", "test"]), "test is removed\n");
    assert!(desk.told(&["ctx", "remove", "here"]).contains("it was in use"));
    assert_eq!(desk.user_text(), format!("[contexts.prod]\nbackend = \"{PROD}\"\n"));
}

#[test]
fn a_name_that_is_there_is_replaced_when_that_is_asked_for() {
    let desk = Desk::new();
    desk.set_user(TWO);
    let refused = desk.refused(&["ctx", "add", "prod", "--hbase", "other"]);
    assert!(refused.contains("there is a context \"prod\" already; --replace"), "{refused}");
    assert_eq!(desk.user_text(), TWO);
    desk.told(&["ctx", "add", "prod", "--hbase", "hbase://other/secure", "--replace"]);
    assert_eq!(desk.user_text(), TWO.replace("hbase://zk1,zk2:2181/hbase", "hbase://other:2181/secure"));
}

#[test]
fn comments_and_other_words_of_the_user_file_stay() {
    let desk = Desk::new();
    let head = "# mine\ntimeout = \"1m\" # enough\ncontext = 'prod' # for now\n";
    desk.set_user(&format!("{head}{TWO}"));
    desk.told(&["ctx", "use", "test"]);
    let used = format!("{}{TWO}", head.replace("'prod'", "\"test\""));
    assert_eq!(desk.user_text(), used);
    desk.told(&["ctx", "add", "eu.new", "--hbase", "zk9"]);
    let added = format!("{used}\n[contexts.\"eu.new\"]\nbackend = \"hbase://zk9:2181/hbase\"\n");
    assert_eq!(desk.user_text(), added);
    assert_eq!(desk.setting("backend", &["--context", "eu.new"], &[]).0, "hbase://zk9:2181/hbase");
    desk.told(&["ctx", "remove", "prod"]);
    desk.told(&["ctx", "remove", "eu.new"]);
    let left = "# mine\ntimeout = \"1m\" # enough\ncontext = \"test\" # for now\n# clusters of the house\n\n\
                # for trying\n[contexts.test]\nbackend = \"hbase+rpc://m:16000\"\n";
    assert_eq!(desk.user_text(), left);
    desk.told(&["ctx", "remove", "test"]);
    assert_eq!(desk.user_text(), "# mine\ntimeout = \"1m\" # enough\n# clusters of the house\n");
    let (first, second) =
        ("[contexts.a]\nbackend = \"embedded:/a\"\n", "[contexts.b]\nbackend = \"embedded:/b\"\n");
    desk.set_user(&format!("{first}\n\n# for trying\n{second}"));
    desk.told(&["ctx", "remove", "b"]);
    assert_eq!(desk.user_text(), first);
}

#[test]
fn a_user_file_of_windows_stays_one() {
    let desk = Desk::new();
    let of_windows = |text: &str| format!("\u{feff}{}", text.replace('\n', "\r\n"));
    desk.set_user(&of_windows(&format!("# mine\ncontext = \"prod\"\n{TWO}")));
    desk.told(&["ctx", "use", "test"]);
    desk.told(&["ctx", "add", "new", "--hbase", "zk9"]);
    desk.told(&["ctx", "remove", "prod"]);
    let left = "# mine\ncontext = \"test\"\n# clusters of the house\n\n# for trying\n[contexts.test]\n\
                backend = \"hbase+rpc://m:16000\"\n\n[contexts.new]\nbackend = \"hbase://zk9:2181/hbase\"\n";
    assert_eq!(desk.user_text(), of_windows(left));
    desk.set_user(&of_windows("# mine\n\ncontext = \n"));
    assert!(desk.refused(&["ctx", "use", "test"]).contains("config.toml:3: "));
}

#[test]
#[cfg(unix)]
fn a_user_file_that_is_a_link_stays_one() {
    let desk = Desk::new();
    desk.set_user("");
    let kept = written(desk.folder.path(), "kept.toml", TWO);
    std::fs::remove_file(desk.user_file()).unwrap();
    std::os::unix::fs::symlink(&kept, desk.user_file()).unwrap();
    desk.told(&["ctx", "use", "test"]);
    assert!(desk.user_file().is_symlink());
    assert!(std::fs::read_to_string(&kept).unwrap().starts_with("context = \"test\"\n"));
}

#[test]
fn a_broken_context_is_mended_by_the_commands_that_keep_contexts() {
    let desk = Desk::new();
    desk.set_user("context = \"gone\"\n\n[contexts.prod]\nbackend = \"zk1\"\n\n[contexts.none]\n");
    desk.told(&["ctx", "remove", "none"]);
    desk.told(&["ctx", "add", "prod", "--hbase", "zk1", "--replace"]);
    desk.told(&["ctx", "use", "prod"]);
    assert_eq!(desk.setting("backend", &[], &[]).0, "hbase://zk1:2181/hbase");
    desk.set_user("context = \"prod\n");
    for args in [&["ctx", "use", "prod"][..], &["ctx", "add", "prod", "--hbase", "zk1"], &["ctx", "list"]] {
        assert!(desk.refused(args).contains("config.toml:1: "));
    }
    desk.set_user("contexts = 1\n");
    assert!(desk.refused(&["ctx", "add", "prod", "--hbase", "zk1"]).contains("write [contexts.NAME]"));
}

#[test]
fn a_context_that_is_not_there_is_told_where_a_store_is_opened() {
    let desk = Desk::new();
    desk.set_user(TWO);
    for (name, wanted) in [("prd", "did you mean \"prod\"?"), ("elsewhere", "there are prod, test")] {
        for args in [&["table", "list"][..], &["demo", "--dir", "demo"], &["ctx", "show"]] {
            let refused = desk.refused(&[&["--context", name], args].concat());
            let start = format!("flag --context: there is no context \"{name}\"; {wanted}");
            assert!(refused.contains(&start), "{refused}");
        }
        desk.told(&["--context", name, "splits", "--partition-keys", "4"]);
        desk.told(&["--context", name, "ctx", "list"]);
        assert!(desk.refused(&["ctx", "use", name]).starts_with("error: there is no context"));
        assert!(desk.refused(&["ctx", "remove", name]).contains(wanted));
    }
    assert!(!desk.inner().join("demo").exists());
    let design = written(&desk.inner(), "d.toml", CALLS);
    let rows = written(&desk.inner(), "rows.csv", "phone,ts\n13800138000,1586131200000\n");
    desk.told(&["--context", "prd", "load", "--dry-run", "-d", &design, &rows, "--format", "json"]);
}

#[test]
fn two_back_ends_at_once_are_wrong_use() {
    let desk = Desk::new();
    desk.set_user(TWO);
    let both = "a store and a context are both named";
    assert!(desk.refused(&["--context", "prod", "table", "list", "--backend", "embedded:x"]).contains(both));
    let mut command = desk.command(&["table", "list"]);
    command.env("KEYSTRIDE_BACKEND", "embedded:x").env("KEYSTRIDE_CONTEXT", "prod");
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("variable KEYSTRIDE_CONTEXT: a store"), "{}", stderr(&output));
    let two = desk.refused(&["ctx", "add", "a", "--hbase", "zk1", "--backend", "embedded:x"]);
    assert!(two.contains("--hbase and --backend both"), "{two}");
    assert!(desk.refused(&["ctx", "add", "a"]).contains("--hbase or --backend"));
    desk.set_user("backend = \"embedded:/data\"\n[contexts.a]\nbackend = \"embedded:/a\"\n");
    assert!(desk.refused(&["ctx", "use", "a"]).contains("take it out"));
}

#[test]
fn contexts_that_are_added_at_once_are_all_kept() {
    let desk = Desk::new();
    let names: Vec<String> = (0..12).map(|at| format!("c{at}")).collect();
    let add = |name: &String| desk.command(&["ctx", "add", name, "--hbase", "zk1"]).spawn().unwrap();
    let adding: Vec<_> = names.iter().map(add).collect();
    for mut added in adding {
        assert!(added.wait().unwrap().success());
    }
    let text = desk.user_text();
    assert!(names.iter().all(|name| text.contains(&format!("[contexts.{name}]"))), "{text}");
}
