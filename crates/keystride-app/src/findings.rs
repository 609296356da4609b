//! What is wrong with a design file, as documents for programs: findings of lints, and mistakes of a file that is no design.

use std::fmt;
use std::ops::Range;
use std::path::Path;

use keystride::design::{Complaint, DesignError, Problem};
use keystride_advisor::lint::{Effect, Facts, Finding, Severity};
use serde::Serialize;

use crate::marked_text::{line_and_column, without_mark};

/// All findings on a design file.
#[derive(Debug, Clone, Serialize)]
pub struct FindingsDocument {
    format: u32,
    findings: Vec<FindingDocument>,
    /// Those that the design silences.
    silenced: Vec<FindingDocument>,
    /// Lints that the design silences although they find nothing.
    stale: Vec<String>,
}

/// A finding on a design file, or a mistake in it, which has no lint's id. Lines and columns are counted from 1.
#[derive(Debug, Clone, Serialize)]
pub struct FindingDocument {
    id: Option<&'static str>,
    severity: &'static str,
    component: String,
    file: String,
    line: Option<usize>,
    column: Option<usize>,
    message: String,
    evidence: Facts,
    help: Option<String>,
    fix: Option<String>,
    /// Whether the fix gives rows other keys or cells.
    fix_changes_rows: Option<bool>,
    /// The reason for which the design silences it.
    silenced: Option<String>,
}

impl FindingsDocument {
    /// Describes all findings on a file.
    pub fn new(findings: Vec<FindingDocument>) -> Self {
        Self { format: 1, findings, silenced: Vec::new(), stale: Vec::new() }
    }

    /// Adds what the design silences, and the lints among it that find nothing.
    #[must_use]
    pub fn with_silenced(self, silenced: Vec<FindingDocument>, stale: Vec<String>) -> Self {
        Self { silenced, stale, ..self }
    }
}

impl FindingDocument {
    /// Describes a finding on a file with this text.
    pub fn of_finding(finding: &Finding, file: &Path, text: &str) -> Self {
        let (line, column) = place_of_finding(finding, text).unzip();
        let effect = finding.fix.as_ref().and_then(|fix| fix.effect);
        Self {
            id: Some(finding.id.name()),
            severity: finding.severity.name(),
            component: finding.component.clone(),
            file: file.display().to_string(),
            line,
            column,
            message: finding.message.clone(),
            evidence: finding.evidence.clone(),
            help: finding.help.clone(),
            fix: finding.fix.as_ref().map(|fix| fix.title.clone()),
            fix_changes_rows: effect.map(|effect| effect == Effect::ChangesRows),
            silenced: finding.silenced.clone(),
        }
    }

    /// Describes the mistakes in a file with this text, which is no design.
    pub fn of_mistakes(error: &DesignError, file: &Path, text: &str) -> Vec<Self> {
        let document = |complaint: &Complaint| {
            let place = place_of_complaint(complaint, without_mark(text));
            let (line, column) = place.and_then(|place| line_and_column(text, place.start)).unzip();
            Self {
                id: None,
                severity: Severity::Error.name(),
                component: complaint.path.clone(),
                file: file.display().to_string(),
                line,
                column,
                message: complaint.problem.to_string(),
                evidence: Facts::new(),
                help: complaint.problem.help(),
                fix: None,
                fix_changes_rows: None,
                silenced: None,
            }
        };
        error.complaints.iter().map(document).collect()
    }
}

/// `design.toml:4:9: warning[HOT01]: …`
impl fmt::Display for FindingDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = (self.line.unwrap_or(1), self.column.unwrap_or(1));
        write!(f, "{}:{line}:{column}: {}", self.file, self.severity)?;
        self.id.map_or(Ok(()), |id| write!(f, "[{id}]"))?;
        write!(f, ": {}", self.message)
    }
}

/// Returns the line and the column of a finding, from 1.
pub fn place_of_finding(finding: &Finding, text: &str) -> Option<(usize, usize)> {
    line_and_column(text, finding.span.as_ref()?.start)
}

/// Returns the place of a complaint in bytes of `source`, which has no byte order mark. What the file lacks altogether
/// belongs after its last line.
pub fn place_of_complaint(complaint: &Complaint, source: &str) -> Option<Range<usize>> {
    let end = source.trim_end().len();
    match (&complaint.span, &complaint.problem) {
        (Some(span), _) => Some(span.clone()).filter(|span| span.end <= source.len()),
        (None, Problem::Missing { .. }) if complaint.path.is_empty() && end > 0 => Some(end..end),
        (None, _) => None,
    }
}
