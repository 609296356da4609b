//! The states of regions.

use std::fmt;

/// What a region is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RegionState {
    /// It serves rows.
    Open,
    /// Its server opens it.
    Opening,
    /// Its server closes it.
    Closing,
    /// It is closed.
    Closed,
    /// It is being split.
    Splitting,
    /// It is being merged with another.
    Merging,
    /// A server tried to open it in vain.
    FailedOpen,
    /// A server tried to close it in vain.
    FailedClose,
    /// No server has it.
    Offline,
    /// Its table is disabled.
    Disabled,
    /// It was open on a server that can't be reached.
    ServerDead,
    /// It was open on a server that does not answer.
    ServerSilent,
    /// It is said to be on a server that does not have it.
    NotOnServer,
    /// Another, as HBase spells it.
    Other(Box<str>),
}

impl RegionState {
    /// Whether the counts of a region in that state are known.
    pub fn is_counted(&self) -> bool {
        matches!(self, Self::Open | Self::Splitting | Self::Merging)
    }

    /// The state that HBase writes so.
    pub(crate) fn of_hbase(text: &str) -> Self {
        match text {
            "OPEN" => Self::Open,
            "OPENING" | "SPLITTING_NEW" | "MERGING_NEW" => Self::Opening,
            "CLOSING" => Self::Closing,
            "CLOSED" => Self::Closed,
            "SPLITTING" => Self::Splitting,
            "MERGING" => Self::Merging,
            "FAILED_OPEN" => Self::FailedOpen,
            "FAILED_CLOSE" => Self::FailedClose,
            "OFFLINE" => Self::Offline,
            "ABNORMALLY_CLOSED" => Self::ServerDead,
            other => Self::Other(other.into()),
        }
    }
}

impl fmt::Display for RegionState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Open => "open",
            Self::Opening => "opening",
            Self::Closing => "closing",
            Self::Closed => "closed",
            Self::Splitting => "splitting",
            Self::Merging => "merging",
            Self::FailedOpen => "failed to open",
            Self::FailedClose => "failed to close",
            Self::Offline => "offline",
            Self::Disabled => "disabled",
            Self::ServerDead => "on a dead server",
            Self::ServerSilent => "on a silent server",
            Self::NotOnServer => "not on its server",
            Self::Other(text) => text,
        })
    }
}
