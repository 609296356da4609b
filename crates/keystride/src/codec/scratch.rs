//! What an encoder writes on while it makes a key.

/// Buffers used again for every row.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The text of a derived value.
    pub(super) derived: Vec<u8>,
    /// The bytes a bucket is computed from, and where each item ends.
    pub(super) items: Vec<u8>,
    pub(super) ends: Vec<usize>,
    /// A value before its last steps.
    pub(super) value: Vec<u8>,
    /// Where in the key each bucket of the rest stands.
    pub(super) rest: Vec<(usize, usize)>,
}
