use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use keystride::Design;
use keystride::design::is_field_name;
use keystride_table::input::Source;

use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::output::print_text;
use crate::usage::Usage;

/// The number of rows of the sample that are examined.
const LOOKED_AT: usize = 10_000;

#[derive(Debug, clap::Args)]
pub(crate) struct New {
    /// A CSV file with a header, from which the fields and their types are inferred
    #[arg(long, value_name = "FILE")]
    from: PathBuf,
    /// The key's fields in order, with "desc" after one that sorts backwards: 'phone, time desc'
    #[arg(long, value_name = "FIELDS")]
    key: String,
    /// The table's name [default: the file's]
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
    /// Where to write the design [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl New {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let sample = read_sample(&self.from)?;
        let design = self.design(&sample)?;
        match &self.output {
            None => print_text(global, "a new design", &design)?,
            Some(path) if path.exists() => {
                return Err(Usage::Exists { path: path.display().to_string() }.into());
            }
            Some(path) => {
                std::fs::write(path, design).map_err(|cause| Failure::Write { path: path.clone(), cause })?;
            }
        }
        Ok(Code::Done)
    }

    fn design(&self, sample: &Sample) -> Result<String, Failure> {
        let columns = &sample.columns;
        let parts = self.parts(columns)?;
        let stem = self
            .from
            .file_stem()
            .map_or_else(|| "table".to_owned(), |stem| stem.to_string_lossy().into_owned());
        let name = self.table.clone().unwrap_or(stem);
        let fields = columns
            .iter()
            .map(|column| format!("{} = {}", column.name, column.declaration()))
            .collect::<Vec<_>>();
        let text = format!(
            "format = 1\n\n[table]\nname = \"{name}\"\nfamilies = [\"f\"]\n\n[fields]\n{}\n\n[key]\nparts = [\n{parts}]\n{}{}",
            fields.join("\n"),
            sample.other_columns(),
            sample.input()
        );
        // The result must be readable: a table name that is not allowed is reported here, not by the next command.
        match Design::from_toml(&text) {
            Ok(_) => Ok(text),
            Err(error) => {
                let path = self.output.clone().unwrap_or_else(|| PathBuf::from("(the new design)"));
                Err(Box::new(crate::design_failure::DesignFailure { path, text, error }).into())
            }
        }
    }

    fn parts(&self, columns: &[Column]) -> Result<String, Failure> {
        let (mut lines, mut keyed) = (String::new(), Vec::new());
        let words: Vec<&str> = self.key.split(',').map(str::trim).collect();
        for (index, word) in words.iter().enumerate() {
            let (name, desc) = word.strip_suffix(" desc").map_or((*word, false), |name| (name.trim(), true));
            if keyed.contains(&name) {
                return Err(Usage::FieldTwice { field: name.to_owned() }.into());
            }
            keyed.push(name);
            let Some(column) = columns.iter().find(|column| column.name == name) else {
                let known = columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ");
                return Err(Usage::UnknownField { found: name.to_owned(), known }.into());
            };
            lines.push_str(&format!("  {{ {} }},\n", column.part(desc)));
            if matches!(column.kind, Kind::Text) && (desc || index + 1 < words.len()) {
                lines.push_str("  { text = '\\x00' },\n");
            }
        }
        Ok(lines)
    }
}

/// What was found in the first rows of a file.
struct Sample {
    columns: Vec<Column>,
    /// Columns whose names no field can have.
    others: Vec<String>,
    /// Texts that occur in place of missing values.
    null: BTreeSet<&'static str>,
}

impl Sample {
    /// `[columns]`, where there are columns that can't be fields: they are stored as they are.
    fn other_columns(&self) -> String {
        if self.others.is_empty() {
            return String::new();
        }
        let names: Vec<String> = self.others.iter().map(|name| format!("{name:?}")).collect();
        format!("\n[columns]\n# No names of fields: {}.\nother = \"f\"\n", names.join(", "))
    }

    /// Returns `[input]`, if other texts than the empty one stand for missing values.
    fn input(&self) -> String {
        if self.null.is_empty() {
            return String::new();
        }
        let null: Vec<String> = self.null.iter().map(|null| format!(", {null:?}")).collect();
        format!("\n[input]\nnull = [\"\"{}]\n", null.concat())
    }
}

/// What was found in a column of the sample.
struct Column {
    name: String,
    kind: Kind,
}

