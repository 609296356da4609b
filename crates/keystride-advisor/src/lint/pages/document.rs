//! A lint's page as a document, for programs.

use serde::Serialize;

use crate::lint::{Language, LintId};

/// The page about a lint, with its title.
#[derive(Debug, Clone, Serialize)]
pub struct PageDocument {
    format: u32,
    id: &'static str,
    title: &'static str,
    page: String,
}

impl PageDocument {
    /// Describes a lint in a language.
    pub fn new(id: LintId, language: Language) -> Self {
        Self { format: 1, id: id.name(), title: id.title(language), page: id.explain(language) }
    }
}
