//! Reused buffers for large answers.

use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::{Buf, BytesMut};

/// Buffers for large answers, which all connections of a client share and reuse.
///
/// A new allocation for each answer would cost a scan a fifth of its time in page faults. A buffer is reused once no
/// rows refer to it. Only a few are kept, so memory is bounded whatever the number of servers.
#[derive(Debug, Default)]
pub(super) struct LargeBuffers {
    /// The unused rest of each buffer, least recently used first.
    used: Mutex<Vec<BytesMut>>,
}

/// Enough for a scan: one answer being read, one waiting, and one in use by its reader.
const MOST: usize = 4;
/// Larger buffers are not kept: with [`MOST`], at most 16 MiB are.
const MAX_BYTES: usize = 4 << 20;

impl LargeBuffers {
    fn used(&self) -> MutexGuard<'_, Vec<BytesMut>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An empty buffer with at least this capacity: the most recently used of the free ones, which may still be in a
    /// CPU cache.
    pub(super) fn take(&self, bytes: usize) -> BytesMut {
        let needed = bytes + LINE_BYTES;
        let mut used = self.used();
        let buffer = match used.iter_mut().rposition(|buffer| buffer.try_reclaim(needed)) {
            Some(free) => used.remove(free),
            // Rounded up, because the answers of one scan differ a little in size.
            None => BytesMut::with_capacity(needed.next_power_of_two()),
        };
        aligned(buffer)
    }

    /// Takes back a buffer, `bytes` of which were given away as an answer.
    pub(super) fn keep(&self, buffer: BytesMut, bytes: usize) {
        if bytes + LINE_BYTES > MAX_BYTES {
            return;
        }
        let mut used = self.used();
        if used.len() == MOST {
            used.remove(0);
        }
        used.push(buffer);
    }

    pub(super) fn clear(&self) {
        self.used().clear();
    }
}

/// Size of a cache line: the kernel copies faster to an address where one starts.
const LINE_BYTES: usize = 64;

fn aligned(mut buffer: BytesMut) -> BytesMut {
    let before = buffer.as_ptr().align_offset(LINE_BYTES).min(LINE_BYTES);
    buffer.resize(before, 0);
    buffer.advance(before);
    buffer
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEN: usize = 1 << 20;

    /// Address of a filled buffer, and its content.
    fn fill(large_buffers: &LargeBuffers) -> (*const u8, bytes::Bytes) {
        let mut room = large_buffers.take(LEN);
        assert!(room.is_empty() && room.capacity() >= LEN);
        room.resize(LEN, 7);
        let answer = room.split().freeze();
        large_buffers.keep(room, LEN);
        (answer.as_ptr(), answer)
    }

    #[test]
    fn a_buffer_is_reused_when_nothing_refers_to_it() {
        let large_buffers = LargeBuffers::default();
        let (first, held) = fill(&large_buffers);
        let (second, given_back) = fill(&large_buffers);
        assert_ne!(first, second);
        drop(given_back);
        let (third, _third) = fill(&large_buffers);
        assert_eq!(third, second);
        assert!(held.iter().all(|&byte| byte == 7));
    }

    #[test]
    fn no_more_than_a_few_are_kept_and_none_that_is_large() {
        let large_buffers = LargeBuffers::default();
        let held: Vec<_> = (0..10).map(|_| fill(&large_buffers)).collect();
        assert_eq!(large_buffers.used().len(), MOST);
        drop(held);
        large_buffers.clear();
        large_buffers.keep(BytesMut::with_capacity(MAX_BYTES + 1), MAX_BYTES + 1);
        assert!(large_buffers.used().is_empty());
    }
}
