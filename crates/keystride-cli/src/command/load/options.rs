//! The options of a load, as they are given on the command line.

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::ValueEnum;
use keystride::Design;
use keystride_app::duration::{parse_ms, scaled};
use keystride_app::load::{batches_fit, store_bytes};
use keystride_heat::Windowing;
use keystride_table::load::{Check, LoadId, LoadOptions, OnError, Start, Way};

use crate::size::{bytes_text, parse_bytes, parse_count, parse_whole};
use crate::usage::Usage;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct LoadArgs {
    /// Memory for rows that are compared and sorted, and for those waiting to be written to files; at least 8MiB
    #[arg(long, value_name = "SIZE", default_value = "256MiB", value_parser = parse_memory)]
    memory: usize,
    /// Size of a batch
    #[arg(long, value_name = "SIZE", default_value = "4MiB", value_parser = parse_bytes)]
    batch: NonZeroUsize,
    /// Full batches that may be waiting for the store
    #[arg(long, value_name = "N", default_value = "2", value_parser = parse_whole::<NonZeroU32>)]
    in_flight: NonZeroU32,
    /// At most this many rows per second, such as 200k; batches are sent whole
    #[arg(long, value_name = "ROWS", value_parser = parse_count)]
    rate: Option<NonZeroU64>,
    /// What to do with a rejected row
    #[arg(long, value_enum, default_value = "reject")]
    on_error: OnErrorArg,
    /// Where to keep rejected rows [default: NAME.rejects.csv beside the file, input.rejects.csv for a pipe or several]
    #[arg(long, value_name = "FILE")]
    pub(super) rejects: Option<PathBuf>,
    /// The load's name, under which its progress is kept [default: derived from the files and the design]
    #[arg(long, value_name = "ID", value_parser = parse_load_id)]
    pub(super) load_id: Option<String>,
    /// Continue where an earlier run of the same load ended
    #[arg(long)]
    pub(super) resume: bool,
    /// Keep no progress, so that the load can't be resumed: for users who may not write to the table keystride.notes
    #[arg(long, conflicts_with_all = ["resume", "load_id"])]
    pub(super) no_resume: bool,
    #[command(flatten)]
    check: CheckArgs,
    /// How to write rows to the store
    #[arg(long, value_enum, default_value = "faster")]
    way: WayArg,
    /// The window in which balance is measured: a length of the rows' own time, such as 1m, or a number of rows as they
    /// arrive [default: so many rows that chance alone adds about a tenth]
    #[arg(long, value_name = "WINDOW", value_parser = parse_window)]
    window: Option<Windowing>,
    /// Stop, after a batch, when the median window so far is at least this many times hotter than even
    #[arg(long, value_name = "TIMES", value_parser = parse_times)]
    pub(super) abort_if_hot: Option<f64>,
    /// Write the report of the load to a file, as JSON
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// Read, check and count, but write nothing; the first rejected rows are printed
    #[arg(long)]
    pub(super) dry_run: bool,
}

/// Where to look for rows with the same key, if not only within the load.
#[derive(Debug, Clone, clap::Args)]
#[group(multiple = false)]
struct CheckArgs {
    /// Also look for rows with the same key among those stored before the load
    #[arg(long)]
    check_stored: bool,
    /// Do not look for rows with the same key
    #[arg(long)]
    no_duplicate_check: bool,
}

/// What to do with a rejected row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OnErrorArg {
    /// Keep it in a file, and continue the load
    Reject,
    /// End the load; the rows before it are stored
    Stop,
}

/// How to write rows to the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum WayArg {
    /// Sorted into an empty table if the files are large, otherwise in batches
    Faster,
    /// In batches, each of them durable once written
    Batches,
    /// Sorted into an empty table, all at once
    Sorted,
}

impl LoadArgs {
    pub(super) fn memory(&self) -> usize {
        self.memory
    }

    /// Whether rows are to be sorted, whatever is faster.
    pub(super) fn wants_sorting(&self) -> bool {
        self.way == WayArg::Sorted
    }

    /// Returns an option that is for files alone, if one is given.
    pub(super) fn given_for_files(&self) -> Option<&'static str> {
        let given = [(self.no_resume, "--no-resume"), (self.way != WayArg::Faster, "--way")];
        given.into_iter().find_map(|(is_given, name)| is_given.then_some(name))
    }

    /// Whether windows are to be cut by a time that rows do not have. The records of a topic have one.
    pub(super) fn has_timeless_windows(&self, design: &Design, is_topic: bool) -> bool {
        let has_time = is_topic || design.fields().iter().any(|field| field.time().is_some());
        matches!(self.window, Some(Windowing::Time { .. })) && !has_time
    }

    /// Returns the options of the load.
    ///
    /// # Errors
    ///
    /// The batches in memory do not leave half of it for other things.
    pub(super) fn options(&self, id: LoadId) -> Result<LoadOptions, Usage> {
        let options = LoadOptions {
            start: match (self.resume, self.no_resume) {
                (true, _) => Start::Resume,
                (_, true) => Start::Unrecorded,
                _ => Start::Anew,
            },
            check: self.check.check(),
            on_error: match self.on_error {
                OnErrorArg::Reject => OnError::Reject,
                OnErrorArg::Stop => OnError::Stop,
            },
            way: match self.way {
                WayArg::Faster => Way::Faster,
                WayArg::Batches => Way::Batches,
                WayArg::Sorted => Way::Sorted,
            },
            memory_bytes: self.memory,
            write_buffer_bytes: store_bytes(self.memory),
            batch_bytes: self.batch,
            in_flight: self.in_flight,
            rows_per_s: self.rate,
            windowing: self.window,
            ..LoadOptions::of(id)
        };
        batches_fit(&options).map_err(|bytes| {
            let [batches, memory] = [bytes, self.memory].map(|bytes| bytes_text(bytes as u64));
            Usage::LargeBatches { batches, memory }
        })?;
        Ok(options)
    }
}

