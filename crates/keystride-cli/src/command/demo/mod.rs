//! `keystride demo`: a year of real flights through one good design and two that are often recommended.

mod earlier;
mod flights;
mod folder;
mod live;
mod questions;
mod routed;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use keystride_advisor::lint::{Finding, Severity, Subject, lint};
use keystride_store::Store;
use keystride_table::Table;
use keystride_table::extract::{Day, Extract, Extracted};
use serde_json::{Value, json};

use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::open_store::{Missing, with_store};
use crate::output::{Out, print_document, refuse_rows};
use crate::size::bytes_text;
use flights::Candidate;
use folder::DemoFolder;
use questions::Answer;
use routed::Routed;

/// Shows what keystride does, on all 336,776 departures from New York's airports in 2013
///
/// The flights are loaded into a table on disk, or on the cluster of --backend hbase…, queried three times and
/// extracted; then the same rows are routed by two designs that are often recommended. All figures printed are measured
/// during the run. With --format json, the raw counters are printed. What an earlier demo made is replaced.
#[derive(Debug, clap::Args)]
pub(crate) struct Demo {
    /// The folder it works in [default: keystride-demo in the system's temporary folder]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Open the console in a browser, and load the flights while it shows them arriving
    #[arg(long)]
    open: bool,
}

const DAY: &str = "2013-03-08";

impl Demo {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        refuse_rows(global, "demo")?;
        let named = global.backend()?;
        let folder = DemoFolder::find(self.dir.as_deref())?;
        let backend = folder.backend(named);
        let mut show = Show { out: Out::new(), silent: global.is_json(), started: Instant::now() };
        let candidates = flights::candidates()?;
        if self.open {
            return open(global, &folder, &candidates);
        }
        let [ours, others @ ..] = candidates;
        if let Some(table) = earlier::drop_table(global, &ours)? {
            show.step(&format!("table {table} of an earlier demo dropped, to be made anew"))?;
        }
        folder.build()?;
        show.text("A year of flights from New York, keyed so that one plane's newest are one range.\n\n")?;
        show.text(flights::design_text())?;
        show.step("the design above, read and checked")?;
        let found = findings(&ours);
        show.text(&finding_lines(&found))?;
        show.step("linted")?;
        let global = Global { backend: Ok(backend.clone()), ..global.clone() };
        let worked =
            with_store(&global, Missing::Make, async |store| work(store, &ours, &folder, &mut show).await)?;
        let mut designs = vec![design_json(&ours, &found, &worked.loaded)];
        for other in &others {
            let routed = routed::route(other)?;
            let found = findings(other);
            show.text(&finding_lines(&found))?;
            show.text(&routed.to_string())?;
            show.step(&format!("{}: {} rows routed, nothing stored", other.title, routed.rows))?;
            designs.push(design_json(other, &found, &routed));
        }
        show.text(&folder.next(&backend))?;
        show.out.finish()?;
        if global.is_json() {
            print_document(&global, &worked.to_json(&designs))?;
        }
        Ok(Code::Done)
    }
}

/// Loads the flights while a browser shows them.
fn open(global: &Global, folder: &DemoFolder, candidates: &[Candidate; 3]) -> Result<Code, Failure> {
    for candidate in candidates {
        earlier::drop_table(global, candidate)?;
    }
    folder.build()?;
    let global = Global { backend: Ok(folder.backend(global.backend()?)), ..global.clone() };
    live::show(&global, folder, candidates)?;
    Ok(Code::Done)
}

/// The results of the work with the store.
struct Worked {
    loaded: Routed,
    store_bytes: Option<u64>,
    answers: Vec<Answer>,
    extracted: Extracted,
}

impl Worked {
    /// Returns the figures of the whole demo, with those of its designs.
    fn to_json(&self, designs: &[Value]) -> Value {
        let total = &self.extracted.total;
        json!({
            "format": 1,
            "designs": designs,
            "store_bytes": self.store_bytes,
            "questions": self.answers.iter().map(Answer::to_json).collect::<Vec<_>>(),
            "extracted": { "day": DAY, "rows": total.rows, "files": total.files },
        })
    }
}

/// Works with the store: makes and loads the table, queries it, and extracts a day of it.
async fn work(
    store: Arc<dyn Store>,
    ours: &Candidate,
    folder: &DemoFolder,
    show: &mut Show,
) -> Result<Worked, Failure> {
    let table = Table::create(Arc::clone(&store), ours.codec.design().clone(), &ours.points).await?;
    earlier::sign(&*store, table.name()).await?;
    show.step(&format!("table {} made, cut into {} regions", table.name(), ours.points.region_count()))?;
    let loaded = routed::load(&table).await?;
    let store_bytes = folder.store_bytes();
    show.text(&loaded.to_string())?;
    let on_disk = store_bytes.map_or(String::new(), |bytes| format!("; {} on disk", bytes_text(bytes)));
    show.step(&format!("{} rows loaded{on_disk}", loaded.rows))?;
    let answers = questions::ask(&table).await?;
    for answer in &answers {
        show.text(&answer.to_string())?;
    }
    show.step("three questions asked")?;
    let extracted = extract(&table, folder).await?;
    for (partition, counts) in &extracted.partitions {
        let folder = folder.extract().join(partition);
        let (rows, files) = (counts.rows, counts.files);
        show.text(&format!("  {}: {rows} rows in {files} files\n", folder.display()))?;
    }
    show.step(&format!("the day {DAY} extracted to Parquet"))?;
    Ok(Worked { loaded, store_bytes, answers, extracted })
}

async fn extract(table: &Table, folder: &DemoFolder) -> Result<Extracted, Failure> {
    let time = table.design().field_index("time_hour").unwrap_or_default();
    let day = Day::parse(DAY, table.design(), time)?;
    Ok(table.extract(&Extract::of_day(day), &folder.extract()).await?)
}

/// Where the demo writes, and when its last step ended.
struct Show {
    out: Out,
    silent: bool,
    started: Instant,
}

impl Show {
    fn text(&mut self, text: &str) -> Result<(), Failure> {
        if self.silent { Ok(()) } else { self.out.write(text.as_bytes()) }
    }

    /// Ends a step, and prints the time it took.
    fn step(&mut self, what: &str) -> Result<(), Failure> {
        let took = self.started.elapsed();
        self.text(&format!("── {what} ({:.2} s)\n\n", took.as_secs_f64()))?;
        self.out.flush()?;
        self.started = Instant::now();
        Ok(())
    }
}

/// Returns the errors and warnings of a design.
fn findings(candidate: &Candidate) -> Vec<Finding> {
    let split = Ok(candidate.points.clone());
    let mut found = lint(&Subject::new(&candidate.codec).with_split(&split));
    found.retain(|finding| finding.severity != Severity::Info);
    found
}

fn finding_lines(findings: &[Finding]) -> String {
    if findings.is_empty() {
        return "  no error, no warning\n".to_owned();
    }
    let line = |finding: &Finding| format!("  {}[{}] {}\n", finding.severity, finding.id, finding.message);
    findings.iter().map(line).collect::<Vec<_>>().concat()
}

fn design_json(candidate: &Candidate, findings: &[Finding], routed: &Routed) -> Value {
    json!({
        "title": candidate.title,
        "findings": findings.iter().map(|finding| finding.id.name()).collect::<Vec<_>>(),
        "regions": candidate.points.region_count(),
        "routed": routed.to_json(),
    })
}
