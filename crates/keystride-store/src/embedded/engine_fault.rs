//! What the storage engine reports, in words.

use std::error::Error;
use std::fmt;
use std::io;

/// An error of the storage engine.
///
/// The engine's own texts are for its developers. A failure of the operating system is the [source](Error::source).
#[derive(Debug)]
pub struct EngineFault(fjall::Error);

impl EngineFault {
    pub(super) fn new(error: fjall::Error) -> Self {
        Self(error)
    }

    fn io(&self) -> Option<&io::Error> {
        match &self.0 {
            fjall::Error::Io(error) | fjall::Error::Storage(fjall::LsmError::Io(error)) => Some(error),
            _ => None,
        }
    }
}

impl fmt::Display for EngineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(error) = self.io() {
            return match error.kind() {
                io::ErrorKind::UnexpectedEof => f.write_str("the store is damaged: a file is cut short"),
                _ => error.fmt(f),
            };
        }
        match &self.0 {
            fjall::Error::Storage(fjall::LsmError::ChecksumMismatch { .. }) => {
                f.write_str("the store is damaged: the checksum of a block is another")
            }
            fjall::Error::Storage(fjall::LsmError::Unrecoverable) | fjall::Error::Unrecoverable => {
                f.write_str("the store is damaged: a file is missing, or is not what it was")
            }
            fjall::Error::InvalidVersion(_) | fjall::Error::Storage(fjall::LsmError::InvalidVersion(_)) => {
                f.write_str("the store is damaged, or of another version of the engine")
            }
            fjall::Error::JournalRecovery(fjall::JournalRecoveryError::InvalidFileName) => f.write_str(
                "a file in the folder `engine` ends in .jnl and is not a journal: move it elsewhere",
            ),
            fjall::Error::KeyspaceDeleted => f.write_str("the table was dropped"),
            other => write!(f, "the store is damaged: a file does not read back ({other:?})"),
        }
    }
}

impl Error for EngineFault {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.io().map(|error| error as &(dyn Error + 'static))
    }
}
