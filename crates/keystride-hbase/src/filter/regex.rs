//! Regular expressions.

use std::ops::BitOr;

/// A regular expression in Java's syntax, evaluated by the server. It matches any part of the text: anchor it with `^`
/// and `$` to match the whole.
///
/// A pattern with a syntax error makes the call fail.
///
/// ```
/// # use keystride_hbase::{Comparator, Regex, RegexFlags, RegexText};
/// let login = Regex::new("^log(in|out)$").with_flags(RegexFlags::CASE_INSENSITIVE);
/// let bytes = Regex::new("\u{ff}$").with_text(RegexText::Latin1);
/// assert_ne!(Comparator::regex(login), Comparator::regex(bytes));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Regex {
    pub(super) pattern: Box<str>,
    pub(super) flags: RegexFlags,
    pub(super) text: RegexText,
    pub(super) engine: RegexEngine,
}

/// How bytes are converted to text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum RegexText {
    /// As UTF-8; invalid bytes become U+FFFD.
    #[default]
    Utf8,
    /// Each byte becomes the character with its number, U+0000 to U+00FF. For binary keys and values.
    Latin1,
}

/// The regular expression engine of the server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum RegexEngine {
    /// `java.util.regex`.
    #[default]
    Java,
    /// Joni, which works on bytes and is said to be faster. It supports only the flags `CASE_INSENSITIVE`, `MULTILINE`
    /// and `DOTALL`.
    Joni,
}

/// Flags of `java.util.regex.Pattern`, combined with `|`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RegexFlags(i32);

impl RegexFlags {
    /// No flags.
    pub const NONE: Self = Self(0);
    /// Only `\n` ends a line.
    pub const UNIX_LINES: Self = Self(1);
    /// Ignores the case of ASCII letters.
    pub const CASE_INSENSITIVE: Self = Self(2);
    /// Ignores white space, and comments from `#` on.
    pub const COMMENTS: Self = Self(4);
    /// `^` and `$` match at every line.
    pub const MULTILINE: Self = Self(8);
    /// The pattern is literal text.
    pub const LITERAL: Self = Self(16);
    /// `.` also matches line ends. HBase's default.
    pub const DOTALL: Self = Self(32);
    /// `CASE_INSENSITIVE` applies to all scripts.
    pub const UNICODE_CASE: Self = Self(64);
    /// Canonically equivalent characters match.
    pub const CANON_EQ: Self = Self(128);
    /// `\w`, `\d` and the like apply to all scripts.
    pub const UNICODE_CHARACTER_CLASS: Self = Self(256);

    /// Java's number for the flags.
    pub fn bits(self) -> i32 {
        self.0
    }
}

impl BitOr for RegexFlags {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Regex {
    /// A pattern with HBase's defaults: `DOTALL`, UTF-8, Java's engine.
    pub fn new(pattern: &str) -> Self {
        Self {
            pattern: pattern.into(),
            flags: RegexFlags::DOTALL,
            text: RegexText::default(),
            engine: RegexEngine::default(),
        }
    }

    /// Replaces the flags.
    #[must_use]
    pub fn with_flags(mut self, flags: RegexFlags) -> Self {
        self.flags = flags;
        self
    }

    /// Sets how bytes are converted to text.
    #[must_use]
    pub fn with_text(mut self, text: RegexText) -> Self {
        self.text = text;
        self
    }

    /// Sets the engine.
    #[must_use]
    pub fn with_engine(mut self, engine: RegexEngine) -> Self {
        self.engine = engine;
        self
    }
}

impl RegexText {
    pub(super) fn charset(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Latin1 => "ISO-8859-1",
        }
    }
}

impl RegexEngine {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Java => "JAVA",
            Self::Joni => "JONI",
        }
    }
}
