//! What `design explain` prints, a file a family: what a lint needs, and its English text. [`zh`] has the Chinese.

pub(super) mod enc;
pub(super) mod hot;
pub(super) mod rd;
pub(super) mod siz;
pub(super) mod slt;
pub(super) mod spl;
pub(super) mod unq;
pub(super) mod upd;
mod zh;

use super::Language;
use super::needs::{Need, Seen};

/// One lint, explained.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) seen: Seen,
    pub(super) needs: &'static [Need],
    english: Text,
    chinese: Text,
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
    pub(super) fn text(&self, language: Language) -> &Text {
        match language {
            Language::English => &self.english,
            Language::Chinese => &self.chinese,
        }
    }
}

#[cfg(test)]
mod tests;
