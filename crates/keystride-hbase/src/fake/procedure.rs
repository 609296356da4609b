//! Procedures of the master.

use super::Exception;

/// A procedure that was started. Its change is made immediately; its end is reported when it is asked for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Procedure {
    /// How often it is reported as still running.
    pub(crate) running: u32,
    pub(crate) exception: Option<Exception>,
}
