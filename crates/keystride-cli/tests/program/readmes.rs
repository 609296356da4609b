//! The README in Chinese has the headings, the code and the links of the English one, in which `helps` runs the code; and its
//! first command is true.

use std::process::Command;

use serde_json::Value;

const ENGLISH: &str = include_str!("../../../../README.md");
const CHINESE: &str = include_str!("../../../../README.zh-CN.md");

/// Returns the marks of the headings and the blocks of code, in order.
fn outline(readme: &str) -> Vec<String> {
    let mut outline = Vec::new();
    for (index, piece) in readme.split("```").enumerate() {
        if index % 2 == 1 {
            outline.push(piece.lines().map(without_comment).collect::<Vec<_>>().join("\n"));
        } else {
            let headings = piece.lines().filter(|line| line.starts_with('#'));
            outline.extend(headings.map(|line| line.chars().take_while(|c| *c == '#').collect::<String>()));
        }
    }
    outline
}

/// Comments on commands are in the language of their README.
fn without_comment(line: &str) -> &str {
    line.split_once(" # ").map_or(line, |(command, _)| command.trim_end())
}

/// Returns what is not in blocks of code.
fn prose(readme: &str) -> String {
    readme.split("```").step_by(2).collect()
}

/// Returns the code between backquotes, sorted: each language has its own order of words.
fn code(readme: &str) -> Vec<String> {
    let mut code: Vec<String> = prose(readme).split('`').skip(1).step_by(2).map(str::to_owned).collect();
    code.sort();
    code
}

/// Returns the targets of the links after the first, which is to the other README, sorted as the code is.
fn links(readme: &str) -> Vec<String> {
    let prose = prose(readme);
    let targets = prose.split("](").skip(2).filter_map(|after| after.split(')').next());
    let mut targets: Vec<String> = targets.map(str::to_owned).collect();
    targets.sort();
    targets
}

/// `cargo run`, without the name of a program, takes the only one of the packages that are the default.
#[test]
fn cargo_runs_the_program() {
    let mut metadata = Command::new(env!("CARGO"));
    metadata.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]);
    let told = metadata.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).output().unwrap();
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    let is_default =
        |package: &&Value| told["workspace_default_members"].as_array().unwrap().contains(&package["id"]);
    let packages = told["packages"].as_array().unwrap().iter().filter(is_default);
    let targets = packages.flat_map(|package| package["targets"].as_array().unwrap());
    let programs: Vec<&Value> =
        targets.filter(|target| target["kind"][0] == "bin").map(|target| &target["name"]).collect();
    assert_eq!(programs, ["keystride"]);
}

#[test]
fn each_readme_begins_with_a_link_to_the_other() {
    assert_eq!(ENGLISH.lines().nth(2), Some("[简体中文](README.zh-CN.md)"));
    assert_eq!(CHINESE.lines().nth(2), Some("[English](README.md)"));
}

#[test]
fn both_readmes_have_the_same_headings_and_blocks_of_code() {
    let (english, chinese) = (outline(ENGLISH), outline(CHINESE));
    for (english, chinese) in english.iter().zip(&chinese) {
        assert_eq!(english, chinese, "README.md and README.zh-CN.md differ here");
    }
    assert_eq!(english.len(), chinese.len());
}

#[test]
fn both_readmes_have_the_same_code_and_links_in_their_text() {
    assert_eq!(code(ENGLISH), code(CHINESE));
    assert_eq!(links(ENGLISH), links(CHINESE));
}
