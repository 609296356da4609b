//! Records that are longer than any record may be.

use super::buffer::RecordBuffer;

/// What is kept of a record too long to be held: its beginning.
#[derive(Debug)]
pub(super) struct Overlong {
    head: Vec<u8>,
}

/// Enough to tell which record it was.
const HEAD_BYTES: usize = 1024;

impl Overlong {
    /// The record that begins with the pending bytes of `buffer`.
    pub(super) fn of(buffer: &RecordBuffer) -> Self {
        let pending = buffer.pending();
        Self { head: whole_characters(&pending[..pending.len().min(HEAD_BYTES)]).to_vec() }
    }

    pub(super) fn head(&self) -> &[u8] {
        &self.head
    }
}

/// Without a last character that was cut in its middle.
fn whole_characters(bytes: &[u8]) -> &[u8] {
    match str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => &bytes[..error.valid_up_to()],
        _ => bytes,
    }
}
