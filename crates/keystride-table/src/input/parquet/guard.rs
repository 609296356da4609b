//! Protection against panics of the Parquet reader, which some damaged files cause.

use std::panic::{AssertUnwindSafe, catch_unwind};

use parquet::errors::ParquetError;

/// Returns the result of `read`, with a panic converted to an error. After an error, what it was reading from must
/// not be used again.
pub(super) fn guarded<T>(read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("the reader gave up");
        Err(ParquetError::General(format!("damaged: {words}")))
    })
}
