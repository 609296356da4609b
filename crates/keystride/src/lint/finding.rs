use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use super::{Fix, LintId};
use crate::design::{Access, Span};

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

/// Where a finding belongs.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) component: String,
    pub(super) span: Option<Span>,
}

/// The facts of one finding, and the sentence they make.
pub(super) trait Evidence: fmt::Display {
    fn id(&self) -> LintId;
    fn facts(&self) -> Facts;
}

impl Severity {
    /// Its word in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Place {
    pub(super) fn access(access: &Access) -> Self {
        Self { component: format!("access.{}", access.name), span: Some(access.span.clone()) }
    }

    /// Words of the file whose place the design does not keep.
    pub(super) fn words(words: &str) -> Self {
        Self { component: words.to_owned(), span: None }
    }
}

impl Finding {
    pub(super) fn new(severity: Severity, place: Place, evidence: &impl Evidence) -> Self {
        Self {
            id: evidence.id(),
            severity,
            component: place.component,
            span: place.span,
            labels: Vec::new(),
            message: evidence.to_string(),
            evidence: evidence.facts(),
            notes: Vec::new(),
            help: None,
            fix: None,
        }
    }

    pub(super) fn error(place: Place, evidence: &impl Evidence) -> Self {
        Self::new(Severity::Error, place, evidence)
    }

    pub(super) fn warning(place: Place, evidence: &impl Evidence) -> Self {
        Self::new(Severity::Warning, place, evidence)
    }

    pub(super) fn info(place: Place, evidence: &impl Evidence) -> Self {
        Self::new(Severity::Info, place, evidence)
    }

    pub(super) fn label(mut self, place: Place, words: impl Into<String>) -> Self {
        self.labels.extend(place.span.map(|span| (span, words.into())));
        self
    }

    pub(super) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(super) fn fix(mut self, fix: impl Into<Option<Fix>>) -> Self {
        self.fix = fix.into();
        self
    }

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
