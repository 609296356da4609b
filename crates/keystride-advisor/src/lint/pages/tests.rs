use super::Text;
use crate::lint::language::tests::{is_chinese, numbers};
use crate::lint::{Language, LintId};

/// Terms that stand with their English word where a Chinese page first uses them.
const TERMS: [(&str, &str); 7] = [
    ("分裂点", "split point"),
    ("列族", "column family"),
    ("列限定符", "qualifier"),
    ("扫描", "scan"),
    ("桶", "bucket"),
    ("盐值", "salt"),
    ("行键", "row key"),
];

fn sections(id: LintId, language: Language) -> [&'static str; 4] {
    let Text { title, checks, why, remedy } = id.page().text(language);
    [title, checks, why, remedy]
}

#[test]
fn every_section_is_in_its_language() {
    for id in LintId::ALL {
        for text in sections(*id, Language::English) {
            assert!(!text.is_empty() && !text.chars().any(is_chinese), "{id}: {text}");
        }
        for text in sections(*id, Language::Chinese) {
            assert!(text.chars().any(is_chinese), "{id}: {text}");
        }
    }
}

#[test]
fn every_page_has_its_sections_in_order() {
    let headings = |page: &str| {
        let lines = page.lines().filter(|line| line.starts_with('#'));
        lines.map(|line| line.trim_start_matches(['#', ' ']).to_owned()).skip(1).collect::<Vec<_>>()
    };
    for id in LintId::ALL {
        let page = id.page();
        assert_eq!(headings(page.english), ["What it checks", "Why it matters", "What to do"], "{id}");
        assert_eq!(headings(page.chinese), ["检查什么", "为什么重要", "怎么办"], "{id}");
    }
}

#[test]
fn no_line_is_too_wide() {
    let columns = |line: &str| line.chars().map(|c| if c < '\u{1100}' { 1 } else { 2 }).sum::<usize>();
    for (id, language) in LintId::ALL.iter().flat_map(|id| Language::ALL.map(|language| (id, language))) {
        for line in id.explain(language).lines() {
            assert!(columns(line) <= 110, "{id}: {line}");
        }
    }
}

#[test]
fn both_languages_tell_the_same_figures() {
    for id in LintId::ALL {
        let chinese = numbers(&id.explain(Language::Chinese));
        for number in numbers(&id.explain(Language::English)) {
            assert!(chinese.contains(&number), "{id}: {number} is not in {chinese:?}");
        }
    }
}

#[test]
fn both_languages_show_the_same_code() {
    let code = |language, id: LintId| -> Vec<String> {
        let text = sections(id, language).join("\n").replace('\n', " ");
        let mut code: Vec<String> = text.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        code.sort();
        code
    };
    for id in LintId::ALL {
        assert_eq!(code(Language::English, *id), code(Language::Chinese, *id), "{id}");
    }
}

#[test]
fn a_term_is_shown_in_english_where_it_is_first_used() {
    for id in LintId::ALL {
        let [_, checks, why, remedy] = sections(*id, Language::Chinese);
        let body = [checks, why, remedy].join("\n");
        for (term, english) in TERMS {
            let Some((_, after)) = body.split_once(term) else { continue };
            assert!(after.starts_with(&format!(" ({english})")), "{id}: {term}");
        }
    }
}
