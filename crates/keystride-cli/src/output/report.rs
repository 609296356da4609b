//! Messages: errors, notes, progress. All of them go to stderr.

use std::process::ExitCode;

use annotate_snippets::{Level, Renderer};

use crate::failure::Failure;
use crate::format::Color;
use crate::global::Global;

/// Returns a renderer with the colours that stderr supports.
pub(crate) fn renderer(color: Color) -> Renderer {
    let styled = match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never,
    };
    if styled { Renderer::styled() } else { Renderer::plain() }
}

/// Prints a line to stderr. Failing to do so is not an error.
pub(crate) fn say(global: &Global, line: &str) {
    if !global.quiet {
        write_stderr(line);
    }
}

/// Reports a failure and returns its exit code.
pub(crate) fn report(failure: &Failure, color: Color) -> ExitCode {
    let renderer = renderer(color);
    match failure {
        Failure::ClosedPipe => {}
        Failure::Design(design) => write_stderr(&design.render(&renderer)),
        Failure::Predicate { text, cause } => {
            let title = cause.to_string();
            let end = (cause.at + 1).min(text.len()).max(cause.at);
            let place = annotate_snippets::AnnotationKind::Primary.span(cause.at..end);
            let snippet = annotate_snippets::Snippet::source(text.as_str()).path("--where").annotation(place);
            write_stderr(&renderer.render(&[Level::ERROR.primary_title(title.as_str()).element(snippet)]));
        }
        other => {
            let title = other.to_string();
            write_stderr(
                &renderer.render(&[annotate_snippets::Group::with_title(
                    Level::ERROR.primary_title(title.as_str()),
                )]),
            );
        }
    }
    failure.exit_code()
}

/// Reports what the panic hook has not printed already.
pub(crate) fn report_bug() -> ExitCode {
    write_stderr("error: this is a bug in keystride; the lines above and the command tell where");
    ExitCode::from(70)
}

fn write_stderr(text: &str) {
    use std::io::Write as _;
    // If stderr is closed, there is nowhere to report it.
    let _ = writeln!(anstream::stderr(), "{text}");
}
