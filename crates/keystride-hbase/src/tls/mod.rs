//! TLS connections.
//!
//! [`TlsOptions`] are the user's settings, and [`Connector`] opens connections with them. [`verifier`] decides which
//! certificates are trusted, and [`TlsError`] translates rustls's errors.

mod connector;
mod error;
mod options;
mod verifier;

#[cfg(test)]
mod tests;

pub(crate) use connector::{Connector, HandshakeError};
pub use error::TlsError;
pub use options::{ClientIdentity, HostNames, Pem, TlsOptions};
