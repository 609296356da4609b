use std::path::PathBuf;

use keystride::codec::KeyDocument;
use keystride::escape::to_escaped;

use crate::design_file::DesignFile;
use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::key_text::KeyArg;
use crate::output::{Rows, print_document};

#[derive(Debug, clap::Args)]
pub(crate) struct Decode {
    /// The design file
    #[arg(short, long, value_name = "FILE")]
    design: PathBuf,
    #[command(flatten)]
    key: KeyArg,
}

impl Decode {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let file = DesignFile::read(&self.design)?;
        let key = self.key.read()?;
        let key = key.as_bytes();
        let not_a_key = |cause| Failure::NotAKey { cause: Box::new(cause), hint: self.key.hint() };
        let decoded = file.codec.decode(key).map_err(not_a_key)?;
        let times = global.times_in_words();
        if global.is_json() {
            let document = KeyDocument::new(file.design(), key, &decoded, &times);
            print_document(global, &document)?;
            return Ok(Code::Done);
        }
        let mut rows = Rows::new(global, ["part", "bytes", "value", "how"]);
        for part in file.codec.describe(key).map_err(not_a_key)? {
            let value = part.value_text(file.design(), &times);
            rows.push(vec![
                part.kind.name(file.design()).into(),
                to_escaped(&key[part.span]).into(),
                value.into(),
                part.note.into(),
            ])?;
        }
        rows.print()?;
        Ok(Code::Done)
    }
}
