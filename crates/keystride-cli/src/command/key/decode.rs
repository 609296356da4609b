use std::path::PathBuf;

use keystride::codec::PartKind;
use keystride::escape::to_escaped;
use keystride::{Design, Row};
use serde_json::{Map, Value, json};

use crate::design_file::DesignFile;
use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::key_text::{KeyArg, KeyForm};
use crate::output::{Rows, print_document};
use crate::times::Times;

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
        let times = Times::of(global);
        if global.is_json() {
            let fields = fields(file.design(), &times, &decoded.row);
            let key = KeyForm::Hex.to_text(key);
            let document = json!({ "format": 1, "key": key, "fields": fields, "bucket": decoded.bucket });
            print_document(global, &document)?;
            return Ok(Code::Done);
        }
        let mut rows = Rows::new(global, ["part", "bytes", "value", "how"]);
        for mut part in file.codec.describe(key).map_err(not_a_key)? {
            if let (PartKind::Field(name), Some(text)) = (&part.kind, &mut part.value) {
                times.retell_text(file.design(), name, text);
            }
            let name = match part.kind {
                PartKind::Text => "text".to_owned(),
                PartKind::Bucket => "bucket".to_owned(),
                PartKind::Field(name) => name,
            };
            let bytes = to_escaped(&key[part.span]);
            rows.push(vec![
                name.into(),
                bytes.into(),
                part.value.map_or(Value::Null, Value::from),
                part.note.into(),
            ])?;
        }
        rows.print()?;
        Ok(Code::Done)
    }
}

/// Returns the fields that the key contains, as text.
fn fields(design: &Design, times: &Times, row: &Row) -> Map<String, Value> {
    let text = |field: usize| times.text_of(&design.fields()[field], row.get(field)?);
    let known = (0..design.fields().len()).filter_map(|field| Some((field, text(field)?)));
    known.map(|(field, text)| (design.fields()[field].name.clone(), text.into())).collect()
}
