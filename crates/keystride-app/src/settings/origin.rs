//! Where a setting was set.

use std::fmt;
use std::path::PathBuf;

use super::word::Word;

/// A setting, and where it was set.
#[derive(Debug, Clone)]
pub struct Setting<T> {
    /// The value.
    pub value: T,
    /// Where it was set.
    pub origin: Origin,
}

/// Where a setting was set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// On the command line.
    Flag(Word),
    /// In an environment variable.
    Variable(Word),
    /// In a variable of the system, of this name.
    Locale(&'static str),
    /// In a file.
    File(FileLine),
    /// Nowhere; it is the default.
    Default,
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLine {
    /// The file.
    pub path: PathBuf,
    /// The line number, from 1.
    pub line: usize,
}

impl<T> Setting<T> {
    /// Creates a setting.
    pub fn new(value: T, origin: Origin) -> Self {
        Self { value, origin }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(word) => write!(f, "flag --{}", word.name()),
            Self::Variable(word) => write!(f, "variable {}", word.variable()),
            Self::Locale(name) => write!(f, "variable {name}"),
            Self::File(place) => place.fmt(f),
            Self::Default => f.write_str("default"),
        }
    }
}

impl fmt::Display for FileLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.path.display(), self.line)
    }
}
