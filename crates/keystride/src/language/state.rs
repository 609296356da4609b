/// Where in a part's language a string has come to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum State {
    /// So many bytes in.
    At(usize),
    /// Words or numbers `low..=high` share the bytes so far, `at` of them.
    Between { low: i128, high: i128, at: usize },
    /// A decimal's sign and digits so far; `done` after its terminator.
    Digits { negative: bool, value: i128, count: u32, ended: usize },
    /// Text of `len` bytes, and how much of its end mark.
    Text { len: usize, ended: usize },
    /// One or both sides of an [`PartLanguage::Or`](super::part::PartLanguage::Or).
    Either(Option<Box<State>>, Option<Box<State>>),
}
