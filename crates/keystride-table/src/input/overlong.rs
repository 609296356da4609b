//! Records that exceed the maximum length.

use super::buffer::RecordBuffer;

/// The beginning of a record that is too long to be buffered.
#[derive(Debug)]
pub(super) struct Overlong {
    head: Vec<u8>,
}

/// Enough to identify the record.
const HEAD_BYTES: usize = 1024;

impl Overlong {
    /// Creates it from the pending bytes of `buffer`, which must be the start of the record.
    pub(super) fn of(buffer: &RecordBuffer) -> Self {
        let pending = buffer.pending();
        Self { head: whole_characters(&pending[..pending.len().min(HEAD_BYTES)]).to_vec() }
    }

    pub(super) fn head(&self) -> &[u8] {
        &self.head
    }
}

/// Removes an incomplete character at the end.
fn whole_characters(bytes: &[u8]) -> &[u8] {
    match str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => &bytes[..error.valid_up_to()],
        _ => bytes,
    }
}
