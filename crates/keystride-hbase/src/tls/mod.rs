//! Connections that nobody else can read, and servers that prove who they are.
//!
//! [`TlsOptions`] is what a user says, [`Connector`] what comes of it; [`verifier`] is the one place that decides whom
//! to trust, and [`TlsError`] says in HBase's terms what rustls found.

mod connector;
mod error;
mod options;
mod verifier;

#[cfg(test)]
mod tests;

pub(crate) use connector::{Connector, Failed};
pub use error::TlsError;
pub use options::{ClientIdentity, HostNames, Pem, TlsOptions};
