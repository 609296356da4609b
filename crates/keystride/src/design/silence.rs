//! `[lint]`: lints whose findings are not shown, each with the reason.

use super::problem::Problem;
use super::reader::{Complaints, Spanned, TableReader};
use super::span::Span;

/// A lint whose findings on a design are not shown, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Silence {
    /// The id of the lint, as it is written. This crate has no lints, and does not know whether there is such a one.
    pub lint: String,
    /// The reason; not empty.
    pub reason: String,
    /// Its place in the file.
    pub span: Span,
}

impl Silence {
    /// Reads a text such as `UNQ04: offsets come from one partition`.
    fn read(text: &Spanned<String>) -> Result<Self, Problem> {
        let (lint, reason) = text.value.split_once(':').unwrap_or((&text.value, ""));
        let (lint, reason) = (lint.trim(), reason.trim());
        let is_id = !lint.is_empty() && lint.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !is_id || reason.is_empty() {
            let expected = "a lint, a colon and the reason, as in \"UNQ04: offsets come from one partition\"";
            return Err(Problem::BadValue {
                found: format!("\"{}\"", text.value),
                expected: expected.to_owned(),
            });
        }
        Ok(Self { lint: lint.to_owned(), reason: reason.to_owned(), span: text.span.clone() })
    }

    /// Returns it as it is read.
    pub(crate) fn to_text(&self) -> String {
        format!("{}: {}", self.lint, self.reason)
    }
}

pub(crate) fn read_silences(mut table: TableReader<'_>, complaints: &mut Complaints) -> Vec<Silence> {
    let path = table.path_of("allow");
    let mut silences: Vec<Silence> = Vec::new();
    for text in table.texts("allow", complaints).unwrap_or_default() {
        let Some(silence) = complaints.ok(Silence::read(&text), &text.span, &path) else { continue };
        if silences.iter().any(|other| other.lint.eq_ignore_ascii_case(&silence.lint)) {
            complaints.add(&text.span, &path, Problem::Twice { what: "lint", name: silence.lint });
        } else {
            silences.push(silence);
        }
    }
    table.finish(complaints);
    silences
}
