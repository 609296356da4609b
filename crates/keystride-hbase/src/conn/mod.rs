//! Connections: one for each server and service, with many concurrent calls.
//!
//! [`Pool`] keeps the connections and opens new ones. [`Dialer`] opens a stream, plain or TLS; [`send_handshake`] sends
//! the handshake, where authentication would go. A [`Connection`] has two tasks: one writes requests, the other reads
//! answers and completes the calls they are for. Both share [`Pending`]. Large answers are read into
//! [`LargeBuffers`](large_buffers::LargeBuffers), which all connections share.

mod connection;
#[cfg(test)]
mod fuzz;
mod handshake;
mod large_buffers;
mod pending;
mod pool;
mod reader;
mod stream;
mod writer;

pub(crate) use connection::{Body, Call};
pub(crate) use pool::Pool;
