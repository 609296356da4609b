//! The rows of a CSV file that a new design is inferred from.

use std::collections::BTreeSet;
use std::path::Path;

use keystride::design::{MOST_ENTRIES, is_field_name};
use keystride_advisor::sample::{Sample, SampleReader};
use keystride_table::input::{CsvReader, Format, InputError, InputOptions, Source};

use crate::failure::Failure;
use crate::usage::Usage;

pub(super) fn read_sample(path: &Path, options: InputOptions) -> Result<Sample, Failure> {
    let source = if path == Path::new("-") { Source::stdin() } else { Source::file(path)? };
    let mut csv = CsvReader::open(source, options).map_err(|error| match error {
        InputError::NoHeader { .. } => Failure::EmptySample { path: path.to_owned() },
        InputError::OtherFormat { found: Format::JsonLines, .. } => {
            Failure::JsonSample { path: path.to_owned() }
        }
        error => error.into(),
    })?;
    let header = csv.header().to_vec();
    if header.iter().all(String::is_empty) {
        return Err(Failure::EmptySample { path: path.to_owned() });
    }
    check_header(&header).map_err(|cause| Failure::InFile { path: path.to_owned(), cause })?;
    let mut sample = SampleReader::new(header);
    while sample.wants_more()
        && let Some(record) = csv.read()?
    {
        sample.add(&record.map_err(|reject| Failure::Record(reject.to_string()))?);
    }
    Ok(sample.finish())
}

fn check_header(header: &[String]) -> Result<(), Usage> {
    let mut names = BTreeSet::new();
    if let Some(name) = header.iter().find(|name| !names.insert(*name)) {
        return Err(Usage::ColumnTwice { name: name.to_owned() });
    }
    let columns = header.iter().filter(|name| is_field_name(name)).count();
    if columns > MOST_ENTRIES { Err(Usage::TooManyColumns { columns }) } else { Ok(()) }
}
