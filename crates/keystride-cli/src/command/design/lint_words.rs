//! The texts that `design lint` prints around its findings, in their language.

use annotate_snippets::Level;
use keystride_advisor::lint::{Finding, Language, Severity};

pub(super) fn level(severity: Severity, language: Language) -> Level<'static> {
    let level = match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    named(level, severity.word(Language::Chinese), language)
}

pub(super) fn note(language: Language) -> Level<'static> {
    named(Level::NOTE, "注", language)
}

pub(super) fn help(language: Language) -> Level<'static> {
    named(Level::HELP, "建议", language)
}

pub(super) fn more(language: Language) -> Level<'static> {
    named(Level::NOTE.with_name(Some("more")), "详见", language)
}

/// The levels already have English names.
fn named(level: Level<'static>, chinese: &'static str, language: Language) -> Level<'static> {
    match language {
        Language::English => level,
        Language::Chinese => level.with_name(Some(chinese)),
    }
}

pub(super) fn fixed(title: &str, language: Language) -> String {
    match language {
        Language::English => format!("fixed: {title}"),
        Language::Chinese => format!("已修复：{title}"),
    }
}

/// Warns that patches changed what rows are stored as.
pub(super) fn changes_rows(language: Language) -> &'static str {
    match language {
        Language::English => {
            "the design makes other keys or cells now: it is for new tables, and rows that are stored stay as they are"
        }
        Language::Chinese => "设计现在生成不同的键或单元格：它只适用于新表，已存储的行保持不变",
    }
}

/// Describes a patch, and the command that applies it.
pub(super) fn by_command(title: &str, command: &str, language: Language) -> String {
    match language {
        Language::English => format!("{title}: {command}"),
        Language::Chinese => format!("{title}：{command}"),
    }
}

pub(super) fn both(help: &str, fix: &str, language: Language) -> String {
    match language {
        Language::English => format!("{help}; {fix}"),
        Language::Chinese => format!("{help}；{fix}"),
    }
}

/// Returns a summary such as `3 errors, 1 warning`.
pub(super) fn summary(findings: &[Finding], language: Language) -> String {
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let counted =
        [Severity::Error, Severity::Warning, Severity::Info].map(|severity| (count(severity), severity));
    let said = counted.into_iter().filter(|(count, _)| *count > 0);
    let said: Vec<String> = said.map(|(count, severity)| in_number(count, severity, language)).collect();
    match (language, said.as_slice()) {
        (Language::English, []) => "nothing found".to_owned(),
        (Language::Chinese, []) => "没有发现问题".to_owned(),
        (Language::English, said) => said.join(", "),
        (Language::Chinese, said) => said.join("，"),
    }
}

fn in_number(count: usize, severity: Severity, language: Language) -> String {
    let word = match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    };
    match language {
        Language::English => format!("{count} {word}{}", if count == 1 { "" } else { "s" }),
        Language::Chinese => format!("{count} 个{}", severity.word(language)),
    }
}
