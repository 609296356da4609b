use std::fmt;
use std::str::FromStr;

/// The path below which a proxy serves the console: empty, or `/name` without a slash at its end.
///
/// ```
/// # use keystride_console::BasePath;
/// assert_eq!("/tools/keys/".parse::<BasePath>()?.to_string(), "/tools/keys");
/// assert!("tools".parse::<BasePath>().is_err());
/// # Ok::<(), keystride_console::InvalidBasePath>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BasePath(String);

/// A text that is not a base path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{found}\" is not a base path: write /name, of letters, digits and -_./")]
pub struct InvalidBasePath {
    found: String,
}

impl FromStr for BasePath {
    type Err = InvalidBasePath;

    fn from_str(text: &str) -> Result<Self, InvalidBasePath> {
        let path = text.trim_end_matches('/');
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
        let is_path = path.starts_with('/') && !path.contains("//") && !path.contains("..");
        if path.is_empty() || (is_path && path.chars().all(is_plain)) {
            Ok(Self(path.to_owned()))
        } else {
            Err(InvalidBasePath { found: text.to_owned() })
        }
    }
}

impl AsRef<str> for BasePath {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BasePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
