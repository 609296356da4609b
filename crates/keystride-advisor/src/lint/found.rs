//! Findings under construction.

use keystride::design::{Access, Span};
use keystride::internal::place_of;

use super::said::{Bilingual, said};
use super::{Facts, Finding, LintId, Patch, Severity, Subject};

/// A finding under construction, in both languages.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) id: LintId,
    pub(super) severity: Severity,
    place: Place,
    labels: Vec<(Span, Bilingual)>,
    message: Bilingual,
    evidence: Facts,
    notes: Vec<Bilingual>,
    help: Option<Bilingual>,
    fix: Option<Patch>,
}

/// The place of a finding.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) component: String,
    pub(super) span: Option<Span>,
}

/// How a table's split points depend on how keys are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Points {
    /// They follow from the design.
    Follow,
    /// They are those of an algorithm that was chosen for what keys begin with, up to this part.
    SuitPartsUpTo(usize),
    /// They are written out.
    AreWritten,
}

/// The facts of one finding, and the sentence made from them.
pub(super) trait Evidence {
    fn id(&self) -> LintId;
    fn facts(&self) -> Facts;
    fn sentence(&self) -> Bilingual;
}

impl Place {
    pub(super) fn access(access: &Access) -> Self {
        Self { component: format!("access.{}", access.name), span: Some(access.span.clone()) }
    }

    /// Returns the place of a word whose span the design does not keep; it is looked up in the file's text.
    pub(super) fn words(words: &str) -> Self {
        Self { component: words.to_owned(), span: None }
    }
}

impl Found {
    pub(super) fn new(severity: Severity, place: Place, evidence: &impl Evidence) -> Self {
        Self {
            id: evidence.id(),
            severity,
            place,
            labels: Vec::new(),
            message: evidence.sentence(),
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

    pub(super) fn label(mut self, place: Place, words: Bilingual) -> Self {
        self.labels.extend(place.span.map(|span| (span, words)));
        self
    }

    pub(super) fn note(mut self, note: Bilingual) -> Self {
        self.notes.push(note);
        self
    }

    pub(super) fn help(mut self, help: Bilingual) -> Self {
        self.help = Some(help);
        self
    }

    pub(super) fn fix(mut self, fix: impl Into<Option<Patch>>) -> Self {
        self.fix = fix.into();
        self
    }

    /// Turns a patch that changes keys into advice where that would leave the points of the former keys.
    pub(super) fn with_points_kept(mut self, points: Points) -> Self {
        let leaves_points = |patch: &Patch| match points {
            Points::Follow => false,
            Points::SuitPartsUpTo(part) => patch.changes_parts_up_to(part),
            Points::AreWritten => true,
        };
        let leaves = |patch: &mut Patch| patch.changes_keys_alone() && leaves_points(patch);
        let Some(patch) = self.fix.take_if(leaves) else { return self };
        let title = patch.into_title();
        let advice = said!(
            "{title}, and make the table's split points anew",
            "{title}，并重新生成表的分裂点 (split point)"; title
        );
        self.help = Some(match self.help {
            Some(help) => Bilingual {
                english: format!("{}; {}", advice.english, help.english),
                chinese: format!("{}；{}", advice.chinese, help.chinese),
            },
            None => advice,
        });
        self
    }

    pub(super) fn into_finding(self, subject: &Subject<'_>) -> Finding {
        let language = subject.language;
        let Place { component, span } = self.place;
        let span = span.or_else(|| place_of(subject.source?, &component));
        let mut silences = subject.codec.design().silences().iter();
        let silence = silences.find(|silence| silence.lint.parse() == Ok(self.id));
        let labels = self.labels.into_iter().map(|(span, words)| (span, words.into_text(language)));
        Finding {
            id: self.id,
            severity: self.severity,
            component,
            span,
            labels: labels.collect(),
            message: self.message.into_text(language),
            evidence: self.evidence,
            notes: self.notes.into_iter().map(|note| note.into_text(language)).collect(),
            help: self.help.map(|help| help.into_text(language)),
            fix: self.fix.map(|patch| patch.into_fix(language)),
            silenced: silence.map(|silence| silence.reason.clone()),
        }
    }
}