impl CheckArgs {
    fn check(&self) -> Check {
        match self {
            Self { check_stored: true, .. } => Check::Stored,
            Self { no_duplicate_check: true, .. } => Check::None,
            _ => Check::Exact,
        }
    }
}

/// Parses the name of a load, under which its progress is kept.
fn parse_load_id(text: &str) -> Result<String, String> {
    const MOST_BYTES: usize = 255;
    match text.len() {
        1..=MOST_BYTES => Ok(text.to_owned()),
        len => Err(format!("{len} bytes, where a load's name has 1 to {MOST_BYTES}")),
    }
}

fn parse_times(text: &str) -> Result<f64, String> {
    let times = text.parse().ok().filter(|times: &f64| times.is_finite() && *times > 1.0);
    times.ok_or_else(|| "expected how many times hotter than even, such as 4".to_owned())
}

/// Parses an amount of memory that is enough for a load; a number without a unit is usually a mistake.
fn parse_memory(text: &str) -> Result<usize, String> {
    let bytes = parse_bytes(text)?.get();
    if bytes < LoadOptions::LEAST_MEMORY_BYTES {
        let [given, least] = [bytes, LoadOptions::LEAST_MEMORY_BYTES].map(|bytes| bytes_text(bytes as u64));
        return Err(format!("{given} are too few, a load takes {least} at least: write 256MiB"));
    }
    Ok(bytes)
}

/// Parses a window: a length of the rows' time such as `1m`, or a number of rows.
fn parse_window(text: &str) -> Result<Windowing, String> {
    let time = parse_ms(text).map(|ms| Windowing::Time { ms });
    let rows = || scaled(text, &[("", 1)], str::eq).map(Windowing::Rows);
    time.or_else(rows).ok_or_else(|| format!("\"{text}\" is not a window: write 1m, or a number of rows"))
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[test]
    fn memory_without_a_unit_is_a_slip_that_is_told() {
        assert_eq!((parse_memory("8MiB"), parse_memory("1G")), (Ok(8 << 20), Ok(1 << 30)));
        let error = "256 B are too few, a load takes 8.0 MiB at least: write 256MiB";
        assert_eq!(parse_memory("256"), Err(error.to_owned()));
        for text in ["0", "8388607", "7MiB", "much"] {
            assert!(parse_memory(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_window_is_a_time_or_a_number_of_rows() {
        let ms = |ms| Ok(Windowing::Time { ms: NonZeroU64::new(ms).unwrap() });
        assert_eq!((parse_window("1m"), parse_window("30s")), (ms(60_000), ms(30_000)));
        assert_eq!(parse_window("5000"), Ok(Windowing::Rows(NonZeroU64::new(5_000).unwrap())));
        for text in ["", "m", "0", "0s", "1w", "1mm", "+5", "99999999999999999999", "18446744073709551615d"] {
            assert!(parse_window(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_limit_of_heat_is_a_number_above_even() {
        assert_eq!((parse_times("4"), parse_times("1.01")), (Ok(4.0), Ok(1.01)));
        for text in ["", "1", "1.0", "0.5", "-4", "inf", "NaN", "4x"] {
            assert!(parse_times(text).is_err(), "{text}");
        }
    }

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        args: LoadArgs,
    }

    fn options(words: &[&str]) -> LoadOptions {
        let line = Line::try_parse_from([&["load"], words].concat()).unwrap();
        line.args.options(LoadId::new("one")).unwrap()
    }

    #[test]
    fn batches_take_at_most_half_of_the_memory() {
        let check = |words: &[&str]| {
            let line = Line::try_parse_from([&["load"], words].concat()).unwrap();
            line.args.options(LoadId::new("one")).map(drop).map_err(|error| error.to_string())
        };
        for words in
            [&[][..], &["--memory", "8MiB"], &["--batch", "16MiB"], &["--batch", "1GiB", "--memory", "12GiB"]]
        {
            assert_eq!(check(words), Ok(()), "{words:?}");
        }
        let error = "batches of --batch, with those --in-flight, take 384.0 MiB at a time, more than half of --memory, \
                     256.0 MiB: give smaller ones, or more memory";
        assert_eq!(check(&["--batch", "64MiB"]), Err(error.to_owned()));
        assert!(check(&["--in-flight", "100"]).is_err());
    }

    #[test]
    fn what_is_asked_for_is_an_option_of_the_load() {
        let usual = options(&[]);
        assert!(matches!((usual.start, usual.check, usual.way), (Start::Anew, Check::Exact, Way::Faster)));
        assert!(matches!((usual.on_error, usual.in_flight.get()), (OnError::Reject, 2)));
        let asked = options(&[
            "--resume",
            "--check-stored",
            "--way",
            "sorted",
            "--on-error",
            "stop",
            "--in-flight",
            "3",
        ]);
        assert!(matches!((asked.start, asked.check, asked.way), (Start::Resume, Check::Stored, Way::Sorted)));
        assert!(matches!((asked.on_error, asked.in_flight.get()), (OnError::Stop, 3)));
        assert!(matches!(options(&["--no-duplicate-check"]).check, Check::None));
        assert!(Line::try_parse_from(["load", "--check-stored", "--no-duplicate-check"]).is_err());
    }

    #[test]
    fn the_name_of_a_load_has_1_to_255_bytes() {
        for (bytes, is_fit) in [(0, false), (1, true), (255, true), (256, false)] {
            assert_eq!(parse_load_id(&"x".repeat(bytes)).is_ok(), is_fit, "{bytes}");
        }
    }
}
