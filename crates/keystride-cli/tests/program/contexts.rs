//! Named stores and settings files: which layer wins, what a file may say, and what stays of one that is changed.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::{CALLS, program, stderr, stdout, written};

/// A folder with a user file, a project, and a folder within it where the program runs.
struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        let desk = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(desk.inner()).unwrap();
        desk
    }

    fn user_file(&self) -> PathBuf {
        self.folder.path().join("config/keystride/config.toml")
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn inner(&self) -> PathBuf {
        self.project().join("inner")
    }

    fn set_user(&self, text: &str) {
        std::fs::create_dir_all(self.user_file().parent().unwrap()).unwrap();
        std::fs::write(self.user_file(), text).unwrap();
    }

    fn set_project(&self, text: &str) {
        written(&self.project(), "keystride.toml", text);
    }

    fn user_text(&self) -> String {
        std::fs::read_to_string(self.user_file()).unwrap()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = program();
        command.args(args).current_dir(self.inner()).env("KEYSTRIDE_CONFIG", self.user_file());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// What a command prints that ends well.
    fn told(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
        stderr(&output)
    }

    /// What a command says that is wrong use.
    fn refused(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}{}", stdout(&output), stderr(&output));
        stderr(&output)
    }

    /// Value and origin of a setting, as `ctx show --origin` prints them.
    fn setting(&self, word: &str, args: &[&str], variables: &[(&str, &str)]) -> (String, String) {
        let mut command = self.command(&[&["ctx", "show", "--origin", "--no-header"], args].concat());
        let output = command.envs(variables.iter().copied()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let text = stdout(&output);
        let line = text.lines().find(|line| line.starts_with(&format!("{word}\t"))).unwrap();
        let mut cells = line.split('\t').skip(1).map(str::to_owned);
        (cells.next().unwrap(), cells.next().unwrap())
    }

    fn at(&self, path: &Path, line: u32) -> String {
        // The working folder of the program is told without links.
        let path = self.folder.path().join(path);
        format!("{}:{line}", path.canonicalize().unwrap().display())
    }
}

const TWO: &str = "# clusters of the house\n\n[contexts.prod]  # mind the rows\nbackend = \"hbase://zk1,zk2:2181/hbase\"\n\n\
                   # for trying\n[contexts.test]\nbackend = \"hbase+rpc://m:16000\"\n";

const PROD: &str = "hbase://zk1:2181,zk2:2181/hbase";
const TEST: &str = "hbase+rpc://m:16000";

fn pair(value: &str, origin: &str) -> (String, String) {
    (value.to_owned(), origin.to_owned())
}

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
    assert!(talk.contains(&format!("{place}: \"fr\" is no language")), "{talk}");
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
        ("format = \"jsn\"\n", ":1: \"jsn\" is no format; write table, json,"),
        ("format = \"JSON\"\n", ":1: \"JSON\" is no format; write table, json,"),
        ("format = 1\n", ":1: \"format\" is integer; it takes a text in quotes"),
        ("tz = \"Asia/Shangai\"\n", "did you mean \"Asia/Shanghai\"?"),
        ("\ntimeout = \"soon\"\n", ":2: \"soon\" is no length of time"),
        ("durability = \"never\"\n", ":1: \"never\" is no level"),
        ("backend = \"hbse://zk\"\n", ":1: \"hbse://zk\" is no store"),
        ("backend = \"embedded:\"\n", ":1: \"embedded:\" is no store"),
        ("context = \"a b\"\n", ":1: \"a b\" is no name of a context"),
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
        ("[contexts.\"a b\"]\nbackend = \"hbase://zk1\"\n", ":1: \"a b\" is no name"),
        ("[contexts.prod]\nbackend = \"zk1\"\n", ":2: \"zk1\" is no store"),
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
