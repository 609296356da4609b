//! The examples of each command's help, and of the README, can be run as they are.

use std::path::Path;
use std::process::Output;

use super::{keystride, shell, stderr, stdout};

/// Returns the examples of a command's help and of those within it, in the order of the help.
fn examples(words: &[&str]) -> Vec<String> {
    let help = stdout(&keystride(&[&["help"], words].concat()));
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    lines.take_while(|line| line.starts_with("  ")).map(|line| line.trim().to_owned()).collect()
}

/// Returns the names of the commands within one.
fn inner(words: &[&str]) -> Vec<String> {
    let help = stdout(&keystride(&[&["help"], words].concat()));
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = lines.map_while(|line| line.strip_prefix("  ")?.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

fn run(line: &str, folder: &Path) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_keystride")).parent().unwrap();
    let path = std::env::join_paths(
        [program.to_owned()].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let mut shell = shell(line);
    shell.current_dir(folder).env("PATH", path.unwrap());
    shell.env("HOME", folder).env("KEYSTRIDE_CONFIG", folder.join("home.toml"));
    shell.output().unwrap()
}

#[test]
fn the_examples_of_each_help_run() {
    let folder = tempfile::tempdir().unwrap();
    let calls = "phone,time,seconds,peer\n13800138000,2020-04-06T12:34:56+08:00,12,13900139000\n\
                 13800138001,2020-04-06T13:34:56+08:00,75,\n13900139000,2020-04-07T00:34:56+08:00,30,13800138001\n";
    std::fs::write(folder.path().join("calls.csv"), calls).unwrap();
    let order = [
        "design",
        "key",
        "splits",
        "table create",
        "load",
        "get",
        "query",
        "count",
        "scan",
        "put",
        "delete",
        "extract",
        "stats",
        "table",
        "store",
        "ctx",
        "completions",
        "man",
        "version",
    ];
    let mut run_count = 0;
    for command in order {
        let words: Vec<&str> = command.split(' ').collect();
        let within = if words.len() == 1 { inner(&words) } else { Vec::new() };
        let mut lines = examples(&words);
        for name in within.iter().filter(|name| command != "table" || *name != "create") {
            let of_inner = examples(&[&words[..], &[name]].concat());
            assert!(!of_inner.is_empty(), "{command} {name} has no example");
            lines.extend(of_inner);
        }
        for line in lines {
            let output = run(&line, folder.path());
            assert!(output.status.success(), "{line}\n{}", stderr(&output));
            run_count += 1;
        }
    }
    assert!(run_count > 50, "{run_count}");
}

#[test]
fn options_of_every_command_are_told_in_one_place() {
    let options = stdout(&keystride(&["help", "options"]));
    assert!(options.contains("--backend") && options.contains("--wait"), "{options}");
    for words in [&["help"][..], &["help", "query"], &["help", "table", "alter"]] {
        let help = stdout(&keystride(words));
        assert!(!help.contains("--backend"), "{help}");
        assert!(help.contains("keystride help options"), "{help}");
    }
}

#[test]
fn the_language_of_predicates_has_a_page_whose_examples_are_predicates() {
    let folder = tempfile::tempdir().unwrap();
    let design = "format = 1\n[table]\nname = \"calls\"\nfamilies = [\"f\"]\n[fields]\n\
                  phone = { type = \"digits\", len = 11 }\ntime = { type = \"time\", unit = \"ms\" }\n\
                  seconds = { type = \"u32\" }\npeer = { type = \"string\" }\n[key]\n\
                  parts = [{ field = \"phone\" }, { field = \"time\" }]\n";
    std::fs::write(folder.path().join("calls.toml"), design).unwrap();
    assert!(run("keystride table create -d calls.toml", folder.path()).status.success());
    let page = stdout(&keystride(&["help", "where"]));
    let predicates = page.lines().filter_map(|line| line.strip_prefix("  "));
    let predicates: Vec<&str> = predicates.map(|line| line.split("   ").next().unwrap()).collect();
    assert!(predicates.len() > 8, "{page}");
    for predicate in predicates {
        let output = run(&format!("keystride count calls --where \"{predicate}\""), folder.path());
        assert!(output.status.success(), "{predicate}\n{}", stderr(&output));
    }
}

#[test]
fn the_examples_of_the_readme_print_what_it_says() {
    let readme = include_str!("../../../../README.md");
    for title in ["## Your own file", "## A design"] {
        let section = readme.split_once(title).unwrap().1;
        let section = section.split("\n## ").next().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let blocks: Vec<(&str, &str)> =
            section.split("```").collect::<Vec<_>>().chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
        let mut run_count = 0;
        for (before, block) in blocks {
            let body = block.split_once('\n').unwrap().1;
            if !body.starts_with("$ ") {
                // The text before a file's contents ends with its name in backquotes.
                let name = before.rsplit('`').nth(1).unwrap();
                std::fs::write(folder.path().join(name), body).unwrap();
                continue;
            }
            for call in body.split("$ ").skip(1) {
                let (line, printed) = call.split_once('\n').unwrap();
                let output = run(line, folder.path());
                assert!(output.status.success(), "{line}\n{}", stderr(&output));
                let told = stdout(&output) + &stderr(&output);
                run_count += 1;
                // A terminal shows the report of a load as a sentence.
                if line.contains("keystride load") {
                    assert!(told.contains("rows stored\t3\n"), "{told}");
                    continue;
                }
                // Sizes of files vary with the libraries that write them.
                let sizeless = |text: &str| {
                    let lines = text.lines().map(|line| match line.split_once('\t') {
                        Some((folder, _)) if folder.starts_with("out/") => folder.to_owned(),
                        _ => line.to_owned(),
                    });
                    lines.collect::<Vec<_>>()
                };
                assert_eq!(sizeless(&told), sizeless(printed), "{line}");
            }
        }
        assert!(run_count > 4, "{title}");
    }
}