enum Kind {
    /// All values have this many digits.
    Digits(usize),
    /// Whole numbers, none negative, with at most this many digits.
    Natural(usize),
    /// Whole numbers.
    Int,
    /// Epochs; the unit is known from the number of digits.
    Epoch(&'static str),
    Iso8601,
    Number,
    Text,
}

impl Column {
    fn declaration(&self) -> String {
        match &self.kind {
            Kind::Digits(len) => format!("{{ type = \"digits\", len = {len} }}"),
            Kind::Natural(_) => "{ type = \"int\", min = 0 }".to_owned(),
            Kind::Int => "{ type = \"int\" }".to_owned(),
            Kind::Epoch(unit) => format!("{{ type = \"time\", unit = \"{unit}\" }}"),
            Kind::Iso8601 => "{ type = \"time\", unit = \"ms\", input = \"iso8601\" }".to_owned(),
            Kind::Number => "{ type = \"f64\" }".to_owned(),
            Kind::Text => "{ type = \"string\" }".to_owned(),
        }
    }

    /// Returns a part that sorts as the values do.
    fn part(&self, desc: bool) -> String {
        let name = &self.name;
        match (&self.kind, desc) {
            (Kind::Epoch("s"), true) => format!("field = \"{name}\", desc = 9999999999"),
            (Kind::Epoch("ms") | Kind::Iso8601, true) => format!("field = \"{name}\", desc = 9999999999999"),
            (Kind::Epoch(_), true) => format!("field = \"{name}\", desc = \"long-max\""),
            (Kind::Int | Kind::Number, false) => format!("field = \"{name}\", as = \"ordered\""),
            (Kind::Int | Kind::Number, true) => {
                format!("field = \"{name}\", as = \"ordered\", desc = \"invert\"")
            }
            (Kind::Natural(digits), false) => format!("field = \"{name}\", pad = {}", (digits + 2).min(19)),
            (Kind::Natural(digits), true) => {
                format!("field = \"{name}\", desc = {}", "9".repeat((digits + 2).min(18)))
            }
            (_, true) => format!("field = \"{name}\", desc = \"invert\""),
            (_, false) => format!("field = \"{name}\""),
        }
    }
}

/// Texts that commonly stand for missing values.
const NULLS: [&str; 5] = ["NA", "N/A", "NULL", "null", "\\N"];

fn read_sample(path: &Path) -> Result<Sample, Failure> {
    let source = if path == Path::new("-") { Source::stdin() } else { Source::file(path)? };
    let fail = |cause| Failure::Sample { path: path.to_owned(), cause };
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(source.into_text(None)?);
    let header = reader.headers().map_err(fail)?.clone();
    if header.iter().all(str::is_empty) {
        return Err(Failure::EmptySample { path: path.to_owned() });
    }
    let mut null = BTreeSet::new();
    let mut samples: Vec<Vec<String>> = vec![Vec::new(); header.len()];
    for record in reader.records().take(LOOKED_AT) {
        let record = record.map_err(fail)?;
        for (sample, value) in samples.iter_mut().zip(&record) {
            match NULLS.into_iter().find(|null| *null == value) {
                Some(found) => drop(null.insert(found)),
                None if value.is_empty() => {}
                None => sample.push(value.to_owned()),
            }
        }
    }
    let (columns, others): (Vec<_>, Vec<_>) =
        header.iter().zip(&samples).partition(|(name, _)| is_field_name(name));
    let columns =
        columns.into_iter().map(|(name, sample)| Column { name: name.to_owned(), kind: kind_of(sample) });
    let others = others.into_iter().map(|(name, _)| name.to_owned());
    Ok(Sample { columns: columns.collect(), others: others.collect(), null })
}

fn kind_of(sample: &[String]) -> Kind {
    let all = |test: fn(&str) -> bool| !sample.is_empty() && sample.iter().all(|value| test(value));
    let width = sample.first().map_or(0, String::len);
    let same_width = sample.iter().all(|value| value.len() == width);
    if all(|value| value.bytes().all(|byte| byte.is_ascii_digit())) {
        return match width {
            10 if same_width && all(|value| value.starts_with('1')) => Kind::Epoch("s"),
            13 if same_width && all(|value| value.starts_with('1')) => Kind::Epoch("ms"),
            // A number with leading zeros, or a long number of constant width, is an identifier.
            _ if same_width
                && width > 1
                && (width >= 8 || sample.iter().any(|value| value.starts_with('0'))) =>
            {
                Kind::Digits(width)
            }
            _ if sample.iter().all(|value| value.len() < 19) => {
                Kind::Natural(sample.iter().map(String::len).max().unwrap_or(1))
            }
            _ => Kind::Text,
        };
    }
    if all(|value| value.parse::<i64>().is_ok()) {
        return Kind::Int;
    }
    if all(|value| value.parse::<f64>().is_ok()) {
        return Kind::Number;
    }
    if all(is_iso8601) { Kind::Iso8601 } else { Kind::Text }
}

fn is_iso8601(value: &str) -> bool {
    keystride::time::read_iso8601(value.as_bytes(), &keystride::time::Zone::utc()).is_ok()
}
