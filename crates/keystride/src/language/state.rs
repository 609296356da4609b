/// The state of a part's automaton after some bytes of a string.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum State {
    /// The number of bytes so far.
    At(usize),
    /// The words or numbers `low..=high` share the bytes so far, `at` of them.
    Between { low: i128, high: i128, at: usize },
    /// A decimal's sign and digits so far, and `ended` bytes of the text that ends it.
    Digits { negative: bool, value: i128, count: u32, ended: usize },
    /// Text of `len` bytes so far, and `ended` bytes of its end mark.
    Text { len: usize, ended: usize },
    /// The states of one or both sides of a [`PartLanguage::Or`](super::part::PartLanguage::Or).
    Either(Option<Box<State>>, Option<Box<State>>),
}
