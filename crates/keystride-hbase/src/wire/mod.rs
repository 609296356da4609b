//! Encoding of a connection: preamble, requests, answers and compressed cells.

mod answer;
mod compression;
#[cfg(test)]
mod fuzz;
mod preamble;
mod request;

pub(crate) use answer::{Reply, decode_answer};
pub(crate) use compression::{compress, decompress};
pub(crate) use preamble::{SIMPLE, Service, connection_header, preamble};
pub(crate) use request::{Request, encode_request};

/// The call id of answers about the whole connection: -1 in the header.
pub(crate) const CONNECTION_CALL: u32 = u32::MAX;
