//! The task that writes requests.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Buf, Bytes};
use tokio::io::{AsyncWrite, AsyncWriteExt, BufWriter};
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::time::timeout;

use super::pending::Pending;

#[derive(Debug)]
pub(super) struct Frame {
    pub(super) head: Bytes,
    pub(super) cells: Bytes,
    /// Its share of the bytes in flight, held until the frame is written and the call is over.
    pub(super) _share: Arc<OwnedSemaphorePermit>,
}

/// Small requests that are queued together are written together.
const BUFFER_BYTES: usize = 64 << 10;

/// Writes frames until there are no more, or the connection breaks or is idle.
pub(super) async fn write_frames(
    out: impl AsyncWrite + Unpin,
    mut frames: mpsc::UnboundedReceiver<Frame>,
    pending: Arc<Pending>,
    idle_close: Duration,
) {
    let mut out = BufWriter::with_capacity(BUFFER_BYTES, out);
    loop {
        let frame = match timeout(idle_close, frames.recv()).await {
            Ok(Some(frame)) => frame,
            Err(_) if !pending.close_if_idle() => continue,
            Ok(None) | Err(_) => break,
        };
        if let Err(error) = write_all_waiting(&mut out, frame, &mut frames).await {
            pending.lose(error.to_string());
            return;
        }
    }
    // An error is ignored: everything was written, and the server may be gone already.
    let _ = out.shutdown().await;
}

async fn write_all_waiting(
    out: &mut (impl AsyncWrite + Unpin),
    first: Frame,
    frames: &mut mpsc::UnboundedReceiver<Frame>,
) -> io::Result<()> {
    let mut next = Some(first);
    while let Some(frame) = next {
        let Frame { head, cells, _share } = frame;
        out.write_all_buf(&mut head.chain(cells)).await?;
        next = frames.try_recv().ok();
    }
    out.flush().await
}
