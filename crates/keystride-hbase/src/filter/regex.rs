//! Regular expressions, matched by the server.

use std::ops::BitOr;

/// A regular expression in Java's notation, matched by the server against any part of a text: anchor it with `^` and
/// `$` for the whole.
///
/// A pattern the server can't read ends the call with an error.
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

/// How bytes become the text that is matched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum RegexText {
    /// They are UTF-8; what is not becomes U+FFFD.
    #[default]
    Utf8,
    /// Each byte is the character of its number, U+0000 to U+00FF: for keys and values that are no text.
    Latin1,
}

/// Which of the server's engines matches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum RegexEngine {
    /// `java.util.regex`.
    #[default]
    Java,
    /// Joni, which works on bytes and is said to be faster. It knows the flags `CASE_INSENSITIVE`, `MULTILINE` and
    /// `DOTALL`, no others.
    Joni,
}

/// Flags of `java.util.regex.Pattern`, joined by `|`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RegexFlags(i32);

impl RegexFlags {
    /// None of them.
    pub const NONE: Self = Self(0);
    /// Only `\n` ends a line.
    pub const UNIX_LINES: Self = Self(1);
    /// Case of ASCII letters does not matter.
    pub const CASE_INSENSITIVE: Self = Self(2);
    /// White space and what follows `#` are no part of the pattern.
    pub const COMMENTS: Self = Self(4);
    /// `^` and `$` match at each line.
    pub const MULTILINE: Self = Self(8);
    /// The pattern is plain text.
    pub const LITERAL: Self = Self(16);
    /// `.` matches ends of lines too. HBase's default.
    pub const DOTALL: Self = Self(32);
    /// `CASE_INSENSITIVE` is for letters of any script.
    pub const UNICODE_CASE: Self = Self(64);
    /// Characters written in two ways are equal.
    pub const CANON_EQ: Self = Self(128);
    /// `\w`, `\d` and the like hold for any script.
    pub const UNICODE_CHARACTER_CLASS: Self = Self(256);

    /// Java's number.
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

    /// With these flags and no others.
    #[must_use]
    pub fn with_flags(mut self, flags: RegexFlags) -> Self {
        self.flags = flags;
        self
    }

    /// On bytes read in this way.
    #[must_use]
    pub fn with_text(mut self, text: RegexText) -> Self {
        self.text = text;
        self
    }

    /// By this engine.
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
