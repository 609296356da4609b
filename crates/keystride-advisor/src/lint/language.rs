//! The languages of findings.

use std::fmt;
use std::str::FromStr;

/// A language in which findings and lints are described.
///
/// ```
/// # use keystride_advisor::lint::{Language, LintId};
/// assert_eq!(LintId::Spl06.title(Language::Chinese), "最后一个 region 永远收不到键");
/// assert_eq!("zh-CN".parse(), Ok(Language::Chinese));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Chinese, in simplified characters.
    Chinese,
}

/// The error for a language that is not supported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{found}\" is not a language that lints are told in; write en or zh")]
pub struct UnknownLanguage {
    /// The language that was asked for.
    pub found: String,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 2] = [Self::English, Self::Chinese];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh",
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Language {
    type Err = UnknownLanguage;

    /// Parses a name, upper or lower case, also in forms such as `en-US` and `zh-CN`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.to_ascii_lowercase().as_str() {
            "en" | "en-us" => Ok(Self::English),
            "zh" | "zh-cn" => Ok(Self::Chinese),
            _ => Err(UnknownLanguage { found: text.to_owned() }),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::lint) fn is_chinese(c: char) -> bool {
        ('\u{4e00}'..='\u{9fff}').contains(&c)
    }

    /// Returns the numbers in a text, multiplied by a unit in words after them: 1.2 million and 120 万 are equal.
    pub(in crate::lint) fn numbers(text: &str) -> Vec<f64> {
        const UNITS: [(&str, f64); 6] = [
            ("million", 1e6),
            ("billion", 1e9),
            ("trillion", 1e12),
            ("万亿", 1e12),
            ("亿", 1e8),
            ("万", 1e4),
        ];
        let mut numbers = Vec::new();
        let mut rest = text;
        while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
            let tail = &rest[start..];
            let stop = tail.find(|c: char| !c.is_ascii_digit() && c != ',' && c != '.').unwrap_or(tail.len());
            rest = &tail[stop..];
            let digits = tail[..stop].trim_end_matches([',', '.']).replace(',', "");
            let unit = UNITS.iter().find(|(unit, _)| rest.trim_start().starts_with(unit));
            // Dates, and versions with several points, are not numbers.
            numbers.extend(digits.parse::<f64>().ok().map(|number| number * unit.map_or(1.0, |unit| unit.1)));
        }
        numbers
    }

    #[test]
    fn a_name_reads_back_and_another_language_is_refused() {
        for language in Language::ALL {
            assert_eq!(language.name().parse(), Ok(language));
        }
        for (text, language) in
            [("EN", Language::English), ("en-US", Language::English), ("zh-cn", Language::Chinese)]
        {
            assert_eq!(text.parse(), Ok(language), "{text}");
        }
        for text in ["fr", "", "zh-TW", "english", "zh_CN"] {
            let error = text.parse::<Language>().unwrap_err().to_string();
            assert_eq!(error, format!("\"{text}\" is not a language that lints are told in; write en or zh"));
        }
    }

    #[test]
    fn numbers_are_read_in_both_languages() {
        assert_eq!(numbers("1.4 trillion, 2 billion of 12,480."), [1.4e12, 2e9, 12_480.0]);
        assert_eq!(numbers("1.4 万亿，20 亿中的 120 万，第 3 个"), [1.4e12, 2e9, 1.2e6, 3.0]);
    }
}
