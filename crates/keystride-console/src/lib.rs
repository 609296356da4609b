//! The web console of keystride: pages in a browser, and the HTTP interface that they use.
//!
//! It has nothing that the command line has not. Pages are plain files in the folder `assets`, built into the program;
//! what they show comes from the interface below `/api/v1`, which docs/console.md describes. Every rule comes from
//! the crates below: here are requests, answers, and who may ask.
//!
//! [`Listener::bind`] takes an address, so that it is known before the store is opened, and [`Listener::serve`] answers
//! requests until it is to end. Read on in this order: [`Options`], then `safety/`, which decides whether a request is
//! answered, then `api/`, where `routes.rs` is the table of all that can be asked.

mod api;
mod assets;
mod base_path;
mod error;
mod files;
mod jobs;
mod listener;
mod options;
mod safety;
mod samples;
mod served;

pub use base_path::{BasePath, InvalidBasePath};
pub use error::ConsoleError;
pub use jobs::FileLoad;
pub use listener::{InvalidListen, Listen, Listener, Running};
pub use options::Options;
pub use safety::{AllowedHost, InvalidHost, InvalidTrustedHeader, TrustedHeader};
