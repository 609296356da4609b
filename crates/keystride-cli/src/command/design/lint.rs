use annotate_snippets::{AnnotationKind, Group, Renderer, Snippet};
use keystride::KeyCodec;
use keystride_advisor::lint::{Effect, Finding, Language, Severity};
use keystride_advisor::{Review, Split};
use keystride_app::findings::{FindingDocument, FindingsDocument, place_of_finding};
use keystride_app::marked_text::{line_and_column, without_mark};

use super::lint_fix::{FixArgs, show_diff, write_fixed};
use super::lint_words;
use crate::design_arg::DesignArg;
use crate::design_failure::DesignFailure;
use crate::design_file::{DesignFile, is_json};
use crate::failure::{Code, Failure};
use crate::format::Format;
use crate::global::Global;
use crate::output::{Out, Rows, print_document, renderer, safe, say};

#[derive(Debug, clap::Args)]
pub(crate) struct Lint {
    #[command(flatten)]
    design: DesignArg,
    #[command(flatten)]
    fixes: FixArgs,
    /// Exit with 1 on warnings, too
    #[arg(long)]
    strict: bool,
    /// Exit with 0 whatever is found
    #[arg(long)]
    exit_zero: bool,
}

impl Lint {
    pub(crate) fn run(&self, global: &Global) -> Result<Code, Failure> {
        let file = match DesignFile::read(self.design.path()) {
            Err(Failure::Design(invalid)) => return self.refuse(global, invalid),
            file => file?,
        };
        let split = split_of(&file, global)?;
        let mut review = Review::new(file.codec.clone(), file.toml().map(str::to_owned), split, global.lang);
        let terminal = std::io::IsTerminal::is_terminal(&std::io::stdout());
        let format = global.format.unwrap_or(if terminal { Format::Full } else { Format::Concise });
        let split_of = |codec: &KeyCodec| split_of_patched(&file, codec, global);
        let patches = self.fixes.patches();
        if self.fixes.diff {
            let (mended, differs) = show_diff(global, &file, review, patches, &split_of)?;
            self.say_counts(global, &mended, mended.toml().unwrap_or(&file.text));
            return Ok(if differs && !self.exit_zero { Code::No } else { self.code(mended.findings()) });
        }
        if self.fixes.fix {
            review = write_fixed(global, &file, review, patches, &split_of)?;
        } else if shows_patches(format, review.findings()) && review.toml().is_some() {
            review.keep_good_patches(&split_of);
        }
        self.print(global, format, &review, &file.text)?;
        Ok(self.code(review.findings()))
    }

    /// Tells the mistakes of a file that is no design to programs in the form of findings; they have no lint's id.
    fn refuse(&self, global: &Global, invalid: Box<DesignFailure>) -> Result<Code, Failure> {
        let documents = || FindingDocument::of_mistakes(&invalid.error, self.design.path(), &invalid.text);
        match global.format {
            Some(Format::Json) => print_document(global, &FindingsDocument::new(documents()))?,
            Some(Format::Ndjson) => print_each(global, &documents())?,
            Some(Format::Concise) => {
                let mut out = Out::new();
                documents().iter().try_for_each(|mistake| out.line(mistake.to_string()))?;
                out.finish()?;
            }
            _ => {}
        }
        Err(Failure::Design(invalid))
    }

    /// Prints findings; `text` is that of the file if the review has none.
    fn print(&self, global: &Global, format: Format, review: &Review, text: &str) -> Result<(), Failure> {
        let findings = review.findings();
        let text = review.toml().unwrap_or(text);
        let document = |finding| FindingDocument::of_finding(finding, self.design.path(), text);
        match format {
            Format::Json => {
                let stale = review.stale_silences().map(|silence| silence.lint.clone()).collect();
                let silenced = review.silenced().iter().map(document).collect();
                let all = FindingsDocument::new(findings.iter().map(document).collect());
                return print_document(global, &all.with_silenced(silenced, stale));
            }
            Format::Ndjson => {
                let all = findings.iter().chain(review.silenced()).map(document);
                return print_each(global, &all.collect::<Vec<_>>());
            }
            Format::Table | Format::Tsv | Format::Csv => {
                let columns = ["file", "line", "column", "severity", "id", "message"];
                Rows::new(global, columns).print_documents(findings.iter().map(document))?;
            }
            Format::Concise => self.print_lines(global, findings, text)?,
            Format::Full => self.print_reports(global, findings, text)?,
        }
        self.say_counts(global, review, text);
        Ok(())
    }

    /// Says how many findings there are, and how many fixes, and which silences are no longer needed.
    fn say_counts(&self, global: &Global, review: &Review, text: &str) {
        for silence in review.stale_silences() {
            let line = line_and_column(text, silence.span.start).filter(|_| !silence.span.is_empty());
            let line = line.map_or_else(String::new, |(line, _)| format!(":{line}"));
            let place = format!("{}{line}", self.design.path().display());
            say(global, &lint_words::stale(&place, &silence.lint, global.lang));
        }
        let summary = lint_words::summary(review.findings(), review.silenced().len(), global.lang);
        say(global, &if self.fixes.diff { lint_words::left(&summary, global.lang) } else { summary });
        let fixes = [Effect::KeepsRows, Effect::ChangesRows].map(|effect| review.fix_count(effect));
        let takes_safe = self.fixes.fix || self.fixes.diff;
        if let Some(line) = lint_words::fixes(fixes, takes_safe, global.lang) {
            say(global, &line);
        }
    }

