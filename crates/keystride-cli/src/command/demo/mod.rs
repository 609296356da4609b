//! `keystride demo`: a year of real flights through one good design and two that are often posted.

mod flights;
mod questions;
mod replay;

use std::time::Instant;

use keystride::lint::{Finding, Severity, Subject, lint};
use keystride_heat::Balance;
use serde_json::{Value, json};

use crate::args::{Format, Global};
use crate::failure::{Code, Failure};
use crate::output::{Out, print_json};
use flights::Candidate;

/// Shows what keystride does, on all 336,776 departures from New York's airports in 2013
///
/// Every figure that is printed is measured as you watch. With --format json the raw counters are printed.
#[derive(Debug, clap::Args)]
pub(crate) struct Demo {}

impl Demo {
    #[expect(clippy::unused_self, reason = "every command runs from its arguments, also from none")]
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let json = matches!(global.format, Some(Format::Json | Format::Ndjson));
        let mut show = Show { out: Out::new(), silent: json, started: Instant::now() };
        let candidates = flights::candidates()?;
        let [ours, ..] = &candidates;
        show.text(
            "A year of flights from New York, keyed so that one plane's newest flights are one range.\n\n",
        )?;
        show.text(flights::design_text())?;
        show.step("the design above, read and checked")?;
        let findings = findings(&candidates);
        for (candidate, found) in candidates.iter().zip(&findings) {
            show.text(&finding_lines(candidate.title, found))?;
        }
        show.step("three designs linted: ours, and two that are often posted")?;
        let asked = questions::ask(ours)?;
        for question in &asked {
            show.text(&question.to_string())?;
        }
        show.step("three questions planned: which ranges answer them")?;
        let mut replays = Vec::new();
        for candidate in &candidates {
            let replayed = replay::replay(candidate)?;
            show.text(&replayed.to_string())?;
            show.step(&format!("{} rows routed, nothing stored: {}", replayed.rows, candidate.title))?;
            replays.push(replayed);
        }
        show.text(NEXT)?;
        show.out.finish()?;
        if json {
            print_json(&document(&candidates, &findings, &replays, &asked))?;
        }
        Ok(Code::Done)
    }
}

const NEXT: &str = "
Try next:
  keystride key encode -d examples/flights/design.toml tailnum=N14228 time_hour=2013-01-01T10:00:00Z flight=1545 carrier=UA origin=EWR
  keystride splits -d examples/flights/seed-003.toml --preview
  keystride design lint examples/flights/seed-003.toml
";

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

    /// Ends a step with the time it took.
    fn step(&mut self, what: &str) -> Result<(), Failure> {
        let took = self.started.elapsed();
        self.text(&format!("── {what} ({:.2} s)\n\n", took.as_secs_f64()))?;
        self.out.flush()?;
        self.started = Instant::now();
        Ok(())
    }
}

/// Errors and warnings of each design.
fn findings(candidates: &[Candidate]) -> Vec<Vec<Finding>> {
    let judge = |candidate: &Candidate| {
        let split = Ok(candidate.points.clone());
        let mut found = lint(&Subject::new(&candidate.codec).with_split(&split));
        found.retain(|finding| finding.severity != Severity::Info);
        found
    };
    candidates.iter().map(judge).collect()
}

fn finding_lines(title: &str, findings: &[Finding]) -> String {
    let mut lines = format!("  {title}: ");
    if findings.is_empty() {
        lines.push_str("no error, no warning\n");
        return lines;
    }
    lines.push('\n');
    for finding in findings {
        lines.push_str(&format!("    {}[{}] {}\n", finding.severity, finding.id, finding.message));
    }
    lines
}

fn document(
    candidates: &[Candidate],
    findings: &[Vec<Finding>],
    replays: &[replay::Replay],
    asked: &[questions::Question],
) -> Value {
    let designs: Vec<Value> = candidates
        .iter()
        .zip(replays)
        .zip(findings)
        .map(|((candidate, replay), findings)| {
            json!({
                "title": candidate.title,
                "findings": findings.iter().map(|finding| finding.id.name()).collect::<Vec<_>>(),
                "regions": candidate.points.region_count(),
                "rows": replay.rows,
                "rejected": replay.rejected,
                "rows_by_region": replay.by_region,
                "balance": replay.balance.as_ref().map(balance_json),
            })
        })
        .collect();
    json!({ "format": 1, "designs": designs, "questions": asked.iter().map(questions::Question::to_json).collect::<Vec<_>>() })
}

/// The raw figures of a balance, from which every printed one follows.
fn balance_json(balance: &Balance) -> Value {
    json!({
        "windows": balance.window_count,
        "imbalance": { "median": balance.imbalance.median, "p95": balance.imbalance.p95, "max": balance.imbalance.max },
        "chance": { "median": balance.chance.median, "p99": balance.chance.p99 },
        "overall": { "imbalance": balance.overall.imbalance(), "empty_regions": balance.overall.empty_region_count() },
    })
}
