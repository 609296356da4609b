//! Connections: one for each server and service, with many calls under way at once.
//!
//! [`Pool`] keeps them and makes new ones: [`Dialer`] makes a stream, plain or TLS, and [`greet`] says what it is for,
//! where authentication has its place; [`Connection`] owns two tasks, one that writes requests as they come and one
//! that reads answers and gives each to the call that waits for it. [`Pending`] is what both share.
//! Large answers are read into [`LargeBuffers`](large_buffers::LargeBuffers), which all connections share.

mod connection;
#[cfg(test)]
mod fuzz;
mod greeting;
mod large_buffers;
mod pending;
mod pool;
mod reader;
mod stream;
mod writer;

pub(crate) use connection::{Body, Call};
pub(crate) use pool::Pool;
