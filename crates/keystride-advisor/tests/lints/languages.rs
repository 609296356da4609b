//! A finding says the same in every language.

use keystride_advisor::lint::{Finding, Language, Severity};

use crate::judge::{design, findings};

/// Whether the same is found in English and in Chinese, and each told in its language.
#[track_caller]
pub(crate) fn agree(english: &[Finding], chinese: &[Finding]) {
    assert_eq!(english.len(), chinese.len());
    for (english, chinese) in english.iter().zip(chinese) {
        let place = |finding: &Finding| {
            let labels: Vec<_> = finding.labels.iter().map(|(span, _)| span.clone()).collect();
            (finding.id, finding.severity, finding.component.clone(), finding.span.clone(), labels)
        };
        assert_eq!(place(english), place(chinese));
        assert_eq!(english.evidence, chinese.evidence);
        let edits = |finding: &Finding| finding.fix.as_ref().map(|fix| fix.edits.clone());
        assert_eq!(edits(english), edits(chinese), "{}", english.id);
        let (in_english, in_chinese) = (texts(english), texts(chinese));
        assert_eq!(in_english.len(), in_chinese.len(), "{in_english:?} and {in_chinese:?}");
        for (english, chinese) in in_english.into_iter().zip(in_chinese) {
            assert!(!has_chinese(english), "{english}");
            assert!(has_chinese(chinese), "{english} is {chinese}");
            for number in numbers(english).filter(|number| !is_rounded(english, number)) {
                assert!(numbers(chinese).any(|other| other == number), "{english} is {chinese}");
            }
        }
    }
}

/// All that a finding says: its sentence, its help, its patch, its labels and its notes.
fn texts(finding: &Finding) -> Vec<&str> {
    let fix = finding.fix.as_ref().map(|fix| &fix.title);
    let labels = finding.labels.iter().map(|(_, label)| label);
    let texts = std::iter::once(&finding.message).chain(&finding.help).chain(fix);
    texts.chain(labels).chain(&finding.notes).map(String::as_str).collect()
}

fn has_chinese(text: &str) -> bool {
    text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c))
}

fn numbers(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
    words.map(|word| word.trim_matches(['.', ','])).filter(|word| !word.is_empty())
}

/// Millions and billions, which Chinese counts in 10,000 and 100,000,000.
fn is_rounded(text: &str, number: &str) -> bool {
    ["million", "billion"].iter().any(|unit| text.contains(&format!("{number} {unit}")))
}

#[test]
fn a_finding_is_told_in_the_language_that_is_asked_for() {
    let toml = design(
        "ts = { type = \"time\", unit = \"ms\" }",
        "{ field = \"ts\" }",
        "[workload]\nrows_per_s = 2000000\n[cluster]\nservers = 8",
    );
    let design = keystride::Design::from_toml(&toml).unwrap();
    let codec = keystride::KeyCodec::new(design);
    let subject = keystride_advisor::lint::Subject::new(&codec).in_language(Language::Chinese);
    let all = keystride_advisor::lint::lint(&subject);
    let found = all.iter().find(|finding| finding.id.name() == "HOT01").unwrap();
    assert_eq!(found.message, "键以 ts 开头，随时间递增：新行全进一个 region，上限就是一台服务器");
    assert_eq!(found.notes, ["每秒到达 200 万行，一台服务器能收 50,000 行（声明的）"]);
    assert_eq!(found.evidence["order"], "rising");
    assert_eq!(Severity::Error.word(Language::Chinese), "错误");
    let english = findings(&toml);
    assert!(
        english.iter().any(|finding| finding.notes.iter().any(|note| note.starts_with("2 million rows")))
    );
}
