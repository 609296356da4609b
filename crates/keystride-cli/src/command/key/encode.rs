use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use keystride::design::Part;

use crate::design_file::DesignFile;
use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::input_args::InputArgs;
use crate::key_text::KeyForm;
use crate::keyed_rows::KeyedRows;
use crate::output::{Out, Rows, say};
use crate::row_args::read_row;
use crate::usage::Usage;

#[derive(Debug, clap::Args)]
pub(crate) struct Encode {
    /// The design file
    #[arg(short, long, value_name = "FILE")]
    design: PathBuf,
    /// One row as field=value …
    #[arg(value_name = "FIELD=VALUE")]
    fields: Vec<String>,
    /// Every row of a file (CSV, JSON lines or Parquet) [default without a row: standard input]: one key per line, an empty
    /// line for a rejected row
    #[arg(long, value_name = "FILE", conflicts_with = "fields")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    input: InputArgs,
    /// The form in which keys are printed
    #[arg(long = "as", value_enum, default_value = "escaped")]
    form: KeyForm,
    /// The bucket of a design whose bucket is random or counted
    #[arg(long, value_name = "N")]
    bucket: Option<u32>,
}

impl Encode {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let file = DesignFile::read(&self.design)?;
        self.check_bucket(&file)?;
        match &self.csv {
            Some(path) => self.encode_file(global, &file, path),
            None if self.fields.is_empty() && std::io::stdin().is_terminal() => Err(Usage::NoRow.into()),
            None if self.fields.is_empty() => self.encode_file(global, &file, Path::new("-")),
            None => self.encode_row(global, &file),
        }
    }

    fn check_bucket(&self, file: &DesignFile) -> Result<(), Usage> {
        let Some(bucket) = self.bucket else { return Ok(()) };
        let free = file.design().parts().iter().find_map(|part| match part {
            Part::Bucket(part) if !part.is_computed() => Some(part.count.get()),
            _ => None,
        });
        match free {
            None => Err(Usage::ComputedBucket),
            Some(count) if bucket >= count => Err(Usage::Bucket { bucket, count }),
            Some(_) => Ok(()),
        }
    }

    /// Prints one key per line, in the order of the file; an empty line for a rejected row.
    fn encode_file(&self, global: &Global, file: &DesignFile, path: &Path) -> Result<Code, Failure> {
        let mut rows = KeyedRows::open(&file.codec, path, self.input.options(), self.bucket)?;
        let (mut keys, mut rejected) = (Keys::new(global, self.form), 0_u64);
        while let Some(key) = rows.next()? {
            let reason = match key {
                Ok(key) if keys.is_one_line(key) => {
                    keys.push(Some(key))?;
                    continue;
                }
                Ok(_) => format!("{}: the key has a line break; print keys --as escaped", rows.place()),
                Err(reason) => reason,
            };
            rejected += 1;
            say(global, &reason);
            keys.push(None)?;
        }
        keys.print()?;
        if rejected > 0 {
            say(global, &format!("{}: {rejected} of {} rows rejected", rows.source(), rows.count()));
        }
        Ok(if rejected > 0 { Code::Partly } else { Code::Done })
    }

    fn encode_row(&self, global: &Global, file: &DesignFile) -> Result<Code, Failure> {
        let row = read_row(&global.reading(file.design()), &self.fields)?;
        let mut encoder = file.codec.encoder();
        encoder.supply(self.bucket.unwrap_or(0).into());
        let mut key = Vec::new();
        encoder.encode(&row, &mut key)?;
        let mut keys = Keys::new(global, self.form);
        keys.push(Some(&key))?;
        keys.print()?;
        Ok(Code::Done)
    }
}

/// The output of keys: one per line or, if a format was asked for, rows of one column.
enum Keys {
    Lines(Out, KeyForm),
    Rows(Rows, KeyForm),
}

impl Keys {
    fn new(global: &Global, form: KeyForm) -> Self {
        match global.format {
            None => Self::Lines(Out::new(), form),
            Some(_) => Self::Rows(Rows::new(global, ["key"]), form),
        }
    }

    /// Whether a key is told from the one on the next line.
    fn is_one_line(&self, key: &[u8]) -> bool {
        !matches!(self, Self::Lines(_, KeyForm::Text)) || !key.contains(&b'\n')
    }

    /// Adds a key, or an empty line for a row that has none.
    fn push(&mut self, key: Option<&[u8]>) -> Result<(), Failure> {
        match self {
            Self::Lines(out, form) => out.line(key.map(|key| form.to_bytes(key)).unwrap_or_default()),
            Self::Rows(rows, form) => {
                let text = key.map(|key| String::from_utf8(form.to_bytes(key))).transpose();
                rows.push(vec![text.map_err(|_| Usage::KeyIsNoText)?.into()])
            }
        }
    }

    fn print(self) -> Result<(), Failure> {
        match self {
            Self::Lines(out, _) => out.finish(),
            Self::Rows(rows, _) => rows.print(),
        }
    }
}
