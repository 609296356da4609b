//! Protection against panics of the Parquet reader, which some damaged files cause.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use parquet::errors::ParquetError;

thread_local! {
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread would be taken for damage of the input; a panic hook need not report it.
pub fn is_guarded() -> bool {
    IS_GUARDED.get()
}

/// Returns the result of `read`, with a panic converted to an error. After an error, what it was reading from must
/// not be used again.
pub(super) fn guarded<T>(read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    IS_GUARDED.set(true);
    let read = catch_unwind(AssertUnwindSafe(read));
    IS_GUARDED.set(false);
    read.unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("the reader gave up");
        Err(ParquetError::General(format!("damaged: {words}")))
    })
}
