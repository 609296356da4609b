//! Reports what is wrong with a design file, with the lines of the file.

use std::fmt;
use std::path::PathBuf;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use keystride::design::{Complaint, DesignError};

/// A file that is not a valid design.
#[derive(Debug)]
pub(crate) struct DesignFailure {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) error: DesignError,
}

impl DesignFailure {
    /// Returns every complaint with its place, a caret, what was found and what is expected.
    pub(crate) fn render(&self, renderer: &Renderer) -> String {
        let reports: Vec<String> =
            self.error.complaints.iter().map(|c| self.complaint(c, renderer)).collect();
        let count = reports.len();
        let noun = if count == 1 { "mistake" } else { "mistakes" };
        format!("{}\n\n{}: {count} {noun}, nothing done", reports.join("\n\n"), self.path.display())
    }

    fn complaint(&self, complaint: &Complaint, renderer: &Renderer) -> String {
        let title = complaint.problem.to_string();
        let help = complaint.problem.help();
        let path = self.path.display().to_string();
        // The reader skipped a byte order mark, so places are counted from after it.
        let source = self.text.strip_prefix('\u{feff}').unwrap_or(&self.text);
        let mut group = Group::with_title(Level::ERROR.primary_title(title.as_str()));
        if let Some(span) = complaint.span.clone().filter(|span| span.end <= source.len()) {
            let label = AnnotationKind::Primary.span(span).label(complaint.path.as_str());
            group = group.element(Snippet::source(source).path(path.as_str()).annotation(label));
        } else {
            group = group.element(Level::NOTE.message(format!("in {path}, {}", complaint.path)));
        }
        if let Some(help) = &help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        renderer.render(&[group])
    }
}

impl fmt::Display for DesignFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(&Renderer::plain()))
    }
}

impl std::error::Error for DesignFailure {}
