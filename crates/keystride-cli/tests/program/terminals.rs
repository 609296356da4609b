//! What reaches a terminal: nothing of what is stored, named or asked for can control it.

use super::tried::Tried;
use super::{shell, stdout, written};

/// Texts that would set the title, clear the screen (also with one character), and turn the order of letters.
const HOSTILE: &str = "a\u{1b}]0;b\u{7}\u{1b}[2J\u{9b}2J\u{202e}c\u{2066}\u{200f}\u{61c}\u{7f}d";

const TEXTS: &str = "families = [\"f\"]\n[fields]\nid = { type = \"u32\" }\n\
                     text = { type = \"string\" }\n[key]\nparts = [{ field = \"id\" }, { text = \"-\" }, { field = \"text\" }]\n\
                     [columns]\ntext = { keep = true }\n";

/// Runs a command on a terminal of 80 columns, which util-linux's `script` makes; returns what the terminal gets, without
/// our own colours.
fn on_terminal(tried: &Tried, args: &[&str]) -> String {
    let command = tried.command(args);
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let quoted = words.map(|word| format!("'{}'", word.to_str().unwrap().replace('\'', "'\\''")));
    let script = format!("stty cols 80 rows 24\n{}\n", quoted.collect::<Vec<_>>().join(" "));
    let mut terminal = shell("exec script -qec 'sh terminal.sh' /dev/null < /dev/null");
    written(tried.path(), "terminal.sh", &script);
    let output = terminal.current_dir(tried.path()).output().unwrap();
    without_colors(&stdout(&output).replace("\r\n", "\n"))
}

fn without_colors(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let mut plain = pieces.next().unwrap().to_owned();
    for piece in pieces {
        match piece.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').strip_prefix('m') {
            Some(rest) => plain.push_str(rest),
            None => plain.push_str(&format!("\u{1b}[{piece}")),
        }
    }
    plain
}

fn assert_harmless(text: &str, args: &[&str]) {
    let controls = |c: char| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let found = text.find(controls).map(|at| text[at..].chars().take(20).collect::<String>());
    assert_eq!(found, None, "{args:?}: {text}");
}

#[test]
fn what_is_stored_does_not_control_a_terminal_and_stays_as_it_is_elsewhere() {
    let tried = Tried::new(TEXTS);
    let row = format!("text={HOSTILE}");
    tried.done(&["put", "t", "id=1", &row]);
    let formats = ["table", "csv", "tsv", "json", "ndjson"].map(|format| ["query", "t", "--format", format]);
    let texts = ["key", "encode", "-d", &tried.design, "id=1", &row, "--as", "text"];
    for args in formats.iter().map(<[_; 4]>::as_slice).chain([&texts[..], &["scan", "t"]]) {
        let shown = on_terminal(&tried, args);
        assert_harmless(&shown, args);
        assert!(shown.contains("2J") && shown.contains('\\'), "{args:?}: {shown}");
    }
    assert!(tried.done(&["query", "t", "--format", "csv"]).contains(HOSTILE));
    assert_eq!(tried.done(&texts), format!("1-{HOSTILE}\n"));
}

#[test]
fn what_is_named_or_asked_for_does_not_control_a_terminal() {
    let tried = Tried::new(TEXTS);
    let file = format!("{}.toml", HOSTILE.replace('/', ""));
    written(tried.path(), &file, &format!("format = 1\n[split]\nby = '{HOSTILE}' # {HOSTILE}\n"));
    written(tried.path(), "h.csv", &format!("id,text,{HOSTILE}\n1,a,2\n"));
    let predicate = format!("text = '{HOSTILE}' and {HOSTILE}");
    for args in [
        &["count", HOSTILE][..],
        &["scan", "t", "--limit", HOSTILE],
        &["scan", "t", "--format", HOSTILE],
        &[HOSTILE],
        &["query", "t", "--where", &predicate],
        &["get", "t", HOSTILE],
        &["design", "lint", &file],
        &["design", "show", &file],
        &["splits", "--strings", HOSTILE],
        &["-q", "load", "-t", "t", HOSTILE],
        &["-q", "load", "-t", "t", "h.csv"],
        &["count", "t", "--tz", HOSTILE],
        &["-vv", "count", HOSTILE],
    ] {
        let shown = on_terminal(&tried, args);
        assert_harmless(&shown, args);
        assert!(!shown.is_empty(), "{args:?}");
    }
}

#[test]
fn a_long_cell_is_cut_on_a_terminal_and_whole_elsewhere() {
    let tried = Tried::new(TEXTS);
    let text = "x".repeat(20_000);
    tried.done(&["put", "t", "id=1", &format!("text={text}")]);
    for args in [&["query", "t"][..], &["query", "t", "--columns", "text"]] {
        let shown = on_terminal(&tried, args);
        assert!(shown.contains("… (19.5 KiB)") && shown.len() < 2_000, "{shown}");
        assert!(tried.done(args).contains(&text));
    }
}

#[test]
fn rows_that_do_not_fit_a_terminal_are_cut_there_and_whole_elsewhere() {
    let tried = Tried::new(TEXTS);
    let rows: Vec<String> = (0..200).map(|id| format!("{id},text of row {id}\n")).collect();
    assert_eq!(tried.load(&format!("id,text\n{}", rows.concat()), &[]).status.code(), Some(0));
    for (command, unit) in [("query", "rows"), ("scan", "cells")] {
        let shown = on_terminal(&tried, &[command, "t"]);
        let lines: Vec<&str> = shown.lines().collect();
        let (last, above) = lines.split_last().unwrap();
        let count = above.iter().filter(|line| line.contains("text of row")).count();
        assert!(count >= 15 && lines.len() <= 23, "{shown}");
        assert_eq!(*last, format!("first {count} {unit} shown; all: --all, or pipe the output"));
        assert_eq!(
            on_terminal(&tried, &[command, "t", "--all"]).matches("text of row").count(),
            200 * (1 + usize::from(command == "scan"))
        );
        for args in [&[command, "t", "--format", "tsv"][..], &[command, "t", "--format", "json"]] {
            assert!(!on_terminal(&tried, args).contains("--all"), "{args:?}");
        }
        assert!(!tried.done(&[command, "t", "--format", "table"]).contains("--all"));
    }
    assert!(!on_terminal(&tried, &["query", "t", "--where", "id < 10"]).contains("--all"));
}
