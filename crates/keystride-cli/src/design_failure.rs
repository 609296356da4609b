//! Reports what is wrong with a design file, with the lines of the file.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use keystride::design::{Complaint, DesignError, NoDesign, Problem};
use keystride_app::findings::place_of_complaint;
use keystride_app::marked_text::{line_and_column, without_mark};

use crate::output::{brief, safe};

/// A file that is not a valid design.
#[derive(Debug)]
pub(crate) struct DesignFailure {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) error: DesignError,
}

/// How many complaints are shown with their line. A file with more is most likely no design at all.
const MOST_SHOWN: usize = 100;

impl DesignFailure {
    /// Returns every complaint with its place, a caret, what was found and what is expected.
    pub(crate) fn render(&self, renderer: &Renderer) -> String {
        let complaints = &self.error.complaints;
        if let [Complaint { problem: Problem::NoDesign { why }, .. }] = complaints.as_slice() {
            return self.no_design(*why, renderer);
        }
        let (shown, told) = complaints.split_at(complaints.len().min(MOST_SHOWN));
        let mut reports: Vec<String> =
            shown.iter().map(|complaint| self.complaint(complaint, renderer)).collect();
        if !told.is_empty() {
            reports.push(self.lines_of(told));
        }
        let count = complaints.len();
        let noun = if count == 1 { "mistake" } else { "mistakes" };
        let end = format!("{}: {count} {noun}, nothing done", self.path.display());
        format!("{}\n\n{}", reports.join("\n\n"), safe(&end))
    }

    /// Says once that the file is no design, and for rows how to get one.
    fn no_design(&self, why: NoDesign, renderer: &Renderer) -> String {
        let path = self.path.display();
        let title = format!("{path} is not a design file: {why}");
        let mut group = Group::with_title(Level::ERROR.primary_title(brief(&title)));
        let has_rows = self.path.extension().is_some_and(|ending| {
            ["csv", "tsv", "jsonl", "ndjson", "parquet"]
                .iter()
                .any(|known| ending.eq_ignore_ascii_case(known))
        });
        let help = format!("`keystride design new {path}` makes a design of rows");
        if has_rows && why != NoDesign::Empty {
            group = group.element(Level::HELP.message(safe(&help)));
        }
        renderer.render(&[group])
    }

    /// Returns a line for each complaint, without the line of the file.
    fn lines_of(&self, complaints: &[Complaint]) -> String {
        let (path, source) = (self.path.display(), without_mark(&self.text));
        let ends: Vec<usize> = source.match_indices('\n').map(|(end, _)| end).collect();
        let lines = complaints.iter().map(|complaint| {
            let line = place_of_complaint(complaint, source)
                .map(|place| format!(":{}", ends.partition_point(|end| *end < place.start) + 1));
            let line = format!("{path}{}: {}", line.unwrap_or_default(), complaint.problem);
            safe(&brief(&line)).into_owned()
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    fn complaint(&self, complaint: &Complaint, renderer: &Renderer) -> String {
        let title = complaint.problem.to_string();
        let title = brief(&title);
        let help = complaint.problem.help().map(|help| safe(&brief(&help)).into_owned());
        let path = self.path.display().to_string();
        let source = without_mark(&self.text);
        let place = place_of_complaint(complaint, source);
        let lines = place.clone().map(|place| Lines::of(source, place));
        let mut group = Group::with_title(Level::ERROR.primary_title(title));
        group = match lines.filter(|lines| lines.text.len() <= MOST_LINE_BYTES) {
            Some(lines) => {
                let label = AnnotationKind::Primary.span(lines.span).label(complaint.path.as_str());
                let snippet = Snippet::source(lines.text).line_start(lines.number).path(path.as_str());
                group.element(snippet.annotation(label))
            }
            None => {
                let gap = if complaint.path.is_empty() { "" } else { ", " };
                let at = place.and_then(|place| line_and_column(source, place.start));
                let at = at.map_or_else(String::new, |(line, column)| format!(":{line}:{column}"));
                let place = format!("in {path}{at}{gap}{}", complaint.path);
                group.element(Level::NOTE.message(safe(&place).into_owned()))
            }
        };
        if let Some(help) = &help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        renderer.render(&[group])
    }
}

/// More than a line has that people write; a longer one is not shown.
const MOST_LINE_BYTES: usize = 10_000;

/// The lines of a place.
struct Lines<'a> {
    text: &'a str,
    /// The number of the first, from 1.
    number: usize,
    /// The place in them.
    span: Range<usize>,
}

impl<'a> Lines<'a> {
    fn of(source: &'a str, place: Range<usize>) -> Self {
        let begin = source[..place.start].rfind('\n').map_or(0, |end| end + 1);
        let end = source[place.end..].find('\n').map_or(source.len(), |end| place.end + end);
        Self {
            text: &source[begin..end],
            number: source[..begin].matches('\n').count() + 1,
            span: place.start - begin..place.end - begin,
        }
    }
}

impl fmt::Display for DesignFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(&Renderer::plain()))
    }
}

impl std::error::Error for DesignFailure {}
