//! The words of the pages: both languages have all of them, and pages have no words of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets");

pub(crate) type Words = BTreeMap<String, String>;

pub(crate) fn words(language: &str) -> Words {
    let text = fs::read_to_string(format!("{ASSETS}/i18n/{language}.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// All files below a folder whose names end so.
pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { files(&path, ending) } else { vec![path] })
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect()
}

/// The modules of the pages, without what is vendored.
fn scripts() -> Vec<(PathBuf, String)> {
    let own = files(ASSETS.as_ref(), ".js").into_iter().filter(|path| !path.ends_with("lib/preact.js"));
    own.map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// The names of the facts that a text tells: `{rows}`. What only chooses words, as `{rows|row|rows}`, is English.
fn facts(text: &str) -> BTreeSet<&str> {
    let names = text.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    names.map(|(name, _)| name).filter(|name| !name.contains('|')).collect()
}

/// The texts that are within quotes of a kind, right after `before`.
fn quoted<'a>(text: &'a str, before: &str, quote: char) -> Vec<&'a str> {
    let begin = format!("{before}{quote}");
    let found = text.match_indices(&begin).filter(|(at, _)| {
        let letter = text[..*at].chars().next_back();
        letter.is_none_or(|letter| !letter.is_alphanumeric() && letter != '_' && letter != '.')
    });
    found.map(|(at, _)| text[at + begin.len()..].split(quote).next().unwrap_or_default()).collect()
}

#[test]
fn both_languages_have_the_same_words_with_the_same_facts() {
    let (english, chinese) = (words("en"), words("zh-CN"));
    assert_eq!(english.keys().collect::<Vec<_>>(), chinese.keys().collect::<Vec<_>>());
    for (key, text) in &english {
        assert_eq!(facts(text), facts(&chinese[key]), "{key}");
        assert!(!text.is_empty() && !chinese[key].is_empty(), "{key}");
    }
}

#[test]
fn the_words_of_pages_are_in_the_catalogue_and_no_others() {
    let english = words("en");
    let mut used = BTreeSet::new();
    let mut patterns = Vec::new();
    for (path, text) in scripts() {
        for key in quoted(&text, "t(", '\'') {
            assert!(english.contains_key(key), "{}: t('{key}')", path.display());
        }
        for template in quoted(&text, "t(", '`') {
            let (begin, rest) = template.split_once("${").unwrap_or((template, ""));
            let end = rest.rsplit_once('}').map_or("", |(_, end)| end).to_owned();
            let fits = |key: &String| key.starts_with(begin) && key.ends_with(&end);
            assert!(english.keys().any(fits), "{}: t(`{template}`)", path.display());
            patterns.push((begin.to_owned(), end));
        }
        used.extend(text.split('\'').map(str::to_owned));
    }
    // Refusals have words by their code, and the names of numbers are words.
    patterns.push(("error.".to_owned(), String::new()));
    let is_used = |key: &&String| {
        used.contains(*key)
            || patterns.iter().any(|(begin, end)| key.starts_with(&**begin) && key.ends_with(&**end))
    };
    let idle: Vec<_> = english.keys().filter(|key| !is_used(key)).collect();
    assert!(idle.is_empty(), "no page has {idle:?}");
}

#[test]
fn chinese_words_are_in_the_catalogue_alone() {
    let is_chinese = |letter: char| matches!(letter, '\u{3000}'..='\u{9fff}' | '\u{f900}'..='\u{ffef}');
    for path in [files(ASSETS.as_ref(), ".js"), files(ASSETS.as_ref(), ".css")].concat() {
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains(is_chinese), "{}", path.display());
    }
}
