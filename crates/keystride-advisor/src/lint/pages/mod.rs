//! The pages that `design explain` prints: one Markdown file per lint and language, with a title and three sections.

mod document;
#[cfg(test)]
mod tests;

pub use document::PageDocument;

use super::Language;
use super::needs::{Need, Seen};

/// One lint, explained.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) seen: Seen,
    pub(super) needs: &'static [Need],
    /// The files `en/ID.md` and `zh/ID.md`.
    pub(super) english: &'static str,
    pub(super) chinese: &'static str,
}

/// What a page says in one language.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) title: &'static str,
    pub(super) checks: &'static str,
    pub(super) why: &'static str,
    pub(super) remedy: &'static str,
}

impl Page {
    pub(super) fn text(&self, language: Language) -> Text {
        match language {
            Language::English => Text::read(self.english),
            Language::Chinese => Text::read(self.chinese),
        }
    }
}

impl Text {
    /// Takes a page apart; a section that it does not have is empty.
    fn read(page: &'static str) -> Self {
        let mut sections = page.split("\n## ");
        let title = sections.next().unwrap_or_default().trim_start_matches("# ").trim();
        let mut body =
            || sections.next().and_then(|section| section.split_once('\n')).unwrap_or_default().1.trim();
        Self { title, checks: body(), why: body(), remedy: body() }
    }
}
