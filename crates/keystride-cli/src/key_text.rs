//! Keys on the command line: as text, hex or HBase's escaped form.

use clap::ValueEnum;
use keystride::{Key, escape};
use keystride_app::key_text::{self, KeyTextError, read_hex};

use crate::usage::Usage;

/// The form in which keys are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum KeyForm {
    /// HBase's escaped form.
    Escaped,
    /// Lower-case hex.
    Hex,
    /// The bytes as they are.
    Text,
}

impl KeyForm {
    /// Appends `key` in this form.
    pub(crate) fn write(self, key: &[u8], out: &mut Vec<u8>) {
        match self {
            Self::Escaped => out.extend_from_slice(escape::to_escaped(key).as_bytes()),
            Self::Hex => out.extend_from_slice(data_encoding::HEXLOWER.encode(key).as_bytes()),
            Self::Text => out.extend_from_slice(key),
        }
    }

    pub(crate) fn to_bytes(self, key: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        self.write(key, &mut out);
        out
    }

    pub(crate) fn to_text(self, key: &[u8]) -> String {
        String::from_utf8_lossy(&self.to_bytes(key)).into_owned()
    }
}

/// One key, in one of the forms.
#[derive(Debug, Clone, clap::Args)]
#[group(multiple = false)]
pub(crate) struct KeyArg {
    /// The key as text
    pub(crate) key: Option<String>,
    /// The key in hex
    #[arg(long, value_name = "HEX")]
    pub(crate) hex: Option<String>,
    /// The key in HBase's escaped form, such as '\x00a'
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) escaped: Option<String>,
}

impl KeyArg {
    pub(crate) fn read(&self) -> Result<Key, Usage> {
        let bytes = match (&self.key, &self.hex, &self.escaped) {
            (Some(text), _, _) => text.as_bytes().to_vec(),
            (_, Some(hex), _) => read_hex(hex)?,
            (_, _, Some(escaped)) => read_escaped(escaped)?,
            _ => return Err(Usage::NoKey),
        };
        Ok(Key::new(bytes).map_err(KeyTextError::from)?)
    }

    /// Says how a key is given whose text is none of the design's, but looks like HBase's escaped form.
    pub(crate) fn hint(&self) -> &'static str {
        let looks_escaped = self.key.as_ref().is_some_and(|text| text.contains("\\x"));
        if looks_escaped { "; HBase's escaped form, with \\x00, is given with --escaped" } else { "" }
    }
}

/// Parses a text in HBase's escaped form.
pub(crate) fn read_escaped(text: &str) -> Result<Vec<u8>, Usage> {
    Ok(key_text::read_escaped(text)?)
}

/// Refuses text that HBase would read as other bytes than its writer meant.
pub(crate) fn check_escaped(text: &str) -> Result<(), Usage> {
    Ok(key_text::check_escaped(text)?)
}