    fn print_lines(&self, global: &Global, findings: &[Finding], text: &str) -> Result<(), Failure> {
        let mut out = Out::new();
        for finding in findings {
            let (line, column) = place_of_finding(finding, text).unwrap_or((1, 1));
            let path = self.design.path().display();
            out.line(format!(
                "{path}:{line}:{column}: {}[{}]: {}",
                finding.severity.word(global.lang),
                finding.id,
                finding.message
            ))?;
        }
        out.finish()
    }

    fn print_reports(&self, global: &Global, findings: &[Finding], text: &str) -> Result<(), Failure> {
        let renderer = renderer(global.color, &std::io::stdout());
        let mut out = Out::new();
        for finding in findings {
            out.styled_line(&self.report(finding, text, global.lang, &renderer))?;
            out.line("")?;
        }
        out.finish()
    }

    fn report(&self, finding: &Finding, text: &str, language: Language, renderer: &Renderer) -> String {
        let level = lint_words::level(finding.severity, language);
        let path = self.design.path().display().to_string();
        let source = without_mark(text);
        let id = finding.id.name();
        let mut group = Group::with_title(level.primary_title(finding.message.as_str()).id(id));
        if let Some(span) = finding.span.clone().filter(|span| span.end <= source.len()) {
            let mut snippet = Snippet::source(source).path(path.as_str());
            snippet =
                snippet.annotation(AnnotationKind::Primary.span(span).label(finding.component.as_str()));
            for (span, label) in finding.labels.iter().filter(|(span, _)| span.end <= source.len()) {
                snippet =
                    snippet.annotation(AnnotationKind::Context.span(span.clone()).label(label.as_str()));
            }
            group = group.element(snippet);
        }
        for note in &finding.notes {
            group = group.element(lint_words::note(language).message(safe(note)));
        }
        let help = self.help(finding, language);
        if let Some(help) = &help {
            group = group.element(lint_words::help(language).message(safe(help)));
        }
        let more = format!("keystride design explain {id}");
        group = group.element(lint_words::more(language).message(more.as_str()));
        renderer.render(&[group])
    }

    fn help(&self, finding: &Finding, language: Language) -> Option<String> {
        let path = self.design.path().display();
        let command = format!("keystride design lint {path} --fix");
        let fix = finding.fix.as_ref().map(|fix| match fix.effect {
            // Patches are of TOML files alone; in another their title is advice.
            _ if is_json(self.design.path()) => fix.title.clone(),
            Some(Effect::ChangesRows) => lint_words::by_unsafe_command(&fix.title, &command, language),
            _ => lint_words::by_command(&fix.title, &command, language),
        });
        match (&finding.help, fix) {
            (Some(help), Some(fix)) => Some(lint_words::both(help, &fix, language)),
            (Some(help), None) => Some(help.clone()),
            (None, fix) => fix,
        }
    }

    fn code(&self, findings: &[Finding]) -> Code {
        let worst = findings.iter().map(|finding| finding.severity).min();
        match worst {
            _ if self.exit_zero => Code::Done,
            Some(Severity::Error) => Code::No,
            Some(Severity::Warning) if self.strict => Code::No,
            _ => Code::Done,
        }
    }
}

/// Whether patches are told in a format; they take time to try. One line each of very many findings is to come at once.
fn shows_patches(format: Format, findings: &[Finding]) -> bool {
    const MANY: usize = 50;
    match format {
        Format::Full | Format::Json | Format::Ndjson => true,
        Format::Concise => findings.len() <= MANY,
        _ => false,
    }
}

/// Returns the split of a design file. A rule that makes no points is a finding; a file that can't be read is a failure.
fn split_of(file: &DesignFile, global: &Global) -> Result<Split, Failure> {
    match file.split_points(global) {
        Ok(points) => Ok(Ok(points)),
        Err(Failure::SplitOfFile { cause, .. }) => Ok(Err(cause)),
        Err(other) => Err(other),
    }
}

/// Returns the split of a patched design file; what reading its files has to say was said when the file was linted.
fn split_of_patched(file: &DesignFile, codec: &KeyCodec, global: &Global) -> Option<Split> {
    let patched = DesignFile { path: file.path.clone(), text: String::new(), codec: codec.clone() };
    split_of(&patched, &Global { quiet: true, ..global.clone() }).ok()
}

/// Prints a document for each finding.
fn print_each(global: &Global, findings: &[FindingDocument]) -> Result<(), Failure> {
    findings.iter().try_for_each(|finding| print_document(global, finding))
}
