//! The characters that structure a CSV text.

use keystride::design::{Charset, Input, Mark};

use super::{InputError, InputOptions};

/// A delimiter, and the bytes that enclose and escape, all different.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dialect {
    pub(super) delimiter: u8,
    pub(super) quote: Option<u8>,
    pub(super) escape: Option<u8>,
}

impl Dialect {
    /// Returns what the options say of the source, and the design where they say nothing.
    pub(crate) fn of(name: &str, design: &Input, options: InputOptions) -> Result<Self, InputError> {
        let delimiter = options.delimiter_of(name);
        let (quote, escape) =
            (options.quote.unwrap_or(design.quote), options.escape.unwrap_or(design.escape));
        let one_for_two = |one: &'static str, other: &'static str, mark: Mark| InputError::OneForTwo {
            name: name.to_owned(),
            one,
            other,
            mark: mark.to_string(),
        };
        let is_delimiter = |mark: Mark| mark.byte() == Some(delimiter.byte());
        if is_delimiter(quote) {
            return Err(one_for_two("delimiter", "quote", quote));
        }
        if is_delimiter(escape) {
            return Err(one_for_two("delimiter", "escape", escape));
        }
        if quote == escape && quote != Mark::NONE {
            return Err(one_for_two("quote", "escape", quote));
        }
        Ok(Self { delimiter: delimiter.byte(), quote: quote.byte(), escape: escape.byte() })
    }

    /// Returns what a byte behind the escape means. TSV has names for what structures it, as it is printed.
    pub(super) fn unescaped(self, byte: u8) -> u8 {
        match byte {
            b't' if self.is_escaped_tsv() => b'\t',
            b'n' if self.is_escaped_tsv() => b'\n',
            b'r' if self.is_escaped_tsv() => b'\r',
            byte => byte,
        }
    }

    fn is_escaped_tsv(self) -> bool {
        self.delimiter == b'\t' && self.escape == Some(b'\\')
    }

    /// Returns one of its bytes that may be a part of a character in a field's own character set, where texts are
    /// converted field by field.
    pub(super) fn within_character(self, charset: Charset) -> Option<u8> {
        /// The least byte behind the first one of a character.
        const LEAST: u8 = 0x30;
        let mut bytes = [Some(self.delimiter), self.quote, self.escape].into_iter().flatten();
        (charset == Charset::Gb18030).then(|| bytes.find(|byte| *byte >= LEAST)).flatten()
    }
}
