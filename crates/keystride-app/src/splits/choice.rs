use keystride::escape;
use keystride::split::{self, PARTITION_SUFFIX, SplitAlgorithm, SplitSource};
use keystride::{Design, SplitError, SplitPoints};
use serde::Deserialize;

use super::PointList;
use crate::key_text::{KeyForm, KeyTextError, check_escaped, read_escaped};
use crate::shell_word::quoted;

/// A rule for split points, and what it needs.
///
/// ```
/// # use keystride_app::splits::SplitChoice;
/// let choice: SplitChoice = serde_json::from_str(r#"{ "by": "partition-keys", "regions": 3 }"#)?;
/// let points = choice.points(None, &mut [])?;
/// assert_eq!(points.keys().iter().map(ToString::to_string).collect::<Vec<_>>(), ["0|", "1|"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum SplitChoice {
    /// One region.
    None,
    /// As the design says.
    Design,
    /// A list of points, in any order.
    List {
        /// The form of the points.
        form: KeyForm,
        /// The points, as [`PointList::read`] takes them.
        points: String,
    },
    /// One of HBase's algorithms.
    Algorithm {
        /// `HexStringSplit`, `DecimalStringSplit` or `UniformSplit`.
        name: String,
        /// The number of regions.
        regions: usize,
        /// The first row, in the algorithm's own text.
        first: Option<String>,
        /// The last row.
        last: Option<String>,
    },
    /// Numbered prefixes: `0|`, `1|`, ….
    PartitionKeys {
        /// The number of regions.
        regions: usize,
        /// How many digits a number has.
        width: Option<usize>,
        /// What follows the digits, in HBase's escaped form.
        suffix: Option<String>,
    },
    /// `001` to `015`, the sixteen regions of one hex digit of MD5.
    Md5Hex,
    /// The rule of `Admin.createTable(desc, start, end, n)`.
    Range {
        /// The first point, in HBase's escaped form.
        start: String,
        /// The last point.
        end: String,
        /// The number of regions.
        regions: usize,
    },
    /// Quantiles of a sample of keys.
    Sample {
        /// The number of regions.
        regions: usize,
    },
}

/// Why a choice makes no points.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SplitChoiceError {
    /// There is no design that says how.
    #[error("no design is given that says how the table is split")]
    NoDesign,
    /// The design refers to a file.
    #[error("the design takes its split points from the file \"{path}\": give these points instead")]
    OtherFile {
        /// The file, as the design names it.
        path: String,
    },
    /// A text is not a key.
    #[error(transparent)]
    Text(#[from] KeyTextError),
    /// The rule refuses.
    #[error(transparent)]
    Split(#[from] SplitError),
}

impl SplitChoice {
    /// Returns the points. Of a list that has something wrong with it, they are those that can be used.
    ///
    /// # Errors
    ///
    /// [`SplitChoiceError`].
    pub fn points(
        &self,
        design: Option<&Design>,
        sample: &mut [Vec<u8>],
    ) -> Result<SplitPoints, SplitChoiceError> {
        Ok(match self {
            Self::None => SplitPoints::default(),
            Self::Design => of_design(design.ok_or(SplitChoiceError::NoDesign)?, sample)?,
            Self::List { form, points } => PointList::read(points, *form)?.points,
            Self::Algorithm { name, regions, first, last } => {
                let algorithm = SplitAlgorithm::from_name(name)?;
                if algorithm == SplitAlgorithm::Uniform {
                    first.iter().chain(last).try_for_each(|row| check_escaped(row))?;
                }
                algorithm.split(*regions, first.as_deref(), last.as_deref())?
            }
            Self::PartitionKeys { regions, width, suffix } => {
                let suffix = suffix.as_deref().map(read_escaped).transpose()?;
                split::partition_keys(*regions, *width, suffix.as_deref().unwrap_or(PARTITION_SUFFIX))?
            }
            Self::Md5Hex => split::md5_hex(),
            Self::Range { start, end, regions } => {
                split::range(&read_escaped(start)?, &read_escaped(end)?, *regions)?
            }
            Self::Sample { regions } => split::sample(sample, *regions)?.points,
        })
    }

    /// Returns the arguments of `keystride splits` that make the same points; `None` where they come from elsewhere.
    pub fn command(&self) -> Option<String> {
        let row = |name: &str, row: &Option<String>| match row {
            Some(row) => format!(" --{name} {}", quoted(row)),
            None => String::new(),
        };
        match self {
            Self::Algorithm { name, regions, first, last } => {
                Some(format!("--algo {name} -n {regions}{}{}", row("first", first), row("last", last)))
            }
            Self::PartitionKeys { regions, width, suffix } => {
                let width = width.map_or_else(String::new, |width| format!(" --width {width}"));
                Some(format!("--partition-keys {regions}{width}{}", row("suffix", suffix)))
            }
            Self::Md5Hex => Some("--md5-hex".to_owned()),
            Self::Range { start, end, regions } => {
                Some(format!("--range --start {} --end {} -n {regions}", quoted(start), quoted(end)))
            }
            Self::None | Self::Design | Self::List { .. } | Self::Sample { .. } => None,
        }
    }
}

fn of_design(design: &Design, sample: &mut [Vec<u8>]) -> Result<SplitPoints, SplitChoiceError> {
    match design.split_source() {
        SplitSource::Points(path) => Err(SplitChoiceError::OtherFile { path }),
        SplitSource::Sample(path) if sample.is_empty() => Err(SplitChoiceError::OtherFile { path }),
        SplitSource::Nothing | SplitSource::Sample(_) => Ok(design.split_points(sample)?),
    }
}

/// Returns points as `--splits` takes them: escaped, between commas, those in a point as `\x2C`.
pub(crate) fn splits_argument(points: &SplitPoints) -> String {
    let point = |key: &keystride::Key| escape::to_escaped(key.as_bytes()).replace(',', "\\x2C");
    quoted(&points.keys().iter().map(point).collect::<Vec<_>>().join(","))
}
