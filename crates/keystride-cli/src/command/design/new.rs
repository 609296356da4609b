use std::path::{Path, PathBuf};

use keystride::Design;
use keystride::time::Zone;
use keystride_advisor::sample::{Column, Kind, NewDesign, Sample, SampleKey};
use keystride_app::fields::FieldError;
use keystride_app::sample::{SampleError, SampledRows, read_sample};
use keystride_table::input::{Format, InputError, Source, source_name};

use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::input_args::FormatArgs;
use crate::output::{print_text, say};
use crate::size::count_text;
use crate::usage::Usage;

#[derive(Debug, clap::Args)]
pub(crate) struct New {
    /// A file of rows as for a load (CSV and TSV with a header), from which fields and their types are inferred; - is
    /// standard input
    #[arg(value_name = "FILE", required_unless_present = "from")]
    file: Option<PathBuf>,
    /// The same
    #[arg(long, value_name = "FILE", hide = true, conflicts_with = "file")]
    from: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArgs,
    /// The key's fields in order, with "desc" after one that sorts backwards: 'phone, time desc' [default: a guess from
    /// the values]
    #[arg(long, value_name = "FIELDS")]
    key: Option<String>,
    /// Put a bucket in front of the key, one of this many by a hash of the key's first field, and split between buckets
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=65_536))]
    buckets: Option<u32>,
    /// The table's name [default: the file's]
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
    /// Where to write the design [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl New {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let SampledRows { sample, rejected_count, first_reject, .. } = self.sample()?;
        if let Some(reject) = first_reject {
            say(global, &format!("{rejected_count} of the first records can't be read; the first: {reject}"));
        }
        let in_file = |cause| Failure::InFile { path: self.path().to_owned(), cause };
        let key = self.key(&sample).map_err(in_file)?;
        let design = self.design(global, &sample, &key)?;
        self.say_guesses(global, &sample, &key);
        match &self.output {
            None => print_text(global, "a new design", &design)?,
            Some(path) if path.exists() => {
                return Err(Usage::Exists { path: path.display().to_string() }.into());
            }
            Some(path) => {
                std::fs::write(path, design).map_err(|cause| {
                    // A part of the design would be in the way of the next attempt.
                    let _ = std::fs::remove_file(path);
                    Failure::Write { path: path.clone(), cause }
                })?;
            }
        }
        Ok(Code::Done)
    }

    fn path(&self) -> &Path {
        self.file.as_deref().or(self.from.as_deref()).unwrap_or(Path::new("-"))
    }

    fn is_csv(&self) -> bool {
        let name = self.path().to_string_lossy();
        self.format.options().format_of(&name) == Format::Csv
    }

    fn sample(&self) -> Result<SampledRows, Failure> {
        let path = self.path();
        let source = if path == Path::new("-") { Source::stdin() } else { Source::file(path)? };
        read_sample(source, self.format.options()).map_err(|error| match error {
            SampleError::Input(InputError::NoHeader { .. }) | SampleError::NoColumns => {
                Failure::EmptySample { path: self.path().to_owned() }
            }
            SampleError::Input(error) => error.into(),
            SampleError::Record(reject) => Failure::Record(reject.to_string()),
            cause => Failure::Sample { path: self.path().to_owned(), cause: Box::new(cause) },
        })
    }

    /// Says what may be otherwise than it looks.
    fn say_guesses(&self, global: &Global, sample: &Sample, key: &SampleKey<'_>) {
        if self.key.is_none() {
            say(global, &guess_text(sample, key));
        }
        for (column, _) in &key.columns {
            let missing = column.missing_count();
            if missing > 0 {
                let then = if column.has_default() {
                    ": their keys have its default, -"
                } else {
                    ", which have no key: give it a default"
                };
                let rows = count_text(sample.row_count as u64);
                say(
                    global,
                    &format!("{} has no value in {missing} of the {rows} rows looked at{then}", column.name),
                );
            }
        }
        for column in &sample.columns {
            match column.kind {
                Kind::Epoch(unit) => {
                    say(global, &format!("{} is taken for a time, in {unit} since 1970", column.name));
                }
                Kind::Pattern(pattern) => {
                    let zone = global.tz.as_ref().map_or("UTC (--tz names another zone)", Zone::name);
                    say(global, &format!("{} is taken for a time, {pattern} in {zone}", column.name));
                }
                Kind::Iso8601 { .. } if column.has_local_times() && global.tz.is_none() => {
                    say(
                        global,
                        &format!(
                            "{} has times without an offset, taken for UTC; --tz names their zone",
                            column.name
                        ),
                    );
                }
                _ => {}
            }
        }
        if sample.has_unnamed {
            say(global, "a column has no name, so it is not a field; it is stored as it is");
        }
        if let Some(charset) = self.format.encoding.filter(|_| !self.is_csv()) {
            say(global, &format!("load the file with --encoding {}, too", charset.name()));
        }
        if self.buckets.is_none() {
            say(global, "the table begins with one region; --buckets 16 spreads its rows over 16");
        }
    }

    fn design(&self, global: &Global, sample: &Sample, key: &SampleKey<'_>) -> Result<String, Failure> {
        let table = self.table.clone().unwrap_or_else(|| name_of(self.path()));
        let marks = [("quote", self.format.csv.quote), ("escape", self.format.csv.escape)];
        let mut marks: Vec<_> =
            marks.into_iter().filter_map(|(word, mark)| Some((word, mark?.to_string()))).collect();
        let encoding = self.format.encoding.filter(|_| self.is_csv());
        marks.extend(encoding.map(|charset| ("encoding", charset.name().to_owned())));
        let zone = global.tz.as_ref().map(Zone::name);
        let text =
            sample.design(&NewDesign { table: &table, key, buckets: self.buckets, zone, marks: &marks });
        // The result must be readable: a table name that is not allowed is reported here, not by the next command.
        match Design::from_toml(&text) {
            Ok(_) => Ok(text),
            Err(error) => {
                let path = self.output.clone().unwrap_or_else(|| PathBuf::from("(the new design)"));
                Err(Box::new(crate::design_failure::DesignFailure { path, text, error }).into())
            }
        }
    }

    fn key<'a>(&self, sample: &'a Sample) -> Result<SampleKey<'a>, Usage> {
        let Some(words) = &self.key else {
            let guess = sample.guessed_key();
            return if guess.columns.is_empty() { Err(Usage::NoKeyToGuess) } else { Ok(guess) };
        };
        let mut key = SampleKey::default();
        for word in words.split(',').map(str::trim) {
            let (name, desc) = word.strip_suffix(" desc").map_or((word, false), |name| (name.trim(), true));
            let is_named = |column: &&Column| column.name == name || column.header == name;
            let column = sample.columns.iter().find(is_named).ok_or_else(|| unknown(name, sample))?;
            if key.columns.iter().any(|(keyed, _)| keyed.name == column.name) {
                return Err(Usage::FieldTwice { field: name.to_owned() });
            }
            key.columns.push((column, desc));
        }
        Ok(key)
    }
}

/// Returns a name for the table of what is in a file; standard input has none.
fn name_of(from: &Path) -> String {
    if from == Path::new("-") { "table".to_owned() } else { source_name(from) }
}

/// Says which key was guessed, in the words of `--key`.
fn guess_text(sample: &Sample, guess: &SampleKey<'_>) -> String {
    let words = guess
        .columns
        .iter()
        .map(|(column, desc)| if *desc { format!("{} desc", column.name) } else { column.name.clone() });
    let key = words.collect::<Vec<_>>().join(", ");
    let rows = match sample.row_count {
        1 => "one row".to_owned(),
        count => format!("{} rows", count_text(count as u64)),
    };
    if sample.is_told_apart_by(guess) {
        format!("the key is a guess: '{key}' tells the {rows} looked at apart; --key names another")
    } else {
        format!(
            "the key is a guess, and some of the {rows} looked at have the same '{key}'; name one with --key"
        )
    }
}

fn unknown(name: &str, sample: &Sample) -> Usage {
    let known = sample.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ");
    FieldError::Unknown { found: name.to_owned(), known }.into()
}
