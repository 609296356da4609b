//! The same pages in Chinese, a file a family.

pub(super) mod enc;
pub(super) mod hot;
pub(super) mod rd;
pub(super) mod siz;
pub(super) mod slt;
pub(super) mod spl;
pub(super) mod unq;
pub(super) mod upd;
