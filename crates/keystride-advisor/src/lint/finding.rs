//! What a lint reports.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use keystride::design::Span;
use serde_json::Value;

use super::{Fix, Language, LintId};

/// What a finding rests on: names and numbers, keys in escaped text.
pub type Facts = BTreeMap<&'static str, Value>;

/// One problem that a lint found in a design.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// The lint.
    pub id: LintId,
    /// How severe it is.
    pub severity: Severity,
    /// The path of its place in the file, such as `key.parts[2]`.
    pub component: String,
    /// Its place in the file, if the design keeps it or the subject has the file's text.
    pub span: Option<Span>,
    /// Further places, each with a remark.
    pub labels: Vec<(Span, String)>,
    /// One sentence, made from the evidence.
    pub message: String,
    /// The facts that the sentence is based on.
    pub evidence: Facts,
    /// Further remarks.
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: Option<String>,
    /// A patch of the design file that does so.
    pub fix: Option<Fix>,
    /// The reason for which the design silences it, if it does.
    pub silenced: Option<String>,
}

/// How severe a finding is, the most severe first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Wrong results, or a region that is proved to be hot or empty.
    Error,
    /// It costs performance or space, or will fail when the table grows.
    Warning,
    /// Worth knowing.
    Info,
}

impl Severity {
    /// Returns its name for programs, the same in every language.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }

    /// Returns its name in messages.
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
    /// Orders errors first, then by place, those without one last, then by id.
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
