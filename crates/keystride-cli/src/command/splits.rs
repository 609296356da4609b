use std::path::PathBuf;

use clap::ValueEnum;
use keystride::split::{self, PARTITION_SUFFIX, SplitAlgorithm, SplitPointsDocument};
use keystride::{KeyLanguage, SplitPoints};
use keystride_app::new_table::{java_points, shell_points};

use crate::design_file::{DesignFile, say_dropped};
use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::input_args::CsvArgs;
use crate::key_file::{read_column, read_keys, read_lines};
use crate::key_text::{KeyForm, check_escaped, read_escaped};
use crate::output::{Rows, print_document, print_lines, print_text, refuse_rows};
use crate::size::parse_whole;
use crate::usage::Usage;

/// Exactly one source of points: a design, a rule of HBase, or a list.
#[derive(Debug, clap::Args)]
#[expect(clippy::doc_markdown, reason = "help shows the words as they are typed")]
pub(crate) struct Splits {
    #[command(flatten)]
    source: Source,
    /// How many regions --algo, --range or --sample is to make
    #[arg(short = 'n', long, value_name = "N", value_parser = parse_whole::<usize>)]
    regions: Option<usize>,
    /// First row of HexStringSplit, DecimalStringSplit, UniformSplit, in the rule's own text
    #[arg(long, value_name = "ROW", allow_hyphen_values = true)]
    first: Option<String>,
    /// Last row of the same
    #[arg(long, value_name = "ROW", allow_hyphen_values = true)]
    last: Option<String>,
    /// Digits of --partition-keys [default: those of N − 2]
    #[arg(long, value_name = "DIGITS", value_parser = parse_whole::<usize>)]
    width: Option<usize>,
    /// What follows the digits of --partition-keys, escaped [default: |]
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    suffix: Option<String>,
    /// First split point of --range, escaped: the rule of Admin.createTable(desc, start, end, n)
    #[arg(long, value_name = "KEY", allow_hyphen_values = true)]
    start: Option<String>,
    /// Last split point of --range, escaped
    #[arg(long, value_name = "KEY", allow_hyphen_values = true)]
    end: Option<String>,
    /// The column of --sample, a CSV file, that has the keys, escaped
    #[arg(long, value_name = "NAME")]
    column: Option<String>,
    #[command(flatten)]
    csv: CsvArgs,
    /// The form in which the points are printed
    #[arg(long = "as", value_enum, default_value = "list")]
    form: Form,
    /// Show the regions that the points make, and which of them can never receive a key
    #[arg(long, conflicts_with = "form")]
    preview: bool,
}

#[derive(Debug, clap::Args)]
#[expect(clippy::doc_markdown, reason = "help shows the words as they are typed")]
#[group(required = true, multiple = false)]
struct Source {
    /// The design file; -d FILE says the same
    #[arg(value_name = "DESIGN")]
    design_file: Option<PathBuf>,
    #[arg(short, long, value_name = "FILE", hide = true)]
    design: Option<PathBuf>,
    /// One of HBase's algorithms: HexStringSplit, DecimalStringSplit, UniformSplit
    #[arg(long, value_name = "NAME")]
    algo: Option<String>,
    /// Points as escaped text, separated by commas
    #[arg(long, value_name = "A,B,…", allow_hyphen_values = true)]
    strings: Option<String>,
    /// Points as 4-byte integers
    #[arg(long, value_name = "1,10,…", value_delimiter = ',', allow_hyphen_values = true, value_parser = parse_whole::<i32>)]
    ints: Option<Vec<i32>>,
    /// Points as 8-byte integers
    #[arg(long, value_name = "1,10,…", value_delimiter = ',', allow_hyphen_values = true, value_parser = parse_whole::<i64>)]
    longs: Option<Vec<i64>>,
    /// Numbered prefixes 0|, 1|, … for N regions
    #[arg(long, value_name = "N", value_parser = parse_whole::<usize>)]
    partition_keys: Option<usize>,
    /// 001 … 015, the sixteen regions of one hex digit of MD5
    #[arg(long)]
    md5_hex: bool,
    /// From --start to --end, interpolated as HBase's createTable does
    #[arg(long)]
    range: bool,
    /// A file of escaped points, one per line
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Quantiles of a file of keys in escaped form, one per line
    #[arg(long, value_name = "FILE")]
    sample: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// One escaped point per line; `escaped` is a synonym
    #[value(alias = "escaped")]
    List,
    /// One hex point per line
    Hex,
    /// An argument of the HBase shell's create
    HbaseShell,
    /// A Java array of byte arrays
    Java,
    /// A JSON document
    Json,
}

