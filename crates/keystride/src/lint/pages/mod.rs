//! What `design explain` prints, a file a family.

pub(super) mod enc;
pub(super) mod hot;
pub(super) mod rd;
pub(super) mod siz;
pub(super) mod slt;
pub(super) mod spl;
pub(super) mod unq;
pub(super) mod upd;

use super::id::{Need, Seen};

/// One lint, explained.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) title: &'static str,
    pub(super) seen: Seen,
    pub(super) needs: &'static [Need],
    pub(super) checks: &'static str,
    pub(super) why: &'static str,
    pub(super) remedy: &'static str,
}
