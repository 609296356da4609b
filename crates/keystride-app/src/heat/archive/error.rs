//! Why the past of a table is not kept.

use std::io;
use std::path::PathBuf;

/// Why the past of a table is not kept. The table is watched nevertheless.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// A file can't be read or written.
    #[error("the heat map is not kept: {}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another program keeps its heat maps there.
    #[error("the heat map is not kept: another program keeps it in {}", folder.display())]
    InUse {
        /// The folder.
        folder: PathBuf,
    },
    /// The file is another one. It is left as it is.
    #[error("the heat map is not kept: {} is no heat map, or one of another version; move it away", path.display())]
    Other {
        /// The file.
        path: PathBuf,
    },
    /// Too much waits to be written.
    #[error("the heat map is not kept: the disk is too slow")]
    Behind,
}
