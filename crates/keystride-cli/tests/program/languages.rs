//! Lints in Chinese: which texts follow the language, and what stays as programs read it.

use serde_json::Value;

use super::{CALLS, example, keystride, program, stderr, stdout, written};

fn has_chinese(text: &str) -> bool {
    text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c))
}

fn json(args: &[&str]) -> Value {
    let output = keystride(&[args, &["--format", "json"]].concat());
    serde_json::from_str(&stdout(&output)).unwrap()
}

#[test]
fn explain_lists_and_tells_every_lint_in_chinese() {
    let (english, chinese) =
        (keystride(&["design", "explain"]), keystride(&["--lang", "zh", "design", "explain"]));
    let (english, chinese) = (stdout(&english), stdout(&chinese));
    assert_eq!((english.lines().count(), chinese.lines().count()), (79, 79));
    for (english, chinese) in english.lines().zip(chinese.lines()) {
        assert_eq!(english.split(' ').next(), chinese.split(' ').next());
        assert!(has_chinese(chinese) && !has_chinese(english), "{english}: {chinese}");
    }
    let page = stdout(&keystride(&["design", "explain", "SPL05", "--lang", "zh-CN"]));
    let headings =
        ["SPL05：第一个 region 永远收不到键", "检查什么", "为什么重要", "怎么办", "需要什么", "设计。"];
    assert!(headings.iter().all(|heading| page.lines().any(|line| line == *heading)), "{page}");
    let document = json(&["design", "explain", "spl05", "--lang", "zh"]);
    assert_eq!(document["id"], "SPL05");
    assert_eq!(document["title"], "第一个 region 永远收不到键");
    assert_eq!(document["page"].as_str().unwrap(), page);
}

#[test]
fn findings_in_chinese_keep_what_programs_read() {
    let design = example("flights/seed-003.toml");
    let (english, chinese) =
        (json(&["design", "lint", &design]), json(&["design", "lint", &design, "--lang", "zh"]));
    let (english, chinese) =
        (english["findings"].as_array().unwrap(), chinese["findings"].as_array().unwrap());
    assert!(!english.is_empty());
    assert_eq!(english.len(), chinese.len());
    for (english, chinese) in english.iter().zip(chinese) {
        for key in english.as_object().unwrap().keys() {
            let (english, chinese) = (&english[key], &chinese[key]);
            match (key.as_str(), english) {
                ("message" | "help" | "fix", Value::String(_)) => {
                    assert!(has_chinese(chinese.as_str().unwrap()), "{key}: {chinese}");
                    assert!(!has_chinese(english.as_str().unwrap()), "{key}: {english}");
                }
                _ => assert_eq!(english, chinese, "{key}"),
            }
        }
    }
    let rows = keystride(&["design", "lint", &design, "--lang", "zh", "--format", "csv"]);
    let first = stdout(&rows).lines().nth(1).unwrap().to_owned();
    assert!(first.contains(",error,SPL05,18 个 region 里有 2 个永远收不到键"), "{first}");
}

#[test]
fn what_is_said_around_findings_is_chinese_too() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(example("flights/seed-003.toml")).unwrap();
    let design = written(folder.path(), "d.toml", &text);
    let lint = |args: &[&str]| keystride(&[&["design", "lint", &design, "--lang", "zh"], args].concat());
    let concise = lint(&[]);
    assert_eq!(concise.status.code(), Some(1));
    assert!(stdout(&concise).contains(": 错误[SPL05]: 18 个"), "{}", stdout(&concise));
    assert!(stderr(&concise).starts_with("1 个错误"), "{}", stderr(&concise));
    let full = stdout(&lint(&["--format", "full"]));
    for wanted in
        ["错误[SPL05]", "= 注: 17 个点切出 18 个 region", "= 建议: ", "= 详见: keystride design explain"]
    {
        assert!(full.contains(wanted), "{wanted} is not in\n{full}");
    }
    let fixed = lint(&["--fix"]);
    assert!(stderr(&fixed).contains("已修复：按 16 个桶来切\n"), "{}", stderr(&fixed));
    let sound = CALLS.replace("[\"f\"]", "{ f = { encoding = \"fast-diff\" } }");
    let sound = written(folder.path(), "sound.toml", &sound);
    let none = keystride(&["design", "lint", &sound, "--lang", "zh"]);
    assert_eq!(stderr(&none), "没有发现问题\n");
}

#[test]
fn all_else_stays_english() {
    let design = example("flights/design.toml");
    for args in [
        &["design", "show", &design][..],
        &["splits", "-d", &design, "--preview"],
        &["design", "lint", "no-such-file.toml"],
    ] {
        let (english, chinese) = (keystride(args), keystride(&[args, &["--lang", "zh"]].concat()));
        assert_eq!((stdout(&english), stderr(&english)), (stdout(&chinese), stderr(&chinese)), "{args:?}");
    }
}

#[test]
fn a_language_that_lints_are_not_told_in_is_refused() {
    let output = keystride(&["design", "explain", "--lang", "fr"]);
    assert_eq!(output.status.code(), Some(2));
    let talk = "\"fr\" is not a language that lints are told in; write en or zh";
    assert!(stderr(&output).contains(talk), "{}", stderr(&output));
    let output = program().args(["design", "explain"]).env("KEYSTRIDE_LANG", "fr").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains(&format!("variable KEYSTRIDE_LANG: {talk}")), "{}", stderr(&output));
    assert!(stdout(&output).is_empty());
}

#[test]
fn the_language_of_the_system_is_that_of_lints_unless_a_setting_says_another() {
    let told = |variables: &[(&str, &str)], args: &[&str]| {
        let mut command = program();
        command.args(["design", "explain", "SPL05"]).args(args).envs(variables.iter().copied());
        has_chinese(&stdout(&command.output().unwrap()))
    };
    let chinese = [("LANG", "zh_CN.UTF-8")];
    assert!(told(&chinese, &[]) && told(&[("LC_ALL", "zh_CN"), ("LANG", "en_US.UTF-8")], &[]));
    assert!(!told(&[("LANG", "de_DE.UTF-8")], &[]) && !told(&[], &[]));
    assert!(!told(&chinese, &["--lang", "en"]));
    assert!(!told(&[chinese[0], ("KEYSTRIDE_LANG", "en")], &[]));
    let mut show = program();
    let shown = show.args(["ctx", "show", "--origin"]).envs(chinese).output().unwrap();
    assert!(stdout(&shown).contains("lang\tzh\tvariable LANG\n"), "{}", stdout(&shown));
}
