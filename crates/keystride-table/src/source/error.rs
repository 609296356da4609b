//! Errors of sources.

use std::error::Error;

use super::topic::TopicError;
use crate::input::InputError;

/// Why a source can't be read further.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// A file, or standard input, can't be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A stored position is none of this source, or records after it are gone.
    #[error("the source has no position \"{checkpoint}\" to resume at")]
    NoCheckpoint {
        /// The position.
        checkpoint: String,
    },
    /// A topic can't be read further.
    #[error(transparent)]
    Topic(#[from] TopicError),
    /// Any other failure, described by the source.
    #[error(transparent)]
    Other(Box<dyn Error + Send + Sync>),
}
