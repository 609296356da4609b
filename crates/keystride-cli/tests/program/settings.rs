//! Settings files: which layer wins, and what a file may say.

use std::path::Path;

use super::desk::{Desk, PROD, TEST, TWO, pair};
use super::{CALLS, stderr, stdout, written};

#[test]
fn a_flag_wins_over_a_variable_over_the_project_over_the_user_over_the_default() {
    let desk = Desk::new();
    let backend = |args: &[&str], variables: &[(&str, &str)]| desk.setting("backend", args, variables);
    assert_eq!(backend(&[], &[]), pair("embedded:./keystride-data", "default"));
    desk.set_user(&format!("context = \"prod\"\n{TWO}"));
    let user = "config/keystride/config.toml";
    assert_eq!(backend(&[], &[]), pair(PROD, &desk.at(user.as_ref(), 5)));
    assert_eq!(desk.setting("context", &[], &[]), pair("prod", &desk.at(user.as_ref(), 1)));
    desk.set_project("\ncontext = \"test\"\n");
    assert_eq!(backend(&[], &[]).0, TEST);
    assert_eq!(
        desk.setting("context", &[], &[]),
        pair("test", &desk.at("project/keystride.toml".as_ref(), 2))
    );
    let variable = [("KEYSTRIDE_CONTEXT", "prod")];
    assert_eq!(desk.setting("context", &[], &variable), pair("prod", "variable KEYSTRIDE_CONTEXT"));
    let variable = [("KEYSTRIDE_BACKEND", "embedded:/there")];
    assert_eq!(backend(&[], &variable), pair("embedded:/there", "variable KEYSTRIDE_BACKEND"));
    assert_eq!(desk.setting("context", &[], &variable), pair("", ""));
    assert_eq!(backend(&["--context", "prod"], &variable).0, PROD);
    let flag = ["--backend", "embedded:/here"];
    assert_eq!(backend(&flag, &[("KEYSTRIDE_CONTEXT", "prod")]), pair("embedded:/here", "flag --backend"));
    assert_eq!(backend(&[], &[("KEYSTRIDE_BACKEND", "")]).0, TEST);
}

#[test]
fn each_setting_goes_its_own_way_through_the_layers() {
    let desk = Desk::new();
    desk.set_user("format = \"json\"\ntz = \"+08:00\"\nlang = \"zh\"\ndurability = \"interval:50ms\"\ntimeout = \"30s\"\n");
    desk.set_project("format = \"csv\"\ntz = \"Asia/Shanghai\"\n");
    let variables = [("KEYSTRIDE_FORMAT", "ndjson"), ("KEYSTRIDE_TIMEOUT", "2m")];
    let mut command = desk.command(&["ctx", "show", "--origin", "--format", "tsv"]);
    let output = command.envs(variables).output().unwrap();
    let (user, project) = ("config/keystride/config.toml".as_ref(), "project/keystride.toml".as_ref());
    let wanted = format!(
        "setting\tvalue\torigin\nbackend\tembedded:./keystride-data\tdefault\ncontext\t\t\nformat\ttsv\tflag --format\n\
         tz\tAsia/Shanghai\t{}\nlang\tzh\t{}\ndurability\tinterval:50ms\t{}\ntimeout\t120s\tvariable KEYSTRIDE_TIMEOUT\n",
        desk.at(project, 2),
        desk.at(user, 3),
        desk.at(user, 4),
    );
    assert_eq!(stdout(&output), wanted, "{}", stderr(&output));
    let short = desk.run(&["ctx", "show", "--format", "tsv"]);
    assert!(
        stdout(&short).starts_with("setting\tvalue\nbackend\tembedded:./keystride-data\n"),
        "{}",
        stdout(&short)
    );
    assert_eq!(stderr(&short), "");
    let json = desk.command(&["ctx", "list"]).env("KEYSTRIDE_FORMAT", "json").output().unwrap();
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&json.stdout).unwrap()["format"], 1);
}

