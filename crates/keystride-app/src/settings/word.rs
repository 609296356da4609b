//! The settings that have a flag, a variable and a word in files.

/// A setting, identified by its word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// Where tables are stored.
    Backend,
    /// A context that says where.
    Context,
    /// How results are printed.
    Format,
    /// The zone for times.
    Tz,
    /// The language of findings.
    Lang,
    /// When a write to a folder is acknowledged.
    Durability,
    /// The time limit of a command.
    Timeout,
}

impl Word {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Backend, Self::Context, Self::Format, Self::Tz, Self::Lang, Self::Durability, Self::Timeout];

    /// Returns its word in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Backend => "backend",
            Self::Context => "context",
            Self::Format => "format",
            Self::Tz => "tz",
            Self::Lang => "lang",
            Self::Durability => "durability",
            Self::Timeout => "timeout",
        }
    }

    /// Returns its variable.
    pub fn variable(self) -> &'static str {
        match self {
            Self::Backend => "KEYSTRIDE_BACKEND",
            Self::Context => "KEYSTRIDE_CONTEXT",
            Self::Format => "KEYSTRIDE_FORMAT",
            Self::Tz => "KEYSTRIDE_TZ",
            Self::Lang => "KEYSTRIDE_LANG",
            Self::Durability => "KEYSTRIDE_DURABILITY",
            Self::Timeout => "KEYSTRIDE_TIMEOUT",
        }
    }

    /// Returns the setting with this word.
    pub(super) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|word| word.name() == name)
    }
}
