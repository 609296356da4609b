//! The buffers that an encoder uses while it makes a key.

/// Buffers that are reused for every row.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The text of a derived value.
    pub(super) derived: Vec<u8>,
    /// The bytes that a bucket is computed from; `ends` holds the end of each item.
    pub(super) items: Vec<u8>,
    pub(super) ends: Vec<usize>,
    /// A value before its last steps are applied.
    pub(super) value: Vec<u8>,
    /// The index of each bucket over the rest of the key, and its offset in the output.
    pub(super) rest: Vec<(usize, usize)>,
}
