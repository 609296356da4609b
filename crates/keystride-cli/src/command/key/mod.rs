//! `keystride key`: encodes rows to keys and decodes keys to rows.

mod decode;
pub(crate) mod encode;
mod locate;

use clap::Subcommand;

use crate::failure::{Code, Failure};
use crate::global::Global;

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Prints the key of a row, or of every row of a file
    Encode(encode::Encode),
    /// Decodes a key to its fields, or says where it stops being one
    Decode(decode::Decode),
    /// Prints which region holds a key
    Locate(locate::Locate),
}

impl KeyCommand {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        match self {
            Self::Encode(encode) => encode.run(global),
            Self::Decode(decode) => decode.run(global),
            Self::Locate(locate) => locate.run(global),
        }
    }
}
