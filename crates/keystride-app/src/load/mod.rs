//! Loads as jobs.

mod document;
mod handle;
mod job;
mod memory;
mod observer;
mod outlet;
mod rejects;
mod topic;

pub use document::{LoadDocument, ending_text, way_text};
pub use handle::{LoadHandle, LoadProgress, WindowHeat};
pub use job::{FailedLoad, LoadJob, Loaded};
pub use memory::{batches_fit, embedded_options, store_bytes};
pub use rejects::{rejects_writer, topic_rejects_writer};
pub use topic::{TopicLoad, TopicLoadError};
