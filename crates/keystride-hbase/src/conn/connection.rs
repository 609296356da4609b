//! One connection.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use prost::Message;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::large_buffers::LargeBuffers;
use super::pending::{Pending, Ticket};
use super::reader::read_answers;
use super::writer::{Frame, write_frames};
use crate::wait::About;
use crate::wire::{Reply, Request, compress, decompress, encode_request};
use crate::{CellCompression, ClientOptions, Error, HostPort, Seconds};

/// The method to call and its settings; the message is separate.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    /// The method name in the service's definition.
    pub(crate) method: &'static str,
    pub(crate) priority: u32,
    pub(crate) timeout: Duration,
    /// Cells that follow the message, not yet compressed.
    pub(crate) cells: Bytes,
    /// The table or region it concerns.
    pub(crate) about: About,
    /// The number of the attempt, from 1.
    pub(crate) attempt: u32,
}

impl Call {
    pub(crate) fn new(method: &'static str, timeout: Duration) -> Self {
        Self { method, priority: 0, timeout, cells: Bytes::new(), about: About::Cluster, attempt: 1 }
    }

    pub(crate) fn priority(self, priority: u32) -> Self {
        Self { priority, ..self }
    }

    pub(crate) fn cells(self, cells: Bytes) -> Self {
        Self { cells, ..self }
    }

    pub(crate) fn about(self, about: About) -> Self {
        Self { about, ..self }
    }
}

pub(crate) trait Body: Send + Sync {
    fn len(&self) -> usize;
    fn write(&self, out: &mut BytesMut);
}

impl<M: Message> Body for M {
    fn len(&self) -> usize {
        self.encoded_len()
    }

    fn write(&self, out: &mut BytesMut) {
        self.encode(out).expect("a BytesMut grows");
    }
}

/// A connection to one service of one server.
pub(super) struct Connection {
    pending: Arc<Pending>,
    frames: mpsc::UnboundedSender<Frame>,
    calls: Semaphore,
    /// Permits of [`SHARE_BYTES`] each.
    shares: Arc<Semaphore>,
    all_shares: u32,
    /// A connection that receives nothing for this long while a call waits is closed.
    silence: Duration,
    compression: CellCompression,
    tasks: [AbortHandle; 2],
}

const SHARE_BYTES: usize = 1 << 10;

/// The connection ended before the call was sent.
#[derive(Debug)]
pub(super) struct Ended;

impl Connection {
    /// Takes over a stream on which the handshake was sent.
    pub(super) fn begin(
        server: HostPort,
        input: impl AsyncRead + Unpin + Send + 'static,
        output: impl AsyncWrite + Unpin + Send + 'static,
        options: &ClientOptions,
        large_buffers: Arc<LargeBuffers>,
    ) -> Self {
        let pending = Pending::new(server);
        let (frames, to_write) = mpsc::unbounded_channel();
        let reader = tokio::spawn(read_answers(input, Arc::clone(&pending), large_buffers));
        let writer = tokio::spawn(write_frames(output, to_write, Arc::clone(&pending), options.idle_close));
        let all_shares = u32::try_from(options.bytes_in_flight.div_ceil(SHARE_BYTES)).unwrap_or(u32::MAX);
        let all_shares = all_shares.clamp(1, 1 << 28);
        Self {
            pending,
            frames,
            calls: Semaphore::new(options.calls_in_flight.max(1)),
            shares: Arc::new(Semaphore::new(all_shares as usize)),
            all_shares,
            silence: options.rpc_timeout,
            compression: options.compression,
            tasks: [reader.abort_handle(), writer.abort_handle()],
        }
    }

    pub(super) fn is_closed(&self) -> bool {
        self.pending.is_closed()
    }

    pub(super) async fn call(&self, call: &Call, body: &impl Body) -> Result<Result<Reply, Error>, Ended> {
        let before = self.pending.answers();
        let after = call.timeout;
        match timeout(after, self.send_and_wait(call, body)).await {
            Ok(outcome) => outcome,
            Err(_) => {
                // No answer to any call: the server is gone without closing the connection.
                if after >= self.silence && self.pending.answers() == before {
                    self.pending.close(format!("it was silent for {}", Seconds(after)));
                }
                Ok(Err(Error::Timeout { server: self.pending.server().clone(), method: call.method, after }))
            }
        }
    }

    async fn send_and_wait(&self, call: &Call, body: &impl Body) -> Result<Result<Reply, Error>, Ended> {
        let _slot = self.calls.acquire().await.expect("it is never closed");
        let cells = compress(self.compression, &call.cells);
        let len = body.len() + cells.len();
        let share = u32::try_from(len / SHARE_BYTES + 1).unwrap_or(u32::MAX).min(self.all_shares);
        let share = Arc::clone(&self.shares).acquire_many_owned(share).await.expect("it is never closed");
        let share = Arc::new(share);
        let mut ticket = self.pending.enter().ok_or(Ended)?;
        let frame =
            Frame { head: encode(&ticket, call, cells.len(), body), cells, _share: Arc::clone(&share) };
        self.frames.send(frame).map_err(|_| Ended)?;
        let answer = (&mut ticket.answer).await;
        let reply = answer.unwrap_or_else(|_| Err(Error::Closed));
        Ok(reply.and_then(|reply| self.unpack(reply, call.method)))
    }

    /// Decompresses the cells. Done by the caller, because the reading task would delay all other calls.
    fn unpack(&self, reply: Reply, method: &'static str) -> Result<Reply, Error> {
        let cells = decompress(self.compression, &reply.cells);
        let cells = cells.map_err(|error| Error::bad_answer(self.pending.server(), method, error))?;
        Ok(Reply { cells, ..reply })
    }
}

fn encode(ticket: &Ticket, call: &Call, cells_len: usize, body: &impl Body) -> Bytes {
    let request = Request {
        call_id: ticket.id,
        method: call.method,
        priority: call.priority,
        timeout_ms: u32::try_from(call.timeout.as_millis()).unwrap_or(u32::MAX),
        cells_len,
    };
    encode_request(&request, body.len(), |out| body.write(out)).freeze()
}

impl Drop for Connection {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Connection({})", self.pending.server())
    }
}
