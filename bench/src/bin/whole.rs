//! L2, L3, M1 and M2: the program itself loads rows of the log, ten times as many each time, and is watched from outside;
//! then it extracts one day of ten. Prints time, memory and the size on disk of every run.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use keystride_bench::{Bound, Cost, Figures, Program, RecommendLog, Run, Size, parse_count};

/// Loads rows with the program `keystride`, which must be built, and prints what it takes
#[derive(Debug, Parser)]
struct Args {
    /// How many rows, one number after the other
    #[arg(long, value_delimiter = ',', default_value = "1e5,1e6,1e7", value_parser = parse_count)]
    rows: Vec<u64>,
    /// Which ways to load
    #[arg(long, value_delimiter = ',', default_value = "batches,sorted")]
    way: Vec<String>,
    /// How many MiB of memory a load gets
    #[arg(long, value_delimiter = ',', default_value = "64,256")]
    memory: Vec<u32>,
    /// How often each is done, numbers of rows in turn: the least time counts, and the most memory
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Where tables are made, and removed
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Loads of so many rows, and what came of them.
struct Loaded {
    run: Run,
    disk_bytes: u64,
    rows: u64,
}

const DAYS: u32 = 10;
const MIB: u64 = 1 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let program = Program::find().ok_or("the program is not there: cargo build --release --workspace")?;
    let folder = match &args.folder {
        Some(folder) => tempfile::tempdir_in(folder)?,
        None => tempfile::tempdir()?,
    };
    let mut figures = Figures::new(Size::Full);
    for &memory in &args.memory {
        let mut ways = Vec::new();
        for way in &args.way {
            let loads = load_each(&program, folder.path(), &args, way, memory)?;
            judge(&mut figures, way, memory, &loads);
            ways.push((way.as_str(), loads));
        }
        compare(&mut figures, memory, &ways);
    }
    figures.print();
    Ok(())
}

/// Loads each number of rows, one after the other, again and again.
fn load_each(
    program: &Program,
    folder: &Path,
    args: &Args,
    way: &str,
    memory: u32,
) -> Result<Vec<Loaded>, Box<dyn Error>> {
    let mut loads: Vec<Option<Loaded>> = args.rows.iter().map(|_| None).collect();
    for _ in 0..args.rounds {
        for (rows, known) in args.rows.iter().zip(&mut loads) {
            let loaded = load(program, folder, *rows, way, memory)?;
            *known = Some(match known.take() {
                Some(before) => before.together_with(&loaded),
                None => loaded,
            });
        }
    }
    Ok(loads.into_iter().flatten().collect())
}

fn load(
    program: &Program,
    folder: &Path,
    rows: u64,
    way: &str,
    memory: u32,
) -> Result<Loaded, Box<dyn Error>> {
    let (design, store) = (design(), folder.join("store"));
    let backend = format!("embedded:{}", store.display());
    let design = design.to_string_lossy();
    program.run(&["table", "create", "--design", &design, "--backend", &backend], std::io::empty())?;
    let memory_text = format!("{memory}MiB");
    let arguments = [
        "load",
        "-",
        "--design",
        &design,
        "--backend",
        &backend,
        "--way",
        way,
        "--memory",
        &memory_text,
        "--quiet",
    ];
    let run = program.run(&arguments, RecommendLog::new(rows, DAYS, 1))?;
    let disk_bytes = bytes_in(&store)?;
    tell(&format!("{rows} rows, {way}, {memory} MiB: {}", told(&run, rows)));
    tell(&format!(
        "  {:.0} MiB on disk, {:.1} bytes a row",
        float(disk_bytes) / float(MIB),
        float(disk_bytes) / float(rows)
    ));
    let to = folder.join("day");
    let arguments = [
        "extract",
        "recommend_log",
        "--day",
        "2020-04-08",
        "--to",
        &to.to_string_lossy(),
        "--backend",
        &backend,
    ];
    let extracted = program.run(&arguments, std::io::empty())?;
    tell(&format!("  one day of ten to Parquet: {}", told(&extracted, rows / u64::from(DAYS))));
    fs::remove_dir_all(&to)?;
    fs::remove_dir_all(&store)?;
    Ok(Loaded { run, disk_bytes, rows })
}

