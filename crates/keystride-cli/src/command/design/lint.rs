use annotate_snippets::{AnnotationKind, Group, Renderer, Snippet};
use keystride::{Design, KeyCodec};
use keystride_advisor::lint::{Finding, Language, Severity};
use keystride_advisor::{Review, Split};
use keystride_app::findings::{FindingDocument, FindingsDocument, place_of_finding};
use keystride_app::marked_text::{in_form_of, without_mark};
use keystride_app::replaced_file::replace_file;

use super::lint_words;
use crate::design_arg::DesignArg;
use crate::design_failure::DesignFailure;
use crate::design_file::{DesignFile, is_json};
use crate::failure::{Code, Failure};
use crate::format::Format;
use crate::global::Global;
use crate::output::{Out, Rows, print_document, renderer, safe, say};
use crate::usage::Usage;

#[derive(Debug, clap::Args)]
pub(crate) struct Lint {
    #[command(flatten)]
    design: DesignArg,
    /// Apply the findings' patches to the file; comments are kept, but for those of words that go
    #[arg(long)]
    fix: bool,
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
        if self.fix {
            review = self.fixed(global, &file, review)?;
        } else if shows_patches(format) && review.toml().is_some() {
            review.keep_good_patches(&|codec| split_of_patched(&file, codec, global));
        }
        let text = review.toml().unwrap_or(&file.text);
        self.print(global, format, review.findings(), text)?;
        Ok(self.code(review.findings()))
    }

    /// Tells the mistakes of a file that is no design to programs in the form of findings; they have no lint's id.
    fn refuse(&self, global: &Global, invalid: Box<DesignFailure>) -> Result<Code, Failure> {
        let documents = || FindingDocument::of_mistakes(&invalid.error, self.design.path(), &invalid.text);
        match global.format {
            Some(Format::Json | Format::Ndjson) => print_documents(global, documents())?,
            Some(Format::Concise) => {
                let mut out = Out::new();
                documents().iter().try_for_each(|mistake| out.line(mistake.to_string()))?;
                out.finish()?;
            }
            _ => {}
        }
        Err(Failure::Design(invalid))
    }

    /// Applies patches to the file, and returns it with what is left to find.
    fn fixed(&self, global: &Global, file: &DesignFile, review: Review) -> Result<Review, Failure> {
        // What is read once can't be read again and written.
        if !self.design.path().is_file() {
            return Err(Usage::FixNeedsFile.into());
        }
        if is_json(self.design.path()) {
            return Err(Usage::FixNeedsToml.into());
        }
        let (review, titles) = review.mended(&|codec| split_of_patched(file, codec, global));
        if let Some(toml) = review.toml().filter(|_| !titles.is_empty()) {
            replace_file(self.design.path(), &in_form_of(&file.text, toml))
                .map_err(|cause| Failure::Write { path: self.design.path().to_owned(), cause })?;
        }
        for title in &titles {
            say(global, &lint_words::fixed(title, global.lang));
        }
        if changes_rows(file.design(), review.design()) {
            say(global, lint_words::changes_rows(global.lang));
        }
        Ok(review)
    }

    fn print(
        &self,
        global: &Global,
        format: Format,
        findings: &[Finding],
        text: &str,
    ) -> Result<(), Failure> {
        let document = |finding| FindingDocument::of_finding(finding, self.design.path(), text);
        match format {
            Format::Json | Format::Ndjson => {
                return print_documents(global, findings.iter().map(document).collect());
            }
            Format::Table | Format::Tsv | Format::Csv => {
                let columns = ["file", "line", "column", "severity", "id", "message"];
                Rows::new(global, columns).print_documents(findings.iter().map(document))?;
            }
            Format::Concise => self.print_lines(global, findings, text)?,
            Format::Full => self.print_reports(global, findings, text)?,
        }
        say(global, &lint_words::summary(findings, global.lang));
        Ok(())
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
        let fix = finding.fix.as_ref().map(|fix| {
            // Patches are of TOML files alone; in another their title is advice.
            let is_advice = is_json(self.design.path());
            if is_advice { fix.title.clone() } else { lint_words::by_command(&fix.title, &command, language) }
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

/// Whether patches are told in a format; they take time to try.
fn shows_patches(format: Format) -> bool {
    matches!(format, Format::Full | Format::Json | Format::Ndjson)
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

/// Whether a design makes other keys or cells than before, so that tables that exist can't be opened with it.
fn changes_rows(before: &Design, after: &Design) -> bool {
    before.differences(after).iter().any(|line| !line.starts_with("table."))
}

/// Prints findings as one document, or as one each.
fn print_documents(global: &Global, findings: Vec<FindingDocument>) -> Result<(), Failure> {
    if global.format == Some(Format::Ndjson) {
        return findings.iter().try_for_each(|finding| print_document(global, finding));
    }
    print_document(global, &FindingsDocument::new(findings))
}
