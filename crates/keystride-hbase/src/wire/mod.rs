//! The bytes of a connection: how it begins, requests, answers, their cells made smaller.

mod answer;
mod compression;
#[cfg(test)]
mod fuzz;
mod hello;
mod request;

pub(crate) use answer::{Reply, decode_answer};
pub(crate) use compression::{compress, decompress};
pub(crate) use hello::{SIMPLE, Service, connection_header, preamble};
pub(crate) use request::{Request, encode_request};

/// The id of answers that are about the connection, -1 as the header carries it.
pub(crate) const CONNECTION_CALL: u32 = u32::MAX;