impl Splits {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        self.check_options()?;
        let design = self.source.design_file.as_deref().or(self.source.design.as_deref());
        let design = design.map(DesignFile::read).transpose()?;
        let points = match &design {
            Some(file) => file.split_points(global)?,
            None => self.points(global)?,
        };
        if self.preview {
            preview(global, &points, design.as_ref())?;
        } else {
            self.print(global, &points)?;
        }
        Ok(Code::Done)
    }

    /// Rejects options that belong to another source than the one given, since they would have no effect.
    fn check_options(&self) -> Result<(), Usage> {
        let source = &self.source;
        let (by_algo, by_number) = (source.algo.is_some(), source.partition_keys.is_some());
        let is_cut = by_algo || source.range || source.sample.is_some();
        let options = [
            ("-n", self.regions.is_some(), is_cut, "--algo, --range or --sample"),
            ("--first", self.first.is_some(), by_algo, "--algo"),
            ("--last", self.last.is_some(), by_algo, "--algo"),
            ("--width", self.width.is_some(), by_number, "--partition-keys"),
            ("--suffix", self.suffix.is_some(), by_number, "--partition-keys"),
            ("--start", self.start.is_some(), source.range, "--range"),
            ("--end", self.end.is_some(), source.range, "--range"),
            ("--column", self.column.is_some(), source.sample.is_some(), "--sample"),
        ];
        match options.into_iter().find(|(_, is_given, has_source, _)| *is_given && !has_source) {
            Some((what, .., needs)) => Err(Usage::Needs { what, needs }),
            None => Ok(()),
        }
    }

    fn points(&self, global: &Global) -> Result<SplitPoints, Failure> {
        let source = &self.source;
        if let Some(name) = &source.algo {
            let algorithm = SplitAlgorithm::from_name(name)?;
            let regions = self.needed_regions("--algo")?;
            if algorithm == SplitAlgorithm::Uniform {
                self.first.iter().chain(&self.last).try_for_each(|row| check_escaped(row))?;
            }
            return Ok(algorithm.split(regions, self.first.as_deref(), self.last.as_deref())?);
        }
        if let Some(strings) = &source.strings {
            return escaped_points(strings);
        }
        if let Some(ints) = &source.ints {
            return Ok(split::list::ints(ints)?);
        }
        if let Some(longs) = &source.longs {
            return Ok(split::list::longs(longs)?);
        }
        if let Some(regions) = source.partition_keys {
            let suffix = self.suffix.as_deref().map(read_escaped).transpose()?;
            let suffix = suffix.as_deref().unwrap_or(PARTITION_SUFFIX);
            return Ok(split::partition_keys(regions, self.width, suffix)?);
        }
        if source.md5_hex {
            return Ok(split::md5_hex());
        }
        if let Some(path) = &source.file {
            let lines = read_lines(path)?;
            let lines: Vec<_> = lines.iter().map(|line| String::from_utf8_lossy(line)).collect();
            let points = split::list::escaped(lines.iter().map(AsRef::as_ref));
            return points.map_err(|cause| Failure::SplitOfFile { path: path.clone(), cause });
        }
        if let Some(path) = &source.sample {
            return self.sample(global, path);
        }
        self.range()
    }

    fn range(&self) -> Result<SplitPoints, Failure> {
        let key = |text: &Option<String>, what| match text {
            Some(text) => read_escaped(text),
            None => Err(Usage::Needs { what: "--range", needs: what }),
        };
        let (start, end) = (key(&self.start, "--start KEY")?, key(&self.end, "--end KEY")?);
        Ok(split::range(&start, &end, self.needed_regions("--range")?)?)
    }

    fn sample(&self, global: &Global, path: &std::path::Path) -> Result<SplitPoints, Failure> {
        let regions = self.needed_regions("--sample")?;
        let mut keys = match &self.column {
            Some(column) => read_column(path, column, self.csv.options())?,
            None => read_keys(path)?,
        };
        let sampled = split::sample(&mut keys, regions);
        let points = sampled.map_err(|cause| Failure::SplitOfFile { path: path.to_owned(), cause })?.points;
        say_dropped(global, regions, &points);
        Ok(points)
    }

    fn needed_regions(&self, what: &'static str) -> Result<usize, Usage> {
        self.regions.ok_or(Usage::Needs { what, needs: "-n N, the number of regions" })
    }

    fn print(&self, global: &Global, points: &SplitPoints) -> Result<(), Failure> {
        match self.form {
            Form::List | Form::Hex if global.is_json() => {
                print_document(global, &SplitPointsDocument::from(points))
            }
            Form::Json => print_json_form(global, points),
            Form::List => print_points(global, points, KeyForm::Escaped),
            Form::Hex => print_points(global, points, KeyForm::Hex),
            Form::HbaseShell => {
                print_text(global, "--as hbase-shell", &format!("SPLITS => [{}]", shell_points(points)))
            }
            Form::Java => print_text(global, "--as java", &java_points(points)),
        }
    }
}

/// Parses points in escaped form, separated by commas.
pub(crate) fn escaped_points(points: &str) -> Result<SplitPoints, Failure> {
    points.split(',').try_for_each(check_escaped)?;
    Ok(split::list::escaped(points.split(','))?)
}

fn print_json_form(global: &Global, points: &SplitPoints) -> Result<(), Failure> {
    refuse_rows(global, "--as json")?;
    print_document(global, &SplitPointsDocument::from(points))
}

/// Prints points one per line, as rows, or as one document.
pub(crate) fn print_points(global: &Global, points: &SplitPoints, form: KeyForm) -> Result<(), Failure> {
    if global.is_json() {
        return print_document(global, &SplitPointsDocument::from(points));
    }
    print_lines(global, "point", points.keys().iter().map(|key| form.to_text(key.as_bytes())))
}

/// Prints the regions that the points make, with their shares of the keys if there is a design.
fn preview(global: &Global, points: &SplitPoints, file: Option<&DesignFile>) -> Result<(), Failure> {
    let language = file.map(|file| KeyLanguage::new(&file.codec));
    let rows = Rows::new(global, ["region", "start", "stop", "share", "note"]);
    rows.print_documents(points.preview(language.as_ref()))
}