#[test]
fn the_language_of_lints_goes_through_the_layers() {
    let desk = Desk::new();
    let told = |args: &[&str], variable: &str| {
        let mut command = desk.command(&[&["design", "explain", "SPL06"], args].concat());
        let output = command.env("KEYSTRIDE_LANG", variable).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output).lines().next().unwrap().to_owned()
    };
    let (english, chinese) =
        ("SPL06: the last region can never receive a key", "SPL06：最后一个 region 永远收不到键");
    assert_eq!(told(&[], ""), english);
    assert_eq!(desk.setting("lang", &[], &[]), pair("en", "default"));
    desk.set_user("lang = \"zh\"\n");
    assert_eq!(told(&[], ""), chinese);
    assert_eq!(told(&[], "en"), english);
    desk.set_project("lang = \"en-US\"\n");
    assert_eq!(told(&[], ""), english);
    assert_eq!(desk.setting("lang", &[], &[]), pair("en", &desk.at("project/keystride.toml".as_ref(), 1)));
    assert_eq!(told(&[], "zh"), chinese);
    let variable = [("KEYSTRIDE_LANG", "zh")];
    assert_eq!(desk.setting("lang", &[], &variable), pair("zh", "variable KEYSTRIDE_LANG"));
    assert_eq!(told(&["--lang", "zh"], "en"), chinese);
    assert_eq!(desk.setting("lang", &["--lang", "en"], &variable), pair("en", "flag --lang"));
    desk.set_project("\nlang = \"fr\"\n");
    let talk = desk.refused(&["design", "explain"]);
    let place = desk.at("project/keystride.toml".as_ref(), 2);
    assert!(talk.contains(&format!("{place}: \"fr\" is not a language")), "{talk}");
}

#[test]
fn a_folder_of_a_project_file_is_meant_from_the_file() {
    let desk = Desk::new();
    desk.set_project("backend = \"embedded:./store/data\"\n");
    let design = written(&desk.inner(), "d.toml", CALLS);
    desk.told(&["table", "create", "-d", &design]);
    assert!(desk.project().join("store/data").is_dir());
    assert!(!desk.inner().join("keystride-data").exists());
    assert_eq!(stdout(&desk.run(&["table", "list", "--no-header"])), "calls\t16\n");
    written(&desk.inner(), "keystride.toml", "backend = \"embedded:nearer\"\n");
    assert_eq!(desk.run(&["table", "list"]).status.code(), Some(3));
}

#[test]
fn what_is_wrong_with_a_file_is_told_with_its_line_by_every_command() {
    let desk = Desk::new();
    let cases = [
        (
            "tz = \"+08:00\"\nbakend = \"embedded:x\"\n",
            ":2: unknown word \"bakend\": did you mean \"backend\"?",
        ),
        ("colour = \"red\"\n", ":1: unknown word \"colour\"; there are backend, context, format,"),
        (
            "backend = \"embedded:x\"\n\ncontext = \"prod\"\n",
            "keystride.toml:3: a store and a context are both named",
        ),
        ("format = \"jsn\"\n", ":1: \"jsn\" is not a format; write table, json,"),
        ("format = \"JSON\"\n", ":1: \"JSON\" is not a format; write table, json,"),
        ("format = 1\n", ":1: \"format\" is integer; it takes a text in quotes"),
        ("tz = \"Asia/Shangai\"\n", "did you mean \"Asia/Shanghai\"?"),
        ("\ntimeout = \"soon\"\n", ":2: \"soon\" is not a length of time"),
        ("durability = \"never\"\n", ":1: \"never\" is not a level"),
        ("backend = \"hbse://zk\"\n", ":1: \"hbse://zk\" is not a store"),
        ("backend = \"embedded:\"\n", ":1: \"embedded:\" is not a store"),
        ("context = \"a b\"\n", ":1: \"a b\" is not a name of a context"),
        ("# ok\ntz = \n", "keystride.toml:2: "),
        ("[contexts.prod]\nbackend = \"hbase://zk1\"\n", ":1: unknown word \"contexts\""),
    ];
    for (text, wanted) in cases {
        desk.set_project(text);
        for args in [&["splits", "--partition-keys", "4"][..], &["table", "list"], &["ctx", "show"]] {
            let refused = desk.refused(args);
            assert!(refused.contains("keystride.toml:") && refused.contains(wanted), "{text}: {refused}");
        }
        for args in [&["version"][..], &["man"], &["completions", "bash"]] {
            desk.told(args);
        }
    }
    std::fs::remove_file(desk.project().join("keystride.toml")).unwrap();
    for (text, wanted) in [
        ("\nbakend = \"embedded:x\"\n", "config.toml:2: unknown word \"bakend\": did you mean \"backend\"?"),
        ("contxts = 1\n", "config.toml:1: unknown word \"contxts\": did you mean \"contexts\"?"),
        ("[context.prod]\n", "config.toml:1: \"context\" is table; it takes a text in quotes"),
        ("[contexts.prod]\n", ":1: context \"prod\" has no store; write backend = "),
        ("[contexts.prod]\nhbase = \"zk\"\n", ":2: unknown word \"hbase\"; there are backend"),
        ("[contexts.\"a b\"]\nbackend = \"hbase://zk1\"\n", ":1: \"a b\" is not a name"),
        ("[contexts.prod]\nbackend = \"zk1\"\n", ":2: \"zk1\" is not a store"),
        ("contexts = \"prod\"\n", ":1: \"contexts\" is string; it takes a table"),
    ] {
        desk.set_user(text);
        let refused = desk.refused(&["table", "list"]);
        assert!(refused.contains(wanted), "{text}: {refused}");
    }
}

