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

pub(super) fn would_fix(title: &str, language: Language) -> String {
    match language {
        Language::English => format!("would fix: {title}"),
        Language::Chinese => format!("将会修复：{title}"),
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

/// Describes a patch that changes rows, and the command that applies it.
pub(super) fn by_unsafe_command(title: &str, command: &str, language: Language) -> String {
    match language {
        Language::English => {
            format!("{title}, which changes stored keys or cells: {command} --unsafe-fixes")
        }
        Language::Chinese => format!("{title}（会改变已存储的键或单元格）：{command} --unsafe-fixes"),
    }
}

/// Says how many fixes keep all rows and how many change them, and what applies them; `takes_safe` where the first were
/// taken already.
pub(super) fn fixes([safe, other]: [usize; 2], takes_safe: bool, language: Language) -> Option<String> {
    let flags = if takes_safe { "--unsafe-fixes" } else { "--fix --unsafe-fixes" };
    let more = if safe > 0 || takes_safe { " more" } else { "" };
    Some(match (language, safe, other) {
        (_, 0, 0) => return None,
        (Language::English, _, 0) => format!("{}: --fix", of_fixes(safe, "")),
        (Language::English, 0, _) => format!("{}: {flags}", changing(other, more)),
        (Language::English, ..) => {
            format!("{}: --fix; {}: {flags}", of_fixes(safe, ""), changing(other, more))
        }
        (Language::Chinese, _, 0) => format!("可修复 {safe} 处：--fix"),
        (Language::Chinese, 0, _) => format!("另有 {other} 处修复会改变已存储的键或单元格：{flags}"),
        (Language::Chinese, ..) => {
            format!("可修复 {safe} 处：--fix；另有 {other} 处修复会改变已存储的键或单元格：{flags}")
        }
    })
}

fn of_fixes(count: usize, more: &str) -> String {
    format!("{count}{more} fix{}", if count == 1 { "" } else { "es" })
}

fn changing(count: usize, more: &str) -> String {
    format!("{} change{} stored keys or cells", of_fixes(count, more), if count == 1 { "s" } else { "" })
}

pub(super) fn both(help: &str, fix: &str, language: Language) -> String {
    match language {
        Language::English => format!("{help}; {fix}"),
        Language::Chinese => format!("{help}；{fix}"),
    }
}

/// Warns that the design silences what is not found.
pub(super) fn stale(place: &str, lint: &str, language: Language) -> String {
    match language {
        Language::English => {
            format!("{place}: warning: [lint] allows {lint}, which finds nothing here: take it out")
        }
        Language::Chinese => format!("{place}: 警告：[lint] 允许了 {lint}，但它没有发现问题：请删掉这一条"),
    }
}

/// Returns a summary such as `3 errors, 1 warning, 1 silenced`.
pub(super) fn summary(findings: &[Finding], silenced: usize, language: Language) -> String {
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let counted =
        [Severity::Error, Severity::Warning, Severity::Info].map(|severity| (count(severity), severity));
    let said = counted.into_iter().filter(|(count, _)| *count > 0);
    let said: Vec<String> = said.map(|(count, severity)| in_number(count, severity, language)).collect();
    let (nothing, hidden, comma) = match language {
        Language::English => ("nothing found", format!("{silenced} silenced"), ", "),
        Language::Chinese => ("没有发现问题", format!("{silenced} 个已静默"), "，"),
    };
    let said = if said.is_empty() { vec![nothing.to_owned()] } else { said };
    said.into_iter().chain((silenced > 0).then_some(hidden)).collect::<Vec<_>>().join(comma)
}

/// Says what a change would leave.
pub(super) fn left(summary: &str, language: Language) -> String {
    match language {
        Language::English => format!("left: {summary}"),
        Language::Chinese => format!("剩下：{summary}"),
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
