use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use super::{Fix, Language, LintId};
use crate::design::Span;

/// What a finding rests on: names and numbers, keys in escaped text.
pub type Facts = BTreeMap<&'static str, Value>;

/// One thing a lint says about a design.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// Which lint.
    pub id: LintId,
    /// How bad it is.
    pub severity: Severity,
    /// The words that lead to its place in the file, such as `key.parts[2]`.
    pub component: String,
    /// Its place in the file, where the design keeps that.
    pub span: Option<Span>,
    /// Further places, with what is to be said of each.
    pub labels: Vec<(Span, String)>,
    /// One sentence, made of the evidence.
    pub message: String,
    /// What the sentence rests on.
    pub evidence: Facts,
    /// What else is worth knowing.
    pub notes: Vec<String>,
    /// What would do.
    pub help: Option<String>,
    /// A patch of the design file that does it.
    pub fix: Option<Fix>,
}

/// How bad a finding is. The worst comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Wrong results, or a hot or empty region that is proved.
    Error,
    /// It costs, or will break when the table grows.
    Warning,
    /// Worth knowing.
    Info,
}

impl Severity {
    /// Its name for programs, in every language.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }

    /// Its word in messages.
    pub fn word(self, language: Language) -> &'static str {
        match (language, self) {
            (Language::English, _) => self.name(),
            (Language::Chinese, Self::Error) => "错误",
            (Language::Chinese, Self::Warning) => "警告",
            (Language::Chinese, Self::Info) => "提示",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Finding {
    /// Errors first, then by place, those without one last, then by id.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let place = |finding: &Self| finding.span.as_ref().map_or(usize::MAX, |span| span.start);
        (self.severity, place(self), self.id, &self.component).cmp(&(
            other.severity,
            place(other),
            other.id,
            &other.component,
        ))
    }
}