#[test]
fn a_file_that_can_t_be_read_is_told_and_left_as_it_is() {
    let desk = Desk::new();
    let bytes = b"[contexts.prod]\nbackend = \"hbase://zk\xff\"\n";
    desk.set_user("");
    std::fs::write(desk.user_file(), bytes).unwrap();
    for args in [
        &["table", "list"][..],
        &["ctx", "list"],
        &["ctx", "add", "prod", "--hbase", "zk1"],
        &["ctx", "use", "prod"],
        &["ctx", "remove", "prod"],
    ] {
        assert!(desk.refused(args).contains("config.toml: "), "{args:?}");
    }
    assert_eq!(std::fs::read(desk.user_file()).unwrap(), bytes);
    desk.set_user("");
    std::fs::create_dir(desk.project().join("keystride.toml")).unwrap();
    assert!(desk.refused(&["table", "list"]).contains("keystride.toml: "));
}

#[test]
fn durability_of_a_cluster_is_wrong_use_as_a_flag_and_a_note_elsewhere() {
    let desk = Desk::new();
    desk.set_user(&format!("durability = \"batch\"\ncontext = \"prod\"\n{TWO}"));
    let refused = desk.refused(&["table", "list", "--durability", "batch"]);
    assert!(refused.contains("leave out --durability"), "{refused}");
    assert!(desk.told(&["ctx", "show"]).contains("durability is for folders"));
}

#[test]
fn the_user_file_is_where_the_environment_says() {
    let desk = Desk::new();
    let home = desk.folder.path();
    let add = |variables: &[(&str, &Path)]| {
        let mut command = desk.command(&["ctx", "add", "a", "--hbase", "zk1"]);
        command.env_remove("KEYSTRIDE_CONFIG").env_remove("XDG_CONFIG_HOME").env_remove("HOME");
        command.envs(variables.iter().copied()).output().unwrap()
    };
    let none = add(&[]);
    assert_eq!(none.status.code(), Some(2));
    assert!(stderr(&none).contains("KEYSTRIDE_CONFIG"), "{}", stderr(&none));
    assert_eq!(add(&[("HOME", home)]).status.code(), Some(0));
    assert!(home.join(".config/keystride/config.toml").is_file());
    assert_eq!(add(&[("HOME", home), ("XDG_CONFIG_HOME", &home.join("xdg"))]).status.code(), Some(0));
    assert!(home.join("xdg/keystride/config.toml").is_file());
    let own = home.join("own.toml");
    assert_eq!(
        add(&[("XDG_CONFIG_HOME", &home.join("xdg")), ("KEYSTRIDE_CONFIG", &own)]).status.code(),
        Some(0)
    );
    assert!(own.is_file());
}
