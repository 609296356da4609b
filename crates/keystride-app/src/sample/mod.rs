//! The first rows of a source, from which a new design is inferred.

mod kept_rows;

use std::path::Path;
use std::sync::Arc;

use keystride::Design;
use keystride::design::{DesignError, MOST_ENTRIES};
use keystride_advisor::sample::{Sample, SampleReader};
use keystride_table::input::{
    Format, InputError, InputOptions, InputReader, Next, Reject, RequiredFields, Source,
};

use kept_rows::RowKeeper;
pub use kept_rows::{KeptRows, MOST_KEPT};

/// Why no design can be inferred from a source.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// The source can't be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// None of the first records can be read; this is the first.
    #[error("{0}")]
    Record(Box<Reject>),
    /// There is no column.
    #[error("there is no column")]
    NoColumns,
    /// There are more columns than a design has fields.
    #[error(
        "{count} columns, but a design has at most {MOST_ENTRIES} fields; give a file with the columns that keys and \
         queries use, as `other` of [columns] stores the rest"
    )]
    TooManyColumns {
        /// The number of columns.
        count: usize,
    },
    /// The design that reads any source as text is not accepted.
    #[error(transparent)]
    Design(#[from] DesignError),
}

/// A design by which any source can be read: every column is another one than those of its fields.
const TEXTS: &str = r#"
format = 1
[table]
name = "texts"
families = ["f"]
[fields]
none = { type = "string", column = "\u0001" }
[key]
parts = [{ text = "none" }]
[columns]
other = "f"
"#;

/// The first rows of a source, and those among them that can't be read.
#[derive(Debug)]
pub struct SampledRows {
    /// What was found in the rows that can be read.
    pub sample: Sample,
    /// How many records can't be read.
    pub rejected_count: usize,
    /// The first of these.
    pub first_reject: Option<Box<Reject>>,
    /// The first of the rows, on which designs can be tried.
    pub rows: KeptRows,
}

/// As many records that can't be read end the sample.
const MOST_REJECTED: usize = 10_000;

/// Reads the first rows of a source in any format that a load takes, as texts.
///
/// # Errors
///
/// [`SampleError`] when none can be read, or it has no columns or too many.
pub fn read_sample(source: Source, options: InputOptions) -> Result<SampledRows, SampleError> {
    let design = Arc::new(Design::from_toml(TEXTS)?);
    let options = InputOptions { required: RequiredFields::OfKey, ..options };
    let format = options.format_of(source.name());
    let file = source.path().and_then(Path::file_name);
    let name = file.map_or_else(|| source.name().into(), |name| name.to_string_lossy().into_owned());
    let mut rows = InputReader::open(design, vec![source], options)?;
    let mut sample = SampleReader::new(rows.other_names());
    let columns = if format == Format::Csv { rows.other_names().to_vec() } else { Vec::new() };
    let mut keeper = RowKeeper::new(&name, columns);
    let (mut row, mut rejected_count, mut first_reject) = (rows.new_row(), 0, None);
    while sample.wants_more() && rejected_count < MOST_REJECTED {
        check_count(sample.column_count())?;
        match rows.next(&mut row)? {
            Next::Row => {
                sample.add(rows.others());
                keeper.add(rows.others());
            }
            Next::Rejected(reject) => {
                rejected_count += 1;
                first_reject.get_or_insert(reject);
            }
            Next::End => break,
        }
    }
    check_count(sample.column_count())?;
    let sample = sample.finish();
    match first_reject {
        Some(reject) if sample.row_count == 0 => Err(SampleError::Record(reject)),
        _ if sample.columns.is_empty() => Err(SampleError::NoColumns),
        first_reject => Ok(SampledRows { sample, rejected_count, first_reject, rows: keeper.finish() }),
    }
}

fn check_count(count: usize) -> Result<(), SampleError> {
    if count > MOST_ENTRIES { Err(SampleError::TooManyColumns { count }) } else { Ok(()) }
}
