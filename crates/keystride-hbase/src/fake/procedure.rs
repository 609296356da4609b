//! Procedures of the master.

use super::Exception;

/// A change that was begun: it is made already, and its end is told when it is asked for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Procedure {
    /// How often it is said to be running yet.
    pub(crate) running: u32,
    pub(crate) exception: Option<Exception>,
}
