//! Messages: errors, notes, progress. All of them go to stderr.

use std::process::ExitCode;

use annotate_snippets::{Level, Renderer};
use anstream::stream::RawStream;
use keystride_app::marked_text::character_at;

use super::progress::above_line;
use super::safe::{brief, safe, safe_styled};
use crate::bug::Bug;
use crate::failure::Failure;
use crate::format::Color;
use crate::global::Global;
use crate::stop::writing;

/// Returns a renderer with the colours that a stream supports.
pub(crate) fn renderer(color: Color, stream: &impl RawStream) -> Renderer {
    if has_colors(color, stream) { Renderer::styled() } else { Renderer::plain() }
}

/// Whether what is written to a stream has colours.
pub(crate) fn has_colors(color: Color, stream: &impl RawStream) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => anstream::AutoStream::choice(stream) != anstream::ColorChoice::Never,
    }
}

/// Prints a line to stderr. Failing to do so is not an error.
pub(crate) fn say(global: &Global, line: &str) {
    if !global.quiet {
        write_stderr(&brief(line));
    }
}

/// Reports a failure and returns its exit code.
pub(crate) fn report(failure: &Failure, color: Color) -> ExitCode {
    let renderer = renderer(color, &std::io::stderr());
    match failure {
        Failure::ClosedPipe => {}
        Failure::Design(design) => write_styled(&design.render(&renderer), color),
        Failure::Predicate { text, cause } => {
            let title = cause.to_string();
            let place = annotate_snippets::AnnotationKind::Primary.span(character_at(text, cause.at));
            let snippet = annotate_snippets::Snippet::source(text.as_str()).path("--where").annotation(place);
            let report = Level::ERROR.primary_title(brief(&title)).element(snippet);
            write_styled(&renderer.render(&[report]), color);
        }
        other => {
            let title = other.to_string();
            let report = annotate_snippets::Group::with_title(Level::ERROR.primary_title(brief(&title)));
            write_styled(&renderer.render(&[report]), color);
        }
    }
    failure.exit_code()
}

/// Reports a panic: what it said, and where more is told.
pub(crate) fn report_bug(bug: &Bug) {
    write_stderr(&format!("error: this is a bug in keystride: {}", bug.summary));
    if let Some(path) = bug.write() {
        write_stderr(&format!("a report that helps to mend it is in {}", path.display()));
    }
}

/// Writes a text whose colours are those asked for.
fn write_styled(text: &str, color: Color) {
    use std::io::Write as _;
    let text = safe_styled(text);
    // If stderr is closed, there is nowhere to report it.
    let _ = writing(|| {
        above_line(|| match color {
            Color::Always => writeln!(anstream::AutoStream::always(std::io::stderr()), "{text}"),
            _ => writeln!(anstream::stderr(), "{text}"),
        })
    });
}

fn write_stderr(text: &str) {
    use std::io::Write as _;
    let _ = writing(|| above_line(|| writeln!(std::io::stderr(), "{}", safe(text))));
}

/// Stderr for the lines of a log, which may have colours.
#[derive(Debug)]
pub(crate) struct LogOut;

impl std::io::Write for LogOut {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        above_line(|| std::io::stderr().write_all(safe_styled(&text).as_bytes()))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        std::io::stderr().flush()
    }
}
