use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Why a console can't be served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConsoleError {
    /// Nothing can listen at the address.
    #[error("{address}: {source}; name another address with --listen")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why not.
        source: io::Error,
    },
    /// The system gives no random bytes for tokens.
    #[error("the system gives no random bytes: {0}")]
    Random(getrandom::Error),
    /// The folder of `--files` can't be used.
    #[error("{folder} can't be the folder of --files: {source}", folder = folder.display())]
    Files {
        /// The folder.
        folder: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The system's folder for temporary files takes no files that browsers send.
    #[error("files that browsers send can't be kept in {folder}: {source}; set TMPDIR to another folder", folder = folder.display())]
    Uploads {
        /// The folder.
        folder: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Serving failed.
    #[error(transparent)]
    Serve(io::Error),
}
