use std::io;
use std::net::SocketAddr;

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
    /// The folder of `--files`, or the one for files that browsers send, can't be used.
    #[error("the folder of --files, or the temporary one, can't be used: {0}")]
    Files(io::Error),
    /// Serving failed.
    #[error(transparent)]
    Serve(io::Error),
}
