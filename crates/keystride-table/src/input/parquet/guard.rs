//! Damaged files, at some of which the Parquet reader panics where it should fail.

use std::panic::{AssertUnwindSafe, catch_unwind};

use parquet::errors::ParquetError;

/// What `read` gives; a panic of it as an error. What it was reading from must not be used again after one.
pub(super) fn guarded<T>(read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("the reader gave up");
        Err(ParquetError::General(format!("damaged: {words}")))
    })
}
