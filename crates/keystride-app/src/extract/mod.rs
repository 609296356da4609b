//! Extracts as jobs.

mod document;
mod job;

pub use document::ExtractDocument;
pub use job::{ExtractHandle, ExtractJob};