impl Loaded {
    fn together_with(self, other: &Self) -> Self {
        let [one, two] = [self.run.cost, other.run.cost];
        let cost = Cost { wall: one.wall.min(two.wall), cpu: one.cpu.min(two.cpu) };
        let peak_bytes = self.run.peak_bytes.max(other.run.peak_bytes);
        Self { run: Run { cost, peak_bytes, ..self.run }, ..self }
    }
}

/// What a run took, for each of `rows`.
fn told(run: &Run, rows: u64) -> String {
    let (wall, cpu) = (run.cost.wall.as_secs_f64(), run.cost.cpu.as_secs_f64());
    let peak = float(run.peak_bytes) / float(MIB);
    format!(
        "{wall:.1} s, {cpu:.1} s of CPU, {:.0} ns of CPU a row, peak {peak:.1} MiB",
        run.cost.ns_per(rows)
    )
}

fn judge(figures: &mut Figures, way: &str, memory: u32, loads: &[Loaded]) {
    for load in loads {
        let what = format!("{} rows, {way}: peak beside {memory} MiB + 64, MiB", load.rows);
        let allowed = f64::from(memory) + 64.0;
        let goal = (f64::from(memory) + 32.0) / allowed;
        figures.add("M2", &what, float(load.run.peak_bytes) / float(MIB), allowed, Bound::AtMost(1.0, goal));
    }
    for pair in loads.windows(2) {
        let [less, more] = pair else { continue };
        let [memory_bound, time_bound] = bounds(way, less.rows);
        let what =
            |what: &str| format!("{} rows beside {}, {way}, {memory} MiB: {what}", more.rows, less.rows);
        let [small, large] = [less, more].map(|load| float(load.run.peak_bytes) / float(MIB));
        figures.add("M1", &what("peak MiB"), large, small, memory_bound);
        let [small, large] = [less, more].map(|load| load.run.cost.ns_per(load.rows));
        figures.add("L3", &what("ns a row"), large, small, time_bound);
        let [small, large] = [less, more].map(|load| float(load.disk_bytes) / float(load.rows));
        figures.add("", &what("bytes of disk a row"), large, small, Bound::Told);
    }
}

/// How much more memory and time a row may take of ten times as many: fewer than a million do not fill the memory, and
/// in batches the engine merges files the more often the more there are.
fn bounds(way: &str, rows: u64) -> [Bound; 2] {
    let memory = if rows < 1_000_000 { Bound::Told } else { Bound::AtMost(1.1, 1.02) };
    [memory, if way == "sorted" { Bound::AtMost(1.15, 1.05) } else { Bound::Told }]
}

/// Sorted beside in batches, where both were measured.
fn compare(figures: &mut Figures, memory: u32, ways: &[(&str, Vec<Loaded>)]) {
    let of = |name: &str| ways.iter().find(|(way, _)| *way == name).map(|(_, loads)| loads);
    let (Some(batches), Some(sorted)) = (of("batches"), of("sorted")) else { return };
    for (batches, sorted) in batches.iter().zip(sorted) {
        let bound = if sorted.rows < 1_000_000 { Bound::Told } else { Bound::AtLeast(1.8, 2.5) };
        let [slow, fast] = [batches, sorted].map(|load| load.run.cost.ns_per(load.rows));
        let what = format!("{} rows, {memory} MiB: sorted beside in batches, ns a row", sorted.rows);
        figures.add("L2", &what, fast, slow, bound);
    }
}

fn design() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/seed-003/design.toml")
}

fn bytes_in(folder: &Path) -> std::io::Result<u64> {
    let mut sum = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let file = entry.metadata()?;
        sum += if file.is_dir() { bytes_in(&entry.path())? } else { file.len() };
    }
    Ok(sum)
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn float(number: u64) -> f64 {
    number as f64
}

#[expect(clippy::print_stdout, reason = "what came of each load is told at once")]
fn tell(line: &str) {
    println!("{line}");
}
